"""The values that facts are made of: scores, dates, digests, names.

Each is checked once, where it comes in, and is immutable afterwards. A score keeps the digits as
they were written; a date keeps the precision it was given with; an instant is always UTC.
"""

import re
import unicodedata
from datetime import UTC, date, datetime, time, timedelta
from decimal import Decimal
from functools import lru_cache
from typing import Final, NewType

import attrs
from confusable_homoglyphs import confusables

from ledger.errors import BadValue

Instant = datetime
Slug = NewType("Slug", str)
Digest = NewType("Digest", str)

EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
MICROSECOND = timedelta(microseconds=1)

LONGEST_NAME = 300
LONGEST_ADDRESS = 2_000
LONGEST_COUNT = 15
LONGEST_SCORE = 60
LARGEST_EXPONENT = 40


# --- scores -----------------------------------------------------------------------------------

_SCORE = re.compile(
    r"[+-]?(?:(?:[0-9]{1,3}(?:,[0-9]{3})+|[0-9]+)(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][+-]?[0-9]{1,3})?"
)
# No group of thousands begins with a nought.
_NOUGHT_AND_COMMA = re.compile(r"[+-]?0[0-9]*,")


@attrs.frozen
class Score:
    """A number as its source writes it.

    ``text`` keeps the digits (``72.50`` stays ``72.50``, ``3,471`` stays ``3,471``); ``value`` is
    the exact decimal. Two scores are equal when their values are: ``72.5`` and ``72.50`` tie.
    ``0,571`` is refused, as its comma is hardly one of thousands; one that ``is_recorded`` keeps
    meaning what it meant when it was taken, 571.
    """

    text: str = attrs.field(eq=False)
    is_recorded: bool = attrs.field(default=False, eq=False, repr=False, kw_only=True)
    value: Decimal = attrs.field(init=False, repr=False)

    def __attrs_post_init__(self) -> None:
        value = _decimal(self.text)
        if not self.is_recorded:
            _must_group_thousands(self.text)
        object.__setattr__(self, "value", value)

    def __str__(self) -> str:
        return self.text

    @property
    def decimals(self) -> int:
        """How many digits stand after the decimal point."""
        return max(0, -int(self.value.as_tuple().exponent))


def _decimal(text: str) -> Decimal:
    if not isinstance(text, str):
        raise BadValue(
            what="score", shown=repr(text), why="a score is kept as text, digit by digit"
        )
    if len(text) > LONGEST_SCORE:
        raise BadValue(
            what="score",
            shown=f"of {len(text)} characters",
            why=f"at most {LONGEST_SCORE} are kept",
        )
    if not _SCORE.fullmatch(text):
        raise BadValue(what="score", shown=repr(text), why="not a plain decimal number")
    value = Decimal(text.replace(",", ""))
    if abs(value.adjusted()) > LARGEST_EXPONENT:
        raise BadValue(what="score", shown=repr(text), why="its exponent is beyond reason")
    return value


def _must_group_thousands(text: str) -> None:
    """Refuse a comma that looks like one of thousands and can only be a decimal point."""
    if _NOUGHT_AND_COMMA.match(text):
        point = text.replace(",", ".") if text.count(",") == 1 and "." not in text else "0.571"
        why = (
            "no thousands begin with a nought, so the comma could be a decimal point; "
            f"write {point} if it is"
        )
        raise BadValue(what="score", shown=repr(text), why=why)


@lru_cache(maxsize=65_536)
def score(text: str) -> Score:
    """A :class:`Score` that was recorded; a board is read again and again."""
    return Score(text, is_recorded=True)


def with_unit(score: str, unit: str | None) -> str:
    """A score as people read it: ``60.6%``, ``3,471 elo``."""
    if unit is None:
        return score
    return f"{score}%" if unit == "%" else f"{score} {unit}"


# --- instants and dates -----------------------------------------------------------------------

_DAY = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")
_OFFSET = re.compile(r"(?:[Zz]|[+-][0-9]{2}:?[0-9]{2})$")


