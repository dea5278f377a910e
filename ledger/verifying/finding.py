"""What a check found to be wrong: its kind, the exact place, what was expected, and what to do.

The place is made of plain values, so that a finding is a line for a person and an object for a
program; the sentence follows from its kind (:mod:`ledger.verifying.kinds`).
"""

from collections.abc import Mapping
from typing import Any

import attrs

from ledger.verifying.kinds import KINDS

Place = Mapping[str, str | int]


@attrs.frozen
class Finding:
    """One thing that is wrong, and where."""

    kind: str
    place: Place
    expected: str | None = None
    found: str | None = None

    @property
    def says(self) -> str:
        """The sentence, with the place in it."""
        known = {"expected": self.expected, "found": self.found}
        return KINDS[self.kind].says.format_map(known | dict(self.place))

    @property
    def do(self) -> str:
        """What to do about it."""
        return KINDS[self.kind].do

    def as_json(self) -> dict[str, Any]:
        """As one plain object."""
        return {
            "kind": self.kind,
            "place": dict(self.place),
            "expected": self.expected,
            "found": self.found,
            "says": self.says,
            "do": self.do,
        }


def finding(
    kind: str,
    place: Place,
    *,
    expected: str | int | bytes | None = None,
    found: str | int | bytes | None = None,
) -> Finding:
    """A finding of a kind that is known; hashes are shown in hexadecimal digits."""
    return Finding(kind, place, _shown(expected), _shown(found))


def _shown(value: str | int | bytes | None) -> str | None:
    if value is None:
        return None
    return value.hex() if isinstance(value, bytes) else str(value)
