"""Every version of one file on the main line of a git repository, as git itself tells them.

The main line is HEAD and the first parent of each commit. A version was read when its commit was
committed, in UTC; a clock that went back on the main line stands still, so that the order is that
of the line. Only git's plumbing is asked, for one repository, without its hooks, filters, pagers or
remotes, and each answer is bounded in time and size.
"""

import os
import re
import subprocess
import tempfile
import threading
from collections.abc import Iterator, Sequence
from datetime import timedelta
from pathlib import Path, PurePosixPath
from typing import IO

import attrs

from ledger.errors import BadValue, FileRefused, Refused
from ledger.importing.limits import MIB, MOST_BYTES, check_size
from ledger.values import EPOCH, Instant

MOST_VERSIONS = 20_000
MOST_RENAMES = 50
MOST_SAID = 64 * MIB
TIMEOUT = 120.0
LONGEST_PATH = 1_000
MISSING = "missing"

_COMMIT = re.compile(r"(?P<seconds>-?[0-9]{1,15}) (?P<commit>[0-9a-f]{40,64})")
_SETTINGS = (
    "core.hooksPath=/dev/null",
    "core.fsmonitor=false",
    "core.pager=cat",
    "core.quotePath=false",
    "protocol.allow=never",
)


class NoRepository(Refused):
    """{folder} is no git repository that can be read: {why}."""


class NotOnMainLine(Refused):
    """{path} is in no commit on the main line of {folder}; write it as git does, from the top of
    the repository."""


@attrs.frozen(kw_only=True)
class Version:
    """A file as one commit left it. ``blob`` is ``None`` where the commit took it away.

    ``order`` tells the versions of one instant apart: nothing for the first, then 002, 003, …
    ``is_late``: its clock had gone back, so that it stands at the instant of the version before.
    """

    commit: str
    path: str
    read_at: Instant
    order: str
    blob: str | None
    size: int = 0
    is_late: bool = False

    @property
    def file(self) -> str:
        """What the reading is called: the path, and the commit in full."""
        return f"{self.path}@{self.commit}"

    @property
    def name(self) -> str:
        """The name of the file without its folders."""
        return PurePosixPath(self.path).name

    @property
    def folders(self) -> tuple[str, ...]:
        """The folders that it lies in, outermost first."""
        return PurePosixPath(self.path).parts[:-1]


@attrs.frozen
class Repository:
    """A repository on disk."""

    folder: Path

    def versions(self, path: str) -> list[Version]:
        """The versions of a file, oldest first, under whatever name it had.

        Raises ``NoRepository``, ``NotOnMainLine``, or ``BadValue`` for what is no path.
        """
        _check_path(path)
        found: list[tuple[int, str, str]] = []
        start: str | None = "HEAD"
        for _ in range(MOST_RENAMES):
            if start is None:
                break
            met, renamed = self._under_one_name(start, path)
            found += met
            start = None
            if renamed is not None:
                start, path = renamed
        if not found:
            raise NotOnMainLine(path=path, folder=self.folder)
        return _in_turn(self._with_blobs(list(reversed(found))))

    def data(self, version: Version) -> bytes:
        """The bytes of a version. Raises ``FileRefused`` when there are too many."""
        check_size(version.file, version.size)
        if version.blob is None:
            raise FileRefused(file=version.file, why="the commit took the file away")
        return self._git("cat-file", "blob", version.blob, most=MOST_BYTES)

    # --- what git says ------------------------------------------------------------------------

    def _under_one_name(
        self, start: str, path: str
    ) -> tuple[list[tuple[int, str, str]], tuple[str, str] | None]:
        """The commits from ``start`` back that changed the file while it was called so, newest
        first, and from which commit on it was called otherwise, and how."""
        lines = self._git(
            "rev-list",
            "--first-parent",
            "--timestamp",
            f"--max-count={MOST_VERSIONS + 1}",
            start,
            "--",
            path,
        )
        found = []
        for line in lines.decode("ascii").splitlines():
            told = _COMMIT.fullmatch(line)
            if told is None:
                raise NoRepository(folder=self.folder, why=f"git said {line[:80]!r}")
            found.append((int(told["seconds"]), told["commit"], path))
        if len(found) > MOST_VERSIONS:
            why = f"the file has more than {MOST_VERSIONS} versions"
            raise NoRepository(folder=self.folder, why=why)
        before = self._kinds([f"{commit}^:{path}" for _, commit, _ in found])
        here = self._kinds([f"{commit}:{path}" for _, commit, _ in found])
        for place, (_, commit, _) in enumerate(found):
            if before[place] is None and here[place] is not None:
                old = self._renamed_from(commit, path)
                if old is not None:
                    return found[: place + 1], (f"{commit}^", old)
        return found, None

    def _renamed_from(self, commit: str, path: str) -> str | None:
        """What the file that a commit added was called before, if git finds that it was renamed."""
        if self._kind(f"{commit}^") is None:
            return None
        said = self._git(
            "diff-tree",
            "-r",
            "-z",
            "-M",
            "-l2000",
            "--no-ext-diff",
            "--no-textconv",
            "--no-commit-id",
            "--name-status",
            "--diff-filter=R",
            f"{commit}^",
            commit,
            "--",
        )
        parts = said.decode("utf-8", errors="surrogateescape").split("\0")
        for _, old, new in zip(parts[::3], parts[1::3], parts[2::3], strict=False):
            if new == path:
                return old
        return None

    def _with_blobs(self, found: Sequence[tuple[int, str, str]]) -> list[Version]:
        kinds = self._kinds([f"{commit}:{path}" for _, commit, path in found])
        return [
            Version(
                commit=commit,
                path=path,
                read_at=_instant(seconds, commit),
                order="",
                blob=kind[0] if kind else None,
                size=kind[1] if kind else 0,
            )
            for (seconds, commit, path), kind in zip(found, kinds, strict=True)
        ]

    def _kind(self, name: str) -> tuple[str, int] | None:
        (found,) = self._kinds([name], kind="commit")
        return found

    def _kinds(self, names: Sequence[str], kind: str = "blob") -> list[tuple[str, int] | None]:
        """Digest and size of each object of this kind; ``None`` where there is none."""
        if not names:
            return []
        asked = "".join(f"{name}\n" for name in names).encode("utf-8", errors="surrogateescape")
        said = self._git(
            "cat-file", "--batch-check=%(objectname) %(objecttype) %(objectsize)", given=asked
        )
        found: list[tuple[str, int] | None] = []
        for line in said.decode("utf-8", errors="replace").splitlines():
            digest, _, rest = line.partition(" ")
            told, _, size = rest.partition(" ")
            found.append((digest, int(size)) if told == kind and size.isdigit() else None)
        if len(found) != len(names):
            raise NoRepository(folder=self.folder, why="git answered for other objects than asked")
        return found

    def _git(self, *words: str, given: bytes = b"", most: int = MOST_SAID) -> bytes:
        """What git answers; refused when it fails, says too much or takes too long."""
        folder = self.folder.resolve()
        settings = [word for one in (*_SETTINGS, "safe.directory=*") for word in ("-c", one)]
        command = ["git", "--no-pager", *settings, "-C", str(folder), *words]
        with tempfile.TemporaryFile() as asked, tempfile.TemporaryFile() as wrong:
            asked.write(given)
            asked.seek(0)
            try:
                process = subprocess.Popen(  # noqa: S603 -- words of our own, no shell
                    command,
                    stdin=asked,
                    stdout=subprocess.PIPE,
                    stderr=wrong,
                    env=_environment(folder),
                )
            except OSError as why:
                raise NoRepository(folder=self.folder, why=f"git does not run ({why})") from None
            said = _answer(process, most)
            wrong.seek(0)
            self._check(process, said, most, wrong)
        return said

    def _check(
        self, process: "subprocess.Popen[bytes]", said: bytes, most: int, wrong: IO[bytes]
    ) -> None:
        if len(said) > most:
            raise NoRepository(folder=self.folder, why=f"git said more than {most} bytes")
        if process.returncode < 0:
            raise NoRepository(folder=self.folder, why=f"git took more than {TIMEOUT:.0f} s")
        if process.returncode:
            why = wrong.read(400).decode("utf-8", errors="replace").strip().replace("\n", " ")
            raise NoRepository(folder=self.folder, why=why or f"status {process.returncode}")


