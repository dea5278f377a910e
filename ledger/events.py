"""Facts in the past tense, and the envelope they are recorded in.

An event says what happened and never changes; the rules that let it happen stand in the stream's
own module. ``read_at`` is when the source said so (or when a curator says so); ``recorded_at`` is
in the envelope and belongs to the store. What is not said is ``None`` and is not stored.
"""

from collections.abc import Mapping
from typing import TypeVar, dataclass_transform

import attrs

from ledger.values import Digest, Instant, PartialDate, Score, Slug

EventClass = TypeVar("EventClass")


@dataclass_transform(frozen_default=True, kw_only_default=True)
def fact(cls: type[EventClass]) -> type[EventClass]:
    """Make a class an event: frozen, with keyword arguments only."""
    return attrs.frozen(kw_only=True)(cls)


@attrs.frozen(kw_only=True)
class Envelope:
    """Where, when and by whom an event was recorded (times UTC; ``salt`` hides the entry)."""

    stream: str
    version: int
    type: str
    recorded_at: Instant
    recorded_by: str
    cause: str | None
    salt: str


@attrs.frozen
class Recorded:
    """An event as the store gives it back. The position is the store's, not the envelope's."""

    position: int
    envelope: Envelope
    event: "Event"
    stored: bytes = attrs.field(repr=False)


# --- parts of facts ---------------------------------------------------------------------------


@attrs.frozen(kw_only=True)
class Statement:
    """What one source says in one place: one number for one model on one benchmark.

    ``name`` is the model as written; ``as_written`` the benchmark as written; ``passed`` of
    ``completed`` (or of ``total``) are counters that the source states beside the score;
    ``not_ranked`` says that the source itself leaves the number out of its ranking, and why.
    """

    name: str
    metric: Slug
    score: Score
    split: str | None = None
    setting: str | None = None
    unit: str | None = None
    published_on: PartialDate | None = None
    lab: str | None = None
    url: str | None = None
    as_written: str | None = None
    section: str | None = None
    locator: str | None = None
    passed: int | None = None
    completed: int | None = None
    total: int | None = None
    not_ranked: str | None = None
    extra: tuple[tuple[str, str], ...] = ()


@attrs.frozen
class Change:
    """One corrected field: ``from_`` is what the source said, ``to`` what holds instead.

    Both are text as written; ``None`` means that the field is not stated.
    """

    field: str
    from_: str | None
    to: str | None


@attrs.frozen(kw_only=True)
class RankedModel:
    """One line of a capability index; ``rank=None``: among those stated, its place not said."""

    rank: int | None = None
    name: str


# --- benchmark --------------------------------------------------------------------------------


@fact
class BenchmarkRegistered:
    """A benchmark got its lasting slug."""

    slug: Slug
    name: str
    read_at: Instant
    why: str | None = None


@fact
class BenchmarkDescribed:
    """Facts about a benchmark were stated or replaced (those given; ``None`` takes one back)."""

    facts: Mapping[str, str | None]
    read_at: Instant
    why: str


@fact
class EvaluationChanged:
    """How a benchmark is evaluated changed: a judge, a test set, a version."""

    what: str
    changed_on: PartialDate
    before: str | None = None
    after: str | None = None
    effect: str | None = None
    read_at: Instant
    why: str


@fact
class RankingRuleSet:
    """How a metric is ranked from now on.

    ``splits`` lists the splits that rank, in order; ``None`` means any. With ``combine="mean"``
    the score is the mean over all of ``splits``. ``ordinal`` is the metric's place in the file
    that introduced it: the first is the headline where no rule says ``headline``. ``met``: nobody
    set it, an import met the metric in a reading; it yields to any rule known by then.
    """

    metric: Slug
    name: str
    unit: str | None = None
    higher_is_better: bool = True
    splits: tuple[str, ...] | None = None
    combine: str = "best"
    decimals: int = 2
    headline: bool = False
    ordinal: int = 0
    met: bool = False
    read_at: Instant
    why: str


@fact
class CaveatStated:
    """A warning that readers of a benchmark should see; ``text=None`` retires it."""

    caveat: Slug
    text: str | None
    read_at: Instant
    why: str


