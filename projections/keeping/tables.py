"""The read model's tables. All of it is disposable: drop it, rebuild, and get the same rows.

A rebuild writes a new *generation* of tables beside the live ones and then moves one pointer; the
generation before is kept until the next rebuild, for whoever is still reading it. Instants are
microseconds since 1970-01-01T00:00Z, positions are the store's; a rectangle holds for
``read_from <= D < read_to`` and ``recorded_from <= P < recorded_to``.
"""

from functools import lru_cache
from hashlib import sha256

import attrs
from sqlalchemy import (
    BigInteger,
    Boolean,
    Column,
    ColumnElement,
    Index,
    Integer,
    MetaData,
    String,
    Table,
    Text,
)
from sqlalchemy.schema import CreateIndex, CreateTable

# A rectangle of both planes is stored once.
BOTH = "both"

ALWAYS = -(1 << 62)
FOREVER = 1 << 62


def in_plane(table: Table, plane: str) -> ColumnElement[bool]:
    """The rectangles that belong to a plane: its own, and those of both."""
    return table.c.plane.in_((BOTH, str(plane)))


@attrs.frozen(eq=False)
class Tables:
    """The tables of one generation; there is one such object for each."""

    generation: int
    metadata: MetaData
    claim: Table
    claim_version: Table
    change: Table
    rename: Table
    row: Table
    alias: Table
    look_alike: Table
    assertion: Table
    assertion_version: Table
    reading: Table
    report: Table
    decision: Table
    decision_claim: Table
    imported: Table
    code_fact: Table
    probe: Table
    inventory: Table

    @property
    def for_readers(self) -> tuple[Index, ...]:
        """The indexes that no projector looks into, of the tables that grow with the claims."""
        return tuple(
            sorted(
                (*self.claim_version.indexes, *self.change.indexes), key=lambda one: str(one.name)
            )
        )

    @property
    def compared(self) -> tuple[Table, ...]:
        """The tables that a rebuild has to give back row by row."""
        return tuple(self.metadata.sorted_tables)


def prefix_of(generation: int) -> str:
    """What the names of a generation's tables begin with."""
    return f"g{generation}_"


def shape_of(tables: Tables) -> str:
    """A digest over all tables, columns and indexes, the same for every generation."""
    prefix = prefix_of(tables.generation)
    made = [
        str(ddl)
        for table in tables.metadata.sorted_tables
        for ddl in (
            CreateTable(table),
            *(CreateIndex(index) for index in sorted(table.indexes, key=lambda one: str(one.name))),
        )
    ]
    return sha256("\n".join(made).replace(prefix, "").encode()).hexdigest()


