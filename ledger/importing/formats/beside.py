"""What a format has no column for, kept beside a claim under its own dotted name.

Nothing is dropped in silence: what is too much or too long to be kept is counted, and the count is
a note that whoever imports reads.
"""

from collections.abc import Iterator, Mapping
from typing import Any

import attrs

from ledger.importing.formats.rows import COLUMNS

MOST_BESIDE = 40
"""How many values are kept beside one claim."""
LONGEST_BESIDE = 2_000
"""How many characters of each."""
NAMED = 12
"""How many names a note spells out."""


def flat(content: Any, name: str = "") -> Iterator[tuple[str, str]]:
    """The values in JSON content, each with its dotted name; a list of plain values is one value.

    Nulls and empty lists and objects say nothing.
    """
    if isinstance(content, Mapping):
        for key, value in content.items():
            yield from flat(value, f"{name}.{key}" if name else str(key))
    elif isinstance(content, list):
        if all(not isinstance(one, Mapping | list) for one in content):
            said = ", ".join(as_text(one) for one in content if one is not None)
            if said:
                yield name, said
        else:
            for place, value in enumerate(content, 1):
                yield from flat(value, f"{name}.{place}")
    elif content is not None and content != "":
        yield name, as_text(content)


def as_text(value: Any) -> str:
    """A plain JSON value as text; numbers were text already."""
    if isinstance(value, bool):
        return "true" if value else "false"
    return str(value)


@attrs.define
class Beside:
    """Keeps what has no column, and counts what it cannot keep."""

    kept: dict[str, None] = attrs.field(factory=dict)
    cut: int = 0
    left_out: int = 0

    def keep(self, content: Mapping[str, Any], taken: Mapping[str, str | None]) -> dict[str, str]:
        """The cells for one row; ``taken`` are the cells that it has already."""
        found: dict[str, str] = {}
        for name, text in flat(content):
            if name in taken or name in found or name in COLUMNS:
                name = f"{name} (beside)"  # noqa: PLW2901 -- the same under a free name
            if len(found) == MOST_BESIDE:
                self.left_out += 1
                continue
            self.cut += len(text) > LONGEST_BESIDE
            found[name] = text[:LONGEST_BESIDE]
            self.kept[name] = None
        return found

    def notes(self) -> tuple[str, ...]:
        """What was kept beside, and how much of it was too much."""
        notes: list[str] = []
        if self.kept:
            names = list(self.kept)
            more = f" and {len(names) - NAMED} more" if len(names) > NAMED else ""
            notes.append(f"kept beside the claims: {', '.join(names[:NAMED])}{more}")
        if self.cut:
            notes.append(f"{self.cut} values beside claims were cut to {LONGEST_BESIDE} characters")
        if self.left_out:
            why = f"at most {MOST_BESIDE} are kept beside a claim"
            notes.append(f"{self.left_out} values were left out: {why}")
        return tuple(notes)