# --- lab and model ----------------------------------------------------------------------------


@fact
class LabRegistered:
    """A lab got its lasting slug."""

    slug: Slug
    name: str
    read_at: Instant
    why: str | None = None


@fact
class ModelRegistered:
    """A dated version of a model got its lasting slug.

    Its full name means it in every reading from ``means_from`` on; ``None`` means in all.
    """

    slug: Slug
    name: str
    version: str | None = None
    lab: str | None = None
    released: PartialDate | None = None
    means_from: Instant | None = None
    read_at: Instant
    why: str | None = None


@fact
class ModelDescribed:
    """Facts about a model were stated or replaced (only those given; ``None`` takes one back)."""

    facts: Mapping[str, str | None]
    read_at: Instant
    why: str


@fact
class ModelRenamed:
    """A model goes by another name from ``read_at`` on, which then means it."""

    name: str
    version: str | None = None
    read_at: Instant
    why: str


@fact
class AliasAsserted:
    """Somebody asserts that a written name means this model.

    ``means_from`` is the first reading that it covers; ``None`` covers every reading.
    """

    name: str
    means_from: Instant | None = None
    read_at: Instant
    why: str


@fact
class AliasWithdrawn:
    """A written name no longer means this model, from ``read_at`` on."""

    name: str
    read_at: Instant
    why: str


# --- source -----------------------------------------------------------------------------------


@fact
class SourceRegistered:
    """A document or board at an address got its lasting slug."""

    slug: Slug
    name: str
    kind: str
    address: str | None = None
    lab: str | None = None
    model: str | None = None
    published_on: PartialDate | None = None
    read_at: Instant
    why: str | None = None


@fact
class SourceFrozen:
    """A source was read: these bytes, at this instant.

    ``order`` sorts readings of one instant and is unique among them; ``transcribed`` says that the
    record lines were frozen instead of the source's own bytes. A reading of a board says all that
    the source states on ``benchmark`` under ``metrics``, but for what is ``unread`` (ids of claims,
    keys of rows, or ``*`` for all that it does not state): that is left as it was.
    """

    digest: Digest
    media_type: str
    size: int
    read_at: Instant
    order: str = ""
    benchmark: Slug | None = None
    metrics: tuple[Slug, ...] = ()
    unread: tuple[str, ...] = ()
    entries_stated: int | None = None
    transcribed: bool = False
    file: str | None = None


@fact
class ReadingWithdrawn:
    """A reading was a mistake of ours (a wrong file); what the one before said holds again."""

    digest: Digest
    read_at: Instant
    order: str = ""
    benchmark: Slug | None = None
    why: str


@fact
class SourceFoundChanged:
    """The address was found to give other bytes than the frozen ones."""

    digest: Digest
    found: Digest | None
    read_at: Instant
    why: str


@fact
class PostRead:
    """A launch post was read for a benchmark: it lists it, or leaves it out."""

    benchmark: Slug
    listed: bool
    read_at: Instant


# --- claim ------------------------------------------------------------------------------------


@fact
class ClaimRecorded:
    """A source was read to state a number for the first time that we know of."""

    source: Slug
    benchmark: Slug
    key: str
    says: Statement
    reading: Digest
    read_at: Instant
    order: str = ""


@fact
class ClaimRestated:
    """The source was read to say something else in the same place."""

    says: Statement
    reading: Digest
    read_at: Instant
    order: str = ""


@fact
class ClaimDelisted:
    """The source was read and no longer says it."""

    reading: Digest
    read_at: Instant
    order: str = ""


@fact
class ClaimRelisted:
    """The source was read to say it while the reading before did not."""

    says: Statement
    reading: Digest
    read_at: Instant
    order: str = ""


@fact
class ClaimReadingVoided:
    """A reading was taken back: what it said of this claim counts no longer."""

    reading: Digest
    read_at: Instant
    order: str = ""


@fact
class ClaimCorrected:
    """A decision replaced fields of what the source says.

    ``applies_from=None`` means from the claim's first reading, whatever that turns out to be.
    """

    decision: str
    changes: tuple[Change, ...]
    applies_from: Instant | None


