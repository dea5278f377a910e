"""How far a check has got, for whoever waits for it."""

from collections.abc import Iterable, Iterator
from typing import Protocol, TypeVar

Thing = TypeVar("Thing")


class Watcher(Protocol):
    """Told what is being done and how far it has got."""

    def __call__(self, doing: str, done: int, total: int | None) -> None:
        """``done`` of ``total``, where that is known."""


def unwatched(doing: str, done: int, total: int | None) -> None:
    """Nobody waits."""


def watched(
    things: Iterable[Thing], watcher: Watcher, doing: str, total: int | None = None
) -> Iterator[Thing]:
    """The things, one by one, while the watcher is told."""
    for done, thing in enumerate(things):
        watcher(doing, done, total)
        yield thing
