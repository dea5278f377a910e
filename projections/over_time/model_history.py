"""One model across all benchmarks: every change of every number that any source states for it."""

from collections.abc import Iterator

import attrs
from sqlalchemy import select

from ledger.claim import history_of, stream_of
from ledger.events import Recorded
from ledger.store import Store
from projections.called import Called, called
from projections.keeping.views import Reader, recorded
from projections.models import Model, model_at
from projections.moment import Moment
from projections.over_time.changes import Step, renamed, steps_of, turn_of
from projections.over_time.compared import Caused, caused
from projections.over_time.renames import renames_of_model


@attrs.frozen(kw_only=True)
class OnBenchmark:
    """A change, and the benchmark that it is of; a rename is of none."""

    caused: Caused
    benchmark: str | None
    benchmark_name: str | None


@attrs.frozen(kw_only=True)
class ModelHistory:
    """A model and all that changed about it by a moment, oldest first, with the names of the
    benchmarks and metrics that are spoken of."""

    model: Model
    changes: tuple[OnBenchmark, ...]
    called: Called

    @property
    def benchmarks(self) -> int:
        """On how many benchmarks it changed."""
        return len({one.benchmark for one in self.changes if one.benchmark})


def history_of_model(reader: Reader, store: Store, slug: str, moment: Moment) -> ModelHistory:
    """The history of a model as known at a moment; refused when the ledger never heard of it.

    Claims count that were this model's at any time: one that turned out to be another's included.
    """
    model = model_at(reader, slug, moment)
    where = _claims_of(reader, slug, moment)
    found = [*_steps(store, where, slug, moment)]
    renames = {one.position: one for one in renames_of_model(store, slug, moment)}
    found += [renamed(one) for one in renames.values() if one.read_at <= moment.instant]
    names = called(reader, set(where.values()), moment)
    changes = []
    for one in caused(reader, store, sorted(found, key=turn_of), moment):
        benchmark = where.get(one.step.claim_id)
        changes.append(
            OnBenchmark(
                caused=one
                if one.step.claim_id
                else attrs.evolve(one, rename=renames[one.step.position]),
                benchmark=benchmark,
                benchmark_name=names.benchmark(benchmark) if benchmark else None,
            )
        )
    return ModelHistory(model=model, changes=tuple(changes), called=names)


def _claims_of(reader: Reader, slug: str, moment: Moment) -> dict[str, str]:
    """The claims that were ever taken for this model's, each with its benchmark."""
    table = reader.tables.claim_version
    query = (
        select(table.c.claim, table.c.benchmark)
        .distinct()
        .where(table.c.model == slug, recorded(table, at_head=reader.at_head(moment.position)))
    )
    return dict(reader.tuples(query, {"position": moment.position}))


def _steps(store: Store, where: dict[str, str], model: str, moment: Moment) -> Iterator[Step]:
    records: dict[str, list[Recorded]] = {}
    for record in store.streams(stream_of(claim) for claim in sorted(where)):
        if record.position <= moment.position:
            records.setdefault(record.envelope.stream.partition(":")[2], []).append(record)
    for claim, known in records.items():
        yield from steps_of(claim, history_of(known), model, moment.instant)