@fact
class ClaimReidentified:
    """A decision said which model a claim is about."""

    decision: str
    before: str | None
    model: str
    applies_from: Instant | None


@fact
class ClaimRetracted:
    """A decision took a claim off every board; ``upstream_on`` is the source's own date for it."""

    decision: str
    applies_from: Instant | None
    upstream_on: PartialDate | None = None


@fact
class ClaimReinstated:
    """A decision put a retracted claim back."""

    decision: str
    applies_from: Instant | None


@fact
class ClaimHeldOut:
    """A decision keeps a claim visible but out of the ranking."""

    decision: str
    applies_from: Instant | None


@fact
class ClaimReadmitted:
    """A decision lets a claim rank again, or at last."""

    decision: str
    applies_from: Instant | None


@fact
class ClaimDisputed:
    """A decision marks a claim as disputed; it keeps its place."""

    decision: str
    applies_from: Instant | None
    about: str


@fact
class ClaimCleared:
    """A decision lifts a dispute."""

    decision: str
    applies_from: Instant | None


@fact
class ClaimDecisionReversed:
    """What an earlier decision did to this claim is undone by a later one."""

    decision: str
    reverses: str


# --- capability index -------------------------------------------------------------------------


@fact
class CapabilityIndexRead:
    """A dated ranking of models was read."""

    slug: Slug
    name: str
    models: tuple[RankedModel, ...]
    entries_stated: int | None = None
    as_of: PartialDate | None = None
    read_at: Instant


# --- report -----------------------------------------------------------------------------------


@attrs.frozen(kw_only=True)
class PlannedEffect:
    """What a decision does to one claim, as its claim will record it.

    ``version`` is the claim's version that the reviewer saw; ``applies_from=None`` means from the
    claim's first reading. ``does`` is one of :data:`ledger.vocabulary.EFFECTS`.
    """

    claim: str
    version: int
    does: str
    applies_from: Instant | None
    changes: tuple[Change, ...] = ()
    before: str | None = None
    model: str | None = None
    about: str | None = None
    upstream_on: PartialDate | None = None


@attrs.frozen(kw_only=True)
class Terms:
    """What a decision says: outcome, update type and reason, the snapshot checked, the effects.

    ``replaces`` is the decision that it corrects, ``duplicate_of`` the report that says the same,
    ``checks`` what the reviewer ticked. A proposed reversal has ``reverses`` and no effects.
    """

    outcome: str
    type: str | None = None
    reason: str
    snapshot: Digest | None = None
    statement: str
    effects: tuple[PlannedEffect, ...] = ()
    replaces: str | None = None
    duplicate_of: int | None = None
    checks: tuple[str, ...] = ()
    remainder: bool = False
    reverses: str | None = None

    @property
    def claims(self) -> tuple[str, ...]:
        """The claims that it touches."""
        return tuple(dict.fromkeys(effect.claim for effect in self.effects))


@fact
class ReportFiled:
    """Somebody said that something is wrong or missing.

    ``words`` is the digest over a nonce and the free text, both kept in the private store.
    """

    number: int
    target: str
    reason: str
    proposes: tuple[Change, ...] = ()
    words: Digest | None = None
    received_at: Instant


@fact
class ReportScreened:
    """A person looked at a report and put it into the queue, or apart."""

    passed: bool
    reason: str | None = None


@fact
class ReportAssigned:
    """A reviewer holds a report."""

    to: str


@fact
class ReportAmended:
    """The reporter changed what they ask for."""

    proposes: tuple[Change, ...] = ()
    words: Digest | None = None


@fact
class EvidenceAdded:
    """Evidence was added: an address, or bytes by digest."""

    digest: Digest | None = None
    address: str | None = None
    private: bool = False


@fact
class ReviewStarted:
    """A reviewer opened the review."""


@fact
class ReportWithdrawn:
    """The reporter took the report back before it was decided."""

    reason: str | None = None


@fact
class DecisionProposed:
    """A reviewer proposes a decision that a second person has to approve."""

    decision: str
    terms: Terms


