"""Original resources and their mementos (RFC 7089): which pages have them, and of when.

A kind of page is an original resource when it says here how its address is made and when it
changed. Mementos are pinned to the last position at which anything about the page was recorded, so
the addresses in a TimeMap stay the same until something new is known about it.
"""

import re
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from types import MappingProxyType

import attrs

from ledger.claim import Plane
from ledger.errors import BadValue, NotFound, SeveralSamples
from ledger.values import Instant, short_instant
from projections.board.boards import board_at
from projections.code.samples import sample_at
from projections.over_time.moments_of_change import changed_at, settled
from projections.over_time.page_steps import About
from projections.over_time.paper_turns import turns_of_paper, turns_of_sample
from web.addresses import absolute, address_of
from web.asked import BOARD
from web.showing.paper import subjects_of_sample
from web.site import Look

LINK_FORMAT = "application/link-format"
WHICH = ("view", "metric", "every_claim")
"""Parameters that tell one original resource from another; those of time do not."""

PATH = re.compile(r"(?P<kind>[a-z]+)/(?P<id>[a-z0-9][a-z0-9._-]{0,127})")


@attrs.frozen(kw_only=True)
class Original:
    """An original resource: ``kind`` and ``id`` are its address, ``which`` its parameters."""

    kind: str
    id: str
    which: Mapping[str, str] = attrs.field(factory=dict)

    @property
    def path(self) -> str:
        """Its address without parameters, as TimeGate and TimeMap take it."""
        return f"{self.kind}/{self.id}"

    def address(self, **time: str) -> str:
        """Its whole address, at a moment if one is given."""
        kind, found = KINDS[self.kind], {**self.which, **time}
        ordered = {key: found[key] for key in BOARD if key in found}
        return absolute(address_of(kind.endpoint, {kind.name: self.id}, ordered))

    def timegate(self) -> str:
        """The whole address of its TimeGate."""
        return absolute(address_of("memento.timegate", {"original": self.path}, self.which))

    def timemap(self, **page: int) -> str:
        """The whole address of its TimeMap, or of one of several."""
        parameters = {**self.which, **page}
        return absolute(address_of("memento.timemap", {"original": self.path}, parameters))


@attrs.frozen
class Mementos:
    """The instants at which an original resource changed, oldest first, to the second; and the
    position that its mementos are pinned to."""

    original: Original
    instants: tuple[Instant, ...]
    position: int

    def address(self, instant: Instant) -> str:
        """The memento of an instant."""
        return self.original.address(
            as_read_on=short_instant(instant),
            corrected=Plane.THEN.value,
            recorded_through=str(self.position),
        )

    def at(self, asked: Instant | None) -> Instant:
        """The one that was there at a time that is asked for, which has whole seconds: the last by
        the end of that second; the first of all where it is earlier, the last where none is."""
        if asked is None:
            return self.instants[-1]
        by_then = [one for one in self.instants if one.replace(microsecond=0) <= asked]
        return by_then[-1] if by_then else self.instants[0]


Changes = tuple[Iterable[Instant], int]
"""The instants at which a page changed, and the position that settled them."""


@attrs.frozen(kw_only=True)
class Kind:
    """A kind of original resource: the view of its page, what that calls its id, the parameters
    that it knows beside those of time, and how to find when it changed (refused for what is not
    there)."""

    endpoint: str
    name: str
    known: tuple[str, ...] = ()
    changes: Callable[[Look, Original], Changes]


def _changes_of_board(look: Look, original: Original) -> Changes:
    which = original.which
    view, metric = which.get("view"), which.get("metric")
    board = board_at(look.reader, original.id, look.moment, view=view, metric=metric)
    ranked = board.rule.metric if board.rule else None
    about = About(kind="benchmark", id=original.id, view=board.view, metric=ranked)
    return _changes(look, about)


def _changes_of_claim(look: Look, original: Original) -> Changes:
    return _changes(look, About(kind="claim", id=original.id))


def _changes_of_paper(look: Look, original: Original) -> Changes:
    turns = turns_of_paper(look.reader, look.store, original.id, look.moment)
    return turns.instants, turns.position


def _changes_of_sample(look: Look, original: Original) -> Changes:
    sample = sample_at(look.reader, look.store, original.id, look.moment)
    turns = turns_of_sample(look.reader, sample.code, subjects_of_sample(sample), look.moment)
    shown = (one for one in turns.instants if _has_sample(look, original, one))
    return shown, turns.position


def _has_sample(look: Look, original: Original, instant: Instant) -> bool:
    """Whether a sample has a page at an instant; by then fewer of its digits may have been read."""
    with suppress(NotFound, SeveralSamples):
        moment = attrs.evolve(look.moment, instant=instant)
        sample_at(look.reader, look.store, original.id, moment)
        return True
    return False


def _changes(look: Look, about: About) -> Changes:
    changed = changed_at(look.reader, look.store, about, look.moment)
    return changed, settled(look.reader, look.store, about, look.moment)


KINDS: Mapping[str, Kind] = MappingProxyType(
    {
        "benchmarks": Kind(
            endpoint="public.board", name="slug", known=WHICH, changes=_changes_of_board
        ),
        "claims": Kind(endpoint="public.claim", name="claim", changes=_changes_of_claim),
        "papers": Kind(endpoint="papers.paper", name="name", changes=_changes_of_paper),
        "samples": Kind(endpoint="papers.sample", name="name", changes=_changes_of_sample),
    }
)


def mementos_of(look: Look, original: Original) -> Mementos:
    """All mementos of an original resource; refused when there is none."""
    instants, position = KINDS[original.kind].changes(look, original)
    # Of one second the last is what was there at its end, and the header knows no finer time.
    last = {one.replace(microsecond=0): one for one in sorted(instants)}
    if not last:
        raise NotFound(what="memento of", name=original.path)
    return Mementos(original, tuple(last.values()), position)


def original_of(look: Look, path: str) -> Original:
    """The original resource that a TimeGate or TimeMap is asked about: by its path, or by its whole
    address, if that is one of ours."""
    found = PATH.fullmatch(path.removeprefix(f"{absolute('')}/"))
    if found is None or found["kind"] not in KINDS:
        raise NotFound(what="original resource", name=path[:200])
    for key, value in look.asked.items():
        if key not in (*KINDS[found["kind"]].known, "page"):
            why = f"{found['kind']} have no such parameter"
            raise BadValue(what=key, shown=repr(value), why=why)
    return original_shown(look, found["kind"], found["id"])


def original_shown(look: Look, kind: str, name: str) -> Original:
    """The original resource of the page that a request asks for."""
    which = {key: look.asked[key] for key in KINDS[kind].known if key in look.asked}
    return Original(kind=kind, id=name, which=which)
