"""Logs of Inspect (UK AI Security Institute), version 2, as JSON or packed (``.eval``).

One JSON object of one run of one task: ``eval`` with the task, its arguments, the model and when it
was ``created``; ``plan``; ``results.scores[]``, each a scorer with its ``metrics``; ``samples``. A
metric is called by its scorer too (``choice/accuracy``). Errors and deviations are kept beside the
scorer's numbers and are no claims. Of the samples only their number is kept. A log of a run that
failed or was stopped is of a part of its samples: its numbers are refused.

A packed log is a zip. Its ``header.json`` is the same object without the samples, so it gives the
same claims; nothing else of it is unpacked. The whole file is frozen as it is. One that is
encrypted, broken off, packed in another way than by deflate (zstd, say) or made to fill the memory
is refused; ``inspect log convert --to json`` turns a log into the other form. A run that was not
finished has no header.
"""

from collections.abc import Iterator, Mapping
from typing import Any

import attrs

from ledger.errors import BadValue, FileRefused
from ledger.importing.formats.beside import Beside, flat
from ledger.importing.formats.documents import Document, json_document
from ledger.importing.formats.fitting import cell
from ledger.importing.formats.format import Asked, Candidate, Placing, Sheet
from ledger.importing.formats.opening import opening_of
from ledger.importing.formats.packed_log import HEADER, first_member, header_of, is_packed
from ledger.importing.formats.tables import RawRow
from ledger.importing.limits import decode_utf8
from ledger.model import slug_for
from ledger.values import LONGEST_NAME, Instant, parse_instant

VERSION = "2"
SPREAD = ("stderr", "bootstrap_stderr", "std", "bootstrap_std", "var", "ci_lower", "ci_upper")
"""Metrics that say how sure another one is."""
SHARES = frozenset({"accuracy"})
"""Metrics that Inspect itself works out as a mean of noughts and ones."""
OF_THE_RUN = ("run_id", "task_id", "task_version", "dataset", "model_args", "packages", "tags")

PLACING = Placing(
    published_on="nowhere: a run does not say when it was published",
    read_at="`eval.created`",
    setting="the task’s arguments, the limit, the epochs and what was said to the model",
    split="nowhere",
    identity="the run (`eval.eval_id`, else `run_id` and `task_id`), the scorer and the metric",
    unit="`fraction` for `accuracy`, which Inspect defines so; else left open",
)


@attrs.frozen
class InspectLog:
    """See the module."""

    name: str = "inspect"
    title: str = "Inspect logs, JSON or packed (version 2)"
    endings: tuple[str, ...] = (".json", ".eval")
    placing: Placing = PLACING

    def known_by(self, file: Candidate) -> str | None:
        """By its version, and an evaluation with a task and a model; or by its first member."""
        member = first_member(file.start)
        if member is not None:
            return f"it is a packed log, whose first member is {member}"
        found = opening_of(file.start)
        if found.has("version", "eval.task", "eval.model"):
            return f"it is a log of version {found.says('version')} with a task and a model"
        return None

    def sheets(self, file: Candidate, asked: Asked) -> Iterator[Sheet]:
        """The one board that the run is on."""
        document = _document(file)
        content = document.objects(document.content, "")
        if content.get("version") != VERSION:
            document.refuse("version", f"version {VERSION} is read")
        if asked.source is None:
            raise FileRefused(file=file.name, why="it does not say who ran it; say --source SLUG")
        yield _sheet(document, content, asked.source)


INSPECT_LOG = InspectLog()


def _document(file: Candidate) -> Document:
    """The log, or the header of a packed one; what is wrong in that is said of the member."""
    if not is_packed(file.start):
        return json_document(file.name, decode_utf8(file.name, file.data()))
    called = f"{file.name}: {HEADER}"
    return json_document(called, decode_utf8(called, header_of(file)))


