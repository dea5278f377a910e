"""What a format is: how its files are known, and which boards one of them holds.

A reader turns a file into :class:`Sheet` after :class:`Sheet`: the rows that one source states on
one benchmark, in the columns of our own snapshot format. It never guesses: a unit that the file
leaves open stays open, and what has no column of ours stays beside the row under its own name.
"""

import io
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO, Protocol

import attrs

from ledger.importing.formats.tables import RawRow
from ledger.importing.limits import check_size
from ledger.importing.receipt import RefusedRow
from ledger.values import Instant

LOOKED_AT = 64 * 1024
"""How many bytes of a file are enough to say which format it has."""


@attrs.frozen(kw_only=True)
class Candidate:
    """A file that may be of some format: its name, the folders it lies in, how it begins.

    ``name`` has no folders; ``folders`` are those below what was asked for, outermost first, since
    some formats say there what a file is about. ``path`` is where its bytes are, ``held`` the bytes
    themselves where no file has them (a version out of a git history).
    """

    name: str
    folders: tuple[str, ...] = ()
    path: Path | None = None
    held: bytes | None = attrs.field(default=None, repr=False)
    start: bytes = attrs.field(repr=False)

    @property
    def ending(self) -> str:
        """What the name ends in, in small letters and without the dot."""
        return self.name.lower().rpartition(".")[2]

    def data(self) -> bytes:
        """All bytes. Raises :class:`~ledger.errors.FileRefused` when there are too many."""
        if self.held is not None:
            check_size(self.name, len(self.held))
            return self.held
        path = self._where()
        check_size(self.name, path.stat().st_size)
        return path.read_bytes()

    def open(self) -> BinaryIO:
        """The bytes as a stream, however many there are; close it."""
        return io.BytesIO(self.held) if self.held is not None else self._where().open("rb")

    def _where(self) -> Path:
        if self.path is None:
            raise TypeError(self)
        return self.path


@attrs.frozen(kw_only=True)
class Asked:
    """What whoever imports says of a file, which goes before what the file says of itself.

    Names are slugs that were checked; ``unit`` is a unit of ours, for rows that bear none.
    """

    source: str | None = None
    source_name: str | None = None
    kind: str | None = None
    benchmark: str | None = None
    benchmark_name: str | None = None
    unit: str | None = None
    read_at: Instant | None = None
    now: Instant


@attrs.frozen(kw_only=True)
class Sheet:
    """What one source states on one benchmark, as one file has it.

    ``source`` and ``benchmark`` are slugs; their names and the ``kind`` of the source count when
    they are met for the first time. ``rows`` have the columns of ``formats/snapshot.py``; every
    other column is kept with the claim. ``whole``: the source states nothing else on this benchmark
    under the metrics of these rows, so that what is not here is gone; else what is not here stays.
    ``read_at`` is when the source was read, where the file says so. ``notes`` say to a person
    what had no place and was kept beside, and what was left open. ``refused`` are parts that could
    not even become a row.
    """

    source: str
    source_name: str | None = None
    kind: str | None = None
    benchmark: str
    benchmark_name: str | None = None
    metric_names: tuple[tuple[str, str], ...] = ()
    lower_is_better: frozenset[str] = frozenset()
    rows: tuple[RawRow, ...] = attrs.field(repr=False)
    whole: bool = False
    read_at: Instant | None = None
    entries_stated: int | None = None
    refused: tuple[RefusedRow, ...] = ()
    notes: tuple[str, ...] = ()


@attrs.frozen(kw_only=True)
class Placing:
    """Where a format says the things that every claim needs, a clause each, for people.

    They stand in the receipt and in the docs; ``identity`` is what makes two rows the same claim.
    """

    published_on: str
    read_at: str
    setting: str
    split: str
    identity: str
    unit: str


class Format(Protocol):
    """A format that files of other people come in."""

    @property
    def name(self) -> str:
        """What ``--format`` calls it, such as ``every-eval-ever``."""
        ...

    @property
    def title(self) -> str:
        """What people call it, with the versions that are read."""
        ...

    @property
    def endings(self) -> tuple[str, ...]:
        """What the names of its files end in, with the dot."""
        ...

    @property
    def placing(self) -> Placing:
        """Where it says what."""
        ...

    def known_by(self, file: Candidate) -> str | None:
        """Why a file is of this format, as a clause (“its schema_version is 0.3.0”), else ``None``.

        It looks at the name and the beginning alone, and never raises.
        """
        ...

    def sheets(self, file: Candidate, asked: Asked) -> Iterator[Sheet]:
        """The boards in the file, one after the other.

        Raises :class:`~ledger.errors.FileRefused`, with line and field, when the file as a whole
        cannot be read; a row that cannot be read is a :class:`RawRow` with its ``problem``.
        """
        ...
