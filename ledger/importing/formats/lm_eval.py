"""Results of the lm-evaluation-harness (EleutherAI), as versions 0.4 write them.

One JSON object of one run of one model: ``results[task]["metric,filter"]`` with a
``metric_stderr,filter`` beside it, ``n-shot``, ``versions``, ``higher_is_better``, ``n-samples``,
``configs`` and ``config``, and ``date`` in seconds since 1970. Each task is a benchmark; told which
benchmark it is about, all tasks are its splits. An error of a number is kept beside it and is no
claim of its own.
"""

from collections.abc import Iterator, Mapping
from datetime import UTC, timedelta
from decimal import Decimal, InvalidOperation
from typing import Any

import attrs

from ledger.errors import FileRefused
from ledger.importing.formats.beside import Beside
from ledger.importing.formats.documents import Document, json_document
from ledger.importing.formats.fitting import cell
from ledger.importing.formats.format import Asked, Candidate, Placing, Sheet
from ledger.importing.formats.opening import opening_of
from ledger.importing.formats.tables import RawRow
from ledger.importing.limits import decode_utf8
from ledger.model import slug_for
from ledger.values import EPOCH, Instant

SHARES = frozenset({"acc", "acc_norm", "acc_bytes", "exact_match"})
"""Metrics that the harness itself works out as a mean of noughts and ones."""
OTHER_UNITS = {
    "perplexity": "perplexity",
    "word_perplexity": "perplexity",
    "byte_perplexity": "perplexity",
    "bits_per_byte": "bits",
}
OF_THE_RUN = (
    "model_source",
    "git_hash",
    "lm_eval_version",
    "transformers_version",
    "chat_template_sha",
    "system_instruction",
    "fewshot_as_multiturn",
    "total_evaluation_time_seconds",
)
LATEST = Decimal(253_402_300_800)
"""The second at which the year 10000 would begin."""


PLACING = Placing(
    published_on="nowhere: a run does not say when it was published",
    read_at="`date`, the second at which the run began",
    setting="`n-shot` of the task, such as `5-shot`",
    split="the task, when one benchmark is asked for; else none, each task being a benchmark",
    identity="the model with its revision, the shots, and the metric with its filter",
    unit="`fraction` for accuracies and exact matches, which the harness defines so; for others"
    " perplexity or bits by their names, else left open",
)


@attrs.frozen
class LmEval:
    """See the module."""

    name: str = "lm-eval"
    title: str = "lm-evaluation-harness results (0.4)"
    endings: tuple[str, ...] = (".json",)
    placing: Placing = PLACING

    def known_by(self, file: Candidate) -> str | None:
        """By results whose names are “metric,filter”."""
        found = opening_of(file.start)
        for path in found.below("results"):
            if "," in path.rpartition(".")[2]:
                return "its results are named “metric,filter”"
        return None

    def sheets(self, file: Candidate, asked: Asked) -> Iterator[Sheet]:
        """One for each task, or one for all when a benchmark was asked for."""
        document = json_document(file.name, decode_utf8(file.name, file.data()))
        run = _Run.of(document, asked)
        tasks = document.objects(run.content.get("results"), "results")
        if not tasks:
            document.refuse("results", "it holds no task")
        if asked.benchmark is not None:
            yield run.sheet(asked.benchmark, None, tasks, split=True)
            return
        for task, results in tasks.items():
            yield run.sheet(slug_for(task), task, {task: results}, split=False)


LM_EVAL = LmEval()


