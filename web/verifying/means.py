"""What a check is given beside its target: memory, clock, chance, and how far to go."""

from collections.abc import Callable

import attrs

from ledger.values import Instant
from web.remembering import Memory


@attrs.frozen(kw_only=True)
class Means:
    """The same for every kind of target.

    ``below`` gives a random number below another: whoever serves a log must not guess where we
    look. ``everything`` walks over all tiles of a log afar; without ``read_model`` that of a home
    is left out.
    """

    memory: Memory
    clock: Callable[[], Instant]
    below: Callable[[int], int]
    everything: bool = False
    read_model: bool = True
