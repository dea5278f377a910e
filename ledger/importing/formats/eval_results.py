"""Hugging Face ``.eval_results/*.yaml``: a list of results in the repository of their model.

An entry has a ``dataset`` (``id``, ``task_id``, ``revision``) and a ``value``, and may have
``date`` (of the run), ``source``, ``notes`` and ``verifyToken``. The model is the repository that
the folder ``.eval_results`` lies in, so a file is imported from where it lies. The file names
neither its metric, which is then the headline of its benchmark, nor its unit. Other files of the
folder may hold more, so what is not here is left as it was.
"""

import re
from collections.abc import Iterator, Mapping
from typing import Any

import attrs

from ledger.errors import FileRefused
from ledger.importing.formats.beside import Beside
from ledger.importing.formats.documents import Document, yaml_document
from ledger.importing.formats.fitting import address_or_none, name_or_none, without_percent
from ledger.importing.formats.format import Asked, Candidate, Placing, Sheet
from ledger.importing.formats.keys import Keyed, key_of, told_apart
from ledger.importing.formats.repository import cached_in, owned
from ledger.importing.formats.tables import RawRow
from ledger.importing.limits import check_rows, decode_utf8
from ledger.importing.receipt import RefusedRow
from ledger.model import slug_for

FOLDER = ".eval_results"
PLACED = {"dataset", "value", "notes", "date"}

_FIELDS = tuple(
    re.compile(rf"^(?:-[ \t]+|[ \t]+){field}[ \t]*:", re.MULTILINE)
    for field in ("dataset", "id", "value")
)

_PLACING = Placing(
    published_on="nowhere; date is the day of the run and is kept beside as run_date",
    read_at="--read-at, or the instant that the file’s name begins with, else now",
    setting="notes",
    split="nowhere; every task of a dataset is a benchmark of its own",
    identity="the model (the folder that .eval_results lies in) and its setting, and where two"
    " would be one the source",
    unit="nowhere, but for values written with a percent sign; say --unit",
)


@attrs.frozen
class EvalResults:
    """The results in one file of that folder."""

    name: str = "eval-results"
    title: str = "Hugging Face .eval_results/*.yaml"
    endings: tuple[str, ...] = (".yaml", ".yml")
    placing: Placing = _PLACING

    def known_by(self, file: Candidate) -> str | None:
        """A list whose entries have a dataset with an id, and a value."""
        if f".{file.ending}" not in self.endings:
            return None
        text = file.start.decode("utf-8-sig", "replace").replace("\r\n", "\n")
        if _is_list(text) and all(field.search(text) for field in _FIELDS):
            return "it lists results with dataset, id and value"
        return None

    def sheets(self, file: Candidate, asked: Asked) -> Iterator[Sheet]:
        """A board for each dataset and task."""
        text = decode_utf8(file.name, file.data()).replace("\r\n", "\n")
        document = yaml_document(file.name, text)
        entries = document.listed(document.content, "")
        check_rows(file.name, len(entries))
        read = list(_Results(document, file, asked).sheets(entries))
        if asked.benchmark is not None and len(read) > 1:
            found = ", ".join(str(sheet.benchmark_name) for sheet in read)
            document.refuse("", f"it is about several datasets ({found}); leave --benchmark out")
        yield from read


EVAL_RESULTS = EvalResults()


def _is_list(text: str) -> bool:
    """Whether the first line that says anything begins an entry of a list."""
    said = (line for line in text.splitlines() if line.strip() and line.lstrip()[0] != "#")
    first = next((line for line in said if line.rstrip() != "---"), "")
    return first.startswith("- ")


def _model(file: Candidate) -> str:
    """The model of the repository that a file lies in."""
    above = file.path.absolute().parent.parts if file.path is not None else ()
    for folders in (file.folders, above):
        outside = _outside(folders)
        if cached := cached_in(outside):
            return cached
        if outside and name_or_none(outside[-1]):
            return outside[-1]
    why = f"it does not name its model: import it from where it lies, as MODEL/{FOLDER}/{file.name}"
    raise FileRefused(file=file.name, why=why)


