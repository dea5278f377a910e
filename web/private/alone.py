"""One at a time makes reports of what waits apart: a lock that falls with whoever held it.

So a post that is marked as taken while nobody holds the lock was taken by a process that died, and
whoever has the lock may finish what that one began.
"""

import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager

from projections.keeping.locks import ProcessLock
from web.private.store import PAUSE, PrivateBusy, PrivateStore, PrivateUnavailable, refusals

TAKING = ProcessLock("taking", 0x636F7272_74616B65)


@contextmanager
def alone(store: PrivateStore) -> Iterator[None]:
    """Nobody else does so; whoever does is waited for. Raises
    :class:`~web.private.store.PrivateBusy` when that takes longer than the store's patience."""
    end = time.monotonic() + store.patience
    while True:
        with _tried(store) as is_ours:
            if is_ours:
                yield
                return
        if time.monotonic() >= end:
            raise PrivateBusy
        time.sleep(PAUSE)


@contextmanager
def _tried(store: PrivateStore) -> Iterator[bool]:
    with ExitStack() as stack:
        try:
            with refusals():
                is_ours = stack.enter_context(TAKING.tried(store.engine))
        except OSError as why:
            raise PrivateUnavailable(why=why.strerror or why) from None
        yield is_ours
