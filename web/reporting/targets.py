"""What a report is about: a claim, a board, a source, a model, a paper, a code sample, a label, a
probe window, frozen bytes, a correction, or the site itself; and what the form has to know of it.

A target is written as the path of the page without its slash, ``claims/c12…``, if need be with the
part of the page that is meant, ``benchmarks/bigcodebench#caveat-judge``; ``site`` is all of it.
"""

from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType
from typing import Any, Protocol

import attrs

from ledger.errors import BadValue, NotFound
from ledger.events import Statement
from ledger.model import resolve
from ledger.sample import parse_code
from ledger.store import Store
from ledger.values import Instant, name_key, parse_digest, parse_slug, skeleton
from projections.asserted import described
from projections.board.benchmarks import Rule, benchmark_at
from projections.board.rows import stated_rows
from projections.decisions.notice import entry_at
from projections.keeping.views import Reader
from projections.known import KnownToViews
from projections.models import model_at
from projections.moment import Moment
from projections.sources import is_frozen_reading, source_at
from projections.story import Story, story_of
from web.reporting.code_targets import about_code
from web.words import (
    date_words,
    instant_words,
    kind_words,
    reading_words,
    score_words,
    term_words,
)

SITE = "site"
LONGEST_TARGET = 400
LONGEST_NUMBER = 9


# --- the words --------------------------------------------------------------------------------


@attrs.frozen
class Target:
    """What is meant: the kind of page, which one, and which part of it."""

    kind: str
    name: str = ""
    part: str = ""

    def __str__(self) -> str:
        whole = f"{self.kind}/{self.name}" if self.name else self.kind
        return f"{whole}#{self.part}" if self.part else whole

    @property
    def address(self) -> str:
        """The page that it is on."""
        return "/" if self.kind == SITE else f"/{self.kind}/{self.name}"


class NoTarget(BadValue):
    """{shown} is nothing that can be reported; go to the page that it is about and follow “Report
    a problem” there."""


def parse_target(text: str) -> Target:
    """A target from its text; anything that cannot be one is refused before it is looked up."""
    if len(text) > LONGEST_TARGET:
        raise NoTarget(shown=f"Something of {len(text)} characters")
    whole, _, part = text.partition("#")
    kind, _, name = whole.partition("/")
    try:
        if part:
            parse_slug(part, "part")
        if whole == SITE:
            return Target(SITE, "", part)
        NAMES[kind](name)
    except (KeyError, BadValue):
        raise NoTarget(shown=ascii(text[:80])) from None
    return Target(kind, name, part)


def _claim_name(name: str) -> None:
    if not (len(name) == 24 and name[0] == "c" and set(name[1:]) <= set("0123456789abcdef")):
        raise BadValue(what="claim", shown=ascii(name[:80]), why="it is no claim's id")


def _label_name(name: str) -> None:
    if not (len(name) == 24 and name[0] == "l" and set(name[1:]) <= set("0123456789abcdef")):
        raise BadValue(what="label", shown=ascii(name[:80]), why="it is no label's id")


def _correction_name(name: str) -> None:
    if not (name.isascii() and name.isdecimal() and len(name) <= LONGEST_NUMBER):
        raise BadValue(what="correction", shown=ascii(name[:80]), why="it is no number")


NAMES: Mapping[str, Callable[[str], Any]] = MappingProxyType(
    {
        "claims": _claim_name,
        "benchmarks": parse_slug,
        "sources": parse_slug,
        "models": parse_slug,
        "papers": parse_slug,
        "samples": parse_code,
        "labels": _label_name,
        "probes": parse_slug,
        "snapshots": parse_digest,
        "corrections": _correction_name,
    }
)

# What can be asked for, by kind of target; the first is offered unless something else is said.
WISHES: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {
        "claims": ("change", "retract", "link", "caveat", "remark"),
        "benchmarks": ("missing", "change", "caveat", "link", "remark"),
        "sources": ("link", "missing", "change", "remark"),
        "models": ("merge", "change", "remark"),
        "papers": ("change", "missing", "link", "caveat", "remark"),
        "samples": ("change", "remark"),
        "labels": ("change", "remark"),
        "probes": ("remark", "missing"),
        "snapshots": ("remark", "change"),
        "corrections": ("remark",),
        SITE: ("remark", "missing", "link"),
    }
)


