"""One lab: its models, and what it published that was read."""

from collections.abc import Iterable

import attrs
from sqlalchemy import func, select

from ledger.errors import NotFound
from ledger.values import PartialDate
from projections.asserted import Content, aspects_of, described, with_aspect
from projections.keeping.rectangles import CHUNK, chunks
from projections.keeping.tables import in_plane
from projections.keeping.views import Reader
from projections.moment import Moment


@attrs.frozen(kw_only=True)
class ModelOfLab:
    """A model, and on how many benchmarks how many numbers are stated for it."""

    slug: str
    name: str
    version: str | None
    released: PartialDate | None
    benchmarks: int
    claims: int


@attrs.frozen(kw_only=True)
class SourceOfLab:
    """A launch post or document of a lab."""

    slug: str
    name: str
    kind: str
    published_on: PartialDate | None


@attrs.frozen(kw_only=True)
class Lab:
    """A lab at a moment; models and sources newest first."""

    slug: str
    name: str
    models: tuple[ModelOfLab, ...]
    sources: tuple[SourceOfLab, ...]


def lab_at(reader: Reader, slug: str, moment: Moment) -> Lab:
    """The lab with this slug; refused when the ledger never heard of it."""
    facts = aspects_of(reader, f"lab:{slug}", moment).get("described")
    if facts is None:
        raise NotFound(what="lab", name=slug)
    models: dict[str, Content] = {}
    sources: dict[str, Content] = {}
    for stream, content in with_aspect(reader, "described", moment):
        kind, _, name = stream.partition(":")
        into = {"model": models, "source": sources}.get(kind)
        if into is not None and content.get("lab") == slug:
            into[name] = content
    stated = _stated(reader, models, moment)
    return Lab(
        slug=slug,
        name=str(facts["name"]),
        models=tuple(_models(models, stated)),
        sources=tuple(_sources(sources)),
    )


def registered(reader: Reader, slugs: Iterable[str | None], moment: Moment) -> dict[str, str]:
    """The names of those labs that are registered, by slug; the others have no page."""
    found = described(reader, [f"lab:{slug}" for slug in slugs if slug], moment)
    return {stream.removeprefix("lab:"): str(said["name"]) for stream, said in found.items()}


def _stated(reader: Reader, models: Iterable[str], moment: Moment) -> dict[str, tuple[int, int]]:
    """For each model: on how many benchmarks how many claims are stated."""
    table = reader.tables.claim_version
    found: dict[str, tuple[int, int]] = {}
    for chunk in chunks(sorted(models), CHUNK):
        query = (
            select(table.c.model, func.count(table.c.benchmark.distinct()), func.count())
            .where(
                table.c.model.in_(chunk),
                in_plane(table, moment.plane),
                reader.holds(table, moment.day, moment.position),
            )
            .group_by(table.c.model)
        )
        rows = reader.connection.execute(query)
        found |= {model: (benchmarks, claims) for model, benchmarks, claims in rows}
    return found


def _models(found: dict[str, Content], stated: dict[str, tuple[int, int]]) -> list[ModelOfLab]:
    models = [
        ModelOfLab(
            slug=slug,
            name=str(content["name"]),
            version=content.get("version"),
            released=_date(content.get("released")),
            benchmarks=stated.get(slug, (0, 0))[0],
            claims=stated.get(slug, (0, 0))[1],
        )
        for slug, content in found.items()
    ]
    by_name = sorted(models, key=lambda one: (one.name.casefold(), one.slug))
    return sorted(by_name, key=lambda one: _day(one.released), reverse=True)


def _sources(found: dict[str, Content]) -> list[SourceOfLab]:
    sources = [
        SourceOfLab(
            slug=slug,
            name=str(content["name"]),
            kind=str(content["kind"]),
            published_on=_date(content.get("published_on")),
        )
        for slug, content in found.items()
    ]
    by_name = sorted(sources, key=lambda one: (one.name.casefold(), one.slug))
    return sorted(by_name, key=lambda one: _day(one.published_on), reverse=True)


def _date(text: str | None) -> PartialDate | None:
    return PartialDate(text) if text else None


def _day(date: PartialDate | None) -> int:
    """What a date sorts by; none comes after all others, as the newest come first."""
    return date.first_day.toordinal() if date else 0
