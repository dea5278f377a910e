"""Runs of HELM (Stanford CRFM): a folder of ``run_spec.json``, ``scenario.json``, ``stats.json``.

``stats.json`` holds the numbers and is what is frozen; what they mean stands beside it: the model
and how it was asked in ``run_spec.json``, the benchmark in ``scenario.json``. So the three have to
lie in one folder, and the run is read once, with ``stats.json``; each claim bears the SHA-256 of
the other two. The mean of each statistic is the number; those of how the run went (counts of
tokens, times, why answers ended) are no scores and are kept beside the claims of their split. One
of no instance has no mean and states nothing.
"""

import hashlib
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import attrs

from ledger.errors import FileRefused
from ledger.importing.formats.beside import Beside
from ledger.importing.formats.documents import Document, json_document
from ledger.importing.formats.fitting import cell
from ledger.importing.formats.format import Asked, Candidate, Placing, Sheet
from ledger.importing.formats.opening import Opening, opening_of
from ledger.importing.formats.tables import RawRow
from ledger.importing.limits import check_size, decode_utf8
from ledger.model import slug_for
from ledger.values import LONGEST_NAME

STATS, SPEC, SCENARIO = "stats.json", "run_spec.json", "scenario.json"
STATISTICS = "the statistics"
OF_THE_ANSWERS = frozenset({"scenario_state.json", "per_instance_stats.json", "instances.json"})
"""What HELM writes of single answers, beside its numbers."""

SHARES = ("exact_match", "quasi_exact_match", "prefix_exact_match", "quasi_prefix_exact_match")
"""Metrics that HELM works out as a mean of noughts and ones, also at the first k (``…@5``)."""
OTHER_UNITS = {"perplexity": "perplexity", "bits_per_byte": "bits"}
IN_THE_SETTING = ("method", "temperature", "max_eval_instances", "num_outputs")
PLACED = frozenset({"model", "max_train_instances", *IN_THE_SETTING})
HOW_IT_WENT = (
    "num_",
    "finish_reason_",
    "training_",
    "inference_",
    "batch_size",
    "prompt_truncated",
)
HOW_IT_WENT_TOO = ("max_prob", "logprob")

PLACING = Placing(
    published_on="nowhere: a run does not say when it was published",
    read_at="nowhere: --read-at, else now",
    setting="`adapter_spec` of run_spec.json: method, examples, temperature, instances",
    split="the scenario’s arguments, the split of the statistic and how its inputs were perturbed",
    identity="the run’s name in run_spec.json, with metric and split",
    unit="`fraction` for exact matches, which HELM defines so; others by their names, else open",
)


@attrs.frozen
class Helm:
    """See the module."""

    name: str = "helm"
    title: str = "HELM runs: run_spec.json, scenario.json and stats.json in one folder"
    endings: tuple[str, ...] = (".json",)
    placing: Placing = PLACING

    def known_by(self, file: Candidate) -> str | None:
        """By what each of the three files of a run holds."""
        found = opening_of(file.start)
        part = _part(file.name.lower(), found)
        return None if part is None else f"it is {part} of a HELM run"

    def sheets(self, file: Candidate, asked: Asked) -> Iterator[Sheet]:
        """The one board that the run is on; nothing for what is read with ``stats.json``."""
        part = _part(file.name.lower(), opening_of(file.start))
        if part not in {None, STATISTICS}:
            _beside(file, STATS)
            return
        stats = json_document(file.name, decode_utf8(file.name, file.data()))
        (spec, with_spec), (scenario, with_scenario) = (
            _sibling(file, SPEC),
            _sibling(file, SCENARIO),
        )
        told = {SPEC: with_spec, SCENARIO: with_scenario}
        if asked.source is None:
            raise FileRefused(file=file.name, why="it does not say who ran it; say --source SLUG")
        yield _Run.of(stats, spec, scenario, asked.source, told).sheet()


HELM = Helm()


def _part(name: str, found: Opening) -> str | None:
    if found.has("item.name.name") and found.has("item.count"):
        return STATISTICS
    if found.has("scenario_spec", "adapter_spec"):
        return "the specification"
    if name == SCENARIO and found.has("name", "description"):
        return "the scenario"
    return "the answers" if name in OF_THE_ANSWERS and found.paths else None


def _beside(file: Candidate, name: str) -> Path:
    """Where another file of the run lies. Raises :class:`~ledger.errors.FileRefused`."""
    if file.path is None:
        why = f"a HELM run is read from a folder, with {name} beside it"
        raise FileRefused(file=file.name, why=why)
    found = file.path.parent / name
    if not found.is_file():
        why = f"{name} of its run does not lie beside it; a HELM run is {SPEC}, {SCENARIO}, {STATS}"
        raise FileRefused(file=file.name, why=why)
    return found


