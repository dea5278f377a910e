"""The life of a sample: a piece of code by its SHA-256, where it is from, what became of it.

A record may show the first digits of a digest alone (16 at least). Each code, as it is stated, has
a stream of its own, and which of them are one sample follows from the codes alone, whatever
arrives first: a prefix is the one code that begins with it. As two pieces of code with the same 16
first digits can be made on purpose (in minutes), a second one is a second sample; a prefix that
both begin with then is neither, and nothing is guessed.
"""

import re
from bisect import bisect_left
from collections.abc import Iterable, Mapping, Sequence
from itertools import pairwise
from typing import Any, assert_never

import attrs

from ledger import events as ev
from ledger.errors import BadValue
from ledger.events import Recorded
from ledger.label import Stands
from ledger.told import Decided, Reading, Told, decided_by
from ledger.values import PartialDate, Slug, parse_name, parse_partial, parse_slug, parse_text
from ledger.vocabulary import PERMISSIVE, POINTER_ONLY, RUN_OUTCOMES

FEWEST_DIGITS, ALL_DIGITS = 16, 64
LONGEST_PATH = 1_000
CORRECTABLE = ("outcome", "ran_on")

_CODE = re.compile(r"[0-9a-f]{16,64}")
_COMMIT = re.compile(r"[0-9a-f]{7,64}")


@attrs.frozen
class Run:
    """What a record says became of a sample; ``outcome=None``: it does not say which it was."""

    outcome: str | None
    ran_on: PartialDate | None = None


@attrs.frozen
class ToldRun(Told[Run]):
    """What is told of a sample, by one source or by several."""

    by: tuple[Slug, ...] = ()

    @property
    def sources(self) -> tuple[Slug, ...]:
        """Whose readings it rests on."""
        return self.by


# --- which code is meant ----------------------------------------------------------------------


def parse_code(text: str) -> str:
    """A SHA-256 in lower-case hexadecimal, or at least its first 16 digits."""
    if not _CODE.fullmatch(text):
        why = f"a SHA-256 has {ALL_DIGITS} digits of 0-9 and a-f; give {FEWEST_DIGITS} or more"
        raise BadValue(what="code", shown=repr(text[:80]), why=why)
    return text


def stem(code: str) -> str:
    """The first digits, which all codes that may be one sample share."""
    return code[:FEWEST_DIGITS]


def sample_id(code: str) -> str:
    """What decisions call a sample by: an ``s`` and its code, as it was stated."""
    return f"s{code}"


def stream_of(code: str) -> str:
    """The stream in which the events about a code stand, as it was stated."""
    return f"sample:{sample_id(code)}"


def shorter(code: str) -> list[str]:
    """All codes that this one may have been stated as before, the shortest first."""
    return [code[:digits] for digits in range(FEWEST_DIGITS, len(code))]


def samples_among(codes: Iterable[str]) -> list[str]:
    """The codes that no other one completes: each is a sample, by as many digits as are known."""
    ordered = sorted(set(codes))
    return [code for code, following in pairwise([*ordered, ""]) if not following.startswith(code)]


def resolved(codes: Iterable[str]) -> Mapping[str, str]:
    """Each code with the sample that it is: the one that completes it, or itself where none does
    or more than one could."""
    known = sorted(set(codes))
    samples = samples_among(known)
    found: dict[str, str] = {}
    for code in known:
        fitting = completed_by(code, samples)
        found[code] = fitting[0] if len(fitting) == 1 else code
    return found


def completed_by(code: str, samples: Sequence[str]) -> list[str]:
    """Those of the (sorted) samples that begin with a code."""
    place = bisect_left(samples, code)
    found: list[str] = []
    while place < len(samples) and samples[place].startswith(code):
        found.append(samples[place])
        place += 1
    return found


# --- what may be recorded ---------------------------------------------------------------------


def decide(known: Sequence[ev.Event], fact: ev.SampleEvent) -> list[ev.Event]:
    """Whether the fact may be recorded after what is known; recorded already means nothing new."""
    if fact in known:
        return []
    parse_code(fact.code)
    match fact:
        case ev.SampleHarvested():
            _check_harvest(fact)
        case ev.SampleRunRead():
            parse_outcome(fact.outcome)
            if fact.outcome == "no-run" and fact.ran_on is not None:
                why = "what has no recorded run has no date of one"
                raise BadValue(what="ran_on", shown=str(fact.ran_on), why=why)
        case _:
            assert_never(fact)
    return [fact]


