"""The ranking rule in force, the event that set it, and the caveats that stand beside it."""

from collections.abc import Iterable

from ledger import events as ev
from ledger.benchmark import stream_of
from ledger.wire import plain
from projections.asserted import Content, aspects_of
from projections.board.benchmarks import Benchmark, Rule
from projections.keeping.views import Reader
from projections.moment import Moment
from reports.bundle.records import Json
from reports.contract import rule_json

DERIVED = ("known_from", "ordinal")
"""What the read model adds to a rule, or takes from another event than the one that set it."""


def ruled_json(
    reader: Reader,
    benchmark: Benchmark,
    rule: Rule,
    records: Iterable[ev.Recorded],
    moment: Moment,
) -> Json:
    """A rule as a document has it; ``records`` have all events of the benchmark by the moment."""
    stream = stream_of(benchmark.slug)
    content = aspects_of(reader, stream, moment)[f"rule/{rule.metric}"]
    own = (one for one in records if one.envelope.stream == stream)
    record, event = _set_by(content, own)
    return {
        **(rule_json(rule) or {}),
        "decimals": rule.decimals,
        "headline": rule.headline,
        "position": record.position,
        "recorded_by": record.envelope.recorded_by,
        "why": event.why,
        "met": event.met,
    }


def _set_by(
    content: Content, records: Iterable[ev.Recorded]
) -> tuple[ev.Recorded, ev.RankingRuleSet]:
    """The last event that said just this."""
    wanted = _said(content)
    return next(
        (record, record.event)
        for record in reversed(list(records))
        if isinstance(record.event, ev.RankingRuleSet) and _said(plain(record.event)) == wanted
    )


def _said(content: Content) -> Json:
    return {name: value for name, value in content.items() if name not in DERIVED}


def caveats_json(caveats: Iterable[tuple[str, str]]) -> list[Json]:
    """The caveats of a benchmark or a paper at its moment, each by its slug."""
    return [{"caveat": name, "text": text} for name, text in caveats]
