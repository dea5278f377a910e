"""The rows of a board before they are ranked: what each source of a view states at a moment.

One range query over the rectangles; what was said of models and sources by then is remembered
from one board to the next.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from datetime import date
from functools import lru_cache
from typing import Any, NamedTuple

import attrs
import orjson
from sqlalchemy import Select, bindparam, select

from ledger.values import PartialDate, Score, partial_date, score
from ledger.vocabulary import SOURCE_KINDS, kinds_in
from projections.asserted import NOTHING, content_of, described, descriptions
from projections.board.marks import look_alike_models
from projections.keeping.tables import Tables, in_plane
from projections.keeping.views import Reader, holding
from projections.moment import Moment


@attrs.frozen
class ModelOf:
    """The model that a row is about; ``lab`` is the lab's name, ``lab_slug`` the slug that was
    said, registered or not."""

    id: str
    name: str
    version: str | None
    lab: str | None
    released: PartialDate | None
    lab_slug: str | None = None

    @property
    def full_name(self) -> str:
        """The name with its version."""
        return f"{self.name} {self.version}" if self.version else self.name


@attrs.frozen
class SourceOf:
    """The source of a row."""

    slug: str
    kind: str
    name: str
    independent: bool = attrs.field(init=False)
    """Whether the number comes from somebody else than the model's lab."""

    @independent.default
    def _independent(self) -> bool:
        return SOURCE_KINDS[self.kind][0] == "independent"


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
    sources = _sources(reader, {row[SOURCE] for row in stored}, moment)
    wanted = {slug for slug, source in sources.items() if source.kind in kinds_in(view)}
    seen = [row for row in stored if row[SOURCE] in wanted]
    models = _models(reader, {row[MODEL] for row in seen}, moment)
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


def _sources(reader: Reader, slugs: Iterable[str], moment: Moment) -> dict[str, SourceOf]:
    found = described(reader, [f"source:{slug}" for slug in slugs], moment)
    return {
        stream.partition(":")[2]: SourceOf(
            stream.partition(":")[2], content["kind"], content["name"]
        )
        for stream, content in found.items()
    }


def _models(
    reader: Reader, slugs: Collection[str | None], moment: Moment
) -> Mapping[str | None, ModelOf]:
    """These models, as they were described by the moment."""
    texts = descriptions(reader, [f"model:{slug}" for slug in slugs if slug], moment)
    lab_of = {text: content_of(text).get("lab") for text in texts.values()}
    labs = _labs(reader, set(lab_of.values()), moment)
    found: dict[str | None, ModelOf] = {}
    for slug in slugs:
        if slug:
            text = texts.get(f"model:{slug}")
            found[slug] = _model(slug, text, labs.get(lab_of[text]) if text else None)
    return found


def _labs(reader: Reader, slugs: Iterable[str | None], moment: Moment) -> Mapping[str | None, str]:
    """The names of labs by their slugs."""
    streams = {slug: f"lab:{slug}" for slug in slugs if slug}
    found = described(reader, streams.values(), moment)
    return {
        slug: str(found.get(stream, NOTHING).get("name", slug)) for slug, stream in streams.items()
    }


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


@lru_cache(maxsize=50_000)
def _model(slug: str, text: str | None, lab: str | None) -> ModelOf:
    content = content_of(text)
    released = content.get("released")
    return ModelOf(
        slug,
        str(content.get("name", slug)),
        content.get("version"),
        lab,
        partial_date(released) if released else None,
        content.get("lab"),
    )


@lru_cache(maxsize=10_000)
def _marks(text: str) -> tuple[Mapping[str, str], ...]:
    return tuple(orjson.loads(text))