def _check_harvest(fact: ev.SampleHarvested) -> None:
    parse_slug(fact.repository, "repository")
    if fact.path is not None and not 1 <= len(parse_text(fact.path, "path")) <= LONGEST_PATH:
        why = f"it has up to {LONGEST_PATH} characters"
        raise BadValue(what="path", shown=f"of {len(fact.path)} characters", why=why)
    if fact.symbol is not None:
        parse_name(fact.symbol, "symbol")
    if fact.commit is not None and not _COMMIT.fullmatch(fact.commit):
        why = "a commit has 7 to 64 digits of 0-9 and a-f"
        raise BadValue(what="commit", shown=repr(fact.commit[:80]), why=why)
    if fact.licence is not None:
        parse_name(fact.licence, "licence")
    if fact.pointer_only is not None:
        _check_pointer_only(fact.pointer_only, fact.licence)


def _check_pointer_only(reason: str, licence: str | None) -> None:
    """The reason is one of the four, and does not contradict the licence."""
    if reason not in POINTER_ONLY:
        why = f"known are {', '.join(POINTER_ONLY)}"
        raise BadValue(what="pointer_only", shown=repr(reason[:40]), why=why)
    contradicts = (
        licence is not None
        if reason in ("no-licence-file", "not-identified")
        else licence is None or (reason == "not-permissive" and licence in PERMISSIVE)
    )
    if contradicts:
        why = f"the licence is recorded as {licence or 'nothing'}"
        raise BadValue(what="pointer_only", shown=f"“{POINTER_ONLY[reason]}”", why=why)


def parse_outcome(text: str) -> str:
    """An outcome of the vocabulary."""
    if text not in RUN_OUTCOMES:
        why = f"known are {', '.join(RUN_OUTCOMES)}"
        raise BadValue(what="outcome", shown=repr(text[:40]), why=why)
    return text


def blamed(outcome: str | None) -> str | None:
    """Whom an outcome blames: the code, the instrument that tried it, or nobody."""
    return None if outcome is None else RUN_OUTCOMES[outcome][1]


# --- the fold ---------------------------------------------------------------------------------


def told_of(recorded: Iterable[Recorded], stands: Stands, *, source: str | None = None) -> ToldRun:
    """Fold the events about one sample: of all codes that it was stated by, in any order.

    With ``source`` only what that one says, with all decisions. A harvest says that there is a
    sample; which outcome it had is not said until a run is read. ``version`` is that of the stream
    of the longest code.
    """
    events = sorted(recorded, key=lambda record: record.position)
    longest = max((record.envelope.stream for record in events), key=len, default="")
    facts: list[tuple[Recorded, ev.SampleEvent]] = []
    decisions: list[Decided] = []
    version = 0
    for record in events:
        event = record.event
        if record.envelope.stream == longest:
            version = record.envelope.version
        if isinstance(event, ev.DecisionFact):
            decisions.append(decided_by(record, event))
        elif isinstance(event, ev.SampleEvent) and source in (None, event.source) and stands(event):
            facts.append((record, event))
    facts.sort(key=_turn)
    sources = tuple(dict.fromkeys(event.source for _, event in facts))
    readings = tuple(_readings(facts))
    return ToldRun(
        sources[-1] if sources else Slug(""), readings, tuple(decisions), version, sources
    )


def _turn(fact: tuple[Recorded, ev.SampleEvent]) -> tuple[Any, ...]:
    """Of one reading a harvest comes before a run, whatever was recorded first."""
    record, event = fact
    runs = isinstance(event, ev.SampleRunRead)
    return (event.read_at, event.order, runs, record.position)


def _readings(facts: Iterable[tuple[Recorded, ev.SampleEvent]]) -> Iterable[Reading[Run]]:
    says = Run(None)
    for record, event in facts:
        if isinstance(event, ev.SampleRunRead):
            says = Run(event.outcome, event.ran_on)
        at = record.envelope.recorded_at
        yield Reading(event.read_at, event.order, record.position, at, says, event.reading)


def with_field(says: Run, field: str, text: str | None) -> Run:
    """The run with one field replaced; refused when the text does not fit the field."""
    changed: dict[str, Any]
    match field:
        case "outcome":
            changed = {"outcome": None if text is None else parse_outcome(text)}
        case "ran_on":
            changed = {"ran_on": None if text is None else parse_partial(text, field)}
        case _:
            why = f"correctable are {', '.join(CORRECTABLE)}"
            raise BadValue(what="field", shown=repr(field), why=why)
    return attrs.evolve(says, **changed)
