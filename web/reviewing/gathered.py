"""All that a reviewer sees on one screen, gathered into one frozen view; no Flask.

The report with its words and evidence, the claim with its whole story, the frozen snapshot with the
quoted passage marked, what is asked for as a diff, whatever else stands or falls with the claim,
and what the decision would do to each board.
"""

from collections.abc import Mapping, Sequence
from types import MappingProxyType

import attrs

from ledger import events as ev
from ledger.claim import field_text
from ledger.decision import touched
from ledger.errors import NotFound, Refused
from ledger.events import Statement
from ledger.report import Report, stream_of
from ledger.values import Digest, Instant
from projections.decisions.corrections import Correction, entries, numbers_of
from projections.keeping.views import Reader
from projections.moment import Moment
from projections.review.effect import BoardEffect, effect_of_proposal, effect_of_reversal
from projections.review.queue import WaitingReport, report_numbered, unsettled
from projections.review.resting import NONE, Others, resting_on, stating_the_same
from projections.review.waiting import Entry, entries_of
from projections.story import FrozenReading
from web.frozen.passage import Quoted
from web.frozen.snapshots import Look, look_at
from web.private import notes, reporters, uploads
from web.private.uploads import Evidence
from web.reporting.filing import words_digests
from web.reporting.filled import asked_for
from web.reporting.forms import code_points
from web.reporting.targets import About, about, parse_target
from web.reviewing.since import words_of
from web.showing.claim import ClaimPage, claim_page
from web.wiring import Workspace


@attrs.frozen
class Happened:
    """One thing that happened to the report."""

    at: Instant
    by: str
    what: str


@attrs.frozen
class Asked:
    """One field of what was asked for: what its source says, what shows now, what it should be."""

    field: str
    says: str | None
    shows: str | None
    wanted: str | None


@attrs.frozen(kw_only=True)
class Proposal:
    """A decision that awaits a second person, and what it would do to the boards."""

    decision: str
    by: str
    terms: ev.Terms
    effect: tuple[BoardEffect, ...]
    problem: str | None
    moved_on: tuple[str, ...]


@attrs.frozen(kw_only=True)
class Said:
    """What the reporter said in private: free proposals, words and evidence, as far as it is
    there; ``erased`` says that there were words once."""

    asked: tuple[tuple[str, str], ...]
    words: str
    erased: bool
    evidence: tuple[tuple[str, Evidence | None], ...]
    addresses: tuple[str, ...]
    answers_to: bool
    credit: str | None


@attrs.frozen(kw_only=True)
class Review:
    """The screen. ``claim`` is ``None`` for a report that is about no claim."""

    entry: Entry
    state: Report
    about: About | None
    said: Said
    notes: Sequence[notes.Note]
    happened: tuple[Happened, ...]
    claim: ClaimPage | None
    versions: Mapping[str, int]
    readings: tuple[FrozenReading, ...]
    look: Look | None
    asked: tuple[Asked, ...]
    resting: Others
    same: Others
    decided: tuple[Correction, ...]
    proposal: Proposal | None
    before: int | None
    after: int | None

    @property
    def report(self) -> WaitingReport:
        """The report as it stands."""
        return self.entry.report

    @property
    def shows(self) -> Statement | None:
        """What the claim shows now."""
        state = self.claim.story.state if self.claim else None
        return state.shows if state else None

    @property
    def code_points(self) -> str:
        """The letters of the name as written that are not plain ASCII: nobody has to trust their
        eyes with a look-alike."""
        state = self.claim.story.state if self.claim else None
        return code_points(state.says.name) if state else ""

    @property
    def is_open(self) -> bool:
        """Whether it can still be decided."""
        return self.report.state in ("open", "apart")


