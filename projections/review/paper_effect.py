"""What a decision would do to each paper's page, seen before it is taken: its labels, its samples
one by one, and its counts.

The paper is folded twice, as it is and with the decision on top, by the very code that its page is
made by. The same comparison tells a notice what a decision that was taken has moved.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

import attrs

from ledger import commands as orders
from ledger import effects
from ledger import events as ev
from ledger.store import Store, Supposed
from ledger.subject import is_claim, stream_of
from ledger.told import State
from ledger.vocabulary import RUN_OUTCOMES
from projections.code.papers import Paper, paper_at
from projections.code.papers_of import papers_of
from projections.code.records import RunRecord
from projections.decisions.touched import streams_of, told_by
from projections.keeping.views import Reader
from projections.moment import Moment
from projections.review.effect import PREVIEW

LABEL, SAMPLE, COUNT, PART = "label", "sample", "count", "part"
STANDING = "standing"
RAN, NOT_TOLD = "ran", "not-told"


@attrs.frozen(order=True)
class Line:
    """What a line of a paper's page is about: ``of`` is a label, a sample, a count or a part of the
    whole; ``name`` which one, ``by`` whose; ``what`` says what is counted, or that it is about how
    something stands."""

    of: str
    name: str
    by: str
    what: str = ""


@attrs.frozen
class Differs:
    """One line of a paper's page that a decision changes; ``None`` is what is not told."""

    line: Line
    before: str | None
    after: str | None


@attrs.frozen
class PaperEffect:
    """What would happen to one paper's page."""

    slug: str
    title: str
    differs: tuple[Differs, ...]


def papers_moved_by(
    reader: Reader, store: Store, wishes: Sequence[orders.AnyEffect], moment: Moment
) -> list[PaperEffect]:
    """The papers that these wishes would change, as of the moment (now, at the head).

    Raises the refusal that deciding would raise.
    """
    of_code = [wish for wish in wishes if not is_claim(wish.claim)]
    told = {
        subject: told_by(reader, subject, _records(store, subject))
        for subject in dict.fromkeys(wish.claim for wish in of_code)
    }
    planned = [effects.plan(told[wish.claim], wish, moment.instant) for wish in of_code]
    return papers_moved_by_proposal(reader, store, planned, moment)


def papers_moved_by_proposal(
    reader: Reader, store: Store, planned: Sequence[ev.PlannedEffect], moment: Moment
) -> list[PaperEffect]:
    """The same for what was proposed, exactly as it was worked out then."""
    facts: dict[str, list[ev.Event]] = {}
    for one in planned:
        facts.setdefault(one.claim, []).append(effects.fact_of(one, PREVIEW))
    return _supposing(reader, store, facts, moment)


def papers_moved_by_reversal(
    reader: Reader, store: Store, decision: str, subjects: Iterable[str], moment: Moment
) -> list[PaperEffect]:
    """The same for undoing a decision that touched these."""
    undone = ev.ClaimDecisionReversed(decision=PREVIEW, reverses=decision)
    return _supposing(reader, store, {one: [undone] for one in subjects}, moment)


def _records(store: Store, subject: str) -> list[ev.Recorded]:
    return sorted(store.streams(streams_of(subject)), key=lambda record: record.position)


def _supposing(
    reader: Reader, store: Store, facts: Mapping[str, Sequence[ev.Event]], moment: Moment
) -> list[PaperEffect]:
    streams = {stream_of(one): own for one, own in facts.items() if not is_claim(one)}
    subjects = [one for one in facts if not is_claim(one)]
    then = Supposed(store, streams, position=moment.position, at=moment.instant)
    return [
        effect
        for slug in papers_of(reader, subjects, moment)
        if (
            effect := difference(
                paper_at(reader, store, slug, moment), paper_at(reader, then, slug, moment)
            )
        )
        is not None
    ]


# --- one paper --------------------------------------------------------------------------------


def difference(before: Paper, after: Paper) -> PaperEffect | None:
    """What differs between one paper before and after; ``None`` when no line does."""
    was, becomes = dict(lines_of(before)), dict(lines_of(after))
    differs = [
        Differs(line, was.get(line), becomes.get(line))
        for line in dict.fromkeys([*was, *becomes])
        if was.get(line) != becomes.get(line)
    ]
    return PaperEffect(after.slug, after.title, tuple(differs)) if differs else None


def lines_of(paper: Paper) -> Iterator[tuple[Line, str | None]]:
    """What a paper's page says of labels, samples and counts, line by line."""
    for repository in paper.repositories:
        for label in repository.labels:
            yield Line(LABEL, label.repository_name, label.source.name), label.shows
            standing = standing_of(label.tale.state)
            yield Line(LABEL, label.repository_name, label.source.name, STANDING), standing
    for record in paper.records:
        yield from _lines_of_record(record)


def _lines_of_record(record: RunRecord) -> Iterator[tuple[Line, str | None]]:
    by = record.source.name
    for listed in record.samples:
        yield Line(SAMPLE, listed.sample.code, by), listed.shows
        state = listed.outcome.tale.state if listed.outcome else None
        yield Line(SAMPLE, listed.sample.code, by, STANDING), standing_of(state)
    yield Line(COUNT, "", by, RAN), str(record.tally.ran)
    for outcome in RUN_OUTCOMES:
        count = record.tally.outcomes[outcome]
        yield Line(COUNT, "", by, outcome), None if count is None else str(count)
    yield Line(COUNT, "", by, NOT_TOLD), str(record.tally.not_told)
    for part in record.tally.parts:
        yield Line(PART, part.label or "", by), str(part.harvested)


def standing_of(state: State[Any] | None) -> str | None:
    """How a fact stands, as decisions have it; nothing where it simply shows."""
    if state is None or not (state.retracted_by or state.disputed_by):
        return None
    about = f"disputed: {state.disputed_about}" if state.disputed_by else ""
    return "; ".join(filter(None, ("retracted" if state.retracted_by else "", about)))
