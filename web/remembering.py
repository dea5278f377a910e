"""What this user has seen of logs, one file for each, outside of every home.

Whoever can write to a home could make its log forget; what was seen of it lies elsewhere. A file is
complete from the moment it has its name, and what it says never goes back.
"""

import fcntl
import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from hashlib import sha256
from pathlib import Path

import attrs

from ledger.errors import BadValue, Refused
from ledger.verifying.remembered import Remembered, remembered_in

LONGEST = 2_000_000
MOST_LOGS = 10_000


class ForgottenHow(Refused):
    """What was seen of a log cannot be read from {file} ({why}). Move the file away to begin anew;
    whether the log was altered since it was seen cannot be told then."""


class CannotRemember(Refused):
    """What was seen of the log cannot be kept in {folder} ({why}); name another place with
    XDG_STATE_HOME."""


@attrs.frozen
class Memory:
    """A folder with a file for each log."""

    folder: Path

    def of(self, origin: str) -> Remembered | None:
        """What was seen of a log. Raises ``ForgottenHow``."""
        path = self._path(origin)
        return _read(path) if path.exists() else None

    def at(self, address: str) -> Remembered | None:
        """What was seen at an address, most lately. Raises ``ForgottenHow``."""
        paths = sorted(self.folder.glob("*.json"))[:MOST_LOGS]
        found = [one for one in map(_read, paths) if address in one.addresses]
        return max(found, key=lambda one: one.seen_at, default=None)

    def remember(self, new: Remembered) -> bool:
        """Keep what was seen now in the place of what was seen before; ``False``, and nothing is
        changed, when meanwhile somebody saw more. Raises ``CannotRemember``."""
        with self._locked():
            before = self.of(new.origin)
            if before is not None and before.checkpoint.size > new.checkpoint.size:
                return False
            _write(self._path(new.origin), new.as_text())
        return True

    def evidence(self, old: str, new: str) -> Path:
        """Keep two checkpoints that contradict each other; the same two are kept once."""
        with self._locked():
            both = f"{old}\n{new}"
            path = self.folder / "forks" / f"{sha256(both.encode()).hexdigest()[:16]}.txt"
            path.parent.mkdir(exist_ok=True)
            if not path.exists():
                _write(path, both)
        return path

    def _path(self, origin: str) -> Path:
        return self.folder / f"{sha256(origin.encode()).hexdigest()[:32]}.json"

    @contextmanager
    def _locked(self) -> Iterator[None]:
        """One at a time."""
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
            with (self.folder / ".lock").open("a") as lock:
                fcntl.flock(lock, fcntl.LOCK_EX)
                yield
        except OSError as why:
            raise CannotRemember(folder=self.folder, why=why.strerror or why) from None


def _read(path: Path) -> Remembered:
    try:
        with path.open("rb") as file:
            return remembered_in(file.read(LONGEST).decode())
    except (OSError, UnicodeDecodeError, BadValue) as why:
        raise ForgottenHow(file=path, why=why) from None


def _write(path: Path, text: str) -> None:
    descriptor, name = tempfile.mkstemp(prefix=".", dir=path.parent)
    try:
        with os.fdopen(descriptor, "w", encoding="utf-8") as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        # Die before this: what was there is there. Behind it: the new one is, as a whole.
        Path(name).replace(path)
    except BaseException:
        Path(name).unlink(missing_ok=True)
        raise
