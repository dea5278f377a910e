"""Is the process up, and may it be sent readers?"""

import logging
import os
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

import attrs
import orjson
from flask import Blueprint, Response

from ledger.values import Digest
from web import access
from web.sealing_key import is_exposed
from web.site import Site, site
from web.wiring import Workspace, key_file

LOG = logging.getLogger("corrigenda.web")

MOST_LAG = 1_000
"""Positions that the read model may be behind before readers are better sent elsewhere."""

LEAST_ROOM = 16 * 1024 * 1024
"""Bytes on the disk of the archive without which nothing more is well kept."""

NOTHING = Digest("0" * 64)

health = Blueprint("health", __name__)


@health.get("/healthz")
@access.public
def alive() -> Response:
    """The process is up; nothing else is asked."""
    return Response("ok\n", mimetype="text/plain")


@health.get("/readyz")
@access.public
def ready() -> Response:
    """The stores answer and the read model is near the ledger's head; else 503 with the reasons.

    A replica that lags or is silent is told and no reason: the primary is read meanwhile.
    """
    because = list(_obstacles(site()))
    told: dict[str, object] = {"ready": not because, "because": because}
    replica = site().workspace.replica
    if replica is not None and not because:
        told["replica"] = attrs.asdict(replica.lag(site().freshness.reached()))
    response = Response(orjson.dumps(told) + b"\n", mimetype="application/json")
    response.status_code = 503 if because else 200
    return response


def _obstacles(here: Site) -> Iterator[str]:
    """Why not; each is asked anew, so whatever is put right needs nobody to say so here."""
    workspace = here.workspace
    asked: tuple[tuple[str, Callable[[], object]], ...] = (
        ("the ledger does not answer", workspace.ledger.store.head),
        ("the read model does not answer", workspace.follower.position),
        ("the private store does not answer", lambda: workspace.private.verify(NOTHING)),
    )
    silent = [what for what, ask in asked if not _answers(what, ask)]
    yield from silent
    yield from _of_the_archive(workspace.ledger.archive.folder)
    if not silent:
        yield from _of_the_key(workspace)
        reached = here.freshness.reached()
        if reached.lag > MOST_LAG:
            yield f"the read model is {reached.lag} positions behind (most allowed: {MOST_LAG})"
        elif reached.lag and here.freshness.failing:
            yield "the read model cannot catch up"


def _of_the_archive(folder: Path) -> Iterator[str]:
    if not folder.is_dir():
        yield "the archive is not there"
    elif not os.access(folder, os.W_OK | os.X_OK):
        yield "the archive cannot be written"
    elif shutil.disk_usage(folder).free < LEAST_ROOM:
        yield "the disk of the archive is full"


def _of_the_key(workspace: Workspace) -> Iterator[str]:
    """A log that was signed once cannot go on without its key; one that never was needs none."""
    key, path = key_file(workspace.settings), workspace.settings.key_file
    if not key.has_key() and workspace.seals.keys():
        yield "the key that signs checkpoints is not there"
    elif key.given is None and is_exposed(path):
        yield "the key that signs checkpoints may be read by others"


def _answers(what: str, ask: Callable[[], object]) -> bool:
    try:
        ask()
    except Exception:  # whatever it is, the answer is no
        LOG.exception("not ready: %s", what)
        return False
    return True