# --- what is known of it ----------------------------------------------------------------------


@attrs.frozen(kw_only=True)
class About:
    """A target as the form shows it, and what answers are measured against.

    ``says`` is what a claim's source says, ``shows`` what stands on the boards, ``unit`` its own
    unit or else its metric's; ``metrics``, ``splits`` and ``settings`` are those in use on the
    benchmark.
    """

    target: Target
    title: str
    facts: tuple[tuple[str, str], ...] = ()
    says: Statement | None = None
    shows: Statement | None = None
    model: str | None = None
    model_name: str | None = None
    unit: str | None = None
    benchmark: str | None = None
    metrics: Mapping[str, str] = MappingProxyType({})
    splits: frozenset[str] = frozenset()
    settings: frozenset[str] = frozenset()
    caveat: str | None = None
    link: str | None = None

    @property
    def wishes(self) -> tuple[str, ...]:
        """What can be asked for here; for a caveat first of all its change."""
        found = WISHES[self.target.kind]
        if self.caveat is None:
            return found
        return ("caveat", *(one for one in found if one != "caveat"))


def about(reader: Reader, store: Store, moment: Moment, target: Target) -> About:
    """What is known of a target; :class:`~ledger.errors.NotFound` when there is no such thing."""
    match target.kind:
        case "claims":
            return _about_claim(reader, store, moment, target)
        case "benchmarks":
            return _about_benchmark(reader, moment, target)
        case "sources":
            return _about_source(reader, moment, target)
        case "models":
            return _about_model(reader, moment, target)
        case "papers" | "samples" | "labels" | "probes":
            title, facts, link = about_code(reader, store, moment, target.kind, target.name)
            return About(target=target, title=title, facts=facts, link=link)
        case "snapshots":
            if not is_frozen_reading(reader, target.name):
                raise NotFound(what="snapshot", name=target.name)
            facts = (("SHA-256", target.name),)
            return About(target=target, title="A frozen source", facts=facts)
        case "corrections":
            return _about_correction(reader, store, moment, target)
        case _:
            return About(target=target, title="Something else, or the site as a whole")


def _about_claim(reader: Reader, store: Store, moment: Moment, target: Target) -> About:
    story = story_of(reader, store, target.name, moment)
    history, state = story.history, story.state
    rules = benchmark_at(reader, history.benchmark, moment).rules
    rows = stated_rows(reader, history.benchmark, moment)
    shows = state.shows if state else None
    name = story.model_name or (shows.name if shows else history.key)
    number = f": {score_words(shows.score, _unit(shows, rules))}" if shows else ""
    return About(
        target=target,
        title=f"{name} on {story.benchmark_name}{number}",
        facts=tuple(_claim_facts(story, rules)),
        says=next((one.says for one in reversed(history.readings) if one.says is not None), None),
        shows=shows,
        model=story.model,
        model_name=story.model_name,
        unit=_unit(shows, rules) if shows else None,
        benchmark=history.benchmark,
        metrics={slug: rule.name for slug, rule in rules.items()},
        splits=frozenset(row.split for row in rows if row.split),
        settings=frozenset(row.setting for row in rows if row.setting),
        link=_address_of(reader, history.source, moment),
    )


def _unit(shows: Statement, rules: Mapping[str, Rule]) -> str | None:
    rule = rules.get(shows.metric)
    return shows.unit or (rule.unit if rule else None)


def _claim_facts(story: Story, rules: Mapping[str, Rule]) -> Sequence[tuple[str, str]]:
    source = f"{story.source.name} ({kind_words(story.source.kind)})"
    found = [("Source", source)]
    if story.state is None:
        return [*found, ("Now", "its source does not state it any more")]
    shows = story.state.shows
    metric = rules[shows.metric].name if shows.metric in rules else shows.metric
    found += [("Metric", metric)]
    if shows.split or shows.setting:
        found += [("Split, setting", ", ".join(filter(None, (shows.split, shows.setting))))]
    if shows.published_on:
        found += [("Published", date_words(shows.published_on))]
    return [*found, ("Last read", reading_words(story.state.reading.read_at))]


