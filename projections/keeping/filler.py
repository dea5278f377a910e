"""The program of one who fills a share of a generation, see :mod:`projections.keeping.crew`."""

import sys
from contextlib import closing
from datetime import UTC, datetime
from typing import Any, NoReturn

import orjson

from ledger.errors import Refused
from ledger.store import open_store
from projections.keeping.filling import fill
from projections.keeping.shares import Share
from projections.keeping.tables import tables_of
from projections.keeping.views import open_views


def work(task: dict[str, Any]) -> None:
    """Do a task, saying after each batch which position is reached."""
    share = Share(task["number"], task["of"])
    with (
        closing(open_store(task["ledger"], clock=_now, salt=_no_salt)) as store,
        closing(open_views(task["views"])) as views,
    ):
        for position in fill(store, views, tables_of(task["generation"]), share, task["upto"]):
            print(position, flush=True)  # noqa: T201 -- to whoever started us


def _now() -> datetime:
    return datetime.now(UTC)


def _no_salt() -> NoReturn:
    raise AssertionError("who fills the read model records nothing")


if __name__ == "__main__":
    try:
        work(orjson.loads(sys.stdin.buffer.read()))
    except BrokenPipeError:
        sys.exit(1)
    except Refused as why:
        sys.exit(str(why))
