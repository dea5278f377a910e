"""All that a reviewer sees on one screen, gathered into one frozen view; no Flask.

The report with its words and evidence; the claim, label or sample with its whole story; the frozen
snapshot with the quoted passage marked; what is asked for as a diff; whatever else stands or falls
with it; and what the decision would do to each board and each paper.
"""

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Any

import attrs

from ledger import events as ev
from ledger.errors import NotFound, Refused
from ledger.report import Report
from ledger.report import stream_of as report_stream
from ledger.subject import stream_of
from ledger.told import field_text
from ledger.values import Digest, Instant
from projections.code.papers import paper_at
from projections.decisions.corrections import Correction, entries, numbers_of
from projections.keeping.views import Reader
from projections.moment import Moment
from projections.review.beside import NOTHING_BESIDE, Beside, beside_on
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
from web.reviewing.proposed import Proposal, proposal_of
from web.reviewing.reported import Reported, must_rest_on, reported
from web.reviewing.since import words_of
from web.showing.claim import ClaimPage
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
    """The screen. ``subject`` is ``None`` for a report that is about nothing that can be decided
    upon: neither a claim, nor a label, nor a sample."""

    entry: Entry
    state: Report
    about: About | None
    said: Said
    notes: Sequence[notes.Note]
    happened: tuple[Happened, ...]
    subject: Reported | None
    versions: Mapping[str, int]
    look: Look | None
    asked: tuple[Asked, ...]
    resting: Others
    same: Others
    beside: Beside
    decided: tuple[Correction, ...]
    proposal: Proposal | None
    before: int | None
    after: int | None

    @property
    def report(self) -> WaitingReport:
        """The report as it stands."""
        return self.entry.report

    @property
    def shows(self) -> Any:
        """What it shows now."""
        return self.subject.shows if self.subject else None

    @property
    def readings(self) -> tuple[FrozenReading, ...]:
        """The readings that it can be checked against, latest first."""
        return self.subject.readings if self.subject else ()

    @property
    def code_points(self) -> str:
        """The letters of the name as written that are not plain ASCII: nobody has to trust their
        eyes with a look-alike."""
        return code_points(self.subject.name_as_written) if self.subject else ""

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
        (entry,) = entries_of(reader, ledger.store, [found], moment)
        subject = _subject(workspace, reader, entry, moment)
        chosen = _chosen(subject.readings if subject else (), snapshot)
        before, after = _neighbours(reader, number)
        claim = subject.claim if subject else None
        same = _same(reader, claim, moment)
        resting = _resting(reader, claim, chosen, moment)
        beside = _beside(workspace, reader, subject, chosen, moment)
        return Review(
            entry=entry,
            state=state,
            about=_about(workspace, reader, found.target, moment),
            said=_said(workspace, number),
            notes=notes.notes_on(workspace.private, number),
            happened=_happened(workspace, number),
            subject=subject,
            versions=_versions(workspace, subject, beside, same, resting),
            look=_look(workspace, subject, chosen, page),
            asked=_asked(found, subject),
            resting=resting,
            same=same,
            beside=beside,
            decided=_decided(workspace, reader, state),
            proposal=proposal_of(workspace, reader, state, moment),
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
    records = workspace.ledger.store.stream(report_stream(number))
    return [one.event for one in records if isinstance(one.event, ev.EvidenceAdded)]


def _happened(workspace: Workspace, number: int) -> tuple[Happened, ...]:
    return tuple(
        Happened(one.envelope.recorded_at, one.envelope.recorded_by, words_of(one.event))
        for one in workspace.ledger.store.stream(report_stream(number))
    )


def _neighbours(reader: Reader, number: int) -> tuple[int | None, int | None]:
    """The reports before and after this one in the queue, oldest first."""
    waiting = [one.number for one in unsettled(reader)]
    if number not in waiting:
        return None, next(iter(waiting), None)
    place = waiting.index(number)
    before = waiting[place - 1] if place else None
    return before, waiting[place + 1] if place + 1 < len(waiting) else None


# --- what it is about -------------------------------------------------------------------------


def _subject(workspace: Workspace, reader: Reader, entry: Entry, moment: Moment) -> Reported | None:
    if entry.place.subject is None:
        return None
    return reported(reader, workspace.ledger.store, entry.place.subject, moment)


def _asked(report: WaitingReport, subject: Reported | None) -> tuple[Asked, ...]:
    """What the report asks for, field by field, beside what is there."""
    state = subject.state if subject else None
    return tuple(
        Asked(
            field=str(one["field"]),
            says=_text(state.says if state else None, str(one["field"]), one["from"]),
            shows=_text(state.shows if state else None, str(one["field"]), one["from"]),
            wanted=one["to"],
        )
        for one in report.proposes
    )


def _text(says: Any, field: str, otherwise: str | None) -> str | None:
    if says is None or not hasattr(says, field):
        return otherwise
    return field_text(says, field)


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


def _beside(
    workspace: Workspace,
    reader: Reader,
    subject: Reported | None,
    chosen: FrozenReading | None,
    moment: Moment,
) -> Beside:
    """The other labels and samples of its papers that rest on the snapshot."""
    if subject is None or subject.claim is not None or chosen is None:
        return NOTHING_BESIDE
    papers = [paper_at(reader, workspace.ledger.store, one.slug, moment) for one in subject.papers]
    return beside_on(papers, chosen.digest, but=subject.subject)


def _versions(
    workspace: Workspace, subject: Reported | None, beside: Beside, *others: Others
) -> Mapping[str, int]:
    """The version of each claim, label and sample that the page shows; what is decided is decided
    on these."""
    listed = [one.claim_id for found in others for one in found.claims]
    listed += [one.subject for one in beside.facts]
    if subject is not None:
        listed.append(subject.subject)
    found: dict[str, int] = {}
    for record in workspace.ledger.store.streams(stream_of(one) for one in listed):
        found[record.envelope.stream.partition(":")[2]] = record.envelope.version
    return MappingProxyType(found)


# --- the snapshot -----------------------------------------------------------------------------


def _chosen(readings: Sequence[FrozenReading], snapshot: str | None) -> FrozenReading | None:
    asked = (one for one in readings if one.digest == snapshot)
    return next(asked, None) or next(iter(readings), None)


def _look(
    workspace: Workspace, subject: Reported | None, chosen: FrozenReading | None, page: int | None
) -> Look | None:
    if subject is None or chosen is None:
        return None
    return look_at(
        workspace.ledger.archive,
        Digest(chosen.digest),
        chosen.media_type,
        subject.quoted.get(chosen.digest),
        page,
    )


def quoted_from(workspace: Workspace, number: int, digest: str) -> Quoted | None:
    """What the reported claim, label or sample took from a snapshot; refused where it does not rest
    on that."""
    moment, store = workspace.moment(), workspace.ledger.store
    with workspace.views.read() as reader:
        found = report_numbered(reader, number)
        entries = entries_of(reader, store, [found], moment) if found is not None else []
        subject = _subject(workspace, reader, entries[0], moment) if entries else None
    return must_rest_on(subject, digest).quoted.get(digest)


# --- decisions --------------------------------------------------------------------------------


def _decided(workspace: Workspace, reader: Reader, state: Report) -> tuple[Correction, ...]:
    """All that was decided on the report, in the order of the log."""
    numbers = numbers_of(reader, sorted(state.made)).values()
    known = sorted(number for number in numbers if number is not None)
    return tuple(entries(reader, workspace.ledger.store, known))
