"""The unit of an Every Eval Ever metric, from what its ``metric_config`` says and nothing else.

A stated unit counts first, then a kind that is a unit by itself, then a stated scale: nought to one
is a share of one; nought to a hundred is percent where the metric is a share, and left open where
it may be points. How large a score is never counts.
"""

from collections.abc import Mapping
from decimal import Decimal, InvalidOperation
from typing import Any

from ledger.vocabulary import UNITS

CALLED: Mapping[str, str] = {
    "proportion": "fraction",
    "fraction": "fraction",
    "percent": "%",
    "percentage": "%",
    "percentage_points": "%",
    "milliseconds": "ms",
    "seconds": "s",
    "second": "s",
    "minutes": "min",
    "hours": "h",
    "token": "tokens",
    "tokens_per_second": "tokens/s",
    "usd": "USD",
    "eur": "EUR",
    "point": "points",
}
KINDS = ("elo", "perplexity", "rank", "bits")
SHARES = (
    "accuracy",
    "exact_match",
    "f1",
    "pass_rate",
    "pass_at_k",
    "precision",
    "recall",
    "win_rate",
    "error_rate",
)


def unit_of(config: Mapping[str, Any]) -> str | None:
    """The unit, or ``None`` where it is left open."""
    stated = config.get("metric_unit")
    if isinstance(stated, str) and stated.strip():
        plain = stated.strip()
        return CALLED.get(plain.lower(), plain if plain in UNITS else None)
    kind = str(config.get("metric_kind") or "").lower()
    return kind if kind in KINDS else _from_scale(config, kind)


def _from_scale(config: Mapping[str, Any], kind: str) -> str | None:
    low, high = _number(config.get("min_score")), _number(config.get("max_score"))
    if low is None or high is None:
        return None
    if low == 0 and high == 1:
        return "fraction"
    if low == 0 and high == 100:
        return "%" if kind in SHARES else None
    return "points"


def _number(text: object) -> Decimal | None:
    """A stated bound; nothing where it is none, or endless."""
    try:
        value = Decimal(text) if isinstance(text, str) else None
    except InvalidOperation:
        return None
    return value if value is not None and value.is_finite() else None
