"""One claim's whole story: what its source said at each reading, what was decided, what shows."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import attrs
from sqlalchemy import select

from ledger.claim import History, Plane, State, history_of, state_at, stream_of
from ledger.errors import NotFound
from ledger.store import Store
from ledger.values import Instant, from_micros
from projections.asserted import described
from projections.board.described import SourceOf
from projections.board.marks import look_alike_models
from projections.decisions.corrections import Correction, corrections
from projections.keeping.tables import in_plane
from projections.keeping.timeline import marks_of
from projections.keeping.views import Reader
from projections.moment import Moment
from projections.over_time.changes import Step, steps_of


@attrs.frozen(kw_only=True)
class FrozenReading:
    """One reading of a source: its snapshot, and where it stands in the ledger."""

    digest: str
    read_at: Instant
    recorded_at: Instant
    recorded_by: str
    position: int
    media_type: str
    size: int
    entries_stated: int | None
    transcribed: bool
    file: str | None
    benchmark: str | None
    withdrawn: bool


@attrs.frozen(kw_only=True)
class Story:
    """All that is known of a claim at a moment; ``state`` is ``None`` while it is not stated."""

    claim_id: str
    history: History
    state: State | None
    model: str | None
    model_name: str | None
    source: SourceOf
    benchmark_name: str
    steps: tuple[Step, ...]
    readings: tuple[FrozenReading, ...]
    corrections: tuple[Correction, ...]
    marks: tuple[Mapping[str, str], ...]
    moment: Moment


def story_of(reader: Reader, store: Store, claim: str, moment: Moment) -> Story:
    """The story of a claim as known at a moment; refused when the ledger never heard of it."""
    records = [one for one in store.stream(stream_of(claim)) if one.position <= moment.position]
    if not records:
        raise NotFound(what="claim", name=claim)
    history = history_of(records)
    streams = (f"source:{history.source}", f"benchmark:{history.benchmark}")
    found = described(reader, streams, moment)
    source = found.get(streams[0], {})
    model = _model(reader, claim, moment)
    state = state_at(history, moment.instant, moment.plane)
    return Story(
        claim_id=claim,
        history=history,
        state=state,
        model=model,
        model_name=_full_name(reader, model, moment),
        source=SourceOf(
            history.source,
            str(source.get("kind", "collected-claim")),
            str(source.get("name", history.source)),
        ),
        benchmark_name=str(found.get(streams[1], {}).get("name", history.benchmark)),
        steps=tuple(steps_of(claim, history, model, moment.instant)),
        readings=tuple(readings_of(reader, history.source, moment, history.benchmark)),
        corrections=tuple(
            corrections(
                reader,
                store,
                claim=claim,
                upto=moment.position,
                decided_by=moment.instant if moment.plane is Plane.THEN else None,
            )
        ),
        marks=tuple(_marks(reader, state, model, moment)),
        moment=moment,
    )


def _marks(
    reader: Reader, state: State | None, model: str | None, moment: Moment
) -> Iterator[Mapping[str, str]]:
    """What a board says beside the number."""
    if state is not None:
        yield from marks_of(state)
    alike = look_alike_models(reader, moment)
    if model is not None and model in alike:
        yield {"kind": "look-alike", "text": alike[model]}


def readings_of(
    reader: Reader, source: str, moment: Moment, benchmark: str | None = None
) -> Sequence[FrozenReading]:
    """The readings of a source by a moment, oldest first; those taken back are marked."""
    table = reader.tables.reading
    query = select(table).where(
        table.c.source == source,
        table.c.read_at <= moment.day,
        table.c.position <= moment.position,
    )
    if benchmark is not None:
        query = query.where(table.c.benchmark == benchmark)
    query = query.order_by(table.c.read_at, table.c.turn, table.c.position)
    rows = reader.connection.execute(query).mappings()
    return [frozen_reading(row, moment.position) for row in rows]


def frozen_reading(row: Mapping[Any, Any], upto: int) -> FrozenReading:
    """A row of the table of readings, as known through a position."""
    return FrozenReading(
        digest=row["digest"],
        read_at=from_micros(row["read_at"]),
        recorded_at=from_micros(row["recorded_at"]),
        recorded_by=row["recorded_by"],
        position=row["position"],
        media_type=row["media_type"],
        size=row["size"],
        entries_stated=row["entries_stated"],
        transcribed=row["transcribed"],
        file=row["file"],
        benchmark=row["benchmark"],
        withdrawn=row["withdrawn"] <= upto,
    )


def _model(reader: Reader, claim: str, moment: Moment) -> str | None:
    table = reader.tables.claim_version
    query = (
        select(table.c.model)
        .where(
            table.c.claim == claim,
            in_plane(table, moment.plane),
            table.c.read_from <= moment.day,
            table.c.recorded_from <= moment.position,
            table.c.recorded_to > moment.position,
        )
        .order_by(table.c.read_from.desc())
        .limit(1)
    )
    return reader.connection.scalar(query)


def _full_name(reader: Reader, model: str | None, moment: Moment) -> str | None:
    if model is None:
        return None
    content = described(reader, [f"model:{model}"], moment).get(f"model:{model}", {})
    name, version = content.get("name", model), content.get("version")
    return f"{name} {version}" if version else str(name)