def review_of(
    workspace: Workspace, number: int, *, snapshot: str | None = None, page: int | None = None
) -> Review:
    """The screen for a report now; ``snapshot`` is the one to look at (the latest, unless it is one
    of the readings), ``page`` the page of a PDF. Refused when there is no such report."""
    ledger, moment = workspace.ledger, workspace.moment()
    state = ledger.report(number)
    with workspace.views.read() as reader:
        found = report_numbered(reader, number)
        if found is None:
            raise NotFound(what="report", name=number)
        (entry,) = entries_of(reader, [found])
        claim = _claim(workspace, reader, entry, moment)
        readings = _readings(claim)
        chosen = _chosen(readings, snapshot)
        before, after = _neighbours(reader, number)
        same = _same(reader, claim, moment)
        resting = _resting(reader, claim, chosen, moment)
        return Review(
            entry=entry,
            state=state,
            about=_about(workspace, reader, found.target, moment),
            said=_said(workspace, number),
            notes=notes.notes_on(workspace.private, number),
            happened=_happened(workspace, number),
            claim=claim,
            versions=_versions(workspace, claim, same, resting),
            readings=readings,
            look=_look(workspace, claim, chosen, page),
            asked=_asked(found, claim),
            resting=resting,
            same=same,
            decided=_decided(workspace, reader, state),
            proposal=_proposal(workspace, reader, state, moment),
            before=before,
            after=after,
        )


# --- the report -------------------------------------------------------------------------------


def _about(workspace: Workspace, reader: Reader, target: str, moment: Moment) -> About | None:
    """What the report is about, in words; ``None`` for what leads nowhere."""
    try:
        return about(reader, workspace.ledger.store, moment, parse_target(target))
    except Refused:
        return None


def _said(workspace: Workspace, number: int) -> Said:
    private = workspace.private
    digests = words_digests(workspace, number)
    kept = private.words(digests[-1]) if digests else None
    asked, words = asked_for((kept or b"").decode())
    return Said(
        asked=asked,
        words=words,
        erased=bool(digests) and kept is None,
        evidence=tuple(_evidence(workspace, number)),
        addresses=tuple(_addresses(workspace, number)),
        answers_to=bool(reporters.contacts_of(private, number)),
        credit=reporters.credit_of(private, number),
    )


def _evidence(workspace: Workspace, number: int) -> list[tuple[str, Evidence | None]]:
    """The reporter's evidence by its digest; what reviewers were shown is among the notes."""
    seen = {note.digest for note in notes.notes_on(workspace.private, number)}
    return [
        (event.digest, uploads.evidence(workspace.private, event.digest))
        for event in _added(workspace, number)
        if event.digest is not None and event.digest not in seen
    ]


def _addresses(workspace: Workspace, number: int) -> list[str]:
    return [event.address for event in _added(workspace, number) if event.address is not None]


def _added(workspace: Workspace, number: int) -> list[ev.EvidenceAdded]:
    records = workspace.ledger.store.stream(stream_of(number))
    return [one.event for one in records if isinstance(one.event, ev.EvidenceAdded)]


def _happened(workspace: Workspace, number: int) -> tuple[Happened, ...]:
    return tuple(
        Happened(one.envelope.recorded_at, one.envelope.recorded_by, words_of(one.event))
        for one in workspace.ledger.store.stream(stream_of(number))
    )


def _neighbours(reader: Reader, number: int) -> tuple[int | None, int | None]:
    """The reports before and after this one in the queue, oldest first."""
    waiting = [one.number for one in unsettled(reader)]
    if number not in waiting:
        return None, next(iter(waiting), None)
    place = waiting.index(number)
    before = waiting[place - 1] if place else None
    return before, waiting[place + 1] if place + 1 < len(waiting) else None


# --- the claim --------------------------------------------------------------------------------


def _claim(workspace: Workspace, reader: Reader, entry: Entry, moment: Moment) -> ClaimPage | None:
    if entry.place.claim is None:
        return None
    return claim_page(reader, workspace.ledger.store, entry.place.claim, moment)


def _asked(report: WaitingReport, claim: ClaimPage | None) -> tuple[Asked, ...]:
    """What the report asks for, field by field, beside what is there."""
    state = claim.story.state if claim else None
    return tuple(
        Asked(
            field=str(one["field"]),
            says=_text(state.says if state else None, str(one["field"]), one["from"]),
            shows=_text(state.shows if state else None, str(one["field"]), one["from"]),
            wanted=one["to"],
        )
        for one in report.proposes
    )


def _text(statement: Statement | None, field: str, otherwise: str | None) -> str | None:
    if statement is None or not hasattr(statement, field):
        return otherwise
    return field_text(statement, field)


def _same(reader: Reader, claim: ClaimPage | None, moment: Moment) -> Others:
    """The other claims that state the same number for the model: as its source says it, and as it
    shows."""
    state = claim.story.state if claim else None
    if claim is None or state is None:
        return NONE
    says, shows = state.says, state.shows
    return stating_the_same(
        reader,
        moment,
        claim=claim.story.claim_id,
        benchmark=claim.story.history.benchmark,
        model=claim.story.model,
        numbers=[(says.score, says.unit or claim.unit), (shows.score, shows.unit or claim.unit)],
    )