@attrs.frozen
class _Run:
    """One file: a run of one model."""

    document: Document
    content: Mapping[str, Any]
    source: str
    model: str
    read_at: Instant | None

    @classmethod
    def of(cls, document: Document, asked: Asked) -> "_Run":
        content = document.objects(document.content, "")
        if asked.source is None:
            why = "it does not say who ran it; say --source SLUG"
            raise FileRefused(file=document.file, why=why)
        return cls(
            document, content, asked.source, _model_in(document, content), _date(document, content)
        )

    def sheet(
        self, benchmark: str, name: str | None, tasks: Mapping[str, Any], *, split: bool
    ) -> Sheet:
        beside = Beside()
        rows: list[RawRow] = []
        lower: set[str] = set()
        for task, results in tasks.items():
            found = self.document.objects(results, f"results.{task}")
            for written, value in _numbers_in(found):
                cells = self._cells(task, written, found, beside, split=task if split else None)
                rows.append(RawRow(len(rows) + 1, {**cells, "score": cell(value)}))
                if self._of_task("higher_is_better", task, _metric(written)) is False:
                    lower.add(_named(written))
        return Sheet(
            source=self.source,
            kind="independent-run",
            benchmark=benchmark,
            benchmark_name=name,
            lower_is_better=frozenset(lower),
            rows=tuple(_units_agree(rows)),
            read_at=self.read_at,
            notes=beside.notes(),
        )

    def _cells(
        self,
        task: str,
        written: str,
        results: Mapping[str, Any],
        beside: Beside,
        *,
        split: str | None,
    ) -> dict[str, str | None]:
        shots = self._of_task("n-shot", task)
        setting = f"{shots}-shot" if isinstance(shots, str) else None
        cells: dict[str, str | None] = {
            "key": self._key(setting),
            "model": self.model,
            "metric": _named(written),
            "split": split,
            "setting": setting,
            "unit": "fraction" if _metric(written) in SHARES else OTHER_UNITS.get(_metric(written)),
        }
        metric, _, filtered = written.partition(",")
        error = results.get(f"{metric}_stderr,{filtered}")
        said = {
            "stderr": None if error == "N/A" else error,
            "alias": None if results.get("alias") == task else results.get("alias"),
            "version": self._of_task("versions", task),
            "samples": self._of_task("n-samples", task),
            "config": self.content.get("config"),
            **{one: self.content.get(one) for one in OF_THE_RUN},
            "task_config": self._task_config(task),
        }
        return cells | beside.keep(said, cells)

    def _task_config(self, task: str) -> dict[str, Any]:
        found = self._of_task("configs", task)
        placed = ("task", "num_fewshot")
        return {one: found[one] for one in found if one not in placed} if found else {}

    def _key(self, setting: str | None) -> str:
        config = self.content.get("config")
        revision = config.get("model_revision") if isinstance(config, dict) else None
        told = revision if isinstance(revision, str) and revision != "main" else None
        return ", ".join(part for part in (self.model, told, setting) if part)

    def _of_task(self, part: str, *names: str) -> Any:
        """What a part of the file says of a task; ``None`` when it says nothing."""
        found: Any = self.content.get(part)
        for name in names:
            found = found.get(name) if isinstance(found, dict) else None
        return found


def _model_in(document: Document, content: Mapping[str, Any]) -> str:
    """The model's name; older files say it among the arguments alone."""
    name = content.get("model_name")
    if isinstance(name, str) and name.strip():
        return name.strip()
    config = content.get("config")
    arguments = config.get("model_args") if isinstance(config, dict) else None
    if isinstance(arguments, dict):
        arguments = ",".join(f"{key}={value}" for key, value in arguments.items())
    parts = arguments.split(",") if isinstance(arguments, str) else []
    pairs = [(key.strip(), value.strip()) for key, _, value in (p.partition("=") for p in parts)]
    found = next((value for key, value in pairs if value and key in {"pretrained", "model"}), None)
    if found is None:
        document.refuse("model_name", "it does not say which model was run")
    return found


def _date(document: Document, content: Mapping[str, Any]) -> Instant | None:
    """When the run began: seconds since 1970, in UTC."""
    written = content.get("date")
    if written is None:
        return None
    try:
        seconds = Decimal(written) if isinstance(written, str) else Decimal("NaN")
    except InvalidOperation:
        seconds = Decimal("NaN")
    if not (seconds.is_finite() and 0 <= seconds < LATEST):
        document.refuse("date", f"{str(written)[:40]!r} is no number of seconds since 1970")
    return (EPOCH + timedelta(microseconds=int(seconds * 1_000_000))).astimezone(UTC)


def _numbers_in(results: Mapping[str, Any]) -> Iterator[tuple[str, Any]]:
    """The numbers of a task that are claims; one that is missing (“N/A”) states nothing."""
    for written, value in results.items():
        if "," not in written or _metric(written).endswith("_stderr"):
            continue
        yield written, None if value in ("N/A", "") else value


def _metric(written: str) -> str:
    return written.partition(",")[0]


def _named(written: str) -> str:
    """The metric as it is called here: with its filter, unless it has none."""
    return written.removesuffix(",none")


def _units_agree(rows: list[RawRow]) -> Iterator[RawRow]:
    """Rows as they are; but a share above one is none, so its metric's unit is open then."""
    wrong = {row.cells["metric"] for row in rows if _is_above_one(row)}
    for row in rows:
        if row.cells["metric"] in wrong:
            yield attrs.evolve(row, cells={**row.cells, "unit": None})
        else:
            yield row


def _is_above_one(row: RawRow) -> bool:
    try:
        return row.cells["unit"] == "fraction" and Decimal(row.cells.get("score") or "0") > 1
    except InvalidOperation:
        return False
