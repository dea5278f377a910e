"""What a dry run would have recorded, put on disk until a later board asks for it.

A real run lets go of a board once it is recorded, since the ledger has it. What a dry run found is
nowhere else, and a dump may hold thousands of boards; so it goes into a temporary database, which
is this process's alone and gone with it.
"""

import io
import pickle
import sqlite3
from collections.abc import Callable, Iterable, Mapping, Sequence
from types import MappingProxyType
from typing import Any

import attrs

from ledger.importing.names import KnownNames, NameBook
from ledger.model import NameAssertion


class _Packing(pickle.Pickler):
    """Facts hold read-only mappings, which are packed as plain ones."""

    def reducer_override(self, thing: object) -> Any:
        """How one thing is packed."""
        if isinstance(thing, MappingProxyType):
            return MappingProxyType, (dict(thing),)
        return NotImplemented


@attrs.define(eq=False)
class PutAside:
    """Things under their names, each kind for itself; what is put again replaces what was."""

    _database: sqlite3.Connection = attrs.field(init=False)

    def __attrs_post_init__(self) -> None:
        # Without a name it is a file of SQLite's own, which nobody else sees.
        self._database = sqlite3.connect("", isolation_level=None, check_same_thread=False)
        self._database.execute(
            "CREATE TABLE aside (kind TEXT, name TEXT, packed BLOB, PRIMARY KEY (kind, name))"
            " WITHOUT ROWID"
        )

    def __del__(self) -> None:
        self._database.close()

    def put(self, kind: str, name: str, thing: object) -> None:
        """Put something aside."""
        packed = io.BytesIO()
        _Packing(packed).dump(thing)
        self._database.execute(
            "INSERT OR REPLACE INTO aside VALUES (?, ?, ?)", (kind, name, packed.getvalue())
        )

    def get(self, kind: str, name: str) -> Any:
        """What was put aside under a name; ``None`` when nothing was."""
        asked = "SELECT packed FROM aside WHERE kind = ? AND name = ?"
        row = self._database.execute(asked, (kind, name)).fetchone()
        return None if row is None else pickle.loads(row[0])  # noqa: S301 -- packed right here


ASSERTIONS, VERSIONS, SHAPES = "assertions", "versions", "shapes"


def put_names(aside: PutAside, names: NameBook) -> None:
    """Put the names of a run aside."""
    for kind, found in (
        (ASSERTIONS, names.assertions),
        (VERSIONS, names.versions),
        (SHAPES, names.shapes),
    ):
        for name, one in found.items():
            aside.put(kind, name, one)


@attrs.frozen
class NamesAside:
    """What the read model knows of names, with what was put aside in its place."""

    known: KnownNames
    aside: PutAside

    def names(self, keys: Iterable[str]) -> Mapping[str, Sequence[NameAssertion]]:
        """The assertions about these names."""
        return self._laid_over(ASSERTIONS, keys, self.known.names)

    def look_alikes(self, skeletons: Iterable[str]) -> Mapping[str, Sequence[str]]:
        """The names that look like these."""
        return self._laid_over(SHAPES, skeletons, self.known.look_alikes)

    def versions(self, streams: Iterable[str]) -> Mapping[str, int]:
        """How many events each stream would have."""
        return self._laid_over(VERSIONS, streams, self.known.versions)

    def _laid_over(
        self, kind: str, asked: Iterable[str], ask: Callable[[Iterable[str]], Mapping[str, Any]]
    ) -> dict[str, Any]:
        found = {name: self.aside.get(kind, name) for name in asked}
        here = {name: one for name, one in found.items() if one is not None}
        return {**ask([name for name in found if name not in here]), **here}
