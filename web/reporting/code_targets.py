"""What a report about a paper, a code sample, a label or a probe window is about, in words."""

from collections.abc import Sequence

from ledger.store import Store
from projections.code.papers import paper_at
from projections.code.probes import window_at
from projections.code.repositories import label_at
from projections.code.samples import sample_at
from projections.keeping.views import Reader
from projections.moment import Moment
from reports.code.words import coverage_words, label_words, outcome_words, window_words

Facts = tuple[tuple[str, str], ...]


def about_code(
    reader: Reader, store: Store, moment: Moment, kind: str, name: str
) -> tuple[str, Facts, str | None]:
    """The title, facts and link of a target; a refusal where there is no such thing."""
    match kind:
        case "papers":
            return _paper(reader, store, moment, name)
        case "samples":
            return _sample(reader, store, moment, name)
        case "labels":
            return _label(reader, store, moment, name)
        case _:
            window = window_at(reader, store, name, moment)
            facts = (("Coverage", coverage_words(window.coverage)),)
            return f"Probe window: {window_words(window.window)}", facts, None


def _paper(
    reader: Reader, store: Store, moment: Moment, name: str
) -> tuple[str, Facts, str | None]:
    paper = paper_at(reader, store, name, moment)
    authors: Sequence[str] = paper.facts.get("authors", ())
    facts = [("Authors", ", ".join(authors))] if authors else []
    address = paper.facts.get("address")
    return paper.title, tuple(facts), None if address is None else str(address)


def _sample(
    reader: Reader, store: Store, moment: Moment, name: str
) -> tuple[str, Facts, str | None]:
    sample = sample_at(reader, store, name, moment)
    state = sample.tale.state
    shown = state.shows.outcome if state and state.retracted_by is None else None
    facts = [("SHA-256", sample.code if sample.complete else f"{sample.code}…")]
    facts += [("From", copy.repository_name) for copy in sample.copies]
    facts.append(("Outcome", outcome_words(shown)))
    return f"Code sample {sample.code[:16]}", tuple(facts), None


def _label(
    reader: Reader, store: Store, moment: Moment, name: str
) -> tuple[str, Facts, str | None]:
    label = label_at(reader, store, name, moment)
    paper = paper_at(reader, store, label.paper, moment)
    facts = (
        ("Paper", paper.title),
        ("Label", label_words(label.shows)),
        ("Asserted by", label.source.name),
    )
    return f"The label of {label.repository_name}", facts, None
