"""Ctrl-C while a long run goes on: it stops where that leaves nothing half done, and says so.

The first Ctrl-C is noted, and whoever works looks for it between two pieces of work. A second one
ends the program at once, as it always does.
"""

import os
import signal
import threading
from contextlib import suppress
from types import FrameType, TracebackType
from typing import Any, Self

import attrs

STOPPED = 130
"""The exit status of a program that Ctrl-C ended."""
SAID = b"\nStopping when this one is done; Ctrl-C again ends at once.\n"


@attrs.define
class Stopping:
    """Whether somebody wants this to stop. Used as a context: outside of it nothing is caught."""

    asked: bool = False
    _before: Any = attrs.field(default=None, init=False)

    def __enter__(self) -> Self:
        if threading.current_thread() is threading.main_thread():
            self._before = signal.signal(signal.SIGINT, self._note)
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._give_back()

    def _note(self, _signal: int, _frame: FrameType | None) -> None:
        self.asked = True
        self._give_back()
        with suppress(OSError):
            os.write(2, SAID)  # no stream, which may be in the middle of writing

    def _give_back(self) -> None:
        if self._before is not None:
            signal.signal(signal.SIGINT, self._before)
            self._before = None
