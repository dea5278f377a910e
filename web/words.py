"""Values in words that people read: dates, sizes, kinds, facts and what they mean.

A date is written out with the precision that its source gave, never more.
"""

import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from datetime import date
from types import MappingProxyType
from urllib.parse import urlsplit

import attrs

from ledger.claim import Plane
from ledger.values import Instant, PartialDate, short_instant
from ledger.vocabulary import SOURCE_KINDS
from projections.changes import Shown
from projections.history import Coverage, Status, with_unit
from projections.moment import Moment
from projections.rows import Row

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


def moment_words(moment: Moment, asked: Mapping[str, str], today: date) -> list[str]:
    """What is special about this moment, one phrase for each parameter that makes it so.

    Today's board is nothing special; where the position is pinned nobody says what day it is.
    """
    said = []
    pinned = "recorded_through" in asked
    if "as_read_on" in asked and (pinned or asked["as_read_on"] != today.isoformat()):
        said.append(_as_read(moment.as_read_on))
    if moment.plane is Plane.SINCE:
        said.append("with corrections decided later, for what was claimed by then")
    if pinned:
        recorded = f" (recorded {instant_words(moment.recorded_at)})" if moment.recorded_at else ""
        said.append(f"only what the ledger held at position {moment.position}{recorded}")
    if moment.published_by is not None:
        day = date_words(moment.published_by)
        said.append(f"only what counts from {day} or earlier, whenever it was read")
    return said


def _as_read(day: str) -> str:
    if len(day) == len("2025-07-28"):
        return f"as read by the end of {day} UTC"
    return f"as read by {day}"


# --- sizes, kinds, addresses ------------------------------------------------------------------


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


def web_address(address: str | None) -> str | None:
    """An address that may be followed: http or https, and nothing that a browser would run."""
    if address is None:
        return None
    try:
        parts = urlsplit(address)
    except ValueError:
        return None
    return address if parts.scheme in ("http", "https") and parts.netloc else None


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


def common_marks(rows: Sequence[Row]) -> list[str]:
    """The words of marks that every one of several rows bears."""
    if len(rows) < 2:
        return []
    first, *rest = ({mark["text"] for mark in row.marks} for row in rows)
    return sorted(first.intersection(*rest))


def other_marks(marks: Iterable[Mapping[str, str]], said: Sequence[str]) -> list[Mapping[str, str]]:
    """The marks that were not said already."""
    return [mark for mark in marks if mark["text"] not in said]


def differing(one: Shown, other: Shown) -> dict[str, str | None]:
    """The fields of ``one`` in which ``other`` differs from it."""
    theirs = other.fields()
    return {name: value for name, value in one.fields().items() if theirs.get(name) != value}


# --- facts of a benchmark ---------------------------------------------------------------------

FACTS: Mapping[str, str] = MappingProxyType(
    {
        "made_by": "Made by",
        "released": "Released",
        "category": "Category",
        "kind": "Kind",
        "level": "Level",
        "scored": "Scored",
        "answers": "Answers",
        "tasks": "Tasks",
        "task_count": "Number of tasks",
        "library_count": "Libraries used",
        "human_performance": "People score",
        "near_ceiling": "Near its ceiling from",
        "paper": "Paper",
    }
)
# These have a place of their own on the page.
ELSEWHERE = frozenset({"name", "description", "view"})

# What the words mean; a fact `…_detail` of the benchmark itself says it better and goes first.
DEFINITIONS: Mapping[tuple[str, str], str] = MappingProxyType(
    {
        ("kind", "Function-level problems"): "each task asks for one function",
        ("level", "School"): "what pupils learn until they leave school",
        ("level", "University"): "what students learn at a university",
        ("scored", "Checked automatically"): (
            "a program decides, by an answer key, by tests or by the state that is reached"
        ),
        ("answers", "Code"): "the model answers with code",
        ("answers", "Agent task"): (
            "the model takes many steps with tools: a shell, a browser, an app or a machine"
        ),
        ("tasks", "All public"): "anybody can read every task, and so can whoever trains a model",
    }
)


@attrs.frozen
class Fact:
    """A fact of a benchmark: its label, what is said, and what that means."""

    label: str
    value: str
    meaning: str | None


def facts_of(facts: Mapping[str, str]) -> list[Fact]:
    """The facts in their usual order, then all others by name."""
    known = [name for name in FACTS if name in facts]
    rest = sorted(set(facts) - set(FACTS) - ELSEWHERE)
    return [
        Fact(
            FACTS.get(name, term_words(name).capitalize()),
            _value(name, str(facts[name])),
            facts.get(f"{name}_detail") or DEFINITIONS.get((name, str(facts[name]))),
        )
        for name in known + [name for name in rest if not _explains_another(name, facts)]
    ]


def _explains_another(name: str, facts: Mapping[str, str]) -> bool:
    return name.endswith("_detail") and name.removesuffix("_detail") in facts


def _value(name: str, text: str) -> str:
    return date_words(text) if name == "released" else text


# --- status and coverage ----------------------------------------------------------------------


def status_words(status: Status) -> str:
    """Why a benchmark has its status."""
    now = f"{counted(status.posts_in_year, 'launch post')} in 12 months"
    before = f"{status.posts_in_year_before:,} in the 12 before"
    match status.word:
        case None:
            return "No launch post that was read lists it."
        case "dropped":
            early = ", before it saturated" if status.before_it_saturated else ""
            return f"Last listed {when_words(status.last_listed)}{early}; {now}."
        case _:
            return f"Listed by {now}, {before}; last {when_words(status.last_listed)}."


def coverage_words(coverage: Coverage) -> list[str]:
    """Who of a capability index has a score here, sentence by sentence."""
    index = coverage.name + (f" ({date_words(coverage.as_of)})" if coverage.as_of else "")
    said = []
    if coverage.best_model:
        place = f", number {coverage.best_rank:,}" if coverage.best_rank else ""
        said.append(
            f"Strongest model with a score here by “{index}”: {coverage.best_model}{place}."
        )
    if coverage.without_score:
        said.append(f"Without a score here, of “{index}”: {listed(coverage.without_score)}.")
    if coverage.not_named > 0:
        more = counted(coverage.not_named, "more model")
        said.append(f"The index has {more} whose names were not read.")
    return said
