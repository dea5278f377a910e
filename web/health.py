"""Is the process up, and may it be sent readers?"""

import logging
from collections.abc import Callable, Iterator

import orjson
from flask import Blueprint, Response

from ledger.values import Digest
from web import access
from web.site import Site, site

LOG = logging.getLogger("corrigenda.web")

MOST_LAG = 1_000
"""Positions that the read model may be behind before readers are better sent elsewhere."""

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
    """The stores answer and the read model is near the ledger's head; else 503 with the reasons."""
    because = list(_obstacles(site()))
    told = {"ready": not because, "because": because}
    response = Response(orjson.dumps(told) + b"\n", mimetype="application/json")
    response.status_code = 503 if because else 200
    return response


def _obstacles(here: Site) -> Iterator[str]:
    workspace = here.workspace
    asked: tuple[tuple[str, Callable[[], object]], ...] = (
        ("the ledger does not answer", workspace.ledger.store.head),
        ("the read model does not answer", workspace.follower.position),
        ("the private store does not answer", lambda: workspace.private.verify(NOTHING)),
    )
    silent = [what for what, ask in asked if not _answers(what, ask)]
    yield from silent
    if not workspace.ledger.archive.folder.is_dir():
        yield "the archive is not there"
    if not silent:
        reached = here.freshness.reached()
        if reached.lag > MOST_LAG:
            yield f"the read model is {reached.lag} positions behind (most allowed: {MOST_LAG})"
        elif reached.lag and here.freshness.failing:
            yield "the read model cannot catch up"


def _answers(what: str, ask: Callable[[], object]) -> bool:
    try:
        ask()
    except Exception:  # whatever it is, the answer is no
        LOG.exception("not ready: %s", what)
        return False
    return True
