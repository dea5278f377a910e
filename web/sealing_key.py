"""The key that signs checkpoints, in the home's file ``checkpoint.key`` or from the environment.

What must stay true: the file is for its owner alone, or it signs nothing; it is complete from the
moment it has its name; and at every moment the log's current key lies in it or right beside it.
Called under the log's lock, but for :meth:`KeyFile.make`.
"""

import os
import stat
import tempfile
from pathlib import Path

import attrs

from ledger.errors import Refused
from ledger.proof.note import SigningKey, VerifierKey
from ledger.sealing.errors import BadKey, KeyExposed, KeyLost, NoKey
from ledger.sealing.keys import read_key

FROM = "CORRIGENDA_SIGNING_KEY"
LONGEST = 1_000
OWNER_ALONE = 0o600
OTHERS = 0o077


class KeyIsGiven(Refused):
    """The key comes from CORRIGENDA_SIGNING_KEY, which no command can change; put it into
    {file} (mode 600), unset the variable, rotate, and give the new key to the variable."""


@attrs.frozen
class KeyFile:
    """A file for the key, and the key that the environment gives in its place (secret)."""

    path: Path
    given: str | None = attrs.field(default=None, repr=False)

    @property
    def beside(self) -> Path:
        """Where a coming key waits until the log knows it."""
        return self.path.with_name(f"{self.path.name}.next")

    def is_made(self) -> bool:
        """Whether a key was made, or is given."""
        return self.given is not None or self.path.exists()

    def has_key(self) -> bool:
        """Whether there is any key here at all, be it one that still waits for its place."""
        return self.is_made() or self.beside.exists()

    def key(self, current: VerifierKey | None) -> SigningKey:
        """The secret half of the current key, or of what is to be the first.

        Finishes a rotation that died half-way: once the log knows the key beside, the key before
        it is done with.
        """
        if self.given is not None:
            return self._current(read_key(self.given, FROM), current, FROM)
        if current is not None and self._holds(self.beside, current):
            # Die before or behind this: the log's key is in one of the two places.
            self.beside.replace(self.path)
            _sync(self.path.parent)
        if not self.path.exists():
            if current is None:
                raise NoKey
            raise KeyLost(name=current.name, id=current.id.hex(), where=f"{self.path} is missing")
        return self._current(_read(self.path), current, str(self.path))

    def prepare(self, key: SigningKey) -> None:
        """Keep a coming key beside the current one."""
        if self.given is not None:
            raise KeyIsGiven(file=self.path)
        written = _written(self.beside, key)
        written.replace(self.beside)
        _sync(self.beside.parent)

    def make(self, key: SigningKey) -> None:
        """Keep the first key of a log; one that is there already stays as it is."""
        written = _written(self.path, key)
        try:
            os.link(written, self.path)
        except FileExistsError:
            return
        finally:
            written.unlink()
        _sync(self.path.parent)

    def _current(self, key: SigningKey, current: VerifierKey | None, where: str) -> SigningKey:
        if current is not None and key.verifier != current:
            other = f"{where} has the key {key.verifier.id.hex()} of {key.name}"
            raise KeyLost(name=current.name, id=current.id.hex(), where=other)
        return key

    def _holds(self, path: Path, current: VerifierKey) -> bool:
        return path.exists() and _read(path).verifier == current


def is_exposed(path: Path) -> bool:
    """Whether others than its owner may read the file; one that is not there is no secret."""
    try:
        return bool(stat.S_IMODE(path.stat().st_mode) & OTHERS)
    except FileNotFoundError:
        return False


def _read(path: Path) -> SigningKey:
    """The key in a file that its owner alone may read."""
    try:
        with path.open("rb") as file:
            mode = stat.S_IMODE(os.fstat(file.fileno()).st_mode)
            if mode & OTHERS:
                raise KeyExposed(file=path, mode=f"{mode:04o}")
            text = file.read(LONGEST).decode("utf-8", errors="replace")
    except OSError as why:
        raise BadKey(where=path, why=why.strerror) from None
    return read_key(text, str(path))


def _written(path: Path, key: SigningKey) -> Path:
    """A new file in the folder of ``path`` that holds a key, complete and on disk."""
    # mkstemp makes it for the owner alone, whatever the umask says.
    descriptor, name = tempfile.mkstemp(prefix=f".{path.name}.", dir=path.parent)
    with os.fdopen(descriptor, "w", encoding="utf-8") as file:
        os.fchmod(file.fileno(), OWNER_ALONE)
        file.write(key.reveal() + "\n")
        file.flush()
        os.fsync(file.fileno())
    return Path(name)


def _sync(folder: Path) -> None:
    descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
