"""Benchmarks in short: the cards of the index, of a search, and of what is related to a benchmark.

With hundreds of benchmarks the index takes seconds to make, and it changes only with the ledger and
with the day; so cards are kept.
"""

from collections.abc import Iterable, Sequence

import attrs

from projections.asserted import Content, with_aspect
from projections.board.boards import board_at
from projections.board.history import Status, below_ceiling, headline, posts, status
from projections.keeping.views import Reader
from projections.moment import Moment
from web.showing.kept import Kept, moment_key

OTHER = "Other"
"""The category of benchmarks that have none."""

MOST_INDEXES = 8
MOST_CARDS = 2_000
MOST_RELATED = 8

STREAM = "benchmark:"


@attrs.frozen(kw_only=True)
class Card:
    """A benchmark in short; ``text`` is what a search looks through."""

    slug: str
    name: str
    category: str
    description: str | None
    headline: str
    status: Status
    near_ceiling: bool
    models: int
    text: str = attrs.field(repr=False)

    def has(self, words: Iterable[str]) -> bool:
        """Whether every word occurs somewhere in it."""
        return all(word.casefold() in self.text for word in words)


@attrs.frozen
class Related:
    """Others of the same category: some as cards, and how many there are with this one."""

    category: str
    cards: tuple[Card, ...]
    in_all: int


@attrs.define
class Cards:
    """The cards of the latest moments asked for; one of these in each process."""

    _cards: Kept[Card] = attrs.field(factory=lambda: Kept(MOST_CARDS), init=False)
    _all: Kept[tuple[Card, ...]] = attrs.field(factory=lambda: Kept(MOST_INDEXES), init=False)

    def all(self, reader: Reader, moment: Moment, day: str) -> tuple[Card, ...]:
        """Every benchmark by category and name; ``day`` is the one asked for, else today."""

        def make() -> tuple[Card, ...]:
            found = [self.one(reader, slug, moment, day) for slug in _facts(reader, moment)]
            return tuple(sorted(found, key=_place))

        return self._all.at(moment_key(moment, day), make)

    def one(self, reader: Reader, slug: str, moment: Moment, day: str) -> Card:
        """One benchmark, by its default view and metric."""
        key = (slug, moment_key(moment, day))
        return self._cards.at(key, lambda: card_of(reader, slug, moment))

    def related(self, reader: Reader, slug: str, moment: Moment, day: str) -> Related:
        """Others of a benchmark's category, those of its own kind first (BP-16)."""
        facts = _facts(reader, moment)
        mine = facts[slug]
        category = str(mine.get("category") or OTHER)
        others = {
            other: said
            for other, said in facts.items()
            if other != slug and str(said.get("category") or OTHER) == category
        }
        nearest = sorted(
            others,
            key=lambda other: (
                others[other].get("kind") != mine.get("kind"),
                str(others[other]["name"]).casefold(),
                other,
            ),
        )
        cards = [self.one(reader, other, moment, day) for other in nearest[:MOST_RELATED]]
        return Related(category, tuple(cards), len(others) + 1)


def card_of(reader: Reader, slug: str, moment: Moment) -> Card:
    """A benchmark's card at a moment."""
    board = board_at(reader, slug, moment)
    facts = board.benchmark.facts
    category = str(facts.get("category") or OTHER)
    leader = [board.rows[0].name] if board.rows else []
    told = [slug, category, *leader, *(str(text) for text in facts.values() if text)]
    return Card(
        slug=slug,
        name=board.benchmark.name,
        category=category,
        description=facts.get("description"),
        headline=headline(board),
        status=status(board, posts(reader, slug, moment)),
        near_ceiling=not below_ceiling(board),
        models=len(board.rows),
        text="\n".join(told).casefold(),
    )


def by_category(cards: Sequence[Card]) -> dict[str, list[Card]]:
    """Cards under their categories, in their order."""
    found: dict[str, list[Card]] = {}
    for card in cards:
        found.setdefault(card.category, []).append(card)
    return found


def _place(card: Card) -> tuple[bool, str, str, str]:
    return (card.category == OTHER, card.category, card.name.casefold(), card.slug)


def _facts(reader: Reader, moment: Moment) -> dict[str, Content]:
    """What was said of every benchmark, by slug."""
    return {
        stream.removeprefix(STREAM): content
        for stream, content in with_aspect(reader, "described", moment)
        if stream.startswith(STREAM)
    }
