"""One field of a record: a JSON value in, the value that a fact is made of out, or a refusal."""

import unicodedata
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from ledger.benchmark import check_unit
from ledger.errors import BadValue
from ledger.events import CountedPart, RankedModel
from ledger.importing.board import RowProblem
from ledger.importing.limits import LONGEST_CELL
from ledger.importing.records.lines import Json, Number
from ledger.values import (
    Digest,
    Instant,
    PartialDate,
    Score,
    Slug,
    parse_address,
    parse_digest,
    parse_instant,
    parse_name,
    parse_slug,
    short_instant,
)
from ledger.vocabulary import SOURCE_KINDS

Reader = Callable[[Json, str], object]
"""Takes the JSON value (never null) and the field's name; raises ``BadValue``."""

LARGEST_COUNT = 10**15
NOBODY = "nobody"
BLAMED = ("code", "instrument", NOBODY)

_UNSEEN = frozenset({"Cc", "Cn", "Co", "Cs", "Zl", "Zp"})
# What turns the direction of writing around, so that a line reads otherwise than it is stored.
_BIDI = frozenset("\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")


def shown(value: Json) -> str:
    """A JSON value for a person, cut short."""
    if isinstance(value, bool):
        return "true" if value else "false"
    text = str(value) if isinstance(value, Number) else ascii(value)
    return text if len(text) <= 60 else f"{text[:60]}…"


def string(value: Json, field: str) -> str:
    """Text in quotes."""
    if not isinstance(value, str) or isinstance(value, Number):
        raise BadValue(what=field, shown=shown(value), why="text in quotes is expected")
    return value


def name(value: Json, field: str) -> str:
    """A name or label as written; see :func:`ledger.values.parse_name`."""
    return parse_name(string(value, field), field)


def slug(value: Json, field: str) -> Slug:
    """The address part of something."""
    return parse_slug(string(value, field), field)


def text(value: Json, field: str) -> str:
    """Sentences, kept to the letter; refused when they hold what turns or hides text."""
    words = string(value, field)
    if not words.strip():
        raise BadValue(what=field, shown=shown(value), why="it is empty")
    if len(words) > LONGEST_CELL:
        why = f"at most {LONGEST_CELL} characters are kept"
        raise BadValue(what=field, shown=f"of {len(words)} characters", why=why)
    if not (words.isascii() and words.isprintable()):
        for character in words:
            if character in _BIDI or (
                unicodedata.category(character) in _UNSEEN and character not in "\n\t"
            ):
                why = f"it holds U+{ord(character):04X}, which a reader cannot see"
                raise BadValue(what=field, shown=shown(value), why=why)
    return words


def address(value: Json, field: str) -> str:
    """A web address."""
    where = string(value, field)
    if not where.startswith(("https://", "http://")) or " " in text(where, field):
        why = "it begins with https:// or http:// and has no spaces"
        raise BadValue(what=field, shown=shown(value), why=why)
    return where


def flag(value: Json, field: str) -> bool:
    """``true`` or ``false``."""
    if not isinstance(value, bool):
        raise BadValue(what=field, shown=shown(value), why="true or false is expected")
    return value


def count(value: Json, field: str) -> int:
    """A whole number, not below zero."""
    if not isinstance(value, Number) or not value.isdecimal() or len(value) > 15:
        why = f"a whole number from 0 to {LARGEST_COUNT - 1}, without quotes, is expected"
        raise BadValue(what=field, shown=shown(value), why=why)
    return int(value)


def score(value: Json, field: str) -> Score:
    """A score with the digits as written: in quotes, or as a JSON number."""
    if not isinstance(value, str):
        raise BadValue(what=field, shown=shown(value), why="a number is expected")
    return Score(str(value))


def unit(value: Json, field: str) -> str:
    """A unit of the vocabulary."""
    check_unit(string(value, field))
    return string(value, field)


def source_kind(value: Json, field: str) -> str:
    """A source kind of the vocabulary."""
    kind = string(value, field)
    if kind not in SOURCE_KINDS:
        why = f"known are {', '.join(SOURCE_KINDS)}"
        raise BadValue(what=field, shown=shown(value), why=why)
    return kind


def date(value: Json, field: str) -> PartialDate:
    """A date with the precision that the source gives."""
    return PartialDate(string(value, field))


def instant(value: Json, field: str) -> Instant:
    """An instant with an offset; a day counts from 00:00Z."""
    return parse_instant(string(value, field))


def listed(value: Json, field: str) -> list[Json]:
    """A JSON array that is not empty."""
    if not isinstance(value, list) or not value:
        raise BadValue(what=field, shown=shown(value), why="a list in square brackets is expected")
    return value


