"""The open ledger behind the pages, and what one request sees of it."""

import hashlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import date
from pathlib import Path
from typing import cast

import attrs
from flask import Response, current_app, request

from ledger.errors import BeyondHead
from ledger.store import Store
from ledger.values import Instant
from projections.moment import Moment, moment_at
from projections.views import Reader
from web.asked import TIME, asked, is_pinned, time_of
from web.freshness import Freshness, Reached
from web.headers import kept, tag_of, unchanged
from web.wiring import Workspace

NAME = "corrigenda"


@attrs.frozen(kw_only=True)
class Look:
    """What one request sees: a moment, the read model, and the parameters as they were given."""

    moment: Moment
    reader: Reader
    store: Store
    reached: Reached
    asked: Mapping[str, str]
    today: date

    @property
    def time(self) -> dict[str, str]:
        """The time parameters that were given, for links to pages of the same moment."""
        return time_of(self.asked)


@attrs.frozen
class Site:
    """One open ledger, its freshness in this process, and which release of the pages this is."""

    workspace: Workspace
    freshness: Freshness
    release: str

    @contextmanager
    def look(
        self, parameters: Mapping[str, str], moment: Moment, reached: Reached, today: date
    ) -> Iterator[Look]:
        """The read model at a moment."""
        with self.workspace.views.read() as reader:
            yield Look(
                moment=moment,
                reader=reader,
                store=self.workspace.ledger.store,
                reached=reached,
                asked=parameters,
                today=today,
            )

    def answer(self, make: Callable[[Look], Response], known: Sequence[str] = TIME) -> Response:
        """The page that ``make`` makes of this request, with the headers for keeping it.

        ``known`` are the parameters that the page understands. The read model catches up first.
        """
        parameters = asked(request.args, known)
        reached, now = self.freshness.reached(), self.workspace.ledger.clock()
        moment = _moment(reached, now, time_of(parameters))
        for_ever = is_pinned(parameters)
        day = "" if for_ever else now.date()
        tag = tag_of(self.release, moment.position, day, reached.lag > 0)
        response = unchanged(tag)
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
