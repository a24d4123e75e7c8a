"""Conformance: facts about logs that the harness's own readers gave, or that the rules demand."""

from __future__ import annotations

from pathlib import Path

import pytest
from checking import cases_of, differences
from palimpsest.core.dialects import DIALECTS
from palimpsest.core.session import open_log

ROOT = Path(__file__).parents[1]
OWN = [ROOT / "sample_logs", *(path.parent for path in sorted((ROOT / "tests" / "cases").glob("*/cases.jsonl")))]
NEWEST_RELEASED = 4
SHARED = [path.parent for path in sorted((ROOT.parent / "shared" / "conformance").glob("*/cases.jsonl"))]


def version_of(path: Path) -> int | None:
    """The version that the header of a log states."""
    session = open_log(path)
    session.close()
    fields = session.log.heading.fields or {}
    version = fields.get("version")
    return version if isinstance(version, int) else None


def unknown(path: Path) -> bool:
    """A released version that this build does not read yet."""
    version = version_of(path)
    return version is not None and 0 <= version <= NEWEST_RELEASED and version not in DIALECTS


def check(folder: Path) -> None:
    cases = cases_of(folder)
    assert cases
    known = [case for case in cases if not unknown(folder / case["file"])]
    wrong = {case["file"]: found for case in known if (found := differences(folder, case))}
    assert wrong == {}
    if len(known) < len(cases):
        left = sorted({version_of(folder / case["file"]) or 0 for case in cases if case not in known})
        pytest.skip(f"{len(known)} cases hold; {len(cases) - len(known)} are of versions {left}, not read yet")


@pytest.mark.parametrize("folder", OWN, ids=lambda folder: folder.name)
def test_cases_of_the_project(folder: Path) -> None:
    check(folder)


@pytest.mark.parametrize("folder", SHARED, ids=lambda folder: folder.name)
def test_cases_beside_the_project(folder: Path) -> None:
    """Larger sets, where they lie beside the checkout."""
    check(folder)


def test_the_project_has_cases_of_its_own() -> None:
    assert {folder.name for folder in OWN} >= {"sample_logs", "handmade", "random"}
    assert sum(len(cases_of(folder)) for folder in OWN) > 150


def test_a_wrong_fact_is_noticed() -> None:
    """The checker itself: change any fact of a case and it says so."""
    folder = ROOT / "tests" / "cases" / "handmade"
    cases = {case["file"]: case for case in cases_of(folder)}
    case = cases["ok-replace-nested.jsonl"]
    assert differences(folder, case) == []
    for key, value in (
        ("status", ["torn"]),
        ("events", 1),
        ("nodes", []),
        ("replacements", []),
        ("history", [1]),
        ("messages", {"count": 2, "sha256": "0" * 64}),
        ("moments", [[8, [0]]]),
        ("error", {"seq": 1, "code": None}),
    ):
        assert len(differences(folder, {**case, key: value})) == 1, key
    faulty = cases["err-start-not-found.jsonl"]
    assert differences(folder, faulty) == []
    assert differences(folder, {**faulty, "error": {"seq": 8, "code": "E15"}})
    assert differences(folder, {**faulty, "error": {"seq": 7, "code": None}})
