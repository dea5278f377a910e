"""One Every Eval Ever record (schema 0.2 or 0.3): the results of one model as one source has them.

Who reports is in ``source_metadata``, the dataset in each result's ``source_data``, the metric in
its ``metric_config``. ``evaluation_id`` names the record and ends in a time; without that time it
is the same when the record is made again, so it is the key of its rows.

What our own export writes under ``corrigenda.…`` in the free details of a record goes back to the
column that it came from, so that nothing is lost on the way out and in.
"""

import re
from collections.abc import Mapping
from datetime import timedelta
from decimal import Decimal
from typing import Any

import attrs

from ledger.errors import BadValue
from ledger.importing.formats.documents import Document, kind_of
from ledger.importing.formats.fitting import cell, in_words, name_or_none
from ledger.importing.formats.keys import key_of
from ledger.importing.formats.metric_scale import unit_of
from ledger.importing.formats.rows import COLUMNS
from ledger.values import (
    EPOCH,
    Instant,
    PartialDate,
    Score,
    parse_instant,
    parse_slug,
    partial_date,
)
from ledger.vocabulary import SOURCE_KINDS

OURS = "corrigenda."

_VERSION = re.compile(r"0\.[23](?:\.[0-9]+)?(?:[-+].*)?")
_SECONDS = re.compile(r"[0-9]{1,12}(?:\.[0-9]{1,9})?")
_TIME = re.compile(r"/(?:[0-9]+(?:\.[0-9]+)?|[0-9]{4}-[0-9]{2}-[0-9]{2}T[^/]*)\Z")
_DATASET = re.compile(r"[^a-z0-9]+")

PLACED_IN_MODEL = {"name", "id", "developer"}
PLACED_IN_ARGS = {"execution_command", "prompt_template"}


@attrs.frozen
class Record:
    """What all results of a record share."""

    document: Document
    content: Mapping[str, Any]
    source_name: str
    source: str | None
    kind: str
    read_at: Instant

    def key(self, model: str) -> str:
        """The record's name without the time in it; with the model where it does not say it."""
        stem = _TIME.sub("", self.document.name(self.content, "evaluation_id", ""))
        return stem if _plain(model) in _plain(stem) else key_of(stem, model)


def record_of(document: Document) -> Record:
    """The record in a document. Raises :class:`~ledger.errors.FileRefused`, with the field."""
    content = document.objects(document.content, "")
    _check_version(document, content)
    said = document.objects(content.get("source_metadata"), "source_metadata")
    field = "source_name" if said.get("source_name") else "source_organization_name"
    ours = _ours(said.get("additional_details"))
    return Record(
        document=document,
        content=content,
        source_name=document.name(said, field, "source_metadata"),
        source=_slug(ours.get("source")),
        kind=ours["kind"] if ours.get("kind") in SOURCE_KINDS else _kind(said),
        read_at=_read_at(document, content),
    )


def _check_version(document: Document, content: Mapping[str, Any]) -> None:
    version = document.name(content, "schema_version", "")
    if not _VERSION.fullmatch(version):
        document.refuse("schema_version", f"it is {version}, and 0.2 and 0.3 are read")


def _kind(said: Mapping[str, Any]) -> str:
    """The kind of a source: who evaluated, and whether what is held is a run or a report."""
    relation, details = said.get("evaluator_relationship"), said.get("additional_details")
    if relation == "first_party":
        return "model-card"
    if relation != "third_party":
        return "collected-claim"
    if isinstance(details, dict) and details.get("source_role") == "aggregator":
        return "copied-board"
    return (
        "independent-run" if said.get("source_type") == "evaluation_run" else "official-leaderboard"
    )


def _read_at(document: Document, content: Mapping[str, Any]) -> Instant:
    """When the record was made from its source: epoch seconds, in older ones ISO 8601."""
    text = document.name(content, "retrieved_timestamp", "")
    try:
        if "T" in text:
            return parse_instant(text)
        if _SECONDS.fullmatch(text):
            return EPOCH + timedelta(microseconds=int(Decimal(text) * 1_000_000))
    except (OverflowError, BadValue):
        document.refuse("retrieved_timestamp", f"{text[:40]!r} is no instant")
    return document.refuse("retrieved_timestamp", f"{text[:40]!r} is no instant in epoch seconds")


# --- one result -------------------------------------------------------------------------------


@attrs.frozen
class Result:
    """One result of a record: its board, and its cells by column."""

    benchmark: str | None
    benchmark_name: str
    metric: str | None
    metric_name: str | None
    lower_is_better: bool
    cells: Mapping[str, str | None]
    rest: Mapping[str, Any]
    hints: tuple[str | None, ...]
    released: PartialDate | None = None
    is_ours: bool = False
    problem: str | None = None


def results_of(record: Record) -> list[Result]:
    """All results of a record, in their order."""
    listed = record.document.listed(record.content.get("evaluation_results"), "evaluation_results")
    return [_result(record, one, f"evaluation_results[{at}]") for at, one in enumerate(listed)]


