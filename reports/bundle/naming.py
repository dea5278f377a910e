"""The names of all that a bundle speaks of, as they were at its moment."""

from collections.abc import Iterable, Iterator, Mapping, Sequence

from projections.asserted import Content, described
from projections.called import called
from projections.decisions.corrections import Correction
from projections.decisions.subjects import SINGULAR
from projections.keeping.views import Reader
from projections.moment import Moment
from reports.bundle.chains import Chain
from reports.bundle.records import Json


def names_of(
    reader: Reader,
    speaking: tuple[Iterable[Chain], Sequence[Correction], Iterable[Json]],
    named: Iterable[str],
    moment: Moment,
) -> dict[str, str]:
    """Names by stream (``model:…``, ``benchmark:…``, ``source:…``, ``paper:…``); a model's with its
    version. Of all that chains, decisions and snapshots speak of, and of what else is ``named``."""
    chains, decided, snapshots = speaking
    streams = {*_in_chains(chains), *_in_decisions(decided), *named}
    streams.update(f"source:{one['source']}" for one in snapshots)
    said = described(reader, streams, moment)
    return {stream: _name(stream, content) for stream, content in sorted(said.items())}


def metrics_of(
    reader: Reader,
    measured: Iterable[tuple[str, str]],
    decided: Sequence[Correction],
    moment: Moment,
) -> dict[str, dict[str, str]]:
    """Names of metrics by benchmark and slug: of those that are ``measured`` (benchmark, metric)
    and those that decisions name. What has no name there is left out."""
    spoken = sorted({*measured, *_measured_in(decided)})
    known = called(reader, {benchmark for benchmark, _ in spoken}, moment).metrics
    found: dict[str, dict[str, str]] = {}
    for benchmark, metric in spoken:
        if (benchmark, metric) in known:
            found.setdefault(benchmark, {})[metric] = known[benchmark, metric]
    return found


def _measured_in(decided: Iterable[Correction]) -> Iterator[tuple[str, str]]:
    for entry in decided:
        for touched in entry.claims:
            for metric in (touched.before.get("metric"), touched.after.get("metric")):
                if metric is not None:
                    yield touched.benchmark, metric


def _in_chains(chains: Iterable[Chain]) -> Iterator[str]:
    for chain in chains:
        yield f"benchmark:{chain.history.benchmark}"
        yield f"source:{chain.history.source}"
        if chain.model is not None:
            yield f"model:{chain.model}"


def _in_decisions(decided: Iterable[Correction]) -> Iterator[str]:
    for entry in decided:
        kind, _, name = entry.target.partition("#")[0].partition("/")
        if kind in SINGULAR:
            yield f"{SINGULAR[kind]}:{name}"
        for subject in entry.subjects:
            if subject.paper is not None:
                yield f"paper:{subject.paper}"
        for touched in entry.claims:
            yield f"benchmark:{touched.benchmark}"
            for model in (touched.model, _model(touched.before), _model(touched.after)):
                if model is not None:
                    yield f"model:{model}"


def _model(fields: Mapping[str, str | None]) -> str | None:
    return fields.get("model")


def _name(stream: str, content: Content) -> str:
    known = content.get("name") or content.get("title")
    name, version = known or stream.partition(":")[2], content.get("version")
    return f"{name} {version}" if version and stream.startswith("model:") else str(name)
