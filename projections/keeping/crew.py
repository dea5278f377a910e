"""Several processes that fill a generation together, each a share of it.

Each is :mod:`projections.keeping.filler`, is told on its standard input what to do, and says on its
standard output which position it has reached. It is in a session of its own, so that Ctrl-C reaches
only us, who end it; and it ends by itself once nobody listens any more.
"""

import os
import selectors
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from typing import IO

import attrs
import orjson

from ledger.errors import Refused
from projections.keeping import filler
from projections.keeping.tables import Tables

MOST = 4
"""Processes that fill together at most: beyond that they wait for the database."""


class NotFilled(Refused):
    """The read model could not be filled ({why}). What there was is still in use, and nothing is
    lost: run corrigenda rebuild."""


@attrs.frozen
class Crew:
    """Where the ledger and the read model are, and how many processes may work on it."""

    ledger: str = attrs.field(repr=False)
    views: str = attrs.field(repr=False)
    size: int = attrs.field(factory=lambda: min(MOST, len(os.sched_getaffinity(0))))

    def fill(self, tables: Tables, upto: int) -> Iterator[int]:
        """Fill a generation through a position; gives the position that all have reached, whenever
        that changes. Raises :class:`NotFilled`."""
        with ExitStack() as stack:
            members = [
                stack.enter_context(_at_work(self._task(tables, upto, number)))
                for number in range(self.size)
            ]
            yield from _positions(members)

    def _task(self, tables: Tables, upto: int, number: int) -> bytes:
        return orjson.dumps(
            {
                "ledger": self.ledger,
                "views": self.views,
                "generation": tables.generation,
                "number": number,
                "of": self.size,
                "upto": upto,
            }
        )


@attrs.define
class Member:
    """One of them at work, and the position that it has reached."""

    process: subprocess.Popen[bytes]
    reached: int = 0

    @property
    def words(self) -> IO[bytes]:
        """What it says."""
        assert self.process.stdout is not None  # noqa: S101 -- it is a pipe
        return self.process.stdout

    def goes_on(self) -> bool:
        """Hear one word of it; ``False`` when that was the last. Raises :class:`NotFilled`."""
        word = self.words.readline()
        if word:
            self.reached = int(word)
            return True
        assert self.process.stderr is not None  # noqa: S101 -- it is a pipe
        said = self.process.stderr.read().decode(errors="replace").strip().splitlines()
        if self.process.wait():
            why = said[-1] if said else f"a process ended with {self.process.returncode}"
            raise NotFilled(why=why)
        return False


@contextmanager
def _at_work(task: bytes) -> Iterator[Member]:
    """A process that does a task, in which there may be a password; ended when we leave."""
    with subprocess.Popen(  # noqa: S603 -- our own module
        [sys.executable, "-m", filler.__name__],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        start_new_session=True,
    ) as process:
        try:
            assert process.stdin is not None  # noqa: S101 -- it is a pipe
            process.stdin.write(task)
            process.stdin.close()
            yield Member(process)
        finally:
            process.terminate()


def _positions(members: Sequence[Member]) -> Iterator[int]:
    """The position that all have reached, each time that the last one comes on."""
    said = 0
    with selectors.DefaultSelector() as heard:
        for member in members:
            heard.register(member.words, selectors.EVENT_READ, member)
        while heard.get_map():
            for key, _ in heard.select():
                if not key.data.goes_on():
                    heard.unregister(key.fileobj)
            reached = min(member.reached for member in members)
            if reached > said:
                said = reached
                yield said
