"""The entry point: exit codes, and no traceback for anything a person can cause."""

from __future__ import annotations

import os
import sys

import click

from ..core.catalogue import say
from ..core.export.plain import one_line
from .commands import cli

INTERRUPTED = 130
WRITE_FAILED = 2


def main() -> None:
    try:
        cli.main(standalone_mode=False)
    except click.exceptions.Abort:
        sys.exit(INTERRUPTED)
    except click.ClickException as error:
        # In our own words: click would print a hostile file name as it stands.
        click.echo(say("error.line", message=one_line(error.format_message())), err=True)
        sys.exit(error.exit_code)
    except BrokenPipeError:
        # Whoever read our output has gone; what is still buffered has nowhere to go either.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(0)
    except OSError as error:
        click.echo(say("error.line", message=one_line(str(error))), err=True)
        sys.exit(WRITE_FAILED)


if __name__ == "__main__":
    main()
