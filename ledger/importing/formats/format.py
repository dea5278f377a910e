"""What a format is: how its files are known, and which boards one of them holds.

A reader turns a file into :class:`Sheet` after :class:`Sheet`: the rows that one source states on
one benchmark, in the columns of our own snapshot format. It never guesses: a unit that the file
leaves open stays open, and what has no column of ours stays beside the row under its own name.
"""

import io
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any, BinaryIO, Protocol

import attrs

from ledger.errors import FileRefused
from ledger.importing.formats.tables import RawRow
from ledger.importing.limits import MOST_BYTES, check_size
from ledger.importing.receipt import RefusedRow
from ledger.values import Instant, PartialDate

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
    watch: Callable[[int], object] | None = attrs.field(default=None, repr=False, eq=False)
    """Told how far a stream was read, for who waits."""

    @classmethod
    def at(cls, path: Path, folders: tuple[str, ...] = ()) -> "Candidate":
        """A file on disk; what can be read only once, such as a pipe, is held.

        Raises :class:`~ledger.errors.FileRefused` when it cannot be read.
        """
        try:
            with path.open("rb") as file:
                is_kept = path.is_file()
                start = file.read(LOOKED_AT if is_kept else MOST_BYTES + 1)
        except OSError as why:
            raise FileRefused(file=path.name, why=why.strerror or "it cannot be read") from None
        if is_kept:
            return cls(name=path.name, folders=folders, path=path, start=start)
        check_size(path.name, len(start))
        return attrs.evolve(cls.of(path.name, start), folders=folders)

    @classmethod
    def of(cls, name: str, data: bytes) -> "Candidate":
        """Bytes that no file has, under a name."""
        return cls(name=name, held=data, start=data[:LOOKED_AT])

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
        if self.held is not None:
            return io.BytesIO(self.held)
        file = self._where().open("rb")
        if self.watch is None:
            return file
        return io.BufferedReader(_Watched(file, self.watch), buffer_size=LOOKED_AT)

    def _where(self) -> Path:
        if self.path is None:
            raise TypeError(self)
        return self.path


class _Watched(io.RawIOBase):
    """A file that tells how far it was read."""

    def __init__(self, file: BinaryIO, watch: Callable[[int], object]) -> None:
        super().__init__()
        self._file, self._watch = file, watch

    def readable(self) -> bool:
        """Yes."""
        return True

    def seekable(self) -> bool:
        """As the file is: archives are read from their end."""
        return self._file.seekable()

    def readinto(self, buffer: Any) -> int:
        """Read on, and tell."""
        piece = self._file.read(len(buffer))
        buffer[: len(piece)] = piece
        self._watch(self._file.tell())
        return len(piece)

    def seek(self, offset: int, whence: int = io.SEEK_SET) -> int:
        """Go elsewhere in the file."""
        return self._file.seek(offset, whence)

    def tell(self) -> int:
        """Where the file is read."""
        return self._file.tell()

    def close(self) -> None:
        """Close the file too."""
        self._file.close()
        super().close()


@attrs.frozen(kw_only=True)
class Asked:
    """What whoever imports says of a file, which goes before what the file says of itself.

    Names are slugs that were checked; ``unit`` is a unit of ours, for rows that bear none, and
    ``units`` the same for one metric each, by its slug or its name.
    ``read_before`` is when these very bytes were first brought in: it counts where nobody says when
    the source was read, so that bringing them in again is not another reading.
    """

    source: str | None = None
    source_name: str | None = None
    kind: str | None = None
    benchmark: str | None = None
    benchmark_name: str | None = None
    unit: str | None = None
    read_at: Instant | None = None
    read_before: Instant | None = None
    units: Mapping[str, str] = attrs.field(factory=dict)
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
    not even become a row. ``covers`` are metrics, as written, that the sheet speaks about also
    where no row bears them; ``None`` among them is the benchmark's headline metric.
    ``metric_names`` pairs a metric as its rows write it with its name for people, ``released`` a
    model as its rows write it with its release, for those that are met for the first time.
    ``units_said``: a row without a unit is known to have none, so nobody is asked for it.
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
    released: tuple[tuple[str, PartialDate], ...] = ()
    units_said: bool = False
    refused: tuple[RefusedRow, ...] = ()
    notes: tuple[str, ...] = ()
    covers: tuple[str | None, ...] = ()


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
