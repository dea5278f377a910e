"""How the command speaks: results on standard output, messages on standard error."""

import io
import sys
from typing import Any

import click
import orjson
from rich.console import Console
from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    Progress,
    TextColumn,
    TimeRemainingColumn,
)

from web.words import visible

__all__ = ["console", "print_anything", "print_json", "progress_bar", "say", "visible"]

WHEN_PIPED = 160
"""How wide tables may be where no terminal says how wide it is."""


def print_anything() -> None:
    """Let no character end the command: what the terminal's encoding lacks is spelled out."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")


def say(message: str) -> None:
    """A message for a person, beside the result."""
    click.echo(visible(message), err=True)


def print_json(document: Any) -> None:
    """The one JSON document of a command."""
    click.echo(orjson.dumps(document, option=orjson.OPT_INDENT_2))


def console() -> Console:
    """What tables are printed on. Nothing in their text is taken for markup."""
    width = None if sys.stdout.isatty() else WHEN_PIPED
    return Console(width=width, highlight=False, markup=False, emoji=False)


def progress_bar(*, show: bool = True) -> Progress:
    """A progress bar on standard error; it shows on a terminal alone."""
    terminal = Console(stderr=True, markup=False)
    return Progress(
        TextColumn("{task.description}", markup=False),
        BarColumn(),
        MofNCompleteColumn(),
        TimeRemainingColumn(),
        console=terminal,
        transient=True,
        disable=not (show and terminal.is_terminal),
    )