@lru_cache(maxsize=8)
def tables_of(generation: int) -> Tables:
    """The tables of a generation, by name prefix."""
    metadata = MetaData()
    p = prefix_of(generation)
    return Tables(
        generation,
        metadata,
        claim=Table(
            f"{p}claim",
            metadata,
            Column("claim", String, primary_key=True),
            Column("row", String, nullable=False, index=True),
            Column("source", String, nullable=False),
            Column("benchmark", String, nullable=False),
            Column("key", String, nullable=False),
            Column("first_position", BigInteger, nullable=False),
            Index(f"{p}claim_by_source", "source", "benchmark"),
            Index(f"{p}claim_by_benchmark", "benchmark"),
        ),
        claim_version=_claim_version(p, metadata),
        change=_change(p, metadata),
        rename=Table(
            f"{p}rename",
            metadata,
            Column("position", BigInteger, primary_key=True, autoincrement=False),
            Column("model", String, nullable=False),
        ),
        row=Table(
            f"{p}row",
            metadata,
            Column("row", String, primary_key=True),
            Column("name_key", String, nullable=False, index=True),
            Column("named_at", BigInteger, nullable=False),
            Column("named_order", String, nullable=False),
        ),
        alias=Table(
            f"{p}alias",
            metadata,
            Column("position", BigInteger, primary_key=True, autoincrement=False),
            Column("name_key", String, nullable=False, index=True),
            Column("skeleton", String, nullable=False, index=True),
            Column("model", String, nullable=False),
            Column("means_from", BigInteger),
            Column("read_at", BigInteger, nullable=False),
            Column("withdrawn", Boolean, nullable=False),
        ),
        look_alike=Table(
            f"{p}look_alike",
            metadata,
            Column("skeleton", String, primary_key=True),
        ),
        assertion=Table(
            f"{p}assertion",
            metadata,
            Column("position", BigInteger, primary_key=True, autoincrement=False),
            Column("stream", String, nullable=False),
            Column("aspect", String, nullable=False),
            Column("read_at", BigInteger, nullable=False),
            Column("content", Text),
            Index(f"{p}assertion_by_stream", "stream", "aspect"),
        ),
        assertion_version=_assertion_version(p, metadata),
        reading=Table(
            f"{p}reading",
            metadata,
            Column("position", BigInteger, primary_key=True, autoincrement=False),
            Column("withdrawn", BigInteger, nullable=False),
            Column("source", String, nullable=False),
            Column("benchmark", String),
            Column("digest", String, nullable=False, index=True),
            Column("read_at", BigInteger, nullable=False),
            Column("turn", String, nullable=False),
            Column("recorded_at", BigInteger, nullable=False),
            Column("recorded_by", String, nullable=False),
            Column("media_type", String, nullable=False),
            Column("size", BigInteger, nullable=False),
            Column("entries_stated", Integer),
            Column("transcribed", Boolean, nullable=False),
            Column("file", String),
            Index(f"{p}reading_by_source", "source", "benchmark", "read_at"),
            Index(f"{p}reading_by_benchmark", "benchmark", "read_at"),
        ),
        report=_report(p, metadata),
        decision=_decision(p, metadata),
        decision_claim=Table(
            f"{p}decision_claim",
            metadata,
            Column("decision", String, primary_key=True),
            Column("claim", String, primary_key=True, index=True),
        ),
        imported=Table(
            f"{p}imported",
            metadata,
            Column("position", BigInteger, primary_key=True, autoincrement=False),
            Column("digest", String, nullable=False, index=True),
            Column("file", String, nullable=False),
            Column("format", String, nullable=False),
            Column("source", String, nullable=False),
            Column("benchmark", String),
            Column("read_at", BigInteger, nullable=False),
            Column("recorded_at", BigInteger, nullable=False),
            Column("recorded_by", String, nullable=False),
            Column("counts", Text, nullable=False),
            Column("refused", Text, nullable=False),
        ),
        code_fact=_code_fact(p, metadata),
        probe=_probe(p, metadata),
        inventory=_inventory(p, metadata),
    )


def _code_fact(p: str, metadata: MetaData) -> Table:
    """One fact about a paper, a repository or a piece of code, and what it is about."""
    return Table(
        f"{p}code_fact",
        metadata,
        Column("position", BigInteger, primary_key=True, autoincrement=False),
        Column("stream", String, nullable=False, index=True),
        Column("paper", String, index=True),
        Column("repository", String, index=True),
        Column("code", String),
        # The first digits of the code, which all codes that may be one sample share.
        Column("stem", String, index=True),
        # The address of a repository, as probes are found by it.
        Column("link", String, index=True),
        Column("read_at", BigInteger, nullable=False),
    )


def _probe(p: str, metadata: MetaData) -> Table:
    """One event of a probe window: its opening, a probe of a link, its closing."""
    return Table(
        f"{p}probe",
        metadata,
        Column("position", BigInteger, primary_key=True, autoincrement=False),
        Column("window", String, nullable=False, index=True),
        Column("link", String, index=True),
        Column("about", String, index=True),
        Column("opens", Boolean, nullable=False),
        Column("read_at", BigInteger, nullable=False),
    )


def _inventory(p: str, metadata: MetaData) -> Table:
    """How often a type, an author, or what is withheld occurs in a stretch of positions."""
    return Table(
        f"{p}inventory",
        metadata,
        Column("stretch", BigInteger, primary_key=True, autoincrement=False),
        Column("field", String, primary_key=True),
        Column("value", String, primary_key=True),
        Column("count", BigInteger, nullable=False),
        Index(f"{p}inventory_by_value", "field", "value", "stretch"),
    )