@fact
class DecisionReturned:
    """The second person sent a proposed decision back."""

    decision: str
    why: str


@fact
class DecisionMade:
    """A report, or a part of it, was decided."""

    decision: str
    terms: Terms


@fact
class DecisionReversed:
    """A decision was undone by a later one."""

    decision: str
    reverses: str
    claims: tuple[str, ...] = ()
    snapshot: Digest | None = None
    statement: str


# --- import -----------------------------------------------------------------------------------


@fact
class ImportReceived:
    """A file came in: its digest, what it did, and what was refused and why."""

    digest: Digest
    file: str
    format: str
    source: Slug
    benchmark: Slug | None = None
    read_at: Instant
    order: str = ""
    counts: Mapping[str, int]
    refused: tuple[str, ...] = ()


# --- paper ------------------------------------------------------------------------------------


@attrs.frozen(kw_only=True)
class CountedPart:
    """One part of what a run record counts: a repository, or all repositories with one label."""

    repository: Slug | None = None
    label: str | None = None
    repositories: int | None = None
    harvested: int
    ran: int | None = None


@fact
class PaperRegistered:
    """A paper got its lasting slug; ``source`` is the source that its own claims are of."""

    slug: Slug
    title: str
    authors: tuple[str, ...] = ()
    arxiv_id: str | None = None
    address: str | None = None
    published_on: PartialDate | None = None
    source: Slug | None = None
    read_at: Instant
    why: str | None = None


@fact
class PaperDescribed:
    """Facts about a paper were stated or replaced (only those given; ``None`` takes one back)."""

    facts: Mapping[str, str | None]
    read_at: Instant
    why: str


@fact
class AbstractQuoted:
    """A source was read to give a paper's abstract in these words, to the byte, under a licence;
    ``text=None``: it gives none any more."""

    text: str | None
    licence: str | None = None
    source: Slug
    reading: Digest
    read_at: Instant
    order: str = ""


@fact
class ArchiveEntryRead:
    """A paper archive was read to hold so much about a paper; what has no page is counted."""

    leaderboard_rows: int
    tasks: tuple[str, ...] = ()
    tasks_without_page: int = 0
    methods: tuple[str, ...] = ()
    source: Slug
    reading: Digest
    read_at: Instant
    order: str = ""


@fact
class RepositoryListed:
    """A source was read to link a repository with a paper, or (``listed=False``) no longer to.

    ``official`` and ``mentioned`` are the source's own flags; ``None``: it does not say.
    """

    repository: Slug
    listed: bool = True
    official: bool | None = None
    mentioned: bool | None = None
    source: Slug
    reading: Digest
    read_at: Instant
    order: str = ""


@fact
class RunCountsRead:
    """A run record was read to count a paper's samples; which sample is which, it may not say.

    ``outcomes`` counts those that ran, by outcome; an outcome that is left out is not stated.
    """

    repositories: int | None = None
    harvested: int
    ran: int
    no_run: int | None = None
    outcomes: Mapping[str, int]
    pointer_only: int | None = None
    parts: tuple[CountedPart, ...] = ()
    source: Slug
    reading: Digest
    read_at: Instant
    order: str = ""


# --- repository, label, sample ----------------------------------------------------------------


@fact
class RepositoryRegistered:
    """A repository got its lasting slug; ``name`` is its owner and name as written."""

    slug: Slug
    name: str
    address: str | None = None
    read_at: Instant
    why: str | None = None


@fact
class RepositoryLabelled:
    """A source was read to assert what a repository is to a paper; ``label=None``: nothing any
    more. ``as_of`` is the date that the source gives its assertion."""

    paper: Slug
    repository: Slug
    label: str | None
    as_of: PartialDate | None = None
    source: Slug
    reading: Digest
    read_at: Instant
    order: str = ""


