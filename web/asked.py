"""What an address asks for: its query, bounded and checked before anything else looks at it.

A parameter that we do not know, that is given twice or that is empty is refused: a misspelt or
forgotten date must never show today's board.
"""

from collections.abc import Iterable, Mapping, Sequence
from datetime import date
from typing import Protocol

import attrs

from ledger.errors import BadValue
from ledger.values import parse_text
from projections.board.boards import Board
from projections.moment import Moment

TIME = ("as_read_on", "corrected", "recorded_through", "published_by")
BOARD = ("view", "metric", *TIME, "every_claim")

LONGEST_ADDRESS = 2_000
LONGEST_VALUE = 128
LONGEST_CURSOR = 400
MOST_WORDS = 8


class UnknownParameter(BadValue):
    """This page has no parameter {shown}; it knows {known}."""


class Query(Protocol):
    """The parameters of an address, each with all its values."""

    def lists(self) -> Iterable[tuple[str, Sequence[str]]]:
        """Name and values, in the order given."""
        ...


def asked(query: Query, known: Sequence[str], fields: Sequence[str] = ()) -> dict[str, str]:
    """The parameters by name; each is known here, given once, short, and says something.

    ``fields`` are those of a form that narrows a list: left empty they ask for nothing.
    """
    found: dict[str, str] = {}
    for name, values in query.lists():
        if name not in known:
            listed = ", ".join(known) or "none"
            raise UnknownParameter(shown=repr(name[:40]), known=listed)
        value = values[0]
        if len(values) > 1:
            raise BadValue(what=name, shown="given twice", why="give it once")
        longest = LONGEST_CURSOR if name == "cursor" else LONGEST_VALUE
        if len(value) > longest:
            why = f"at most {longest} characters are read"
            raise BadValue(what=name, shown=f"of {len(value)} characters", why=why)
        if not value.strip():
            if name in fields:
                continue
            raise BadValue(what=name, shown=repr(value), why="leave it out, or give a value")
        found[name] = value
    return found


def every_claim(parameters: Mapping[str, str]) -> bool:
    """Whether one row per claim is asked for; refused unless it is ``yes`` or ``no``."""
    value = parameters.get("every_claim", "no")
    if value not in ("yes", "no"):
        raise BadValue(what="every_claim", shown=repr(value), why="it is yes or no")
    return value == "yes"


def words_asked(parameters: Mapping[str, str], name: str = "q") -> tuple[str, ...]:
    """The plain words of a search, each once; no character of them has a special meaning.

    Refused: characters that a reader cannot see, and more words than anybody types.
    """
    words = tuple(dict.fromkeys(parse_text(parameters.get(name, ""), name).split()))
    if len(words) > MOST_WORDS:
        why = f"at most {MOST_WORDS} words are looked for"
        raise BadValue(what=name, shown=f"of {len(words)} words", why=why)
    return words


def is_pinned(parameters: Mapping[str, str]) -> bool:
    """Whether the answer can never change: a bare position and a day on the other clock."""
    return (
        parameters.get("recorded_through", "").isdecimal()
        and parameters["recorded_through"].isascii()
        and "as_read_on" in parameters
    )


def is_day(text: str) -> bool:
    """Whether a checked ``as_read_on`` is a whole day and not an instant."""
    return len(text) == len("2025-07-28")


def time_of(parameters: Mapping[str, str]) -> dict[str, str]:
    """The time parameters alone, for links to pages of the same moment."""
    return {name: value for name, value in parameters.items() if name in TIME}


@attrs.frozen
class Choice:
    """One thing to choose in a form."""

    value: str
    name: str
    chosen: bool


@attrs.frozen(kw_only=True)
class Select:
    """One list to choose from; its first choice asks for nothing."""

    name: str
    label: str
    choices: tuple[Choice, ...]


def shown_day(moment: Moment, parameters: Mapping[str, str], today: date) -> str:
    """The day or instant that a page shows, as given; else the day of its position, or today."""
    if "as_read_on" in parameters:
        return parameters["as_read_on"]
    return moment.instant.date().isoformat() if moment.pinned else today.isoformat()


def pinned(moment: Moment, parameters: Mapping[str, str], today: date) -> dict[str, str]:
    """The parameters under which a page of this very moment can be read for ever."""
    link = {
        "as_read_on": shown_day(moment, parameters, today),
        "corrected": moment.plane.value,
        "recorded_through": str(moment.position),
    }
    kept = ("published_by", "every_claim")
    return link | {name: parameters[name] for name in kept if name in parameters}


def board_of(board: Board) -> dict[str, str]:
    """The parameters that say which board of a benchmark this is."""
    return {"view": board.view, **({"metric": board.rule.metric} if board.rule else {})}
