"""One process at a time fills a generation beside the live one, as two would fill the same."""

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager

from sqlalchemy import Engine

from ledger.errors import Busy
from projections.keeping.locks import ProcessLock
from projections.keeping.refusals import ViewsUnavailable, refusals

FILLING = ProcessLock("filling", 0x636F7272_66696C6C)


class BeingFilled(Busy):
    """Another process is just filling the read model anew; wait until that is done, then try
    again."""


@contextmanager
def alone(engine: Engine) -> Iterator[None]:
    """Nobody else fills this read model so. Raises :class:`BeingFilled` at once."""
    with ExitStack() as stack:
        try:
            with refusals():
                is_ours = stack.enter_context(FILLING.tried(engine))
        except OSError as why:
            raise ViewsUnavailable(why=why.strerror or why) from None
        if not is_ours:
            raise BeingFilled
        yield
