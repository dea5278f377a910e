"""The life of a benchmark: what it is, how it is ranked, what readers should beware of."""

from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType
from typing import assert_never

from ledger import events as ev
from ledger.errors import AlreadyExists, BadValue, NotFound
from ledger.values import PartialDate, Score, parse_name, parse_slug
from ledger.vocabulary import UNITS, VIEWS

MOST_SPLITS = 500


def _view(text: str) -> None:
    if text not in VIEWS:
        raise BadValue(what="view", shown=repr(text), why=f"it is one of {', '.join(VIEWS)}")


# Facts that are calculated with are checked; all others are text.
CHECKED_FACTS: Mapping[str, Callable[[str], object]] = MappingProxyType(
    {"released": PartialDate, "near_ceiling": Score, "view": _view, "name": parse_name}
)


def stream_of(slug: str) -> str:
    """The stream of a benchmark."""
    return f"benchmark:{slug}"


def decide(known: Sequence[ev.Event], fact: ev.BenchmarkEvent) -> list[ev.Event]:
    """Whether the fact may be recorded after what is known; recorded already means nothing new."""
    if fact in known:
        return []
    if isinstance(fact, ev.BenchmarkRegistered):
        if known:
            raise AlreadyExists(what="benchmark", name=fact.slug)
    elif not known:
        raise NotFound(what="benchmark", name="this; register it first")
    _check(known, fact)
    return [fact]


def _check(known: Sequence[ev.Event], fact: ev.BenchmarkEvent) -> None:
    match fact:
        case ev.BenchmarkRegistered():
            parse_slug(fact.slug)
            parse_name(fact.name)
        case ev.BenchmarkDescribed():
            for name, text in fact.facts.items():
                parse_slug(name, "fact")
                if text is None and name == "name":
                    raise BadValue(what="name", shown="nothing", why="a benchmark has one")
                if text is not None and name in CHECKED_FACTS:
                    CHECKED_FACTS[name](text)
        case ev.EvaluationChanged():
            parse_name(fact.what, "evaluation")
        case ev.RankingRuleSet():
            _check_rule(fact)
        case ev.CaveatStated():
            _check_caveat(known, fact)
        case _:
            assert_never(fact)


def _check_rule(rule: ev.RankingRuleSet) -> None:
    parse_slug(rule.metric, "metric")
    parse_name(rule.name, "metric")
    if rule.unit is not None:
        check_unit(rule.unit)
    if rule.combine not in ("best", "mean"):
        raise BadValue(what="combine", shown=repr(rule.combine), why="it is best or mean")
    if rule.combine == "mean" and len(rule.splits or ()) < 2:
        raise BadValue(what="rule", shown=rule.metric, why="a mean names at least two splits")
    if len(rule.splits or ()) > MOST_SPLITS or not 0 <= rule.decimals <= 20:
        raise BadValue(what="rule", shown=rule.metric, why="too many splits or decimals")


def check_unit(unit: str) -> None:
    """Refuse a unit that is not in the vocabulary: it could not be compared with anything."""
    if unit not in UNITS:
        raise BadValue(what="unit", shown=repr(unit[:40]), why=f"known are {', '.join(UNITS)}")


def _check_caveat(known: Sequence[ev.Event], fact: ev.CaveatStated) -> None:
    parse_slug(fact.caveat, "caveat")
    if fact.text is None and not any(
        isinstance(event, ev.CaveatStated) and event.caveat == fact.caveat for event in known
    ):
        raise NotFound(what="caveat", name=fact.caveat)
