"""The open ledger behind the pages, and what one request sees of it."""

import hashlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import date
from functools import partial
from pathlib import Path
from typing import cast

import attrs
from flask import Response, current_app, request
from markupsafe import Markup

from ledger.errors import BeyondHead, Busy
from ledger.store import Store, Unavailable
from ledger.values import Instant
from projections.decisions.corrections import numbers_of
from projections.keeping.refusals import ViewsCut, ViewsUnavailable
from projections.keeping.views import Reader
from projections.moment import Moment, moment_at
from projections.over_time.later import Later, changed_since
from web.asked import TIME, asked, is_pinned, time_of
from web.cookies import DRAFT, FORM, SESSION, cookie
from web.freshness import Freshness, Reached
from web.headers import kept, tag_of, unchanged
from web.made_before import made_before
from web.showing.board import BoardPages
from web.showing.cards import Cards
from web.showing.kept import Kept
from web.whole_pages import WholePages
from web.wiring import Workspace

NAME = "corrigenda"
MOST_FRAGMENTS = 24
MOST_TOLD = 512
OF_THE_LOG = frozenset({"audit", "arrivals", "sealed", "exporting", "printing"})
"""Pages that show the sealed log, or take something of it along: it is read where it is sealed."""

FAILED = (Unavailable, ViewsUnavailable, ViewsCut)
"""How it is said that a database does not answer."""
MOST_DRAWN = 128
MOST_WHOLE = 32 * 1024 * 1024


@attrs.frozen(kw_only=True)
class Look:
    """What one request sees: a moment, the read model, and the parameters as they were given."""

    moment: Moment
    reader: Reader
    store: Store
    reached: Reached
    asked: Mapping[str, str]
    today: date
    _later: dict[str, Mapping[str, Sequence[Later]]] = attrs.field(
        factory=dict, init=False, repr=False
    )
    _notices: dict[str, int | None] = attrs.field(factory=dict, init=False, repr=False)

    def notice(self, decision: str) -> int | None:
        """The number under which a decision that a mark names stands in the log."""
        if decision not in self._notices:
            self._notices.update(numbers_of(self.reader, [decision]))
        return self._notices[decision]

    def later(self, benchmark: str) -> Mapping[str, Sequence[Later]]:
        """What was decided after the day shown about the claims of a benchmark, by claim."""
        if benchmark not in self._later:
            self._later[benchmark] = changed_since(self.reader, benchmark, self.moment)
        return self._later[benchmark]

    def later_of(self, benchmark: str, *claims: str | None) -> list[int]:
        """The numbers of the later decisions about some claims of a benchmark, oldest first."""
        found = self.later(benchmark)
        wanted = claims or tuple(found)
        return sorted({one.number for claim in wanted if claim for one in found.get(claim, ())})

    @property
    def day(self) -> str:
        """The day that was asked for, else today (UTC)."""
        return self.asked.get("as_read_on", self.today.isoformat())

    @property
    def time(self) -> dict[str, str]:
        """The time parameters that were given, for links to pages of the same moment."""
        return time_of(self.asked)


