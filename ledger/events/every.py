"""All events, by stream, and the envelope that each is recorded in."""

import attrs

from ledger.events.benchmark import (
    BenchmarkDescribed,
    BenchmarkRegistered,
    CaveatStated,
    EvaluationChanged,
    RankingRuleSet,
)
from ledger.events.claim import (
    ClaimCleared,
    ClaimCorrected,
    ClaimDecisionReversed,
    ClaimDelisted,
    ClaimDisputed,
    ClaimHeldOut,
    ClaimReadingVoided,
    ClaimReadmitted,
    ClaimRecorded,
    ClaimReidentified,
    ClaimReinstated,
    ClaimRelisted,
    ClaimRestated,
    ClaimRetracted,
)
from ledger.events.code import (
    RepositoryLabelled,
    RepositoryRegistered,
    SampleHarvested,
    SampleRunRead,
)
from ledger.events.imports import ImportReceived
from ledger.events.index import CapabilityIndexRead
from ledger.events.model import (
    AliasAsserted,
    AliasWithdrawn,
    LabRegistered,
    ModelDescribed,
    ModelRegistered,
    ModelRenamed,
)
from ledger.events.paper import (
    AbstractQuoted,
    ArchiveEntryRead,
    PaperDescribed,
    PaperRegistered,
    RepositoryListed,
    RunCountsRead,
)
from ledger.events.probe import LinkProbed, ProbeWindowClosed, ProbeWindowOpened
from ledger.events.report import (
    DecisionMade,
    DecisionProposed,
    DecisionReturned,
    DecisionReversed,
    EvidenceAdded,
    ReportAmended,
    ReportAssigned,
    ReportFiled,
    ReportScreened,
    ReportWithdrawn,
    ReviewStarted,
)
from ledger.events.source import (
    PostRead,
    ReadingWithdrawn,
    SourceFoundChanged,
    SourceFrozen,
    SourceRegistered,
)
from ledger.values import Instant

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
    event: Event
    stored: bytes = attrs.field(repr=False)