def parse_day(text: str, what: str = "date") -> date:
    """``YYYY-MM-DD`` as a date; anything else, also an impossible day, is refused. ``what`` is the
    field or parameter that it was given for, as the refusal calls it."""
    if _DAY.fullmatch(text):
        try:
            return date.fromisoformat(text)
        except ValueError as why:
            raise BadValue(what=what, shown=repr(text), why=str(why)) from None
    raise BadValue(what=what, shown=repr(text), why="write it as YYYY-MM-DD")


def parse_instant(text: str, what: str = "instant") -> Instant:
    """An ISO 8601 instant with an offset, in UTC; a bare day counts from 00:00Z of that day."""
    if _DAY.fullmatch(text):
        return datetime.combine(parse_day(text, what), time(), UTC)
    try:
        if not _OFFSET.search(text):
            raise ValueError("an instant needs an offset, such as 2025-07-28T10:00:00Z")  # noqa: TRY301
        return datetime.fromisoformat(text).astimezone(UTC)
    except (ValueError, OverflowError) as why:
        raise BadValue(what=what, shown=repr(text), why=str(why)) from None


def end_of_day(day: date) -> Instant:
    """The last instant of a UTC day (microseconds are the finest that is kept)."""
    return datetime.combine(day, time(), UTC) + timedelta(days=1) - MICROSECOND


@lru_cache(maxsize=4096)
def instant_text(instant: Instant) -> str:
    """``2025-07-28T10:00:00.000000Z``: UTC with six digits, the form that is hashed."""
    return instant.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%S.%fZ").rjust(27, "0")


def short_instant(instant: Instant) -> str:
    """The same for people: no fraction when it is zero."""
    text = instant_text(instant)
    return text[:19] + "Z" if text.endswith(".000000Z") else text


def micros(instant: Instant) -> int:
    """Microseconds since 1970-01-01T00:00Z, exactly."""
    return (instant - EPOCH) // MICROSECOND


def from_micros(count: int) -> Instant:
    """The inverse of :func:`micros`."""
    return EPOCH + count * MICROSECOND


_PARTIAL: Final = re.compile(r"[0-9]{4}(?:-[0-9]{2}(?:-[0-9]{2})?)?")


@attrs.frozen(order=False)
class PartialDate:
    """A date with the precision that its source gave: year, month, day, or ``first/last`` days.

    It is never padded for showing; :attr:`first_day` is what it sorts and counts by.
    """

    text: str

    def __attrs_post_init__(self) -> None:
        parts = self.text.split("/")
        if len(parts) > 2 or not all(_PARTIAL.fullmatch(part) for part in parts):
            raise BadValue(
                what="date",
                shown=repr(self.text),
                why="write it as YYYY, YYYY-MM, YYYY-MM-DD or an interval first/last",
            )
        try:
            days = [_first_day(part) for part in parts]
        except ValueError as why:
            raise BadValue(what="date", shown=repr(self.text), why=str(why)) from None
        if days != sorted(days):
            raise BadValue(
                what="date", shown=repr(self.text), why="the interval ends before it begins"
            )

    def __str__(self) -> str:
        return self.text

    @property
    def first_day(self) -> date:
        """The first day that it can mean."""
        return _first_day(self.text.split("/")[0])


@lru_cache(maxsize=4096)
def partial_date(text: str) -> PartialDate:
    """A :class:`PartialDate`; the same few come again and again."""
    return PartialDate(text)


def parse_partial(text: str, what: str) -> PartialDate:
    """The same, for a field that a refusal calls by its name."""
    try:
        return partial_date(text)
    except BadValue as why:
        raise BadValue(**{**why.fields, "what": what}) from None


@lru_cache(maxsize=4096)
def _first_day(text: str) -> date:
    year, month, day = ([*text.split("-"), "1", "1"])[:3]
    return date(int(year), int(month), int(day))


# --- digests ----------------------------------------------------------------------------------

_DIGEST = re.compile(r"[0-9a-f]{64}")


def parse_digest(text: str) -> Digest:
    """A SHA-256 in lower-case hexadecimal."""
    if not _DIGEST.fullmatch(text):
        raise BadValue(
            what="digest", shown=repr(text[:80]), why="a SHA-256 has 64 hexadecimal digits"
        )
    return Digest(text)