def _sheet(document: Document, content: Mapping[str, Any], source: str) -> Sheet:
    run = document.objects(content.get("eval"), "eval")
    task = document.name(run, "task", "eval")
    results = content.get("results")
    if results is None:
        status = content.get("status")
        document.refuse("results", f"its status is {status} and it holds no results")
    results = document.objects(results, "results")
    beside = Beside()
    rows = _rows(document, content, run, results, beside)
    return Sheet(
        source=source,
        kind="independent-run",
        benchmark=slug_for(task),
        benchmark_name=task,
        rows=tuple(rows),
        read_at=_created(document, run),
        notes=beside.notes(),
    )


def _rows(
    document: Document,
    content: Mapping[str, Any],
    run: Mapping[str, Any],
    results: Mapping[str, Any],
    beside: Beside,
) -> list[RawRow]:
    status = content.get("status", "success")
    problem = None if status == "success" else f"its run ended as {status}, with a part of it done"
    base = _base(document, content, run, results)
    said = {one: run.get(one) for one in OF_THE_RUN}
    rows: list[RawRow] = []
    for place, score in enumerate(document.listed(results.get("scores"), "results.scores")):
        path = f"results.scores[{place}]"
        scorer = document.objects(score, path)
        metrics = document.objects(scorer.get("metrics"), f"{path}.metrics")
        values = {
            name: _value(document, one, f"{path}.metrics.{name}") for name, one in metrics.items()
        }
        spread = {name: value for name, value in values.items() if name in SPREAD}
        for name, value in values.items():
            if name in SPREAD:
                continue
            cells = base | {
                "metric": f"{_scorer(scorer, path)}/{name}",
                "unit": "fraction" if name in SHARES else None,
                "score": cell(value),
            }
            beside_it = {**spread, "scorer": scorer.get("params"), **said}
            cells |= beside.keep(beside_it, cells)
            rows.append(RawRow(len(rows) + 1, cells, problem))
    return rows


def _base(
    document: Document,
    content: Mapping[str, Any],
    run: Mapping[str, Any],
    results: Mapping[str, Any],
) -> dict[str, str | None]:
    """What all numbers of a run share."""
    identity = run.get("eval_id") or "/".join(
        str(run[part]) for part in ("run_id", "task_id") if run.get(part)
    )
    if not isinstance(identity, str) or not identity:
        document.refuse("eval", "it has no eval_id, run_id or task_id by which to know the run")
    return {
        "key": identity,
        "model": document.name(run, "model", "eval"),
        "setting": _setting(content, run),
        "completed": _count(results.get("completed_samples")),
        "total": _count(results.get("total_samples")),
    }


def _setting(content: Mapping[str, Any], run: Mapping[str, Any]) -> str | None:
    """How it was run, as far as it fits a setting; all of it stands in the frozen file."""
    config = run.get("config")
    plan = content.get("plan")
    told: list[tuple[str, str]] = [*flat(run.get("task_args"))]
    if isinstance(config, dict):
        told += flat({part: config.get(part) for part in ("limit", "epochs", "epochs_reducer")})
    told += flat(run.get("model_generate_config"))
    if isinstance(plan, dict):
        told += flat(plan.get("config"))
    setting = ""
    for name, value in dict(told).items():
        longer = f"{setting}, {name}={value}" if setting else f"{name}={value}"
        if len(longer) > LONGEST_NAME or not value.isprintable():
            continue
        setting = longer
    return setting or None


def _scorer(scorer: Mapping[str, Any], path: str) -> str:
    """The scorer's name; with its reducer where several runs of a sample are not averaged."""
    name = scorer.get("name") or scorer.get("scorer") or path
    reducer = scorer.get("reducer")
    return f"{name}[{reducer}]" if isinstance(reducer, str) and reducer != "mean" else str(name)


def _value(document: Document, metric: object, path: str) -> Any:
    return document.objects(metric, path).get("value")


def _count(written: object) -> str | None:
    return written if isinstance(written, str) else None


def _created(document: Document, run: Mapping[str, Any]) -> Instant | None:
    written = run.get("created")
    if written is None:
        return None
    try:
        return parse_instant(document.name(run, "created", "eval"))
    except BadValue as why:
        document.refuse("eval.created", str(why.fields["why"]))