def _claim_version(p: str, metadata: MetaData) -> Table:
    """One rectangle of one claim in one plane: what shows, and how it stands."""
    return Table(
        f"{p}claim_version",
        metadata,
        Column("claim", String, primary_key=True),
        Column("plane", String(5), primary_key=True),
        Column("recorded_from", BigInteger, primary_key=True, autoincrement=False),
        Column("read_from", BigInteger, primary_key=True, autoincrement=False),
        Column("read_to", BigInteger, nullable=False),
        Column("recorded_to", BigInteger, nullable=False),
        Column("benchmark", String, nullable=False),
        Column("metric", String, nullable=False),
        Column("source", String, nullable=False),
        Column("key", String, nullable=False),
        Column("model", String),
        Column("name", String, nullable=False),
        Column("split", String),
        Column("setting", String),
        Column("score", String, nullable=False),
        Column("score_key", String, nullable=False),
        Column("unit", String),
        Column("published_on", String),
        Column("lab", String),
        Column("as_written", Text),
        Column("section", String),
        Column("locator", String),
        Column("standing", String, nullable=False),
        Column("held_out", Text),
        Column("marks", Text),
        Column("review", Text),
        # The board's one range query: what is still open, and holds at D, is found by read_to.
        Index(
            f"{p}board",
            "benchmark",
            "plane",
            "metric",
            "recorded_to",
            "read_to",
            "read_from",
            "recorded_from",
        ),
        # What was ever stated of one model, and where.
        Index(f"{p}claim_version_by_model", "model", "benchmark"),
    )


def _change(p: str, metadata: MetaData) -> Table:
    """One step of what a claim shows: the fact at ``position`` changed it at ``read_from``."""
    return Table(
        f"{p}change",
        metadata,
        Column("claim", String, primary_key=True),
        Column("position", BigInteger, primary_key=True, autoincrement=False),
        Column("recorded_from", BigInteger, primary_key=True, autoincrement=False),
        Column("read_from", BigInteger, nullable=False),
        Column("read_to", BigInteger, nullable=False),
        Column("recorded_to", BigInteger, nullable=False),
        Column("benchmark", String, nullable=False),
        Column("source", String, nullable=False),
        Column("kind", String, nullable=False),
        Column("metric", String, nullable=False),
        Column("metric_before", String),
        Column("decision", String),
        Index(f"{p}change_by_benchmark", "benchmark", "recorded_to", "read_from"),
        # Found by its key or by its benchmark.
        sqlite_with_rowid=False,
    )


def _assertion_version(p: str, metadata: MetaData) -> Table:
    """What was asserted of one aspect of a stream, folded."""
    return Table(
        f"{p}assertion_version",
        metadata,
        Column("stream", String, primary_key=True),
        Column("aspect", String, primary_key=True),
        Column("recorded_from", BigInteger, primary_key=True, autoincrement=False),
        Column("read_from", BigInteger, primary_key=True, autoincrement=False),
        Column("read_to", BigInteger, nullable=False),
        Column("recorded_to", BigInteger, nullable=False),
        Column("content", Text, nullable=False),
        Index(f"{p}assertion_by_aspect", "aspect", "read_to"),
        # Found by its key and nothing else, hundreds of times a board: one look-up instead of two.
        sqlite_with_rowid=False,
    )


def _report(p: str, metadata: MetaData) -> Table:
    return Table(
        f"{p}report",
        metadata,
        Column("number", Integer, primary_key=True, autoincrement=False),
        Column("state", String, nullable=False),
        Column("target", String, nullable=False),
        Column("reason", String, nullable=False),
        Column("proposes", Text, nullable=False),
        Column("filed_by", String, nullable=False),
        Column("received_at", BigInteger, nullable=False),
        Column("recorded_at", BigInteger, nullable=False),
        Column("held_by", String),
        # The decision that awaits a second person, and who proposed it.
        Column("awaiting", String),
        Column("proposed_by", String),
        Column("version", Integer, nullable=False),
    )


def _decision(p: str, metadata: MetaData) -> Table:
    """Every DecisionMade and DecisionReversed, numbered in the order of their positions."""
    return Table(
        f"{p}decision",
        metadata,
        Column("number", Integer, primary_key=True, autoincrement=False),
        Column("decision", String, nullable=False, unique=True),
        Column("report", Integer, nullable=False, index=True),
        Column("position", BigInteger, nullable=False, index=True),
        Column("decided_at", BigInteger, nullable=False),
        Column("decided_by", String, nullable=False),
        # Who proposed it, where it took a second person to decide.
        Column("proposed_by", String),
        Column("outcome", String, nullable=False),
        Column("type", String),
        Column("reason", String, nullable=False),
        Column("snapshot", String),
        Column("applies_from", BigInteger),
        Column("statement", Text, nullable=False),
        Column("replaces", String),
    )
