"""Hugging Face model cards: the ``model-index`` in the front matter of a ``README.md``, or a YAML.

``model-index`` lists models, each with ``name`` and ``results``; a result has a ``task``, a
``dataset`` (``type`` is its id, ``name`` its title) and ``metrics`` (``type``, ``value``). A card
is the source of what it states, named by its model (OWNER/MODEL where its folders are called so),
and each dataset is a benchmark. A number that is no longer in a card is gone, as long as its
dataset and metric are still there, unless ``--source`` puts several cards under one source. A
result without a dataset has no board: its card is refused, with line and field.

Nothing in a card dates a number or says its unit: ``0.9`` and ``79.96`` both stand there, so
whoever imports has to say. Of errors (``wer``, ``cer``, ``perplexity``, ``loss`` and the like) less
is better.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import attrs

from ledger.errors import FileRefused
from ledger.importing.formats.beside import Beside
from ledger.importing.formats.documents import Document, kind_of, yaml_document
from ledger.importing.formats.fitting import (
    address_or_none,
    in_words,
    name_or_none,
    without_percent,
)
from ledger.importing.formats.format import Asked, Candidate, Placing, Sheet
from ledger.importing.formats.keys import Keyed, key_of, told_apart
from ledger.importing.formats.repository import owned
from ledger.importing.formats.tables import RawRow
from ledger.importing.limits import MOST_ROWS, check_rows, decode_utf8
from ledger.model import slug_for

UNITS: Mapping[str, str] = {"perplexity": "perplexity", "elo": "elo", "elo_rating": "elo"}
"""Metrics whose name is their unit; all others leave it open."""

LOWER_IS_BETTER = frozenset(
    {"cer", "loss", "mae", "mer", "mse", "perplexity", "rmse", "ter", "wer"}
)
"""Metrics that measure an error, by their ids."""

_HAS_INDEX = re.compile(r"^model-index[ \t]*:", re.MULTILINE)
_FENCE = re.compile(r"^---[ \t]*$", re.MULTILINE)

_PLACING = Placing(
    published_on="nowhere; a card dates no number",
    read_at="--read-at, or the instant that the file’s name begins with, else now",
    setting="args of the dataset, config and args of the metric",
    split="config and split of the dataset (args where they are one word)",
    identity="the model’s name and setting, and where two would be one the metric’s name or source",
    unit="nowhere, but for perplexity, Elo and values written with a percent sign; say --unit",
)


@attrs.frozen
class ModelIndex:
    """The results in a card."""

    name: str = "model-index"
    title: str = "Hugging Face model card with a model-index (README.md or YAML)"
    endings: tuple[str, ...] = (".md", ".yaml", ".yml")
    placing: Placing = _PLACING

    def known_by(self, file: Candidate) -> str | None:
        """A line that begins with ``model-index``; in Markdown within the front matter."""
        if f".{file.ending}" not in self.endings:
            return None
        text = file.start.decode("utf-8-sig", "replace").replace("\r\n", "\n")
        fenced = text.startswith("---")
        if (fenced or file.ending != "md") and _HAS_INDEX.search(text):
            return f"its {'front matter' if fenced else 'top level'} has a model-index"
        return None

    def sheets(self, file: Candidate, asked: Asked) -> Iterator[Sheet]:
        """A board for each dataset of each model in the card."""
        document = _front_matter(file.name, decode_utf8(file.name, file.data()))
        card = document.objects(document.content, "")
        models = document.listed(card.get("model-index"), "model-index")
        if not models:
            document.refuse("model-index", "it is empty")
        read = [
            sheet
            for at, model in enumerate(models)
            for sheet in _Card(document, file, asked).sheets(model, f"model-index[{at}]")
        ]
        check_rows(file.name, sum(len(sheet.rows) for sheet in read))
        _check_one_benchmark(document, read, asked)
        yield from read


MODEL_INDEX = ModelIndex()


def _front_matter(name: str, text: str) -> Document:
    """The YAML between the first two fences, or all of it where there are none."""
    text = text.replace("\r\n", "\n")
    if not text.startswith("---"):
        if name.lower().endswith(".md"):
            raise FileRefused(file=name, why="line 1: no front matter begins here")
        return yaml_document(name, text, most_fields=MOST_ROWS)
    fences = list(_FENCE.finditer(text))
    if len(fences) < 2 and name.lower().endswith(".md"):
        raise FileRefused(file=name, why="its front matter does not end; a line --- is missing")
    if not fences:
        return yaml_document(name, text, most_fields=MOST_ROWS)
    end = fences[1].start() if len(fences) > 1 else len(text)
    return yaml_document(name, text[fences[0].end() : end], most_fields=MOST_ROWS)


def _check_one_benchmark(document: Document, read: Sequence[Sheet], asked: Asked) -> None:
    """With ``--benchmark`` a card may be about one dataset alone: two are not one board."""
    found = dict.fromkeys(sheet.benchmark_name or sheet.benchmark for sheet in read)
    if asked.benchmark is not None and len(found) > 1:
        why = f"it is about several datasets ({', '.join(found)}); leave --benchmark out"
        document.refuse("model-index", why)


@attrs.define
class _Card:
    """One model of a card: its rows, dataset by dataset."""

    document: Document
    file: Candidate
    asked: Asked
    beside: Beside = attrs.field(factory=Beside)
    number: int = 0
    titles: dict[str, str] = attrs.field(factory=dict)
    rows: dict[str, list[Keyed]] = attrs.field(factory=dict)

    def sheets(self, content: object, path: str) -> Iterator[Sheet]:
        """The boards on which a model's results stand."""
        model = self.document.objects(content, path)
        name = self.document.name(model, "name", path)
        results = self.document.listed(model.get("results"), f"{path}.results")
        for at, result in enumerate(results):
            self._add(name, result, f"{path}.results[{at}]")
        card = name_or_none(f"{owned(name, self.file.folders)} model card") or f"{name} model card"
        for benchmark, rows in self.rows.items():
            metrics = {str(one.row.cells.get("metric")) for one in rows}
            yield Sheet(
                source=self.asked.source or slug_for(card),
                source_name=card,
                kind="model-card",
                benchmark=benchmark,
                benchmark_name=self.titles[benchmark],
                lower_is_better=frozenset(metrics & LOWER_IS_BETTER),
                rows=told_apart(rows),
                whole=self.asked.source is None,
                notes=self.beside.notes(),
            )

    def _add(self, model: str, content: object, path: str) -> None:
        result = self.document.objects(content, path)
        if "dataset" not in result:
            self.document.refuse(path, "it has no dataset, so there is no board for it")
        dataset = self.document.objects(result["dataset"], f"{path}.dataset")
        called = self.document.name(dataset, "type", f"{path}.dataset")
        benchmark = slug_for(called)
        self.titles.setdefault(benchmark, name_or_none(dataset.get("name")) or called)
        about = {
            "task": _object(result.get("task"), "type"),
            "dataset": dataset,
            "source": _object(result.get("source"), "name"),
        }
        metrics = self.document.listed(result.get("metrics"), f"{path}.metrics")
        for at, metric in enumerate(metrics):
            self.number += 1
            place = f"{path}.metrics[{at}]"
            row = self._row(model, metric, about, self.document.where(place))
            self.rows.setdefault(benchmark, []).append(row)

    def _row(
        self, model: str, content: object, about: Mapping[str, dict[str, Any]], where: str
    ) -> Keyed:
        """One metric of one result."""
        named = {"key": model, "model": model}
        if not isinstance(content, dict):
            return Keyed(RawRow(self.number, named, f"{where}: it is {kind_of(content)}"))
        for needed in ("type", "value"):
            if needed not in content or isinstance(content[needed], dict):
                return Keyed(RawRow(self.number, named, f"{where}: it has no {needed}"))
        setting = _setting(about["dataset"], content)
        source = about["source"]
        url = address_or_none(source.get("url"))
        score, unit = without_percent(content["value"])
        metric = str(content["type"])
        cells = {
            "key": key_of(model, setting),
            "model": model,
            "metric": metric,
            "score": score,
            "unit": unit or UNITS.get(metric),
            "split": _split(about["dataset"]),
            "setting": setting,
            "url": url,
        }
        rest = self.beside.keep(_rest(content, about, setting, url), {})
        hints = (name_or_none(content.get("name")), name_or_none(source.get("name")))
        return Keyed(RawRow(self.number, {**rest, **cells}), hints)


