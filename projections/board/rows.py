"""The rows of a board before they are ranked: what each source of a view states at a moment.

One range query over the rectangles; what was said of models and sources by then is remembered
from one board to the next.
"""

from collections.abc import Mapping, Sequence
from datetime import date
from functools import lru_cache
from typing import Any, NamedTuple

import attrs
import orjson
from sqlalchemy import Select, bindparam, select

from ledger.values import PartialDate, Score, partial_date, score
from ledger.vocabulary import kinds_in
from projections.board.described import ModelOf, SourceOf, models_at, sources_at
from projections.board.marks import look_alike_models
from projections.keeping.tables import Tables, in_plane
from projections.keeping.views import Reader, holding
from projections.moment import Moment


class Row(NamedTuple):
    """One line of a board. ``why_unranked`` says why a line beside the board does not rank.

    A named tuple, since a board makes hundreds of them while somebody waits.
    """

    model: ModelOf | None
    score: Score | None
    unit: str | None
    published_on: PartialDate | None
    source: SourceOf
    key: str
    as_written: str
    claim_id: str | None
    metric: str
    split: str | None
    setting: str | None
    wording: str | None
    section: str | None
    locator: str | None
    marks: tuple[Mapping[str, str], ...]
    why_unranked: str | None
    sort_key: str
    rank: int | None = None
    tied: bool = False
    parts: tuple["Row", ...] = ()

    @property
    def name(self) -> str:
        """What the row is called."""
        return self.model.full_name if self.model else self.as_written

    @property
    def order(self) -> tuple[date, str, str]:
        """What breaks a tie: printed date (none comes last), name, claim id."""
        day = self.published_on.first_day if self.published_on else date.max
        return (day, self.name, self.claim_id or "")


UNPLACED: tuple[Any, ...] = (None, False, ())
"""The end of a row that has no place on a board yet."""


class Stored(NamedTuple):
    """What a row is made of: columns of the rectangle."""

    claim: str
    source: str
    key: str
    model: str | None
    name: str
    metric: str
    split: str | None
    setting: str | None
    score: str
    score_key: str
    unit: str | None
    published_on: str | None
    lab: str | None
    as_written: str | None
    section: str | None
    locator: str | None
    standing: str
    held_out: str | None
    marks: str | None


# A board has hundreds of rows, which are looked into by place while somebody waits.
CLAIM, SOURCE, MODEL = map(Stored._fields.index, ("claim", "source", "model"))


def stated_rows(
    reader: Reader,
    slug: str,
    moment: Moment,
    *,
    view: str = "all",
    metric: str | None = None,
    instead: Mapping[str, Stored] | None = None,
) -> list[Row]:
    """Every claim on a benchmark that a source of the view states at the moment, unranked and in no
    order: under one metric, or under all of them.

    ``instead`` says what some claims are to show (by id), for looking at a decision beforehand.
    """
    query = _stated(
        reader.tables,
        moment.plane.value,
        at_head=reader.at_head(moment.position),
        one_metric=metric is not None,
    )
    asked = {"slug": slug, "metric": metric, "day": moment.day, "position": moment.position}
    stored: Sequence[tuple[Any, ...]] = reader.tuples(query, asked)
    if instead:
        stored = [row for row in stored if row[CLAIM] not in instead]
        stored += [row for row in instead.values() if metric in (None, row.metric)]
    sources = sources_at(reader, {row[SOURCE] for row in stored}, moment)
    wanted = {slug for slug, source in sources.items() if source.kind in kinds_in(view)}
    seen = [row for row in stored if row[SOURCE] in wanted]
    models = models_at(reader, {row[MODEL] for row in seen}, moment)
    alike = look_alike_models(reader, moment)
    return [_row(row, sources, models, alike) for row in seen]


@lru_cache(maxsize=32)
def _stated(tables: Tables, plane: str, *, at_head: bool, one_metric: bool) -> Select[Any]:
    table = tables.claim_version
    query = select(*(table.c[name] for name in Stored._fields)).where(
        table.c.benchmark == bindparam("slug"),
        in_plane(table, plane),
        holding(table, at_head=at_head),
    )
    return query.where(table.c.metric == bindparam("metric")) if one_metric else query


def _row(
    stored: tuple[Any, ...],
    sources: Mapping[str, SourceOf],
    models: Mapping[str | None, ModelOf],
    alike: Mapping[str, str],
) -> Row:
    (
        claim,
        slug,
        key,
        named,
        name,
        metric,
        split,
        setting,
        score_text,
        score_key,
        unit,
        published_on,
        lab,
        as_written,
        section,
        locator,
        standing,
        held_out,
        marked,
    ) = stored
    model, source = models.get(named), sources[slug]
    if lab is not None and model is not None and model.lab is None:
        model = attrs.evolve(model, lab=lab)
    printed: PartialDate | None = None
    if source.independent and model is not None and model.released is not None:
        printed = model.released
    elif published_on:
        printed = partial_date(published_on)
    marks = _marks(marked) if marked else ()
    if alike and model is not None and model.id in alike:
        marks = (*marks, {"kind": "look-alike", "text": alike[model.id]})
    why = None
    if standing != "ranked":
        why = held_out if standing == "held-out" else standing
    return Row._make(
        (
            model,
            score(score_text),
            unit,
            printed,
            source,
            key,
            name,
            claim,
            metric,
            split,
            setting,
            as_written,
            section,
            locator,
            marks,
            why,
            score_key,
            *UNPLACED,
        )
    )


@lru_cache(maxsize=10_000)
def _marks(text: str) -> tuple[Mapping[str, str], ...]:
    return tuple(orjson.loads(text))
