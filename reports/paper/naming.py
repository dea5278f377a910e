"""What paper calls the models, benchmarks and decisions that a bundle speaks of."""

from collections.abc import Iterator, Mapping
from types import MappingProxyType

import attrs

from ledger.values import parse_instant
from reports.paper.code import SHOWN_DIGITS, subject_words
from reports.paper.document import Json, Paper, claim_name
from reports.words import counted, instant_words, listed, term_words

OUTCOMES: Mapping[str, str] = MappingProxyType(
    {"withdrawn": "withdrawn before publication", "reversed": "reversal"}
)


@attrs.frozen
class Names:
    """The names in a bundle, as they were at its moment."""

    known: Mapping[str, str]
    claims: Mapping[str, str]
    metrics: Mapping[str, Mapping[str, str]] = MappingProxyType({})

    @classmethod
    def of(cls, paper: Paper) -> "Names":
        """The names of a paper."""
        claims = {one["claim_id"]: claim_name(one) for one in paper.document["claims"]}
        # Bundles of earlier releases do not say what metrics are called.
        return cls(paper.document["names"], claims, paper.document.get("metrics", {}))

    def called(self, kind: str, slug: str) -> str:
        """The name of a model, benchmark, paper or source."""
        return self.known.get(f"{kind}:{slug}", slug)

    def metric(self, benchmark: str | None, slug: str) -> str:
        """The name of a metric of a benchmark."""
        return self.metrics.get(benchmark or "", {}).get(slug, slug)

    def touched(self, touched: Json) -> str:
        """The claim that a decision touched, by its model."""
        model = touched["model"]
        if model is not None:
            return self.called("model", model)
        return self.claims.get(touched["claim_id"], "a claim without a registered model")

    def about(self, entry: Json) -> str:
        """What a decision is about: a model on a benchmark, several claims, or what was named."""
        claims, subjects = entry["claims"], entry["subjects"]
        if not claims and subjects:
            one = subject_words(subjects[0])
            return one if len(subjects) == 1 else f"{one} and {len(subjects) - 1} more"
        if not claims:
            return self._target(entry["target"])
        where = {one["benchmark"]: self.called("benchmark", one["benchmark"]) for one in claims}
        who = self.touched(claims[0]) if len(claims) == 1 else counted(len(claims), "claim")
        return f"{who} on {listed(where.values())}"

    def change(self, touched: Json, field: str, before: str | None, after: str | None) -> str:
        """What happened to a field of a claim: ``score 72.5 → 70.1``."""
        shown = [
            "not stated" if one is None else self.value(touched, field, one)
            for one in (before, after)
        ]
        return f"{term_words(field)} {' → '.join(shown)}"

    def value(self, touched: Json, field: str, value: str) -> str:
        """A field's value as it is read: a model and a metric by their names."""
        match field:
            case "model":
                return self.called("model", value)
            case "metric":
                return self.metric(touched.get("benchmark"), value)
            case _:
                return value

    def _target(self, target: str) -> str:
        kind, _, name = target.partition("#")[0].partition("/")
        match kind:
            case "benchmarks" | "models" | "papers" | "sources":
                return self.called(kind[:-1], name)
            case "claims":
                return self.claims.get(name, "one claim")
            case "corrections":
                return f"correction {name}"
            case "labels":
                return "the label of a repository"
            case "samples":
                return f"sample {name[:SHOWN_DIGITS]}"
            case "probes":
                return "a probe window"
            case "site":
                return "the pages themselves"
            case _:
                return target


def outcome_words(entry: Json) -> str:
    """How a decision came out; a reversal says what it undoes."""
    outcome = str(entry["outcome"])
    if outcome == "reversed" and entry["replaces"] is not None:
        return f"undoes correction {entry['replaces']}"
    return OUTCOMES.get(outcome, term_words(outcome))


def changes_of(touched: Json) -> Iterator[tuple[str, str | None, str | None]]:
    """Field, before and after, by the field's name."""
    before, after = touched["before"], touched["after"]
    for field in sorted({*before, *after}):
        yield field, before.get(field), after.get(field)


def applies_words(touched: Json) -> str:
    """From when a change applies."""
    if touched["applies_from"] == "start":
        return "from its first reading"
    return f"from {instant_words(parse_instant(touched['applies_from']))}"
