"""A board as Every Eval Ever records (schema 0.3.0), one for each number that is stated.

A record says who reports which model on which dataset, under which metric. What has no place in it
stands in its free details under ``corrigenda.…``, which our own importer reads again; so do the
digits of a score that JSON cannot write as they are. Nothing is guessed: how a model was deployed
and which library ran it is unknown here, and said to be so.
"""

import re
from collections.abc import Iterable, Iterator
from datetime import timedelta
from typing import Any

import orjson

from ledger.values import EPOCH, Instant, Score
from projections.board.benchmarks import Benchmark, Rule
from projections.board.boards import Board
from projections.board.described import SourceOf
from projections.board.rows import Row
from projections.board.shown import Shown

VERSION = "0.3.0"
OURS = "corrigenda."
CALLED = {"%": "percent", "fraction": "proportion"}
RELATIONS = {
    "labs": "first_party",
    "independent": "third_party",
}
RUN = "independent-run"
UNKNOWN = "unknown"

_JSON_NUMBER = re.compile(r"-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?")


def every_eval_ever(board: Board, shown: Iterable[Shown]) -> Iterator[bytes]:
    """The records of a board, one a line, in its order."""
    if board.rule is None:
        return
    for one in shown:
        yield orjson.dumps(_record(board.benchmark, board.rule, one)) + b"\n"


def _record(benchmark: Benchmark, rule: Rule, shown: Shown) -> dict[str, Any]:
    row, name = shown.row, shown.row.name
    at = _epoch(shown.read_at)
    model = row.model.id if row.model else name
    return {
        "schema_version": VERSION,
        "evaluation_id": f"{benchmark.slug}/{model}/{row.claim_id}/{at}",
        "retrieved_timestamp": at,
        "source_metadata": _source(row.source),
        "eval_library": {"name": UNKNOWN, "version": UNKNOWN},
        "model_info": {
            "name": name,
            "id": model,
            **_stated(developer=row.model.lab if row.model else shown.says.lab),
            "additional_details": {"deployment_type": UNKNOWN, "model_availability": UNKNOWN},
        },
        "evaluation_results": [_result(benchmark, rule, shown)],
    }


def _source(source: SourceOf) -> dict[str, Any]:
    """Who reports it: a lab of its own model, somebody else, or nobody knows."""
    view = "independent" if source.independent else "labs"
    known = source.kind != "collected-claim"
    return {
        "source_name": source.name,
        "source_type": "evaluation_run" if source.kind == RUN else "documentation",
        "source_organization_name": source.name,
        "evaluator_relationship": RELATIONS[view] if known else "other",
        "additional_details": {f"{OURS}source": source.slug, f"{OURS}kind": source.kind},
    }


def _result(benchmark: Benchmark, rule: Rule, shown: Shown) -> dict[str, Any]:
    row, says = shown.row, shown.says
    address = {"source_type": "url", "url": [says.url]} if says.url else {"source_type": "other"}
    return {
        "evaluation_result_id": row.claim_id,
        "evaluation_name": benchmark.name,
        "source_data": {
            "dataset_name": benchmark.name,
            **address,
            "additional_details": {f"{OURS}benchmark": benchmark.slug},
        },
        "metric_config": {
            "metric_id": row.metric,
            "metric_name": rule.name,
            **_stated(metric_unit=CALLED.get(row.unit or "", row.unit)),
            "lower_is_better": not rule.higher_is_better,
        },
        "score_details": {
            "score": orjson.Fragment(_number(says.score)),
            "details": _details(row, shown),
        },
    }


def _details(row: Row, shown: Shown) -> dict[str, str]:
    """The columns of our own tables that a record has no place for, or another one."""
    says = shown.says
    columns: dict[str, object] = {
        "key": row.key,
        "metric": row.metric,
        "split": row.split,
        "setting": row.setting,
        "unit": row.unit,
        "date": says.published_on,
        "lab": row.model.lab if row.model else says.lab,
        "url": says.url,
        "passed": says.passed,
        "completed": says.completed,
        "total": says.total,
        "released": row.model.released if row.model else None,
    }
    if not _JSON_NUMBER.fullmatch(says.score.text):
        columns["score"] = says.score.text
    found = {f"{OURS}{name}": str(value) for name, value in columns.items() if value is not None}
    beside = {name: value for name, value in says.extra if not name.startswith(OURS)}
    return {**beside, "as_written": row.as_written, **found}


def _number(score: Score) -> str:
    """A score as JSON writes numbers: with its very digits where JSON can."""
    if _JSON_NUMBER.fullmatch(score.text):
        return score.text
    return format(score.value, "f")


def _epoch(instant: Instant) -> str:
    """Seconds since 1970, exact to the microsecond."""
    micros = (instant - EPOCH) // timedelta(microseconds=1)
    seconds, rest = divmod(micros, 1_000_000)
    return f"{seconds}.{rest:06d}" if rest else str(seconds)


def _stated(**values: str | None) -> dict[str, str]:
    return {name: value for name, value in values.items() if value is not None}
