"""The server's log: one JSON object a line on standard error, or nothing (``CORRIGENDA_LOG``).

A line for each request and one for each thing that was recorded, beside whatever else is said. No
line has an address that was asked for, what stood behind its question mark, a person's address or
what they wrote: a request is named by the rule of its address, an event by its position and type.
"""

import logging
import os
import sys
from datetime import UTC, datetime
from typing import Any

import orjson

from ledger.errors import Refused
from ledger.store import Appended, Store
from web.seen import Seen
from web.settings import JSON

NAME = "corrigenda"
LOG = logging.getLogger(f"{NAME}.requests")
MOST_TYPES = 200
"""Events of one request that are looked at for their types."""
TOLD = "told"


class JsonLines(logging.Formatter):
    """A record of Python's logging as one line of JSON."""

    def format(self, record: logging.LogRecord) -> str:
        """The line, without its end."""
        told: dict[str, Any] = {
            "time": _instant(record.created),
            "level": record.levelname.lower(),
            "event": "message",
            "pid": os.getpid(),
        }
        given = getattr(record, TOLD, None)
        if given is not None:
            told |= given
        else:
            told |= {"logger": record.name, "message": record.getMessage()}
            if record.exc_info:
                told["exception"] = self.formatException(record.exc_info)
        return orjson.dumps(told, default=str).decode()


def install(wanted: str) -> None:
    """Let this process log as the setting says; without it Python's own way of warning stays."""
    if wanted != JSON:
        return
    lines = logging.StreamHandler(sys.stderr)
    lines.setFormatter(JsonLines())
    logging.getLogger().handlers = [lines]
    logging.getLogger(NAME).setLevel(logging.INFO)


def handler() -> logging.Handler | None:
    """What writes JSON lines in this process, where it was installed."""
    found = logging.getLogger().handlers
    return next((one for one in found if isinstance(one.formatter, JsonLines)), None)


def is_wanted() -> bool:
    """Whether requests are logged at all."""
    return LOG.isEnabledFor(logging.INFO)


def request(seen: Seen, seconds: float) -> None:
    """Log a request that was answered."""
    told = {
        "event": "request",
        "request": seen.id,
        "method": seen.method,
        "route": seen.route,
        "status": seen.status,
        "seconds": round(seconds, 6),
        "position": seen.position,
    }
    LOG.info("a request", extra={TOLD: told})


def recorded(store: Store, seen: Seen) -> None:
    """Log what somebody recorded by a request: who, and which events."""
    for one in seen.appended:
        told = {
            "event": "recorded",
            "request": seen.id,
            "route": seen.route,
            "positions": [one.first, one.last],
            "events": one.count,
            **_envelopes(store, one),
        }
        LOG.info("something was recorded", extra={TOLD: told})


def _envelopes(store: Store, one: Appended) -> dict[str, Any]:
    """Who recorded some events, and of which types they are; each type once."""
    try:
        records = store.after(one.first - 1, min(one.count, MOST_TYPES), one.last)
    except Refused as why:
        LOG.warning("what was recorded cannot be read again: %s", why)
        return {"by": None, "types": []}
    types = dict.fromkeys(record.envelope.type for record in records)
    return {"by": records[0].envelope.recorded_by, "types": list(types)}


def _instant(seconds: float) -> str:
    found = datetime.fromtimestamp(seconds, UTC).isoformat(timespec="milliseconds")
    return found.replace("+00:00", "Z")
