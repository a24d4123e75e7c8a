"""The command line. Nothing here imports the screen before it is needed."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from importlib.metadata import version
from pathlib import Path
from typing import Any

import click

from ..core.catalogue import say
from ..core.export.check import facts, logs_at, unopened
from ..core.export.dump import dump, to_json
from ..core.export.plain import one_line
from ..core.export.report import report, total
from ..core.reading.places import PlaceError, find_log
from ..core.session import Session, open_session
from ..core.settings import Limits, SettingError, limits_from

EXIT = {"ok": 0, "torn": 0, "invalid": 1, "damaged": 1, "unsupported": 2, "unreadable": 2}
"""Exit code by status."""

PARTS = 100
"""Steps of the progress bar per log."""


class Refused(click.ClickException):
    """A path that leads nowhere, or a log that cannot be shown: one line on standard error, exit 2."""

    exit_code = 2


class Commands(click.Group):
    """The first argument is a command's name, else the path of a log."""

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        if args and args[0] not in self.commands and not args[0].startswith("-"):
            return "open", self.commands["open"], args
        return super().resolve_command(ctx, args)


@click.group(cls=Commands, invoke_without_command=True, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(version("dsh-palimpsest"), prog_name="palimpsest")
@click.pass_context
def cli(context: click.Context) -> None:
    """See what the model saw: a viewer for DeepSeek Harness (dsh) session logs.

    palimpsest LOG opens a log: a file, or a session directory. Without a terminal it prints a
    summary. Nothing is ever written to a session.
    """
    if context.invoked_subcommand is None:
        raise Refused(say("error.no-log"))


@cli.command("open", hidden=True)
@click.argument("log", type=click.Path(path_type=Path))
def open_(log: Path) -> None:
    """Open a log in the viewer, or print its summary without a terminal."""
    with _opened(log) as session:
        # The screen is drawn on standard error, so all three must be the terminal.
        if all(stream.isatty() for stream in (sys.stdin, sys.stdout, sys.stderr)):
            _view(session)
            return
        _load(session)
        status = session.status
        if EXIT[status] == 2:
            raise Refused(_reason(session, log))
        from ..core.export.summary import summary

        click.echo(summary(session), nl=False)
        sys.exit(EXIT[status])


@cli.command("dump")
@click.argument("log", type=click.Path(path_type=Path))
@click.option("--at", type=int, metavar="SEQ", help="The moment just after this event; the end by default.")
@click.option("--messages", is_flag=True, help="With the derived messages: what the model sees.")
def dump_(log: Path, at: int | None, messages: bool) -> None:
    """Print one JSON object: everything the reading of LOG is judged by."""
    with _opened(log) as session:
        _load(session)
        click.echo(to_json(dump(session, at, messages)))
        status = session.status
        if status != "ok":
            click.echo(say("error.line", message=one_line(_reason(session, log))), err=True)
        sys.exit(EXIT[status])


@cli.command("check")
@click.argument("logs", metavar="LOG...", nargs=-1, required=True, type=click.Path(path_type=Path))
@click.option("--json", "as_json", is_flag=True, help="One JSON array, one object per log.")
def check_(logs: tuple[Path, ...], as_json: bool) -> None:
    """Report what is in each LOG and what is wrong with it, to paste into an issue.

    LOG is a file, a session directory (its newest generation), or any other directory: then all logs below it.
    Exit code: 0 all whole or torn, 1 one damaged or invalid, 2 one that cannot be read; the highest counts.
    """
    found = _found(logs)
    if sys.stderr.isatty():
        with click.progressbar(length=PARTS * len(found), file=sys.stderr) as bar:
            checked = [_checked(one, bar.update) for one in found]
    else:
        checked = [_checked(one) for one in found]
    if as_json:
        click.echo(to_json(checked))
    else:
        click.echo(say("check.by", version=version("dsh-palimpsest")))
        for one in checked:
            click.echo("\n" + report(one), nl=False)
        click.echo("\n" + total(checked))
    sys.exit(max(EXIT[one["status"]] if one["error"] is None else 2 for one in checked))


def _found(paths: tuple[Path, ...]) -> list[tuple[Path, str]]:
    """Every log that the paths mean, once, in their order: its path, and why it cannot be read."""
    found: dict[str, tuple[Path, str]] = {}
    for path in paths:
        for log, reason in logs_at(path):
            found.setdefault(os.path.realpath(log), (log, reason))
    return list(found.values())


def _checked(found: tuple[Path, str], advance: Callable[[int], object] | None = None) -> dict[str, Any]:
    """The facts of one log, or why it has none; `advance` is told of each further part of PARTS."""
    path, reason = found
    done = 0
    try:
        if reason:
            return unopened(path, reason)
        with open_session(path, _limits()) as session:
            for share in session.load():
                if advance is not None and int(share * PARTS) > done:
                    advance(int(share * PARTS) - done)
                    done = int(share * PARTS)
            return facts(session)
    except OSError as error:
        return unopened(path, error.strerror or str(error))
    except ValueError as error:  # the file was changed while it was read
        return unopened(path, str(error))
    finally:
        if advance is not None:
            advance(PARTS - done)


def _limits() -> Limits:
    try:
        return limits_from(os.environ)
    except SettingError as error:
        raise Refused(str(error)) from None


def _opened(path: Path) -> Session:
    try:
        return open_session(find_log(path), _limits())
    except PlaceError as error:
        raise Refused(str(error)) from None
    except OSError as error:
        raise Refused(say("error.nothing", path=path, reason=error.strerror or error)) from None


def _load(session: Session) -> None:
    for _ in session.load():
        pass


def _reason(session: Session, path: Path) -> str:
    """Status and the first notice that explains it."""
    notices = session.notices
    told = next((one for one in notices if one.severity == "error"), notices[0] if notices else None)
    status = f"{session.status}: {say(f'status.{session.status}')}"
    beside = "; ".join(one.message for one in notices if one.code == "generation" and one.severity == "info")
    return ": ".join(filter(None, (str(path), status, told.message if told is not None else "", beside)))


def _view(session: Session) -> None:
    steps = session.load()
    next(steps, None)
    if session.log.header is None:
        for _ in steps:
            pass
        raise Refused(_reason(session, session.path or Path("-")))
    from .app import PalimpsestApp

    app = PalimpsestApp(session, steps)
    app.run()
    sys.exit(app.return_code or 0)