def _object(content: object, alone: str) -> dict[str, Any]:
    """An object, or one with a single word in it where only that is given."""
    if isinstance(content, dict):
        return content
    return {} if content is None else {alone: content}


def _setting(dataset: Mapping[str, Any], metric: Mapping[str, Any]) -> str | None:
    """What a number was measured with, where it can be said in one line."""
    args = dataset.get("args")
    said = {**args} if isinstance(args, dict) else {}
    said |= {"metric config": metric.get("config"), "metric args": metric.get("args")}
    return name_or_none(in_words(said))


def _split(dataset: Mapping[str, Any]) -> str | None:
    args = dataset.get("args")
    alone = (
        args
        if isinstance(args, str) and args not in (dataset["type"], dataset.get("name"))
        else None
    )
    parts = [dataset.get("config"), alone, dataset.get("split")]
    words = dict.fromkeys(part for part in parts if isinstance(part, str))
    return name_or_none("/".join(words))


def _rest(
    metric: Mapping[str, Any],
    about: Mapping[str, Mapping[str, Any]],
    setting: str | None,
    url: str | None,
) -> dict[str, Any]:
    """What has no column: the task, the rest of the dataset, of the metric and of the source."""
    placed = {"type", "name", "config", "split"} | ({"args"} if setting else set())
    own = {"type", "value"} | ({"config", "args"} if setting else set())
    return {
        "task": about["task"],
        "dataset": {k: v for k, v in about["dataset"].items() if k not in placed},
        "metric": {k: v for k, v in metric.items() if k not in own},
        "source": {k: v for k, v in about["source"].items() if not (url and k == "url")},
    }