# --- names ------------------------------------------------------------------------------------

_SLUG = re.compile(r"[a-z0-9][a-z0-9._-]{0,127}")
# Zero-width and filler characters that are letters to Unicode and nothing to the eye.
_INVISIBLE = frozenset("\u115f\u1160\u3164\uffa0\u034f\u17b4\u17b5\u2800")
_HIDDEN = frozenset({"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"})
# They pick a form of the character before them (an emoji's, say) and show nothing themselves.
_SELECTORS = re.compile("[\ufe00-\ufe0f\u180b-\u180f\U000e0100-\U000e01ef]")
_DASHES = re.compile(r"[\u2010-\u2015\u2212\ufe58\ufe63\uff0d_]")


def parse_slug(text: str, what: str = "slug") -> Slug:
    """An address part: lower-case letters, digits, dot, hyphen, underscore."""
    if not _SLUG.fullmatch(text):
        raise BadValue(
            what=what,
            shown=repr(text[:80]),
            why="use up to 128 of a-z, 0-9, dot, hyphen, underscore, a letter or digit first",
        )
    return Slug(text)


def parse_name(text: str, what: str = "name") -> str:
    """A name as written, refused when it holds what a reader cannot see.

    Control, format and bidirectional characters, zero-width and filler letters, unassigned and
    private code points are refused, as is a name that shows nothing at all.
    """
    name = parse_text(text.strip(), what)
    if not name:
        raise BadValue(what=what, shown=repr(text[:80]), why="it is empty")
    if not name.isascii() and all(unicodedata.category(c)[0] in "MZ" for c in name):
        raise BadValue(what=what, shown=ascii(name[:80]), why="it shows nothing by itself")
    if len(name) > LONGEST_NAME:
        raise BadValue(
            what=what, shown=f"of {len(name)} characters", why=f"at most {LONGEST_NAME} are kept"
        )
    return name


def parse_text(text: str, what: str) -> str:
    """Text on one line, as written; characters that a reader cannot see are refused."""
    if text.isascii() and text.isprintable():
        return text
    for character in text:
        if unicodedata.category(character) in _HIDDEN or character in _INVISIBLE:
            raise BadValue(
                what=what,
                shown=ascii(text[:80]),
                why=f"it holds U+{ord(character):04X}, which a reader cannot see",
            )
    return text


def parse_address(text: str, what: str = "url") -> str:
    """A web address, as written."""
    if len(text) > LONGEST_ADDRESS or not text.startswith(("https://", "http://")):
        why = f"only http and https addresses of at most {LONGEST_ADDRESS} characters are kept"
        raise BadValue(what=what, shown=repr(text[:80]), why=why)
    return parse_text(text, what)


def parse_count(text: str, what: str = "count") -> int:
    """A whole number in plain digits, not below zero."""
    if not (text.isascii() and text.isdecimal() and len(text) <= LONGEST_COUNT):
        raise BadValue(what=what, shown=repr(text[:40]), why="not a whole number")
    return int(text)


def name_key(name: str) -> str:
    """Two names with the same key are one name (NFKC, single spaces): full width is plain width."""
    if name.isascii():
        return " ".join(name.split())
    return " ".join(unicodedata.normalize("NFKC", name).split())


def skeleton(name: str) -> str:
    """What a name looks like: case, dashes and look-alike letters of other scripts folded away.

    Two different keys with the same skeleton are look-alikes: models of their own, flagged.
    """
    folded = _DASHES.sub("-", unicodedata.normalize("NFKD", name))
    if not folded.isascii():
        folded = _SELECTORS.sub("", folded)
        folded = "".join(_latin(c) for c in folded if not unicodedata.combining(c))
    return folded.casefold().replace(" ", "-")


def _latin(character: str) -> str:
    if character.isascii():
        return character
    found = confusables.is_confusable(character, preferred_aliases=["latin"])
    for entry in found or ():
        for other in entry["homoglyphs"]:
            if str(other["c"]).isascii():
                return str(other["c"])
    return character
