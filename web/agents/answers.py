"""What the tools answer, as the schemas that agents are told.

``answer`` is the JSON of the outside contract: the fields named here are always there, and others
may be added. ``caveats`` is what the page tells people before they read on, and ``permalink`` leads
to the same page of the same moment for good.
"""

from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Field

Anything = dict[str, Any]


class Told(BaseModel):
    """Something with fields that are named here, and others."""

    model_config = ConfigDict(extra="allow")


class Named(Told):
    """What has a name and a page."""

    slug: str
    name: str


class Held(Told):
    """How much of the ledger an answer is about."""

    position: int
    recorded_at: str | None


class Moment(Told):
    """The day on each clock."""

    as_read_on: str
    corrected: str
    recorded_through: Held


class Row(Told):
    """A line of a board; scores are text, with the digits as written."""

    rank: int | None
    model: Anything | None
    score: str | None
    unit: str | None
    published_on: str | None
    source: Anything
    claim_id: str | None
    tied: bool
    marks: list[Anything]


class Board(Moment):
    """``/benchmarks/<slug>.json``."""

    benchmark: Named
    view: str
    metric: Anything | None
    published_by: str | None
    rows: list[Row]
    unranked: list[Row]
    untracked: int
    leader: Anything | None
    headline: str | None
    empty_because: str | None


class Changes(Told):
    """``/benchmarks/<slug>/changes.json``."""

    benchmark: Named
    to: str
    recorded_through: Held
    changes: list[Anything]
    rows: list[Anything]


class Claim(Moment):
    """``/claims/<id>.json``."""

    claim_id: str
    benchmark: Named
    source: Anything
    model: str | None
    says: Anything | None
    shows: Anything | None
    history: list[Anything]
    readings: list[Anything]
    corrections: list[Anything]


class Leaf(Told):
    """Where an event of a claim stands in the log; ``index`` is ``null`` until it is sealed."""

    position: int
    index: int | None
    entry: str | None
    proof: str | None


class Correction(Told):
    """``/corrections/<number>.json``."""

    number: int
    decided_at: str
    outcome: str
    statement: str | None
    in_force: bool
    claims: list[Anything]


class Log(Told):
    """``/corrections.json``."""

    corrections: list[Anything]
    matching: int
    in_all: int
    next: str | None


class Harvested(Told):
    """A function or class that was harvested; ``ran`` is ``null`` where no outcome is told."""

    code_sha256: str
    complete: bool
    symbol: str | None
    path: str | None
    repository: str
    ran: bool | None
    outcome: str | None
    blames: str | None
    licence: str | None
    pointer_only: str | None


class HarvestedCode(Moment):
    """The records of ``/papers/<id>.json``, and every piece of code in them."""

    paper: Anything
    records: list[Anything]
    harvested: list[Harvested]


class Code(Moment):
    """``/samples/<sha256>.json``."""

    code_sha256: str
    complete: bool
    copies: list[Anything]
    outcomes: list[Anything]


class Found(Told):
    """The first of what a search finds, and how many there are."""

    in_all: int
    found: list[Anything]


class Search(Moment):
    """What a name finds, kind by kind."""

    benchmarks: Found
    models: Found
    labs: Found
    papers: Found
    repositories: Found
    samples: list[str]


CAVEATS = Field(description="What has to be known before any of it is used or passed on.")
PERMALINK = Field(
    description="The page of this very moment, for good; without a host it is a path."
)


class Answer(BaseModel):
    """What every reading tool answers besides its answer."""

    caveats: Annotated[list[str], CAVEATS]
    permalink: Annotated[str, PERMALINK]


class BoardAnswer(Answer):
    """A board."""

    answer: Board


class ChangesAnswer(Answer):
    """What changed."""

    answer: Changes


class ClaimAnswer(Answer):
    """A claim with its chain; ``log`` is where its events stand in the sealed log."""

    answer: Claim
    log: list[Leaf]


class CorrectionAnswer(Answer):
    """A decision."""

    answer: Correction


class LogAnswer(Answer):
    """Decisions."""

    answer: Log


class HarvestedAnswer(Answer):
    """The code of a paper."""

    answer: HarvestedCode


class CodeAnswer(Answer):
    """A piece of code; ``text`` is ``null`` where none may be or is held, and ``why`` says so."""

    answer: Code
    text: None
    why: str


class SearchAnswer(Answer):
    """What was found."""

    answer: Search


class Filed(BaseModel):
    """A report that came in; ``secret_link`` is for whoever reported, and for nobody else."""

    secret_link: Annotated[str, Field(description="Leads to what happens to it; keep it secret.")]
    filed_as: Annotated[str, Field(description="What reviewers see: that an agent filed it.")]
    next: str