def _result(record: Record, content: object, path: str) -> Result:
    document = record.document
    result = document.objects(content, path)
    data = document.objects(result.get("source_data"), f"{path}.source_data")
    config = document.objects(result.get("metric_config"), f"{path}.metric_config")
    details = document.objects(result.get("score_details"), f"{path}.score_details")
    dataset = document.name(data, "dataset_name", f"{path}.source_data")
    evaluation = document.name(result, "evaluation_name", path)
    ours = _ours(details.get("details"))
    cells = _cells(record, result, config, details) | {"split": _split(data, dataset, evaluation)}
    cells |= {column: ours[column] for column in COLUMNS if column in ours and column != "score"}
    if _is_written(ours.get("score"), cells["score"]):
        cells["score"] = ours["score"]
    problem = None
    if "score" not in details:
        problem = f"{path}.score_details: it has no score"
    elif isinstance(details["score"], dict | list):
        problem = f"{path}.score_details.score is {kind_of(details['score'])}, not a number"
    return Result(
        benchmark=_slug(_ours(data.get("additional_details")).get("benchmark")),
        benchmark_name=dataset,
        metric=cells["metric"],
        metric_name=name_or_none(config.get("metric_name")) if cells["metric"] else None,
        lower_is_better=config.get("lower_is_better") is True,
        cells=cells,
        rest=_rest(record.content, result),
        hints=(name_or_none(result.get("evaluation_result_id")), evaluation),
        released=_date(ours.get("released")),
        is_ours="key" in ours,
        problem=problem,
    )


def _cells(
    record: Record,
    result: Mapping[str, Any],
    config: Mapping[str, Any],
    details: Mapping[str, Any],
) -> dict[str, str | None]:
    model = record.document.objects(record.content.get("model_info"), "model_info")
    name = record.document.name(model, "name" if model.get("name") else "id", "model_info")
    return {
        "key": record.key(name_or_none(cell(model.get("id"))) or name),
        "model": name,
        "metric": name_or_none(config.get("metric_id") or config.get("metric_name")),
        "score": _score(config, details),
        "unit": unit_of(config),
        "setting": _setting(model, result),
        "lab": name_or_none(model.get("developer")),
    }


def _score(config: Mapping[str, Any], details: Mapping[str, Any]) -> str | None:
    """The digits; ``-1`` is no score where the record says that it means unknown."""
    score = cell(details.get("score"))
    unknown = config.get("score_type") == "levels" and config.get("has_unknown_level") is True
    return None if unknown and score in ("-1", "-1.0") else score


def _setting(model: Mapping[str, Any], result: Mapping[str, Any]) -> str | None:
    """The precision of the weights and what the answers were generated with, in one line."""
    more, config = model.get("additional_details"), result.get("generation_config")
    said: dict[str, Any] = {}
    if isinstance(more, dict):
        said["precision"] = more.get("precision")
    args = config.get("generation_args") if isinstance(config, dict) else None
    if isinstance(args, dict):
        said |= {
            k: v for k, v in args.items() if k not in PLACED_IN_ARGS and not isinstance(v, dict)
        }
    return name_or_none(in_words(said))


def _split(data: Mapping[str, Any], dataset: str, evaluation: str) -> str | None:
    """What part of a dataset was evaluated: the evaluation, where it says more, and the split."""
    names = {_plain(dataset), _plain(str(data.get("hf_repo") or "").rpartition("/")[2])}
    part = (
        None if {_plain(evaluation), _plain(evaluation.rpartition(".")[2])} & names else evaluation
    )
    parts = [part, name_or_none(data.get("hf_split"))]
    return name_or_none("/".join(one for one in parts if one))


def _plain(name: str) -> str:
    return _DATASET.sub("", name.casefold())


def _rest(record: Mapping[str, Any], result: Mapping[str, Any]) -> dict[str, Any]:
    """What has no column: of the result first, then of the record."""
    details = _without(result.get("score_details"), {"score"})
    if "details" in details:
        details["details"] = _theirs(details["details"])
    data = _without(result.get("source_data"), {"dataset_name"})
    who = _without(record.get("source_metadata"), set())
    for part in (data, who):
        if "additional_details" in part:
            part["additional_details"] = _theirs(part["additional_details"])
    placed = {"score_details", "source_data"}
    return {
        "score_details": details,
        "source_data": data,
        **_without(result, placed),
        "evaluation_id": record.get("evaluation_id"),
        "run_timestamp": record.get("evaluation_timestamp"),
        "eval_library": record.get("eval_library"),
        "model_id": _without(record.get("model_info"), set()).get("id"),
        "model_info": _without(record.get("model_info"), PLACED_IN_MODEL),
        "source_metadata": who,
        "detailed_evaluation_results": record.get("detailed_evaluation_results"),
    }


def _without(content: object, names: set[str]) -> dict[str, Any]:
    if not isinstance(content, dict):
        return {}
    return {name: value for name, value in content.items() if name not in names}


def _ours(details: object) -> dict[str, str]:
    """What our own export wrote into free details, by column."""
    if not isinstance(details, dict):
        return {}
    return {
        name.removeprefix(OURS): value
        for name, value in details.items()
        if name.startswith(OURS) and isinstance(value, str)
    }


def _theirs(details: object) -> object:
    if not isinstance(details, dict):
        return details
    return {name: value for name, value in details.items() if not name.startswith(OURS)}


def _is_written(written: str | None, number: str | None) -> bool:
    """Whether a number as JSON cannot write it, such as 3,471, is that of the record."""
    try:
        return None not in (written, number) and Score(str(written)) == Score(str(number))
    except BadValue:
        return False


def _date(text: str | None) -> PartialDate | None:
    try:
        return None if text is None else partial_date(text)
    except BadValue:
        return None


def _slug(text: str | None) -> str | None:
    try:
        return None if text is None else parse_slug(text)
    except BadValue:
        return None
