"""The pages of what came in: imports with what became of each, and frozen bytes.

An import, and the readings of some bytes, may be taken back later; a list through a position says
what the log held there, and never changes.
"""

from collections.abc import Mapping, Sequence

from flask import Blueprint, Response

from ledger.archive import Archive
from ledger.errors import NotFound, Refused
from ledger.values import Digest
from projections.audit_readings import (
    Place,
    Snapshot,
    import_at,
    imports_page,
    readings_page,
    snapshot_at,
)
from projections.review.resting import resting_on
from web import access
from web.api.paging import TURN, page_of_list
from web.api.told import told
from web.audit.asked import LISTED, PLACE, THROUGH, answered, part_of
from web.audit.pages import further, on, pinned
from web.audit.told import imports_json, readings_json, receipt_json, snapshot_json
from web.fetching.warc import Response as Answer
from web.fetching.warc import responses_in
from web.public import document, page
from web.site import Look, site

arrivals = Blueprint("arrivals", __name__)

LARGEST = 8_000_000
"""Bytes of a file that is opened while a page is made."""
MOST_OPENED = 5
"""Answers whose headers a page shows."""
LONGEST_BEGINNING = 2_000
"""Characters of frozen text that its page shows; all of it can be had as a file."""

Headers = Mapping[str, Sequence[tuple[str, str]]]


# --- imports ----------------------------------------------------------------------------------


@arrivals.get("/audit/imports")
@access.public
def imports() -> Response:
    """Every import, the last first."""

    def make(look: Look) -> Response:
        found = imports_page(look.reader, _place(look))
        return page(
            look,
            "audit_imports.html",
            found=found,
            older=on(look, "before", found.older),
            newer=on(look, "after", found.newer),
            pinned=pinned(look),
        )

    return answered(make, fields=PLACE)


@arrivals.get("/audit/imports.json")
@access.public
@told("Every import, the last first.", "Imports", LISTED)
def imports_as_json() -> Response:
    """The same as JSON; ``next`` is where it goes on."""

    def make(look: Look) -> Response:
        found = imports_page(look.reader, _place(look))
        return page_of_list(imports_json(found, look.moment, further(look, found.older)))

    return answered(make, TURN, fields=PLACE)


@arrivals.get("/audit/imports/<number:position>")
@access.public
def imported(position: int) -> Response:
    """One import: what came in, what it did, and each row that was refused."""

    def make(look: Look) -> Response:
        found = import_at(look.reader, look.store, position, look.moment.position)
        return page(look, "audit_import.html", receipt=found, one=found.imported)

    return answered(make)


@arrivals.get("/audit/imports/<number:position>.json")
@access.public
@told("One import, and what it did.", "ImportReceipt", (THROUGH,))
def imported_as_json(position: int) -> Response:
    """The same as JSON."""

    def make(look: Look) -> Response:
        found = import_at(look.reader, look.store, position, look.moment.position)
        return document(receipt_json(found, look.moment))

    return answered(make)


def _place(look: Look) -> Place:
    part = part_of(look.asked)
    return Place(part.count, look.moment.position, part.before, part.after)


# --- frozen bytes -----------------------------------------------------------------------------


@arrivals.get("/audit/snapshots")
@access.public
def snapshots() -> Response:
    """Every reading that was frozen, the last first."""

    def make(look: Look) -> Response:
        found = readings_page(look.reader, _place(look))
        return page(
            look,
            "audit_snapshots.html",
            found=found,
            older=on(look, "before", found.older),
            newer=on(look, "after", found.newer),
            pinned=pinned(look),
        )

    return answered(make, fields=PLACE)


@arrivals.get("/audit/snapshots.json")
@access.public
@told("Every reading that was frozen, the last first.", "FrozenReadings", LISTED)
def snapshots_as_json() -> Response:
    """The same as JSON; ``next`` is where it goes on."""

    def make(look: Look) -> Response:
        found = readings_page(look.reader, _place(look))
        return page_of_list(readings_json(found, look.moment, further(look, found.older)))

    return answered(make, TURN, fields=PLACE)


@arrivals.get("/audit/snapshots/<digest:digest>")
@access.public
def snapshot(digest: str) -> Response:
    """Frozen bytes: every reading of them, the headers that were kept, and what rests on them."""

    def make(look: Look) -> Response:
        found = snapshot_at(look.reader, digest, look.moment.position)
        archive = site().workspace.ledger.archive
        return page(
            look,
            "audit_snapshot.html",
            snapshot=found,
            newest=found.readings[0][1],
            headers=_headers(archive, found),
            beginning=_beginning(archive, Digest(digest)),
            resting=resting_on(look.reader, digest, look.moment),
        )

    return site().answer(make, (THROUGH,))


@arrivals.get("/audit/snapshots/<digest:digest>.json")
@access.public
@told("Frozen bytes, and what rests on them.", "Snapshot", (THROUGH,))
def snapshot_as_json(digest: str) -> Response:
    """The same as JSON."""

    def make(look: Look) -> Response:
        found = snapshot_at(look.reader, digest, look.moment.position)
        headers = _headers(site().workspace.ledger.archive, found)
        resting = resting_on(look.reader, digest, look.moment)
        return document(snapshot_json(found, headers, resting))

    return site().answer(make, (THROUGH,))


def _headers(archive: Archive, found: Snapshot) -> Headers:
    """The headers that were kept of each answer, by the digest of the WARC that holds them."""
    latest = found.kept[:MOST_OPENED]
    return {kept.digest: _headers_in(archive, Digest(kept.digest)) for kept in latest}


def _headers_in(archive: Archive, warc: Digest) -> Sequence[tuple[str, str]]:
    data = _bounded(archive, warc)
    try:
        answers = responses_in("kept.warc", data) if data else []
    except Refused:
        return ()
    return next((one.fetched.headers for one in answers if isinstance(one, Answer)), ())


def _beginning(archive: Archive, digest: Digest) -> str | None:
    """How frozen text begins; ``None`` for what is no text, too large, or not in the archive."""
    data = _bounded(archive, digest)
    try:
        text = None if data is None else data.decode("utf-8-sig")
    except UnicodeDecodeError:
        return None
    return None if text is None or "\0" in text else text[:LONGEST_BEGINNING]


def _bounded(archive: Archive, digest: Digest) -> bytes | None:
    """Archived bytes that are not too many; ``None`` too where the archive does not have them."""
    try:
        return archive.get(digest) if archive.size(digest) <= LARGEST else None
    except NotFound:
        return None