def _answer(process: "subprocess.Popen[bytes]", most: int) -> bytes:
    """Up to ``most`` bytes (and one) of what a process says; it has ended then."""
    killer = threading.Timer(TIMEOUT, process.kill)
    killer.start()
    try:
        if process.stdout is None:
            raise TypeError(process)
        with process.stdout as stream:
            return stream.read(most + 1)
    finally:
        if process.poll() is None:
            try:
                process.wait(timeout=1)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()
        killer.cancel()


def _environment(folder: Path) -> dict[str, str]:
    """Nothing of the user's settings, and no repository but this one."""
    return {
        "PATH": os.environ.get("PATH", os.defpath),
        "LC_ALL": "C",
        "HOME": os.devnull,
        "GIT_CONFIG_NOSYSTEM": "1",
        "GIT_CONFIG_GLOBAL": os.devnull,
        "GIT_CEILING_DIRECTORIES": str(folder.parent),
        "GIT_LITERAL_PATHSPECS": "1",
        "GIT_NO_LAZY_FETCH": "1",
        "GIT_NO_REPLACE_OBJECTS": "1",
        "GIT_OPTIONAL_LOCKS": "0",
        "GIT_TERMINAL_PROMPT": "0",
        "GIT_PAGER": "cat",
    }


def _check_path(path: str) -> None:
    parts = path.split("/")
    hidden = any(ord(one) < 32 or 0xD800 <= ord(one) < 0xE000 for one in path)
    if hidden or len(path) > LONGEST_PATH or {"", ".", ".."} & set(parts) or "\\" in path:
        why = "write it from the top of the repository, such as data/results.json"
        raise BadValue(what="path", shown=repr(path[:80]), why=why)


def _instant(seconds: int, commit: str) -> Instant:
    try:
        return EPOCH + timedelta(seconds=seconds)
    except OverflowError:
        why = f"{seconds} seconds since 1970 are no instant"
        raise BadValue(what="commit", shown=commit, why=why) from None


def _in_turn(versions: Sequence[Version]) -> list[Version]:
    """Versions in the order of the line, with instants that never fall and are told apart."""
    return list(_turns(versions))


def _turns(versions: Sequence[Version]) -> Iterator[Version]:
    last: Instant | None = None
    count = 0
    for one in versions:
        is_late = last is not None and one.read_at < last
        read_at = last if is_late and last is not None else one.read_at
        count = count + 1 if read_at == last else 1
        last = read_at
        order = "" if count == 1 else f"{count:03d}"
        yield attrs.evolve(one, read_at=read_at, order=order, is_late=is_late)