def names(value: Json, field: str) -> tuple[str, ...]:
    """Names, each once."""
    return tuple(_each_once([name(one, field) for one in listed(value, field)], field))


def slugs(value: Json, field: str) -> tuple[Slug, ...]:
    """Address parts, each once."""
    return tuple(
        Slug(one) for one in _each_once([slug(one, field) for one in listed(value, field)], field)
    )


def digest(value: Json, field: str) -> Digest:
    """A SHA-256."""
    return parse_digest(string(value, field))


def links(value: Json, field: str) -> tuple[str, ...]:
    """Web addresses, each once."""
    found = [parse_address(string(one, field), field) for one in listed(value, field)]
    return tuple(_each_once(found, field))


def blame(value: Json, field: str) -> str:
    """Whom an outcome blames."""
    whom = string(value, field)
    if whom not in BLAMED:
        raise BadValue(what=field, shown=shown(value), why=f"known are {', '.join(BLAMED)}")
    return whom


def _each_once(words: Sequence[str], field: str) -> Sequence[str]:
    if len(set(words)) < len(words):
        raise BadValue(what=field, shown=shown(list(words)), why="one of them stands there twice")
    return words


def _mapping(value: Json, field: str) -> dict[str, Json]:
    if not isinstance(value, dict) or not value:
        why = "names and values in curly brackets are expected"
        raise BadValue(what=field, shown=shown(value), why=why)
    return value


def facts(value: Json, field: str) -> Mapping[str, str | None]:
    """Facts by name: text, a number with its digits, or null to take one back."""
    return {
        parse_slug(key, field): None if one is None else _words(one, key)
        for key, one in _mapping(value, field).items()
    }


def extra(value: Json, field: str) -> tuple[tuple[str, str], ...]:
    """What else a source states beside a number, sorted by name."""
    return tuple(
        sorted(
            (parse_name(key, field), _words(one, key))
            for key, one in _mapping(value, field).items()
        )
    )


def _words(value: Json, field: str) -> str:
    return str(value) if isinstance(value, Number) else text(value, field)


def ranked(value: Json, field: str) -> tuple[RankedModel, ...]:
    """The lines of a capability index: a name each and, where it is said, a rank."""
    models = tuple(_ranked(one, field) for one in listed(value, field))
    if len({model.name for model in models}) < len(models):
        raise BadValue(what=field, shown=shown(value), why="a model stands there twice")
    return models


def _ranked(value: Json, field: str) -> RankedModel:
    line = _mapping(value, field)
    if unknown := set(line) - {"rank", "name"}:
        raise RowProblem(
            field, f"{', '.join(sorted(unknown))} is unknown there; known are rank, name"
        )
    if "name" not in line:
        raise RowProblem(field, "each model has a name")
    rank = line.get("rank")
    return RankedModel(
        rank=None if rank is None else count(rank, "rank"), name=name(line["name"], "name")
    )


def counts(value: Json, field: str) -> Mapping[str, int]:
    """Whole numbers by name; there may be none."""
    if value == {}:
        return {}
    return {parse_slug(key, field): count(one, key) for key, one in _mapping(value, field).items()}


def parts(value: Json, field: str) -> tuple[CountedPart, ...]:
    """The parts of what was counted: a repository or a label each, and its numbers."""
    return tuple(_part(one, field) for one in listed(value, field))


PART: Mapping[str, Reader] = {
    "repository": slug,
    "label": string,
    "repositories": count,
    "harvested": count,
    "ran": count,
}


def _part(value: Json, field: str) -> CountedPart:
    line = _mapping(value, field)
    if unknown := set(line) - set(PART):
        known = ", ".join(PART)
        raise RowProblem(field, f"{', '.join(sorted(unknown))} is unknown there; known are {known}")
    if line.get("harvested") is None:
        raise RowProblem(field, "each part says how many were harvested")
    said: dict[str, Any] = {
        key: PART[key](one, key) for key, one in line.items() if one is not None
    }
    return CountedPart(**said)


# --- the future -------------------------------------------------------------------------------


def refuse_future(value: object, field: str, now: Instant) -> None:
    """Refuse a value that holds an instant after ``now`` or a date after today (UTC)."""
    for moment in _moments(value):
        if isinstance(moment, PartialDate):
            if moment.first_day > now.date():
                why = f"it lies in the future (today is {now.date().isoformat()})"
                raise BadValue(what=field, shown=moment.text, why=why)
        elif moment > now:
            why = f"it lies in the future (now is {short_instant(now)})"
            raise BadValue(what=field, shown=short_instant(moment), why=why)


def _moments(value: object) -> Iterator[PartialDate | Instant]:
    if isinstance(value, PartialDate | Instant):
        yield value
    elif isinstance(value, Mapping) and isinstance(value.get("released"), str):
        yield PartialDate(value["released"])
