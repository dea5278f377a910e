"""Options that several commands have, spelled once."""

from collections.abc import Callable
from typing import Any, TypeVar

import click

from ledger.vocabulary import VIEWS

Command = TypeVar("Command", bound=Callable[..., Any])
Decorator = Callable[[Command], Command]

AS_READ_ON = click.option(
    "--as-read-on",
    metavar="D",
    help="Only what had been read by D: YYYY-MM-DD (to the end of that UTC day) or an instant.",
)
CORRECTED = click.option(
    "--corrected",
    type=click.Choice(["then", "since"]),
    help="then: corrections decided by D (the default). since: D as we know it today.",
)
RECORDED_THROUGH = click.option(
    "--recorded-through",
    metavar="P",
    help="Only what the ledger held by then: a position, or an instant.",
)
PUBLISHED_BY = click.option(
    "--published-by", metavar="D", help="Only what counts from this day (YYYY-MM-DD) or earlier."
)


def reading_time(command: Command) -> Command:
    """When is asked about, on the clocks of reading and of recording."""
    return AS_READ_ON(CORRECTED(RECORDED_THROUGH(command)))


def board_time(command: Command) -> Command:
    """The same, and the retrospective axis."""
    return reading_time(PUBLISHED_BY(command))


def which_board(command: Command) -> Command:
    """Which board of a benchmark."""
    view = click.option(
        "--view", metavar="V", help=f"{', '.join(VIEWS)}; else the benchmark's own."
    )
    metric = click.option("--metric", metavar="M", help="Which metric ranks; else the headline's.")
    return view(metric(command))


def json_option(command: Command) -> Command:
    """One JSON document instead of text."""
    option = click.option("--json", "as_json", is_flag=True, help="Print one JSON document.")
    return option(command)
