"""What a process left half done that died while it took a report in: whoever starts next does it.

A form with marks that is sent again is the repair (:mod:`web.reporting.filing`). One without them
never comes again: nobody was told its secret, and what was written would lie in its letter unread.
So a server that starts makes whole what is old enough that nobody can be at it still: a letter
without a report becomes one, received when it came in, and what it brought is added to its report
while that is open. All of it looks whether it was done, as there, so it changes nothing twice.
"""

import logging
import threading
from collections.abc import Sequence
from contextlib import suppress
from datetime import timedelta

from ledger.errors import Busy, Refused
from web.private import reporters
from web.private.alone import alone
from web.private.reporters import Letter
from web.reporting import filing
from web.reporting.screening import sense_of
from web.wiring import Workspace

LOG = logging.getLogger(__name__)

SURELY_OVER = timedelta(minutes=10)
"""Longer than any request takes: who took such a letter in is done with it, or dead."""
LOOKED_AT = timedelta(days=2)
"""How far back reports are looked at for evidence that is missing."""
MOST = 5_000


def later(workspace: Workspace) -> threading.Timer:
    """The same once more, when what was too young at the start is old enough."""
    timer = threading.Timer(SURELY_OVER.total_seconds() + 60, _quietly, (workspace,))
    timer.daemon = True
    return timer


def _quietly(workspace: Workspace) -> None:
    try:
        finish_letters(workspace)
    except Exception:
        LOG.exception("letters that were left behind could not be looked at")


def finish_letters(workspace: Workspace) -> None:
    """Make whole what dead processes left of letters.

    What is refused is logged without its content, and refuses nothing else.
    """
    with suppress(Busy):
        if not _left(workspace):
            return
        with alone(workspace.private):
            workspace.catch_up()
            for letter in _left(workspace):
                _finish(workspace, letter)


def _left(workspace: Workspace) -> Sequence[Letter]:
    now = workspace.ledger.clock()
    return reporters.left_behind(workspace.private, now - SURELY_OVER, now - LOOKED_AT, MOST)


def _finish(workspace: Workspace, letter: Letter) -> None:
    try:
        number = filing.number_of_letter(workspace, letter)
        if number is None:
            filled = sense_of(workspace, letter.typed)
            filing.file_letter(workspace, letter, filled, letter.opened_at)
        else:
            filing.add_while_open(workspace, letter, number)
    except Refused as why:
        LOG.warning("a letter could not be made whole (%s)", type(why).__name__)
