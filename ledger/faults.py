"""Dying on purpose, at a commit point: how it is tried that a crash there loses nothing.

``CORRIGENDA_DIE_AT=import:archived`` kills the process the first time that it comes to that point,
``import:archived@3`` the third time: by ``SIGKILL``, as a power cut would, so nothing is cleaned
up. Only ``python -m benchmarks.faults`` and tests set it; a server refuses to start under it unless
``CORRIGENDA_MAY_DIE=yes`` is set as well. Nothing else reads either, and without them a point costs
one look at the environment, beside a commit that waits for the disk.
"""

import os
import signal
from collections import Counter
from collections.abc import Mapping

from ledger.errors import Refused

VARIABLE = "CORRIGENDA_DIE_AT"
ALLOWING = "CORRIGENDA_MAY_DIE"

_passed = Counter[str]()


class ToldToDie(Refused):
    """CORRIGENDA_DIE_AT is set ({point}), which kills whoever comes to that point; unset it before
    you serve."""


def here(point: str) -> None:
    """Die, if this is the commit point and the time to die at."""
    told = os.environ.get(VARIABLE)
    if told is None:
        return
    name, _, turn = told.partition("@")
    if name == point:
        _passed[point] += 1
        if _passed[point] == int(turn or 1):
            os.kill(os.getpid(), signal.SIGKILL)


def must_not_be_told(environment: Mapping[str, str] = os.environ) -> None:
    """Raise :class:`ToldToDie` where a server would die of a variable that somebody left set."""
    told = environment.get(VARIABLE)
    if told is not None and environment.get(ALLOWING) != "yes":
        raise ToldToDie(point=told)