def _sibling(file: Candidate, name: str) -> tuple[Document, str]:
    """Another file of the run, and the SHA-256 of its bytes."""
    place = _beside(file, name)
    try:
        check_size(name, place.stat().st_size)
        data = place.read_bytes()
    except OSError as why:
        raise FileRefused(file=name, why=why.strerror or "it cannot be read") from None
    digest = hashlib.sha256(data).hexdigest()
    return json_document(name, decode_utf8(name, data)), f"sha256:{digest}"


@attrs.frozen
class _Run:
    """The three files of one run."""

    stats: Document
    source: str
    name: str
    model: str
    setting: str | None
    benchmark: str
    part: str
    beside: Mapping[str, Any]

    @classmethod
    def of(
        cls,
        stats: Document,
        spec: Document,
        scenario: Document,
        source: str,
        told: Mapping[str, str],
    ) -> "_Run":
        run = spec.objects(spec.content, "")
        adapter = spec.objects(run.get("adapter_spec"), "adapter_spec")
        about = scenario.objects(scenario.content, "")
        arguments = spec.objects(run.get("scenario_spec"), "scenario_spec").get("args")
        return cls(
            stats=stats,
            source=source,
            name=spec.name(run, "name", ""),
            model=spec.name(adapter, "model", "adapter_spec"),
            setting=_setting(adapter),
            benchmark=scenario.name(about, "name", ""),
            part=_told(arguments if isinstance(arguments, dict) else {}),
            beside={
                **told,
                "groups": run.get("groups"),
                "adapter": {part: adapter[part] for part in adapter if part not in PLACED},
                "scenario": {part: about[part] for part in about if part != "name"},
            },
        )

    def sheet(self) -> Sheet:
        beside = Beside()
        found = [self._stat(place, one) for place, one in enumerate(self._listed())]
        housekeeping: dict[str, dict[str, Any]] = {}
        for stat in found:
            if _is_housekeeping(stat.metric) and stat.mean is not None:
                housekeeping.setdefault(stat.split, {})[stat.metric] = stat.mean
        rows: list[RawRow] = []
        for stat in found:
            if not _is_housekeeping(stat.metric):
                rows.append(
                    self._row(len(rows) + 1, stat, housekeeping.get(stat.split, {}), beside)
                )
        return Sheet(
            source=self.source,
            kind="independent-run",
            benchmark=slug_for(self.benchmark),
            benchmark_name=self.benchmark,
            rows=tuple(rows),
            notes=beside.notes(),
        )

    def _listed(self) -> list[Any]:
        return self.stats.listed(self.stats.content, "")

    def _stat(self, place: int, content: object) -> "_Stat":
        path = f"[{place}]"
        stat = self.stats.objects(content, path)
        name = self.stats.objects(stat.get("name"), f"{path}.name")
        split = ", ".join(part for part in (self.part, _split(name)) if part)
        metric = self.stats.name(name, "name", f"{path}.name")
        return _Stat(metric, split, stat.get("mean"), stat)

    def _row(
        self, number: int, stat: "_Stat", housekeeping: Mapping[str, Any], beside: Beside
    ) -> RawRow:
        cells: dict[str, str | None] = {
            "key": self.name,
            "model": self.model,
            "score": cell(stat.mean),
            "metric": stat.metric,
            "split": stat.split or None,
            "setting": self.setting,
            "unit": _unit(stat.metric),
        }
        spread = {part: stat.all.get(part) for part in ("count", "stddev", "min", "max")}
        told = {part: self.beside[part] for part in (SPEC, SCENARIO)}
        cells |= beside.keep({**told, **spread, **housekeeping, **self.beside}, cells)
        return RawRow(number, cells)


@attrs.frozen
class _Stat:
    """One statistic: of what, over which part, and its mean as written."""

    metric: str
    split: str
    mean: Any
    all: Mapping[str, Any] = attrs.field(repr=False)


def _is_housekeeping(metric: str) -> bool:
    return metric.startswith(HOW_IT_WENT) or metric.startswith(HOW_IT_WENT_TOO)


def _unit(metric: str) -> str | None:
    name = metric.partition("@")[0]
    return "fraction" if name in SHARES else OTHER_UNITS.get(name)


def _split(name: Mapping[str, Any]) -> str:
    """Which part of the answers a statistic is over."""
    parts = [name.get("split"), name.get("sub_split")]
    perturbed = name.get("perturbation")
    if isinstance(perturbed, dict):
        parts += [perturbed.get("name"), perturbed.get("computed_on")]
    return " ".join(part for part in parts if isinstance(part, str) and part)


def _told(arguments: Mapping[str, Any]) -> str:
    told = (f"{name}={value}" for name, value in arguments.items() if isinstance(value, str))
    return ", ".join(told)[:LONGEST_NAME]


def _setting(adapter: Mapping[str, Any]) -> str | None:
    shots = adapter.get("max_train_instances")
    told = [f"{shots}-shot"] if isinstance(shots, str) else []
    for part in IN_THE_SETTING:
        value = adapter.get(part)
        if isinstance(value, str):
            told.append(value if part == "method" else f"{part}={value}")
    return ", ".join(told)[:LONGEST_NAME] or None
