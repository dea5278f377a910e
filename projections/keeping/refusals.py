"""What goes wrong with a database behind SQLAlchemy, said as refusals of ours."""

import sqlite3
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager

from sqlalchemy.exc import DBAPIError, OperationalError
from sqlalchemy.exc import TimeoutError as NoneFree

from ledger.errors import Busy, Refused
from ledger.store.connecting import was_cut

LOCK_NOT_AVAILABLE = "55P03"


class ViewsBusy(Busy):
    """The pages are just being brought up to date by somebody else; nothing was changed, try again
    in a moment."""


class ViewsCut(ViewsBusy):
    """The connection to the database of the pages was cut. What was recorded is safe in the
    ledger; try again in a moment."""


class ViewsUnavailable(Refused):
    """The database of the pages cannot be used ({why}); see that it runs, then try again. What was
    recorded is safe in the ledger."""


def refusals() -> AbstractContextManager[None]:
    """Say the errors of the read model's database as ours."""
    return said_as(ViewsBusy, ViewsUnavailable, ViewsCut)


@contextmanager
def said_as(busy: type[Busy], unavailable: type[Refused], cut: type[Busy]) -> Iterator[None]:
    """Say a database's errors as refusals of ours, of which ``unavailable`` takes a ``why``; errors
    of our own making stay what they are.

    ``cut``: the connection was there and is gone, or the server stopped what it was doing; the next
    request gets a new one.
    """
    try:
        yield
    except NoneFree as why:
        raise busy from why
    except DBAPIError as why:
        if _is_locked(why.orig):
            raise busy from why
        if why.connection_invalidated or _was_stopped(why.orig):
            raise cut from why
        if isinstance(why, OperationalError):
            raise unavailable(why=str(why.orig)) from why
        raise
    except sqlite3.OperationalError as why:
        if _is_locked(why):
            raise busy from why
        raise unavailable(why=str(why)) from why


def _was_stopped(why: BaseException | None) -> bool:
    """Whether the server says so itself; without its word it may be that nobody could connect."""
    return getattr(why, "sqlstate", None) is not None and was_cut(why)


def _is_locked(why: BaseException | None) -> bool:
    """Whether an error of either engine's driver says that somebody else holds the lock."""
    code = getattr(why, "sqlite_errorcode", None)
    if code is not None:
        return bool(code & 0xFF in {sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED})
    return getattr(why, "sqlstate", None) == LOCK_NOT_AVAILABLE
