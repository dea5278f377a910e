"""The pages of the log: where it stands, its events by position, and one event with its proof.

They tell everybody the same. Of an event that nobody may read there is a place and an entry.
"""

from typing import Any

from flask import Blueprint, Response, request, url_for

from projections.audit_log import LogPage, log_page, totals
from projections.code.probes import all_windows
from web import access
from web.addresses import absolute
from web.api.paging import TURN, following, page_of_list
from web.api.told import told
from web.asked import asked as asked_of
from web.audit.asked import (
    FILTERS,
    LISTED,
    PLACE,
    THROUGH,
    answered,
    controls_of,
    number_of,
    part_of,
    type_words,
    wanted_of,
    within_of,
)
from web.audit.checkpoints import checkpoint
from web.audit.events import event_page
from web.audit.told import log_json, state_json
from web.headers import FOR_EVER
from web.public import document, page
from web.site import Look, site
from web.tiles import newest_if_any

LOG = (*LISTED, *FILTERS)

audit = Blueprint("audit", __name__)
audit.add_app_template_filter(type_words, "type_words")


# --- where it stands --------------------------------------------------------------------------


@audit.get("/audit")
@access.public
def overview() -> Response:
    """How far the log has come, what it holds, and how to check it without us."""

    def make(look: Look) -> Response:
        seals = site().workspace.seals
        newest = newest_if_any()
        return page(
            look,
            "audit.html",
            totals=totals(look.reader),
            newest=None if newest is None else checkpoint(seals, look.store, newest.size),
            keys=seals.keys(),
            windows=len(all_windows(look.reader, look.store, look.moment)),
            root=absolute(""),
        )

    return site().answer(make, ())


@audit.get("/audit.json")
@access.public
@told("How far the log has come.", "LogState")
def overview_as_json() -> Response:
    """The same as JSON."""

    def make(look: Look) -> Response:
        seals = site().workspace.seals
        newest = newest_if_any()
        shown = None if newest is None else checkpoint(seals, look.store, newest.size)
        return document(state_json(look.reached, shown, totals(look.reader)))

    return site().answer(make, ())


# --- the log ----------------------------------------------------------------------------------


@audit.get("/audit/events")
@access.public
def events() -> Response:
    """Every event by its position, the last first."""

    def make(look: Look) -> Response:
        found = _log(look)
        filters = {name: look.asked[name] for name in FILTERS if name in look.asked}
        return page(
            look,
            "audit_events.html",
            found=found,
            filters=filters,
            controls=controls_of(look.asked),
            older=on(look, "before", found.older),
            newer=on(look, "after", found.newer),
            pinned=pinned(look),
        )

    return answered(make, fields=(*FILTERS, *PLACE))


@audit.get("/audit/events.json")
@access.public
@told("Every event by its position, the last first.", "LoggedEvents", LOG)
def events_as_json() -> Response:
    """The same as JSON; ``next`` is where it goes on."""

    def make(look: Look) -> Response:
        found = _log(look)
        return page_of_list(log_json(found, look.moment, further(look, found.older)))

    return answered(make, TURN, fields=(*FILTERS, *PLACE))


def _log(look: Look) -> LogPage:
    wanted, part = wanted_of(look.asked), part_of(look.asked)
    within = within_of(look.asked, look.store, look.moment.position)
    return log_page(
        look.reader,
        look.store,
        wanted,
        within,
        count=part.count,
        before=part.before,
        after=part.after,
    )


def pinned(look: Look) -> str:
    """The address of exactly this part of a list, for good."""
    values: dict[str, Any] = {**look.asked, THROUGH: look.moment.position}
    return url_for(str(request.endpoint), **values)


def on(look: Look, name: str, place: int | None) -> str | None:
    """The address of the same list further on; ``None`` where it ends."""
    if place is None:
        return None
    values: dict[str, Any] = {**look.asked, name: place}
    values.pop("before" if name == "after" else "after", None)
    return url_for(str(request.endpoint), **values)


def further(look: Look, place: int | None) -> str | None:
    """Where a list goes on for programs: by a cursor that holds the position it was begun at, or as
    it was asked for."""
    if set(look.asked) & set(PLACE):
        return on(look, "before", place)
    return following(look, place, through_alone=True)


@audit.get("/audit/events/<number:position>")
@access.public
def event(position: int) -> Response:
    """One event: what is stored, and each step from there to a signed root. ``size`` names the
    checkpoint that it is proved under, else it is the newest; so named it never changes."""

    def make(look: Look) -> Response:
        seals, size = site().workspace.seals, number_of(look.asked, "size")
        sealed = newest_if_any() if size is None else seals.at(size)
        shown = event_page(look, seals, position, sealed, named=size is not None)
        return page(look, "audit_event.html", shown=shown, root=absolute(""))

    response = site().answer(make, ("size",))
    if "size" in asked_of(request.args, ("size",)):
        response.headers["Cache-Control"] = FOR_EVER
    return response
