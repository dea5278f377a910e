"""EvalPlus and BigCodeBench: a ``results.json``, an object keyed by model.

Every model has ``link``, ``open-data``, ``prompted``, ``size`` and its numbers, which are percent
throughout: since April 2024 in ``pass@1`` (``humaneval``, ``humaneval+``, ``mbpp``, ``mbpp+``),
before that in ``pass@1_base`` and ``pass@1_plus`` (``humaneval``, ``mbpp`` each). In both spellings
they are the same four metrics of one board, ``evalplus``. A ``null`` states nothing.

BigCodeBench has ``instruct`` and ``complete`` in ``pass@1``: one metric in two splits, of the board
``bigcodebench`` (``bigcodebench-hard`` where the name of the file says hard); its ``elo_mle`` is a
metric in Elo. The file is the whole board: a model that is no longer in it is gone.
"""

import re
from collections.abc import Iterator, Mapping
from typing import Any

import attrs

from ledger.importing.formats.beside import Beside
from ledger.importing.formats.documents import json_document, kind_of
from ledger.importing.formats.fitting import address_or_none, cell
from ledger.importing.formats.format import Asked, Candidate, Placing, Sheet
from ledger.importing.formats.tables import RawRow
from ledger.importing.limits import check_rows, decode_utf8

PASSED = "pass-1"
ELO = "elo-mle"
NUMBERS = ("pass@1", "pass@1_base", "pass@1_plus", "elo_mle")
SPLITS_OF_BIGCODEBENCH = frozenset({"instruct", "complete"})

_LOOKS = re.compile(r'"pass@1(?:_base|_plus)?"\s*:\s*\{')
_BEGINS = re.compile(r'\A\ufeff?\s*\{\s*"(?:[^"\\]|\\.)*"\s*:\s*\{')

_PLACING = Placing(
    published_on="nowhere; the file dates no number",
    read_at="--read-at, or the instant that the file’s name begins with, else now",
    setting="nowhere; prompted is kept beside",
    split="BigCodeBench: instruct and complete; EvalPlus has none",
    identity="the model’s name, which is its key in the file; with metric and split",
    unit="percent, as all versions of the format count; elo_mle in Elo",
)


@attrs.frozen
class EvalPlus:
    """The results file of either board."""

    name: str = "evalplus"
    title: str = "EvalPlus and BigCodeBench results.json, all versions"
    endings: tuple[str, ...] = (".json",)
    placing: Placing = _PLACING

    def known_by(self, file: Candidate) -> str | None:
        """An object of objects, one of which has ``pass@1``."""
        text = file.start.decode("utf-8", "replace")
        found = _LOOKS.search(text)
        if found and _BEGINS.match(text):
            return f"it is an object keyed by model, with {found[0].split(':')[0].strip()}"
        return None

    def sheets(self, file: Candidate, asked: Asked) -> Iterator[Sheet]:
        """The one board in the file."""
        document = json_document(file.name, decode_utf8(file.name, file.data()))
        models = document.objects(document.content, "")
        check_rows(file.name, len(models), "models")
        if not any(_has_numbers(row) for row in models.values()):
            document.refuse("", f"no model in it has any of {', '.join(NUMBERS)}")
        yield _sheet(models, file, asked)


EVALPLUS = EvalPlus()


def _has_numbers(row: object) -> bool:
    return isinstance(row, dict) and any(isinstance(row.get(name), dict) for name in NUMBERS)


def _sheet(models: Mapping[str, Any], file: Candidate, asked: Asked) -> Sheet:
    big = _is_bigcodebench(models)
    slug, title = ("bigcodebench", "BigCodeBench") if big else ("evalplus", "EvalPlus")
    hard = big and "hard" in file.name.lower()
    beside = Beside()
    rows = [
        row
        for number, (model, content) in enumerate(models.items(), 1)
        for row in _rows(number, model, content, big=big, beside=beside)
    ]
    return Sheet(
        source=asked.source or slug,
        source_name=f"{title} leaderboard",
        kind="official-leaderboard",
        benchmark=asked.benchmark or (f"{slug}-hard" if hard else slug),
        benchmark_name=f"{title} Hard" if hard else title,
        metric_names=_names(rows),
        rows=tuple(rows),
        whole=True,
        notes=beside.notes(),
    )


def _is_bigcodebench(models: Mapping[str, Any]) -> bool:
    return any(
        isinstance(row, dict)
        and isinstance(numbers := row.get("pass@1"), dict)
        and SPLITS_OF_BIGCODEBENCH & numbers.keys()
        for row in models.values()
    )


def _rows(
    number: int, model: str, content: object, *, big: bool, beside: Beside
) -> Iterator[RawRow]:
    """The rows of one model, a number each."""
    named = {"key": model, "model": model}
    if not isinstance(content, dict):
        yield RawRow(number, named, f"it is {kind_of(content)} where an object belongs")
        return
    for field in NUMBERS[:3]:
        if not isinstance(content.get(field), dict | None):
            yield RawRow(number, named, f"the score {field} is {kind_of(content[field])}")
            return
    url = address_or_none(content.get("link"))
    placed = {*NUMBERS, "link"} if url else {*NUMBERS}
    rest = beside.keep({k: v for k, v in content.items() if k not in placed}, {})
    for cells in _numbers(content, big=big):
        yield RawRow(number, {**rest, **named, "url": url, **cells})


def _numbers(content: Mapping[str, Any], *, big: bool) -> Iterator[dict[str, str | None]]:
    """Metric, split, score and unit of every number of a model."""
    for field, suffix in (("pass@1", ""), ("pass@1_base", ""), ("pass@1_plus", "+")):
        for test, value in (content.get(field) or {}).items():
            said = {"score": cell(value), "unit": "%"}
            if big:
                yield {"metric": PASSED, "split": test, **said}
            else:
                yield {"metric": _metric(test + suffix), **said}
    if "elo_mle" in content:
        yield {"metric": ELO, "score": cell(content["elo_mle"]), "unit": "elo"}


def _metric(test: str) -> str:
    return test.replace("+", "-plus")


def _names(rows: list[RawRow]) -> tuple[tuple[str, str], ...]:
    found = dict.fromkeys(metric for row in rows if (metric := row.cells.get("metric")))
    called = {PASSED: "pass@1", ELO: "elo_mle"}
    return tuple((m, called.get(m) or f"{m.replace('-plus', '+')} pass@1") for m in found)