@attrs.frozen
class Site:
    """One open ledger, its freshness in this process, and which release of the pages this is.

    ``cards`` and ``boards`` are what the pages show, ``fragments`` parts of pages, ``told`` their
    bars and links, ``drawn`` the charts, ``whole`` pages as they went out; all of it kept for the
    latest moments asked for.
    """

    workspace: Workspace
    freshness: Freshness
    release: str
    fragments: Kept[Markup] = attrs.field(factory=lambda: Kept(MOST_FRAGMENTS))
    cards: Cards = attrs.field(factory=Cards)
    boards: BoardPages = attrs.field()
    told: Kept[str] = attrs.field(factory=partial(Kept, MOST_TOLD))
    drawn: Kept[bytes] = attrs.field(factory=partial(Kept, MOST_DRAWN))
    whole: WholePages = attrs.field(factory=partial(WholePages, MOST_WHOLE))

    @boards.default
    def _boards(self) -> BoardPages:
        return BoardPages(self.cards)

    @contextmanager
    def look(
        self, parameters: Mapping[str, str], moment: Moment, reached: Reached, today: date
    ) -> Iterator[Look]:
        """The read model at a moment."""
        views = reached.views or self.workspace.views
        with views.read() as reader:
            yield Look(
                moment=moment,
                reader=reader,
                store=reached.store,
                reached=reached,
                asked=parameters,
                today=today,
            )

    def answer(
        self,
        make: Callable[[Look], Response],
        known: Sequence[str] = TIME,
        *,
        fields: Sequence[str] = (),
        erasable: str | None = None,
        time_in: Callable[[Mapping[str, str]], Mapping[str, str]] = time_of,
    ) -> Response:
        """The page that ``make`` makes of this request, with the headers for keeping it.

        ``known`` are the parameters that the page understands, ``fields`` those of its form that
        may be empty. ``erasable`` is what it shows beside the ledger: such a page is never kept for
        ever, as that may be gone tomorrow. ``time_in`` finds the parameters of time, where an
        address names them otherwise. The read model catches up first.
        """
        parameters = asked(request.args, (*known, *fields), fields)
        primary = self.freshness.reached()
        near = self._near(primary)
        made = partial(self._made, make, parameters, erasable, time_in(parameters))
        if near is None:
            return made(primary)
        try:
            return made(near)
        except (*FAILED, BeyondHead, Busy) as why:
            # What it does not hold yet, or could not answer, the primary does: making a page
            # changes nothing, so it may be made twice.
            if self.workspace.replica is not None and isinstance(why, FAILED):
                self.workspace.replica.rest(why)
            return made(primary)

    def _near(self, primary: Reached) -> Reached | None:
        """The replica, if there is one that is near; never for who may have written something."""
        replica = self.workspace.replica
        if replica is None or request.blueprint in OF_THE_LOG:
            return None
        if any(cookie(name) for name in (SESSION, FORM, DRAFT)) or request.authorization:
            return None
        return replica.near(primary)

    def _made(
        self,
        make: Callable[[Look], Response],
        parameters: Mapping[str, str],
        erasable: str | None,
        time: Mapping[str, str],
        reached: Reached,
    ) -> Response:
        self.freshness.told(reached.position)
        now = self.workspace.ledger.clock()
        moment = _moment(reached, now, time)
        if moment.pinned:
            # All that it asks for is there, so what is missing behind it is none of its business.
            reached = attrs.evolve(reached, ledger_head=reached.position)
        for_ever = is_pinned(time) and erasable is None
        day = "" if for_ever else now.date()
        tag = tag_of(self.release, moment.position, day, reached.lag > 0, erasable)
        # How far a read model lags behind is said on the page, and may be gone the next moment;
        # what never changes again is kept in front of the application (web/pinned_pages.py).
        as_before = reached.lag == 0 and erasable is None and not for_ever
        response = unchanged(tag) or (made_before(self.whole, tag) if as_before else None)
        if response is None:
            with self.look(parameters, moment, reached, now.date()) as look:
                response = make(look)
        return kept(response, tag, for_ever=for_ever)


def _moment(reached: Reached, now: Instant, time: Mapping[str, str]) -> Moment:
    try:
        return moment_at(reached, now, **time)
    except BeyondHead as refusal:
        raise reached.explain(refusal) from refusal


def site() -> Site:
    """The site of the running app."""
    return cast("Site", current_app.extensions[NAME])


def release_of(*folders: Path) -> str:
    """What the pages are made of, in short; so nobody keeps a page of an older release."""
    told = hashlib.sha256()
    for folder in folders:
        for path in sorted(folder.rglob("*")):
            if path.is_file() and "__pycache__" not in path.parts:
                told.update(path.relative_to(folder).as_posix().encode() + path.read_bytes())
    return told.hexdigest()[:16]