def _outside(folders: tuple[str, ...]) -> tuple[str, ...]:
    """The folders around ``.eval_results``; none where a file does not lie in it."""
    return folders[: folders.index(FOLDER)] if FOLDER in folders else ()


@attrs.define
class _Results:
    """The entries of one model, task by task."""

    document: Document
    file: Candidate
    asked: Asked
    model: str = attrs.field(init=False)
    beside: Beside = attrs.field(factory=Beside)
    titles: dict[str, str] = attrs.field(factory=dict)
    rows: dict[str, list[Keyed]] = attrs.field(factory=dict)
    refused: list[RefusedRow] = attrs.field(factory=list)

    def __attrs_post_init__(self) -> None:
        self.model = _model(self.file)

    def sheets(self, entries: list[Any]) -> Iterator[Sheet]:
        """The boards; entries of which not even the board can be told stand with the first."""
        for at, entry in enumerate(entries):
            self._add(at, entry)
        if not self.rows:
            why = f": {self.refused[0].why}" if self.refused else ""
            self.document.refuse("", f"no entry in it has a dataset and a value{why}")
        refused = tuple(self.refused)
        source = f"{owned(self.model, _outside(self.file.folders))} evaluation results"
        for benchmark, rows in self.rows.items():
            yield Sheet(
                source=self.asked.source or slug_for(source),
                source_name=source,
                kind="model-card",
                benchmark=benchmark,
                benchmark_name=self.titles[benchmark],
                rows=told_apart(rows),
                refused=refused,
                notes=("the file names no metric: it is the benchmark’s", *self.beside.notes()),
            )
            refused = ()

    def _add(self, at: int, content: object) -> None:
        path = f"[{at}]"
        if not isinstance(content, dict) or not isinstance(content.get("dataset"), dict):
            self._refuse(at, path, "dataset", "it has no dataset")
            return
        dataset = content["dataset"]
        task = dataset.get("task_id")
        if not _is_word(dataset.get("id")) or not (task is None or _is_word(task)):
            field = "dataset.task_id" if _is_word(dataset.get("id")) else "dataset.id"
            self._refuse(at, f"{path}.{field}", field, "it has to be one word")
            return
        named = [dataset["id"], *([task] if task not in (None, "default") else [])]
        benchmark = slug_for("/".join(named))
        self.titles.setdefault(benchmark, " ".join(named))
        self.rows.setdefault(benchmark, []).append(self._row(at, content))

    def _row(self, at: int, content: Mapping[str, Any]) -> Keyed:
        if "value" not in content or isinstance(content["value"], dict):
            why = f"{self.document.where(f'[{at}].value')}: it is no number"
            return Keyed(RawRow(at + 1, {"key": self.model, "model": self.model}, why))
        notes = content.get("notes")
        setting = name_or_none(notes) if isinstance(notes, str) else None
        source = content.get("source")
        from_where = source if isinstance(source, dict) else {}
        url = address_or_none(from_where.get("url"))
        score, unit = without_percent(content["value"])
        cells = {
            "key": key_of(self.model, setting),
            "model": self.model,
            "score": score,
            "unit": unit,
            "setting": setting,
            "url": url,
        }
        dataset = {k: v for k, v in content["dataset"].items() if k not in ("id", "task_id")}
        rest: dict[str, Any] = {"run_date": content.get("date"), "dataset": dataset}
        rest |= {k: v for k, v in content.items() if k not in PLACED}
        rest |= {} if setting else {"notes": notes}
        hints = (
            name_or_none(from_where.get("name")),
            url,
            name_or_none(content["dataset"].get("revision")),
        )
        return Keyed(RawRow(at + 1, {**self.beside.keep(rest, {}), **cells}), hints)

    def _refuse(self, at: int, path: str, field: str, why: str) -> None:
        where = f"{self.document.where(path)}: {why}"
        self.refused.append(RefusedRow(row=at + 1, key=None, field=field, why=where))


def _is_word(text: object) -> bool:
    return isinstance(text, str) and name_or_none(text) is not None
