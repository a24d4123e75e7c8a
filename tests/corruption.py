"""Random corruptions of whole logs: what stands before the damage is unchanged, and no damage passes as whole.

As a command: `python tests/corruption.py --count 10000 LOG…` (files or folders of logs). Prints the
statuses met and the time, and stops at the first broken promise with what is needed to repeat it.
"""

from __future__ import annotations

import argparse
import random
import time
from collections import Counter
from dataclasses import dataclass
from pathlib import Path

from opening import opened
from palimpsest.core.reading import frames
from palimpsest.core.session import Session

EVENTS_COMPARED = 40


@dataclass(frozen=True)
class Corrupted:
    """`first`: the first byte at which the data differs from the log it was made of."""

    kind: str
    data: bytes
    first: int


def corrupt(data: bytes, seed: int) -> Corrupted:
    """One flip, cut, insertion or removal of bytes, or two swapped frames."""
    chance = random.Random(seed)
    kind = chance.choice(["flip", "cut", "insert", "remove", "swap"])
    at = chance.randrange(len(data))
    match kind:
        case "flip":
            made = data[:at] + bytes([data[at] ^ 1 << chance.randrange(8)]) + data[at + 1 :]
        case "cut":
            made = data[:at]
        case "insert":
            made = data[:at] + chance.randbytes(chance.choice([1, 4, 100])) + data[at:]
        case "remove":
            made = data[:at] + data[at + chance.choice([1, 3, 100]) :]
        case _:
            made = swapped(data, chance)
    first = next((place for place, (old, new) in enumerate(zip(data, made, strict=False)) if old != new), len(made))
    return Corrupted(kind, made, min(first, len(data)))


def swapped(data: bytes, chance: random.Random) -> bytes:
    """Two pieces (frames, or lines of a raw log) in each other's place; the first stays where it is."""
    pieces = pieces_of(data)
    if len(pieces) < 3:
        return data[: len(data) // 2]
    one, two = sorted(chance.sample(range(1, len(pieces)), 2))
    pieces[one], pieces[two] = pieces[two], pieces[one]
    return b"".join(pieces)


def pieces_of(data: bytes) -> list[bytes]:
    if data[:4] != frames.MAGIC:
        return [line + b"\n" for line in data.split(b"\n")[:-1]]
    pieces: list[bytes] = []
    at = 0
    while at < len(data) and isinstance(found := frames.scan(data, at), frames.Whole):
        pieces.append(data[at : found.end])
        at = found.end
    return pieces


def texts_of(data: bytes) -> list[bytes]:
    return [frames.decompress(piece, 1 << 30) for piece in pieces_of(data)]


def check(whole: Session, corrupted: Corrupted, chance: random.Random) -> str:
    """The status of the corrupted log. Raises AssertionError where a promise is broken."""
    session = opened(corrupted.data)
    status = session.status
    container = whole.log.container
    if container.encoding == "zstd" and status == "ok":
        # A cut between two frames, or frames put elsewhere, leave sound frames behind. So do a few bits of a
        # frame's own header (the size of its window) that change nothing of what it holds.
        sound = set(texts_of(whole_bytes(whole)))
        assert all(text in sound for text in texts_of(corrupted.data)), "damage in a frame passed for whole"
    safe = untouched(whole, corrupted.first)
    if session.log.header is not None and whole.log.header is not None and session.log.header == whole.log.header:
        assert session.log.events >= safe, f"{session.log.events} events of {safe} before the damage"
        early = range(min(safe, EVENTS_COMPARED))
        for seq in [*early, *(chance.randrange(safe) for _ in early)]:
            assert session.log.event(seq) == whole.log.event(seq), f"event {seq} changed"
        last = safe - 1
        if safe and (session.surface.fault is None or (session.surface.fault.seq or 0) > last):
            assert session.surface.seqs_at(last) == whole.surface.seqs_at(last)
    return status


def whole_bytes(session: Session) -> bytes:
    return session.log.container.data.read(0, session.log.container.data.size)


def untouched(whole: Session, first: int) -> int:
    """How many events stand in frames, or in rows of a raw log, that end before byte `first`."""
    log = whole.log
    events = 0
    for row in range(log.trusted_rows):
        chunk = log.columns.chunk[row]
        if log.container.encoding == "zstd":
            done = log.container.ends[chunk] <= first
        else:
            done = log.container.place(chunk, log.columns.offset[row]) + len(log.line(row)) + 1 <= first
        if not done:
            break
        events += log.columns.count[row]
    return events


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--count", type=int, default=1_000)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("logs", nargs="+", type=Path)
    arguments = parser.parse_args()
    paths = [path for root in arguments.logs for path in ([root] if root.is_file() else sorted(root.rglob("*.jsonl*")))]
    logs = [(path, path.read_bytes()) for path in paths if path.name != "cases.jsonl"]
    sound = [(path, data, opened(data)) for path, data in logs]
    sound = [(path, data, session) for path, data, session in sound if session.status == "ok"]
    met: Counter[str] = Counter()
    began = time.monotonic()
    for seed in range(arguments.seed, arguments.seed + arguments.count):
        path, data, session = sound[seed % len(sound)]
        corrupted = corrupt(data, seed)
        try:
            met[check(session, corrupted, random.Random(seed))] += 1
        except Exception as error:
            error.add_note(f"seed {seed}, {corrupted.kind} of {path.name} from byte {corrupted.first}")
            raise
    spent = time.monotonic() - began
    print(f"{arguments.count} corruptions of {len(sound)} logs in {spent:.0f} s: {dict(met.most_common())}")


if __name__ == "__main__":
    main()
