"""The sealed log, served: checkpoints, tiles, proofs, and the events that anybody may read.

Addresses and forms are those of C2SP ``tlog-tiles``, so that any client of such logs can follow
this one. Nothing here depends on who asks, and of an event that is not published nothing is told
but its place in the log and its entry, whatever it is.
"""

from collections.abc import Mapping

import orjson
from flask import Blueprint, Response, request
from werkzeug.exceptions import NotFound as NoSuchPage

from ledger.errors import BadValue
from ledger.proof.errors import Malformed
from ledger.proof.tiles import tile_at
from ledger.seal import NoCheckpoint, NotSealed, Sealed, Seals
from reports.sealed import consistency_json, inclusion_json, keys_json, stored_json
from web import access
from web.api.told import told
from web.asked import asked
from web.headers import ASK_AGAIN, FOR_EVER
from web.site import site

tiles = Blueprint("tiles", __name__)

OCTETS = "application/octet-stream"
LONGEST_NUMBER = 15


# --- checkpoints and tiles --------------------------------------------------------------------


@tiles.get("/checkpoint")
@access.public
def newest() -> Response:
    """The newest checkpoint, as a signed note."""
    asked(request.args, ())
    return _text(newest_sealed().note)


@tiles.get("/checkpoint/<count:size>")
@access.public
def of_size(size: int) -> Response:
    """The checkpoint that was made when the log had so many leaves."""
    asked(request.args, ())
    # A key that takes over at this very size signs it as well; so this is not kept for ever.
    return _text(_seals().at(size).note)


@tiles.get("/checkpoint/keys.json")
@access.public
@told("The log's name, its keys, and how one hands on to the next.", "Keys")
def keys() -> Response:
    """The keys that checkpoints are verified with, newest first, and what ties each to the next."""
    asked(request.args, ())
    newest_sealed()
    return _json(keys_json(_seals()))


@tiles.get("/tile/<path:rest>")
@access.public
def tile(rest: str) -> Response:
    """A tile of hashes, or of entries; once covered by a checkpoint it never changes."""
    asked(request.args, ())
    try:
        wanted = tile_at(f"tile/{rest}")
    except Malformed:
        raise NoSuchPage from None
    answer = Response(_seals().tile(wanted), mimetype=OCTETS)
    answer.headers["Cache-Control"] = FOR_EVER
    return answer


# --- proofs -----------------------------------------------------------------------------------


@tiles.get("/proof/inclusion")
@access.public
@told("That an event is under a checkpoint.", "InclusionProof", ("position", "index", "size"))
def inclusion() -> Response:
    """The proof that an event, by ``position`` or ``index``, is under the checkpoint of ``size``
    leaves, else the newest one."""
    given = asked(request.args, ("position", "index", "size"))
    if ("position" in given) == ("index" in given):
        raise BadValue(what="leaf", shown="asked for", why="give either its position or its index")
    sealed = _sealed(given, "size")
    seals = _seals()
    return _json(inclusion_json(seals, _index(seals, given), sealed))


@tiles.get("/proof/consistency")
@access.public
@told("That a checkpoint goes on from an older one.", "ConsistencyProof", ("from", "to"))
def consistency() -> Response:
    """The proof that the checkpoint of ``to`` leaves, else the newest one, goes on from that of
    ``from`` leaves."""
    given = asked(request.args, ("from", "to"))
    if "from" not in given:
        raise BadValue(what="from", shown="left out", why="give the size of an older checkpoint")
    new = _sealed(given, "to")
    seals = _seals()
    return _json(consistency_json(seals, seals.at(_count(given, "from")), new))


# --- events -----------------------------------------------------------------------------------


@tiles.get("/events/<number:position>.tlog-proof")
@access.public
def receipt(position: int) -> Response:
    """The receipt of an event, to be kept: index, proof and checkpoint."""
    given = asked(request.args, ("size",))
    return _text(str(_seals().receipt(position, _sealed(given, "size").size)))


@tiles.get("/events/<number:position>.json")
@access.public
@told("An event as its stored bytes, or withheld.", "StoredEvent")
def event(position: int) -> Response:
    """An event as its stored bytes; one that is not published is withheld, but for its entry."""
    asked(request.args, ())
    return _json(stored_json(_seals(), site().workspace.ledger.store, position))


# --- what all of them need --------------------------------------------------------------------


def _seals() -> Seals:
    return site().workspace.seals


def newest_sealed() -> Sealed:
    """The newest checkpoint, after the log had its chance to catch up. Raises ``NoCheckpoint``."""
    found = newest_if_any()
    if found is None:
        raise NoCheckpoint(name="any number")
    return found


def newest_if_any() -> Sealed | None:
    """The same; ``None`` where nothing was sealed yet."""
    here = site()
    seals, reached = _seals(), here.freshness.reached()
    found = seals.latest()
    if seals.can_seal and (found is None or found.position < reached.ledger_head):
        here.freshness.sealed()
        found = seals.latest()
    return found


def _sealed(given: Mapping[str, str], name: str) -> Sealed:
    """The checkpoint whose size a parameter gives, else the newest."""
    return _seals().at(_count(given, name)) if name in given else newest_sealed()


def _index(seals: Seals, given: Mapping[str, str]) -> int:
    if "index" in given:
        return _count(given, "index")
    position = _count(given, "position")
    found = seals.index_of(position)
    if found is None:
        raise NotSealed(name=position)
    return found


def _count(given: Mapping[str, str], name: str) -> int:
    """A parameter that counts something, in the one way to write it."""
    text = given[name]
    if not (text.isascii() and text.isdecimal()) or len(text) > LONGEST_NUMBER:
        raise BadValue(what=name, shown=repr(text), why="it is a whole number")
    if text != str(int(text)):
        raise BadValue(what=name, shown=repr(text), why=f"write it as {int(text)}")
    return int(text)


def _text(text: str) -> Response:
    answer = Response(text, content_type="text/plain; charset=utf-8")
    answer.headers["Cache-Control"] = ASK_AGAIN
    return answer


def _json(told: Mapping[str, object]) -> Response:
    answer = Response(orjson.dumps(told) + b"\n", mimetype="application/json")
    answer.headers["Cache-Control"] = ASK_AGAIN
    return answer
