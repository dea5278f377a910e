"""One row of a Papers with Code table as rows of ours, one for each of its metrics."""

import hashlib
import re
from collections.abc import Iterator, Mapping
from typing import Any

from ledger.errors import BadValue
from ledger.importing.formats.beside import Beside
from ledger.importing.formats.fitting import cell
from ledger.importing.formats.tables import RawRow
from ledger.values import LONGEST_NAME, Score, parse_address, partial_date

NOTHING = frozenset({"", "-", "–", "—", "--", "n/a", "na", "none", "null"})
"""What stands in a table where no number is."""

_SPREAD = re.compile(r"(?P<number>[^±]*?)\s*(?:±|\+/-|\+-)\s*(?P<spread>.+)", re.DOTALL)
_PERCENT = re.compile(r"(?P<number>.*?)\s*%", re.DOTALL)

PLACED = frozenset({"metrics", "model_name", "paper_url", "paper_date"})


def rows_of(content: Any, number: int, beside: Beside) -> Iterator[RawRow]:
    """The numbers in one row of a table; ``number`` is its place in it."""
    if not isinstance(content, dict):
        yield RawRow(number, {}, "it is not an object")
        return
    metrics = content.get("metrics")
    if not isinstance(metrics, dict):
        yield RawRow(number, _about(content), "metrics is no object")
        return
    shared = _about(content)
    told = {metric: text for metric, text in metrics.items() if _is_words(text)}
    kept = beside.keep(told | _rest(content, shared), shared)
    for metric, written in metrics.items():
        yield _number_of(number, metric, written, shared, kept)


def _number_of(
    number: int,
    metric: str,
    written: Any,
    shared: Mapping[str, str | None],
    kept: Mapping[str, str],
) -> RawRow:
    score, unit, spread = read_number(cell(written) or "")
    cells = {
        **shared,
        "metric": metric,
        "score": score,
        "unit": unit or ("%" if _says_percent(metric) else None),
        **({"±": spread} if spread else {}),
        **kept,
    }
    return RawRow(number, cells)


def read_number(written: str) -> tuple[str | None, str | None, str | None]:
    """A metric's text as digits, unit and how sure they are; no digits where it states nothing."""
    text = written.strip()
    if text.casefold() in NOTHING:
        return None, None, None
    spread: str | None = None
    if found := _SPREAD.fullmatch(text):
        text, spread = found["number"], found["spread"]
    unit = None
    if found := _PERCENT.fullmatch(text):
        text, unit = found["number"], "%"
    elif spread and spread.endswith("%"):
        unit = "%"
    return text, unit, spread


def _is_words(written: Any) -> bool:
    """Whether a metric holds what is no number, as the number of parameters often is (``220k``).

    It is refused as a number, and stays beside the other numbers of its row.
    """
    if not isinstance(written, str):
        return False
    score, _, _ = read_number(written)
    try:
        return score is not None and Score(score) is None
    except BadValue:
        return True


def _says_percent(metric: str) -> bool:
    return metric.startswith("%") or metric.endswith(("%", "(%)", "[%]"))


def _about(content: Mapping[str, Any]) -> dict[str, str | None]:
    """What all numbers of a row share."""
    title, address = _text(content, "paper_title"), _text(content, "paper_url")
    date = _text(content, "paper_date")
    model = _text(content, "model_name") or title
    more = "with additional data" if content.get("uses_additional_data") is True else None
    return {
        "key": _key(model, address or title or date, more),
        "model": model,
        "setting": more,
        "date": date if _is_date(date) else None,
        "url": address if _is_address(address) else None,
    }


def _rest(content: Mapping[str, Any], shared: Mapping[str, str | None]) -> dict[str, Any]:
    """What has no column: also an address or date that does not fit its own."""
    rest = {name: value for name, value in content.items() if name not in PLACED}
    if shared["url"] is None:
        rest["paper_url"] = content.get("paper_url")
    if shared["date"] is None:
        rest["paper_date"] = content.get("paper_date")
    if rest.get("uses_additional_data") is not True:
        rest.pop("uses_additional_data", None)
    return rest


def _key(model: str | None, paper: str | None, more: str | None) -> str | None:
    """By what a row is known from reading to reading."""
    if model is None:
        return None
    parts = [model] + [part for part in (paper, more) if part and part != model]
    key = " · ".join(parts)
    if len(key) <= LONGEST_NAME:
        return key
    digest = hashlib.sha256(key.encode()).hexdigest()[:16]
    return f"{key[: LONGEST_NAME - 20]} · {digest}"


def _text(content: Mapping[str, Any], name: str) -> str | None:
    value = content.get(name)
    return " ".join(value.split()) or None if isinstance(value, str) else None


def _is_date(text: str | None) -> bool:
    try:
        return text is not None and partial_date(text) is not None
    except BadValue:
        return False


def _is_address(text: str | None) -> bool:
    try:
        return text is not None and parse_address(text) is not None
    except BadValue:
        return False