def _resting(
    reader: Reader, claim: ClaimPage | None, chosen: FrozenReading | None, moment: Moment
) -> Others:
    if claim is None or chosen is None:
        return NONE
    return resting_on(reader, chosen.digest, moment, but=claim.story.claim_id)


def _versions(workspace: Workspace, claim: ClaimPage | None, *others: Others) -> Mapping[str, int]:
    """The version of each claim that the page shows; what is decided is decided on these."""
    listed = [one.claim_id for found in others for one in found.claims]
    if claim is not None:
        listed.append(claim.story.claim_id)
    found: dict[str, int] = {}
    for record in workspace.ledger.store.streams(f"claim:{one}" for one in dict.fromkeys(listed)):
        found[record.envelope.stream.partition(":")[2]] = record.envelope.version
    return MappingProxyType(found)


# --- the snapshot -----------------------------------------------------------------------------


def _readings(claim: ClaimPage | None) -> tuple[FrozenReading, ...]:
    """The readings that can be checked against, latest first."""
    if claim is None:
        return ()
    return tuple(one.frozen for one in reversed(claim.readings) if not one.frozen.withdrawn)


def _chosen(readings: Sequence[FrozenReading], snapshot: str | None) -> FrozenReading | None:
    asked = (one for one in readings if one.digest == snapshot)
    return next(asked, None) or next(iter(readings), None)


def _look(
    workspace: Workspace, claim: ClaimPage | None, chosen: FrozenReading | None, page: int | None
) -> Look | None:
    if claim is None or chosen is None:
        return None
    return look_at(
        workspace.ledger.archive,
        Digest(chosen.digest),
        chosen.media_type,
        quoted_by(claim, chosen.digest),
        page,
    )


def quoted_by(claim: ClaimPage, digest: str) -> Quoted | None:
    """What a claim took from a snapshot: the name and digits that its source stated there."""
    says = next((one.says for one in reversed(claim.readings) if one.frozen.digest == digest), None)
    state = claim.story.state
    statement = says or (state.says if state else None)
    return None if statement is None else Quoted(statement.name, statement.score.text)


def quoted_from(workspace: Workspace, number: int, digest: str) -> Quoted | None:
    """What the reported claim took from a snapshot; refused where it does not rest on that."""
    moment = workspace.moment()
    with workspace.views.read() as reader:
        found = report_numbered(reader, number)
        entry = entries_of(reader, [found])[0] if found is not None else None
        claim = _claim(workspace, reader, entry, moment) if entry is not None else None
    if claim is None or digest not in {one.digest for one in _readings(claim)}:
        raise NotFound(what="snapshot", name=digest)
    return quoted_by(claim, digest)


# --- decisions --------------------------------------------------------------------------------


def _decided(workspace: Workspace, reader: Reader, state: Report) -> tuple[Correction, ...]:
    """All that was decided on the report, in the order of the log."""
    numbers = numbers_of(reader, sorted(state.made)).values()
    known = sorted(number for number in numbers if number is not None)
    return tuple(entries(reader, workspace.ledger.store, known))


def _proposal(
    workspace: Workspace, reader: Reader, state: Report, moment: Moment
) -> Proposal | None:
    if not state.proposed:
        return None
    decision, (by, terms) = next(iter(state.proposed.items()))
    store = workspace.ledger.store
    effect: list[BoardEffect] = []
    problem: str | None = None
    try:
        if terms.reverses is not None:
            claims = touched(state, terms.reverses)
            effect = effect_of_reversal(reader, store, terms.reverses, claims, moment)
        else:
            effect = effect_of_proposal(reader, store, terms.effects, moment)
    except Refused as no:
        problem = str(no)
    return Proposal(
        decision=decision,
        by=by,
        terms=terms,
        effect=tuple(effect),
        problem=problem,
        moved_on=_moved_on(workspace, terms),
    )


def _moved_on(workspace: Workspace, terms: ev.Terms) -> tuple[str, ...]:
    """The claims that moved on since it was proposed: it cannot be approved any more."""
    versions = {one.claim: one.version for one in terms.effects}
    return tuple(
        claim
        for claim, version in versions.items()
        if workspace.ledger.claim(claim).version != version
    )
