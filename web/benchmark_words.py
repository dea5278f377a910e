"""A benchmark in words that people read: facts and what they mean, its status, who writes of it.

Every word that is one of a fixed few has a definition, which the pages show beside it.
"""

from collections.abc import Collection, Iterable, Mapping
from types import MappingProxyType

import attrs

from ledger.values import PartialDate
from projections.board.described import SourceOf
from projections.board.history import Coverage, Leader, Status
from projections.board.rows import Row
from web.words import (
    counted,
    date_words,
    kind_words,
    score_words,
    term_words,
    when_words,
)

FACTS: Mapping[str, str] = MappingProxyType(
    {
        "made_by": "Made by",
        "released": "Released",
        "category": "Category",
        "kind": "Kind",
        "level": "Level",
        "scored": "Scored",
        "answers": "Answers",
        "tasks": "Tasks",
        "task_count": "Number of tasks",
        "library_count": "Libraries used",
        "human_performance": "People score",
        "near_ceiling": "Near its ceiling from",
        "paper": "Paper",
    }
)
# These have a place of their own on the page.
ELSEWHERE = frozenset(
    {
        "name",
        "description",
        "view",
        "abstract",
        "abstract_of",
        "abstract_source",
        "abstract_licence",
    }
)

# What the words mean; a fact `…_detail` of the benchmark itself says it better and goes first.
DEFINITIONS: Mapping[tuple[str, str], str] = MappingProxyType(
    {
        ("kind", "Function-level problems"): "each task asks for one function",
        ("level", "School"): "what pupils learn until they leave school",
        ("level", "University"): "what students learn at a university",
        ("scored", "Checked automatically"): (
            "a program decides, by an answer key, by tests or by the state that is reached"
        ),
        ("answers", "Code"): "the model answers with code",
        ("answers", "Agent task"): (
            "the model takes many steps with tools: a shell, a browser, an app or a machine"
        ),
        ("tasks", "All public"): "anybody can read every task, and so can whoever trains a model",
    }
)

NEAR_CEILING = "near its ceiling"
STATUSES: Mapping[str, str] = MappingProxyType(
    {
        "in use": "launch posts of the last 12 months list it at least as often as those before",
        "fading": "launch posts still list it, though less often than in the 12 months before",
        "dropped": "no launch post of the last 12 months lists it",
        NEAR_CEILING: "the best score has come to where scores tell models apart less and less",
    }
)
"""The words of the status chips, and what each means (BP-03)."""

SIDES: Mapping[str, str] = MappingProxyType(
    {
        "own-lab": "from the model’s own lab",
        "independent": "from somebody else",
        "collected": "collected from reports and papers",
    }
)
"""From whom a number is, as the bars are coloured."""


# --- facts ------------------------------------------------------------------------------------


@attrs.frozen
class Fact:
    """A fact of a benchmark: its label, what is said, and what that means."""

    label: str
    value: str
    meaning: str | None


COUNTS = frozenset({"task_count", "library_count"})
SCORES = frozenset({"human_performance", "near_ceiling"})


def facts_of(facts: Mapping[str, str], unit: str | None = None) -> list[Fact]:
    """The facts in their usual order, then all others by name; ``unit`` is that of scores."""
    known = [name for name in FACTS if name in facts]
    rest = sorted(set(facts) - set(FACTS) - ELSEWHERE)
    return [
        Fact(
            FACTS.get(name, term_words(name).capitalize()),
            _value(name, str(facts[name]), unit),
            facts.get(f"{name}_detail") or DEFINITIONS.get((name, str(facts[name]))),
        )
        for name in known + [name for name in rest if not _explains_another(name, facts)]
    ]


def _explains_another(name: str, facts: Mapping[str, str]) -> bool:
    return name.endswith("_detail") and name.removesuffix("_detail") in facts


def _value(name: str, text: str, unit: str | None) -> str:
    """A fact in the one form that such values have; what has another form stays as it was said."""
    if name == "released":
        return date_words(text)
    if name in COUNTS and text.isascii() and text.isdecimal() and len(text) < 16:
        return f"{int(text):,}"
    return score_words(text, unit) if name in SCORES and text[-1:].isdecimal() else text


# --- status -----------------------------------------------------------------------------------


def status_words(status: Status, stating: Collection[object] = ()) -> str:
    """Why a benchmark has its status; ``stating`` are the launch posts that state a number."""
    now = f"{counted(status.posts_in_year, 'launch post')} in 12 months"
    before = f"{status.posts_in_year_before:,} in the 12 before"
    match status.word:
        case None if stating:
            return "No status follows: of no launch post is it recorded that it lists it on a day."
        case None:
            return "No launch post that was read lists it."
        case "dropped":
            early = ", before it saturated" if status.before_it_saturated else ""
            return f"Last listed {when_words(status.last_listed)}{early}; {now}."
        case _:
            return f"Listed by {now}, {before}; last {when_words(status.last_listed)}."


def last_listed_words(status: Status) -> str | None:
    """When a launch post listed it last, and whether scores still had room then (BP-06)."""
    if status.last_listed is None:
        return None
    room = ", before it saturated" if status.before_it_saturated else ""
    return f"{date_words(status.last_listed)}{room}"


def posts_title(status: Status) -> str:
    """What launch posts do with it, as a heading (LP-01)."""
    last = when_words(status.last_listed)
    match status.word:
        case None:
            return "Launch posts"
        case "dropped":
            return f"Launch posts stopped listing it; the last that did came out {last}"
        case "fading":
            return f"Launch posts list it less often than before, the last {last}"
        case _:
            return f"Launch posts list it, the last {last}"


def documents_title(documents: int, labs: int) -> str:
    """How many documents report it, as a heading (SC-01)."""
    if not documents:
        return "System cards, model cards and technical reports"
    report = "document of" if documents == 1 else "documents of"
    verb = "reports it" if documents == 1 else "report it"
    return f"{documents:,} {report} {counted(labs, 'lab')} {verb}"


# --- who leads, who has a score ---------------------------------------------------------------


def lead_words(lead: Leader | None, shared: int, best: Row | None = None) -> str:
    """Who leads a view, with what and since when, in few words (BP-02).

    Without a date to count from, whoever is on top leads, and since when is not said.
    """
    equals = f", a tie of {shared}" if shared > 1 else ""
    if lead:
        shown = score_words(lead.score, lead.unit)
        return f"{lead.model.full_name} {shown} since {month_words(lead.since)}{equals}"
    if best and best.model and best.score is not None:
        return f"{best.model.full_name} {score_words(str(best.score), best.unit)}{equals}"
    return "nobody leads yet"


def month_words(stated: PartialDate) -> str:
    """A date to the month at most: ``Sep 2026``."""
    return date_words(str(stated).partition("/")[0][:7])


def strongest(found: Iterable[Coverage]) -> list[tuple[str, str]]:
    """For each capability index: the strongest model with a score here, and its place (BP-15)."""
    return [
        (
            str(one.best_model),
            (f"number {one.best_rank:,} of " if one.best_rank else "in ") + f"“{index_words(one)}”",
        )
        for one in found
        if one.best_model
    ]


def index_words(one: Coverage) -> str:
    """The name of a capability index, with the date that it says it is of."""
    return one.name + (f" ({date_words(one.as_of)})" if one.as_of else "")


def unsaid_kind(source: SourceOf) -> str | None:
    """The kind of a source, unless it is called so: nobody has to read it twice."""
    kind = kind_words(source.kind)
    name = set(source.name.casefold().replace("-", " ").split())
    needed = [word for word in kind.casefold().split() if word != "lab"]
    return None if name.issuperset(needed) else kind