def _about_benchmark(reader: Reader, moment: Moment, target: Target) -> About:
    benchmark = benchmark_at(reader, target.name, moment)
    rows = stated_rows(reader, target.name, moment)
    caveats = dict(zip(benchmark.caveat_names, benchmark.caveats, strict=True))
    kind, _, part = target.part.partition("-")
    caveat = caveats.get(part) if kind == "caveat" else None
    facts: list[tuple[str, str]] = []
    if kind == "caveat":
        if caveat is None:
            raise NotFound(what=f"caveat of {target.name}", name=part)
        facts.append(("Caveat", caveat))
    elif kind == "row":
        named = next((row.name for row in rows if row.model and row.model.id == part), part)
        facts.append(("Row", named))
    elif target.part:
        facts.append(("Part of the page", term_words(target.part)))
    return About(
        target=target,
        title=f"A caveat on {benchmark.name}" if caveat else f"The board of {benchmark.name}",
        facts=tuple(facts),
        benchmark=target.name,
        metrics={slug: rule.name for slug, rule in benchmark.rules.items()},
        splits=frozenset(row.split for row in rows if row.split),
        settings=frozenset(row.setting for row in rows if row.setting),
        caveat=caveat,
    )


def _about_source(reader: Reader, moment: Moment, target: Target) -> About:
    source = source_at(reader, target.name, moment)
    address = source.facts.get("address")
    facts = [("Kind", kind_words(str(source.facts["kind"])))]
    if address:
        facts.append(("Address", str(address)))
    if source.facts.get("published_on"):
        facts.append(("Published", date_words(str(source.facts["published_on"]))))
    facts.append(("States", f"{len(source.claims):,} numbers"))
    return About(
        target=target,
        title=str(source.facts["name"]),
        facts=tuple(facts),
        link=str(address) if address else None,
    )


def _about_model(reader: Reader, moment: Moment, target: Target) -> About:
    model = model_at(reader, target.name, moment)
    facts = [("Lab", model.lab)] if model.lab else []
    facts += [("On", ", ".join(one.name for one in model.benchmarks) or "no board")]
    return About(
        target=target,
        title=model.full_name,
        facts=tuple(facts),
        model=target.name,
        model_name=model.full_name,
    )


def _about_correction(reader: Reader, store: Store, moment: Moment, target: Target) -> About:
    number = int(target.name)
    one = entry_at(reader, store, number, moment)
    facts = (
        ("Outcome", term_words(one.outcome)),
        ("Decided", f"{instant_words(one.decided_at)} by {one.decided_by}"),
    )
    return About(target=target, title=f"Correction {number}", facts=facts)


def _address_of(reader: Reader, source: str, moment: Moment) -> str | None:
    stream = f"source:{source}"
    address = described(reader, [stream], moment).get(stream, {}).get("address")
    return str(address) if address else None


# --- which model a name means -----------------------------------------------------------------


class Names(Protocol):
    """Which model somebody means, and what a name could be mistaken for."""

    def model(self, text: str) -> str | None:
        """The slug of the model with this slug, page or name; ``None`` when none has it."""
        ...

    def looks_like(self, text: str) -> Sequence[str]:
        """Known names that look the same and are not."""
        ...


@attrs.frozen
class KnownNames:
    """The names that the ledger knows now."""

    known: KnownToViews
    store: Store
    now: Instant

    def model(self, text: str) -> str | None:
        """By slug, by the address of its page, or by name as it is written today."""
        slug = text.rpartition("/models/")[2].strip("/")
        if self._registered(slug):
            return slug
        key = name_key(text)
        return resolve(self.known.names([key]).get(key, ()), self.now, self.now)

    def looks_like(self, text: str) -> Sequence[str]:
        """By skeleton: case, dashes and look-alike letters of other scripts folded away."""
        key, shape = name_key(text), skeleton(name_key(text))
        return sorted(set(self.known.look_alikes([shape]).get(shape, ())) - {key})

    def _registered(self, slug: str) -> bool:
        try:
            parse_slug(slug)
        except BadValue:
            return False
        return bool(self.store.stream(f"model:{slug}"))
