"""One model's page: every number that is stated for it, its places, and its other versions."""

from collections.abc import Mapping

import attrs

from projections.asserted import with_aspect
from projections.board.benchmarks import Rule
from projections.board.boards import Board, board_at
from projections.board.rows import Row
from projections.keeping.views import Reader
from projections.labs import registered
from projections.models import Model, model_at
from projections.moment import Moment
from web.showing.named import Named
from web.words import score_words

MOST_PLACES = 20
"""Benchmarks for which the place is worked out; each takes a whole board."""


@attrs.frozen
class Place:
    """Where a model ranks on a benchmark that shows this view when nobody asks for one."""

    rank: int
    of: int
    view: str


@attrs.frozen(kw_only=True)
class ModelPage:
    """A model; ``places`` and ``rules`` by benchmark, ``versions`` are others of the same name,
    ``lab`` is its lab's slug where that has a page."""

    model: Model
    lab: str | None
    places: Mapping[str, Place]
    rules: Mapping[str, Mapping[str, Rule]]
    versions: tuple[Named, ...]

    def metric(self, benchmark: str, row: Row) -> str:
        """What the metric of a row is called."""
        rule = self.rules.get(benchmark, {}).get(row.metric)
        return rule.name if rule else row.metric

    def score(self, benchmark: str, row: Row) -> str:
        """The score of a row with its unit, its metric's where its source states none."""
        rule = self.rules.get(benchmark, {}).get(row.metric)
        return score_words(row.score, row.unit or (rule.unit if rule else None))

    @property
    def numbers(self) -> int:
        """How many numbers are stated for it."""
        return sum(len(one.rows) for one in self.model.benchmarks)


def model_page(reader: Reader, slug: str, moment: Moment) -> ModelPage:
    """The page of a model; refused when the ledger never heard of it."""
    model = model_at(reader, slug, moment)
    slugs = [one.slug for one in model.benchmarks[:MOST_PLACES]]
    boards = {one: board_at(reader, one, moment) for one in slugs}
    places = {one: _place(board, slug) for one, board in boards.items()}
    return ModelPage(
        model=model,
        lab=next(iter(registered(reader, [model.facts.get("lab")], moment)), None),
        places={one: place for one, place in places.items() if place is not None},
        rules={one: board.benchmark.rules for one, board in boards.items()},
        versions=_versions(reader, model, moment),
    )


def _place(board: Board, slug: str) -> Place | None:
    for row in board.rows:
        if row.model is not None and row.model.id == slug and row.rank is not None:
            return Place(row.rank, len(board.rows), board.view)
    return None


def _versions(reader: Reader, model: Model, moment: Moment) -> tuple[Named, ...]:
    found = [
        Named(stream.removeprefix("model:"), str(content["name"]), content.get("version"))
        for stream, content in with_aspect(reader, "described", moment)
        if stream.startswith("model:") and content.get("name") == model.facts["name"]
    ]
    others = [one for one in found if one.slug != model.slug]
    return tuple(sorted(others, key=lambda one: (one.version or "", one.slug)))
