"""What readers looked up, remembered until something is recorded.

At one position of one generation nothing ever changes, so what was found there may be given again:
names, rules, descriptions, which every page asks for and few events touch.
"""

from threading import Lock
from typing import Any

import attrs

MOST = 50_000
"""So many answers are remembered; then it is begun anew."""

Answers = dict[Any, Any]


@attrs.define
class Remembered:
    """One of these for each read model; threads share it."""

    _of: tuple[int, int] = (-1, -1)
    _held: Answers = attrs.field(factory=dict)
    _turn: Lock = attrs.field(factory=Lock, repr=False)

    def at(self, generation: int, position: int) -> Answers:
        """The answers of a generation that has reached a position. Those of an earlier one, which
        somebody may still be reading, are theirs alone."""
        of = (generation, position)
        with self._turn:
            is_full = of == self._of and len(self._held) > MOST
            if of > self._of or is_full:
                self._of, self._held = of, {}
            return self._held if of == self._of else {}
