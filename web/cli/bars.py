"""Bars for work that tells what it is doing and how far it has got."""

from collections.abc import Iterator
from contextlib import contextmanager

import attrs
from rich.progress import Progress

from web.cli.output import progress_bar
from web.verifying.watched import Watcher


@contextmanager
def watched() -> Iterator[Watcher]:
    """A bar for each thing that is done, on a terminal."""
    with progress_bar() as bar:
        yield _Bars(bar)


@attrs.define
class _Bars:
    """One bar, anew for each thing that is done."""

    bar: Progress
    _doing: str = attrs.field(default="", init=False)

    def __call__(self, doing: str, done: int, total: int | None) -> None:
        """Show how far it has got."""
        if doing != self._doing:
            for task in self.bar.task_ids:
                self.bar.remove_task(task)
            self.bar.add_task(doing, total=total)
            self._doing = doing
        self.bar.update(self.bar.task_ids[-1], completed=done, total=total)
