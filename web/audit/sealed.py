"""The pages of checkpoints: all of them, one with its note, and how one goes on from another."""

from flask import Blueprint, Response

from web import access
from web.addresses import absolute
from web.api.paging import TURN, page_of_list
from web.api.told import told
from web.audit.asked import PLACE, number_of, part_of
from web.audit.checkpoints import checkpoint, checkpoints, consistency
from web.audit.pages import further, on
from web.audit.told import checkpoints_json, shown_json
from web.public import document, page
from web.site import Look, site
from web.tiles import newest_if_any

sealed = Blueprint("sealed", __name__)


@sealed.get("/audit/checkpoints")
@access.public
def listed() -> Response:
    """Every checkpoint that was made, the newest first."""

    def make(look: Look) -> Response:
        newest_if_any()
        found = checkpoints(site().workspace.seals, look.store, part_of(look.asked))
        return page(
            look,
            "audit_checkpoints.html",
            found=found,
            older=on(look, "before", found.older),
            newer=on(look, "after", found.newer),
        )

    return site().answer(make, (), fields=PLACE)


@sealed.get("/audit/checkpoints.json")
@access.public
@told("Every checkpoint, the newest first.", "Checkpoints", (*PLACE, *TURN))
def listed_as_json() -> Response:
    """The same as JSON; ``next`` is where it goes on."""

    def make(look: Look) -> Response:
        newest_if_any()
        found = checkpoints(site().workspace.seals, look.store, part_of(look.asked))
        return page_of_list(checkpoints_json(found, further(look, found.older)))

    return site().answer(make, TURN, fields=PLACE)


@sealed.get("/audit/checkpoints/<count:size>")
@access.public
def one(size: int) -> Response:
    """One checkpoint: its note to copy, and what it says."""

    def make(look: Look) -> Response:
        seals = site().workspace.seals
        shown = checkpoint(seals, look.store, size)
        found = seals.listed(1, before=size) + seals.listed(1, after=size)
        return page(look, "audit_checkpoint.html", shown=shown, beside=found, root=absolute(""))

    return site().answer(make, ())


@sealed.get("/audit/checkpoints/<count:size>.json")
@access.public
@told("One checkpoint with its note.", "Checkpoint")
def one_as_json(size: int) -> Response:
    """The same as JSON."""

    def make(look: Look) -> Response:
        return document(shown_json(checkpoint(site().workspace.seals, look.store, size)))

    return site().answer(make, ())


@sealed.get("/audit/consistency")
@access.public
def growth() -> Response:
    """That a checkpoint goes on from an older one, step by step; without the two, the form."""

    def make(look: Look) -> Response:
        seals = site().workspace.seals
        old, new = number_of(look.asked, "from"), number_of(look.asked, "to")
        newest = newest_if_any()
        if new is None and newest is not None:
            new = newest.size
        found = None
        if old is not None and new is not None:
            found = consistency(seals, look.store, old, new)
        return page(look, "audit_consistency.html", found=found, old=old, new=new)

    return site().answer(make, (), fields=("from", "to"))
