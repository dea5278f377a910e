"""One model: what it is, and every number that any source states for it, benchmark by benchmark."""

import attrs
from sqlalchemy import select

from ledger.errors import NotFound
from projections.asserted import Content, aspects_of, described
from projections.board.rows import Row, stated_rows
from projections.keeping.tables import in_plane
from projections.keeping.views import Reader
from projections.moment import Moment


@attrs.frozen
class OnBenchmark:
    """The claims about one model on one benchmark, by metric and source."""

    slug: str
    name: str
    rows: tuple[Row, ...]


@attrs.frozen
class Model:
    """A dated version of a model at a moment; ``lab`` is the lab's name."""

    slug: str
    facts: Content
    lab: str | None
    benchmarks: tuple[OnBenchmark, ...]

    @property
    def full_name(self) -> str:
        """The name with its version."""
        version = self.facts.get("version")
        return f"{self.facts['name']} {version}" if version else str(self.facts["name"])


def model_at(reader: Reader, slug: str, moment: Moment) -> Model:
    """The model with this slug; refused when the ledger never heard of it."""
    facts = aspects_of(reader, f"model:{slug}", moment).get("described")
    if facts is None:
        raise NotFound(what="model", name=slug)
    slugs = _benchmarks_of(reader, slug, moment)
    named = described(reader, [f"benchmark:{one}" for one in slugs], moment)
    found = [
        OnBenchmark(
            one,
            str(named.get(f"benchmark:{one}", {}).get("name", one)),
            tuple(_rows(reader, one, slug, moment)),
        )
        for one in slugs
    ]
    return Model(
        slug,
        facts,
        _lab(reader, facts.get("lab"), moment),
        tuple(sorted(found, key=lambda one: (one.name, one.slug))),
    )


def _benchmarks_of(reader: Reader, slug: str, moment: Moment) -> list[str]:
    table = reader.tables.claim_version
    query = (
        select(table.c.benchmark)
        .distinct()
        .where(
            table.c.model == slug,
            in_plane(table, moment.plane),
            reader.holds(table, moment.day, moment.position),
        )
    )
    return sorted(reader.connection.scalars(query))


def _rows(reader: Reader, benchmark: str, slug: str, moment: Moment) -> list[Row]:
    rows = stated_rows(reader, benchmark, moment)
    mine = [row for row in rows if row.model is not None and row.model.id == slug]
    return sorted(mine, key=lambda row: (row.metric, row.split or "", row.source.slug, row.key))


def _lab(reader: Reader, slug: str | None, moment: Moment) -> str | None:
    if slug is None:
        return None
    return str(described(reader, [f"lab:{slug}"], moment).get(f"lab:{slug}", {}).get("name", slug))
