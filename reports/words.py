"""Values in words that people read, the same on pages and on paper: dates, sizes, kinds.

A date is written out with the precision that its source gave, never more.
"""

import unicodedata
from collections.abc import Iterable, Mapping
from types import MappingProxyType

from ledger.values import Instant, PartialDate, short_instant, with_unit
from ledger.vocabulary import SOURCE_KINDS

MONTHS = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")

VIEW_NAMES: Mapping[str, str] = MappingProxyType(
    {
        "labs": "Labs’ own numbers",
        "independent": "Independent runs",
        "all": "All, claims included",
    }
)
VIEW_MEANINGS: Mapping[str, str] = MappingProxyType(
    {
        "labs": (
            "Each model’s best number as its own lab published it. Labs choose their own settings, "
            "so these compare less well with one another than independent runs do."
        ),
        "independent": (
            "Each model’s best number from official leaderboards, independent runs and copied "
            "boards. Every row names its source."
        ),
        "all": (
            "Each model’s best number from any source: labs’ own, independent and collected "
            "claims. A lab’s claim may lie above an independent run of the same model."
        ),
    }
)


# --- time -------------------------------------------------------------------------------------


def date_words(stated: PartialDate | str | None) -> str:
    """``2026`` → 2026, ``2026-09`` → Sep 2026, ``2026-09-10`` → 10 Sep 2026, an interval → both."""
    if stated is None:
        return "not stated"
    return " to ".join(_one_date(part) for part in str(stated).split("/"))


def when_words(stated: PartialDate | str | None) -> str:
    """The same after a verb: on 10 Sep 2026, in Sep 2026."""
    preposition = "on" if len(str(stated).partition("/")[0]) == len("2026-09-10") else "in"
    return f"{preposition} {date_words(stated)}"


def _one_date(text: str) -> str:
    year, *rest = text.split("-")
    words = [year]
    if rest:
        words.insert(0, MONTHS[int(rest[0]) - 1])
    if len(rest) > 1:
        words.insert(0, str(int(rest[1])))
    return " ".join(words)


def instant_words(instant: Instant) -> str:
    """An instant in UTC, to the second: ``28 Jul 2025, 10:00:00 UTC``."""
    text = short_instant(instant)
    return f"{_one_date(text[:10])}, {text[11:19]} UTC"


def reading_words(instant: Instant) -> str:
    """A reading: only its day where only that is known (a day counts from 00:00Z)."""
    text = short_instant(instant)
    return _one_date(text[:10]) if text.endswith("T00:00:00Z") else instant_words(instant)


# --- sizes, kinds, text -----------------------------------------------------------------------


def size_words(size: int) -> str:
    """Bytes as people count them; exact below 10 kB."""
    if size < 10_000:
        return f"{size:,} bytes"
    return f"{size / 1000:,.0f} kB" if size < 10_000_000 else f"{size / 1_000_000:,.1f} MB"


def kind_words(kind: str) -> str:
    """The name of a source kind."""
    return SOURCE_KINDS[kind][1] if kind in SOURCE_KINDS else kind


def term_words(term: str) -> str:
    """A word of the vocabulary for people: ``accepted-in-part`` → accepted in part."""
    return term.replace("-", " ").replace("_", " ")


def score_words(score: object, unit: str | None) -> str:
    """A score with its unit, digits as written."""
    return with_unit(str(score), unit)


def visible(text: str) -> str:
    """Text in which everything can be seen, so that nobody steers the reader's eye or terminal.

    Control, format and bidirectional characters become their code points; line ends stay.
    """
    if text.isprintable():
        return text
    return "".join(
        f"<U+{ord(character):04X}>"
        if unicodedata.category(character) in {"Cc", "Cf", "Cs", "Zl", "Zp"} and character != "\n"
        else character
        for character in text
    )


def counted(count: int, one: str, many: str | None = None) -> str:
    """``1 post``, ``3 posts``."""
    return f"{count:,} {one if count == 1 else many or one + 's'}"


def listed(names: Iterable[str]) -> str:
    """``a``, ``a and b``, ``a, b and c``."""
    *most, last = list(names) or [""]
    return f"{', '.join(most)} and {last}" if most else last