@fact
class SampleHarvested:
    """A run record was read to hold a piece of code from a repository.

    ``code`` is its SHA-256, or as many of the first digits as the record shows. ``licence`` is the
    repository's as recorded at harvest (``None``: not stated), ``pointer_only`` why the record
    serves no text of this copy. What is not stated (``commit``, ``harvested_on``) stays unsaid.
    """

    code: str
    repository: Slug
    path: str | None = None
    symbol: str | None = None
    commit: str | None = None
    licence: str | None = None
    pointer_only: str | None = None
    harvested_on: PartialDate | None = None
    source: Slug
    reading: Digest
    read_at: Instant
    order: str = ""


@fact
class SampleRunRead:
    """A run record was read to say what became of a sample; whom that blames follows from it."""

    code: str
    outcome: str
    ran_on: PartialDate | None = None
    source: Slug
    reading: Digest
    read_at: Instant
    order: str = ""


# --- probe ------------------------------------------------------------------------------------


@fact
class ProbeWindowOpened:
    """From ``first_day`` to ``last_day`` (UTC, both included) links are probed.

    ``links`` are those that are to be probed, where that is known; ``links_stated`` how many there
    are, where only that is. ``about`` is the page that they belong to (``papers/2402.14658``).
    """

    slug: Slug
    subject: str
    first_day: PartialDate
    last_day: PartialDate
    about: str | None = None
    links: tuple[str, ...] = ()
    links_stated: int | None = None
    source: Slug | None = None
    read_at: Instant
    why: str


@fact
class LinkProbed:
    """A link was probed at ``read_at``: what was found, by what, and where it led.

    ``cause`` says in a word why (``dns``, ``tls``, ``timeout``, ``robots``), ``status`` is the
    HTTP status, ``found_at`` the address after redirects, ``digest`` the bytes if they were frozen.
    """

    link: str
    result: str
    cause: Slug | None = None
    status: int | None = None
    found_at: str | None = None
    digest: Digest | None = None
    read_at: Instant


@fact
class ProbeWindowClosed:
    """A window takes no more probes."""

    read_at: Instant
    why: str | None = None


BenchmarkEvent = (
    BenchmarkRegistered | BenchmarkDescribed | EvaluationChanged | RankingRuleSet | CaveatStated
)
LabEvent = LabRegistered
ModelEvent = ModelRegistered | ModelDescribed | ModelRenamed | AliasAsserted | AliasWithdrawn
SourceEvent = SourceRegistered | SourceFrozen | ReadingWithdrawn | SourceFoundChanged | PostRead
SourceFact = ClaimRecorded | ClaimRestated | ClaimDelisted | ClaimRelisted | ClaimReadingVoided
DecisionFact = (
    ClaimCorrected
    | ClaimReidentified
    | ClaimRetracted
    | ClaimReinstated
    | ClaimHeldOut
    | ClaimReadmitted
    | ClaimDisputed
    | ClaimCleared
    | ClaimDecisionReversed
)
ClaimEvent = SourceFact | DecisionFact
IndexEvent = CapabilityIndexRead
ReportEvent = (
    ReportFiled
    | ReportScreened
    | ReportAssigned
    | ReportAmended
    | EvidenceAdded
    | ReviewStarted
    | ReportWithdrawn
    | DecisionProposed
    | DecisionReturned
    | DecisionMade
    | DecisionReversed
)
ImportEvent = ImportReceived
PaperEvent = (
    PaperRegistered
    | PaperDescribed
    | AbstractQuoted
    | ArchiveEntryRead
    | RepositoryListed
    | RunCountsRead
)
RepositoryEvent = RepositoryRegistered
LabelEvent = RepositoryLabelled
SampleEvent = SampleHarvested | SampleRunRead
ReadFact = (
    AbstractQuoted
    | ArchiveEntryRead
    | RepositoryListed
    | RunCountsRead
    | RepositoryLabelled
    | SampleHarvested
    | SampleRunRead
)
ProbeEvent = ProbeWindowOpened | LinkProbed | ProbeWindowClosed
Event = (
    BenchmarkEvent
    | LabEvent
    | ModelEvent
    | SourceEvent
    | ClaimEvent
    | IndexEvent
    | ReportEvent
    | ImportEvent
    | PaperEvent
    | RepositoryEvent
    | LabelEvent
    | SampleEvent
    | ProbeEvent
)
