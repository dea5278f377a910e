"""Large PDFs as jobs: each in a process of its own, one at a time for whoever asks, cancellable.

A job is a folder: its order, how far it has come, and how it ended. Whether it runs is told by a
lock that its processes hold and that falls with them, so nothing that died is ever waited for, and
no process is ended that only got the same number later.
"""

import fcntl
import os
import secrets
import signal
import subprocess
import sys
import time
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from threading import Thread
from typing import Any

import attrs
import orjson

from ledger.errors import Refused
from web.printing.keeping import remove_folder

Json = dict[str, Any]

AT_ONCE = 2
"""Jobs of everybody together."""
OLDEST = 24 * 3600
"""Seconds after which a job that ended is forgotten; its PDF stays."""
QUEUED, RUNNING, DONE, FAILED, CANCELLED = "queued", "running", "done", "failed", "cancelled"


class OneAtATime(Refused):
    """A large PDF of yours is being printed already; wait for it, or cancel it
    at /exports/jobs/{job}."""


class PressBusy(Refused):
    """Other large PDFs are being printed, so this one was not begun; try again in some minutes."""


@attrs.frozen
class Job:
    """A job as it stands; ``done`` of ``of`` pieces are printed, ``digest`` is the finished PDF."""

    id: str
    state: str
    done: int
    of: int
    key: str
    title: str
    back: str
    digest: str | None
    why: str | None

    @property
    def is_over(self) -> bool:
        """Whether nothing more will happen to it."""
        return self.state in (DONE, FAILED, CANCELLED)


@attrs.frozen
class Jobs:
    """The folder of jobs."""

    folder: Path

    def start(self, owner: str, order: Json, environment: Mapping[str, str]) -> str:
        """Begin a job for an owner; its id. Raises :class:`OneAtATime`, :class:`PressBusy`."""
        self._forget()
        mine = self._lock(f"owner-{owner}")
        if mine is None:
            raise OneAtATime(job=self._of(owner))
        slot = next(filter(None, (self._lock(f"slot-{one}") for one in range(AT_ONCE))), None)
        if slot is None:
            os.close(mine)
            raise PressBusy
        name = secrets.token_hex(16)
        try:
            self._run(name, order, environment, (mine, slot))
            (self.folder / f"owner-{owner}.job").write_text(name, "ascii")
        finally:
            # The job's processes have them now, or nobody.
            os.close(mine)
            os.close(slot)
        return name

    def job(self, name: str) -> Job | None:
        """A job by its id; ``None`` for one that never was, or is forgotten."""
        folder = self.folder / name
        order, ended = _json(folder / "order.json"), _json(folder / "ended.json")
        if not order:
            return None
        progress = _json(folder / "progress.json")
        if not ended and not self.runs(name):
            # It may have ended between the two looks, and says so before its lock falls.
            ended = _json(folder / "ended.json") or {"state": FAILED}
        state = ended.get("state", RUNNING)
        if state == RUNNING and not progress:
            state = QUEUED
        return Job(
            name,
            state,
            int(progress.get("done", 0)),
            int(progress.get("of", 0)),
            order["key"],
            order["title"],
            order["back"],
            ended.get("digest"),
            ended.get("why"),
        )

    def states(self) -> list[str]:
        """In which states the jobs are that are not over."""
        return [state for path in self.folder.glob("*") if (state := self._state(path)) is not None]

    def _state(self, path: Path) -> str | None:
        if not (path / "order.json").exists() or (path / "ended.json").exists():
            return None
        if not (path / "pid").exists():
            return QUEUED  # its lock may not be taken yet, and must not be ours meanwhile
        found = self.job(path.name)
        return None if found is None or found.is_over else found.state

    def runs(self, name: str) -> bool:
        """Whether a process of the job is alive."""
        held = _lock(self.folder / name / "lock")
        if held is None:
            return True
        os.close(held)
        return False

    def cancel(self, name: str) -> None:
        """End a job's processes, if it runs; it stays told that it was cancelled."""
        folder = self.folder / name
        if not self.runs(name):
            return
        # Said first: if we crash here, the job still runs, and says so by its lock.
        end(folder, CANCELLED)
        with suppress(ProcessLookupError):
            os.killpg(int((folder / "pid").read_text("ascii")), signal.SIGTERM)
        remove_folder(folder / "work")

    def _run(
        self, name: str, order: Json, environment: Mapping[str, str], locks: tuple[int, ...]
    ) -> None:
        folder = self.folder / name
        (folder / "work").mkdir(parents=True)
        (folder / "order.json").write_bytes(orjson.dumps(order))
        own = _lock(folder / "lock")
        assert own is not None  # noqa: S101 -- nobody else knows this folder
        try:
            with (folder / "said.txt").open("wb") as said:
                process = subprocess.Popen(  # noqa: S603 -- our own module
                    [sys.executable, "-m", "web.printing.worker", str(folder.absolute())],
                    stdin=subprocess.DEVNULL,
                    stdout=said,
                    stderr=said,
                    env=dict(environment),
                    pass_fds=(own, *locks),
                    start_new_session=True,
                )
        finally:
            os.close(own)
        (folder / "pid").write_text(str(process.pid), "ascii")
        # Somebody has to take note of its end, or it stays in the list of processes.
        Thread(target=process.wait, daemon=True).start()

    def _lock(self, name: str) -> int | None:
        self.folder.mkdir(parents=True, exist_ok=True)
        return _lock(self.folder / f"{name}.lock")

    def _of(self, owner: str) -> str:
        try:
            return (self.folder / f"owner-{owner}.job").read_text("ascii")
        except OSError:
            return ""

    def _forget(self) -> None:
        """Remove what ended long ago; what somebody else removes meanwhile is removed."""
        for path in self.folder.glob("*"):
            with suppress(FileNotFoundError):
                if path.stat().st_mtime + OLDEST < time.time():
                    self._remove(path)

    def _remove(self, path: Path) -> None:
        if path.is_dir():
            if not self.runs(path.name):
                remove_folder(path)
            return
        held = _lock(path)  # a lock that is held is not old, whatever its file says
        if held is not None:
            path.unlink(missing_ok=True)
            os.close(held)


def end(folder: Path, state: str, **told: str) -> None:
    """Say how a job ended; the first word stands."""
    temporary = folder / f"ended.{os.getpid()}"
    temporary.write_bytes(orjson.dumps({"state": state, **told}))
    try:
        os.link(temporary, folder / "ended.json")
    except FileExistsError:
        pass
    finally:
        temporary.unlink(missing_ok=True)


def _lock(path: Path) -> int | None:
    """A lock that is held as long as the number is open, here or in a child; ``None`` if taken."""
    held = os.open(path, os.O_RDWR | os.O_CREAT, 0o600)
    try:
        fcntl.flock(held, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        os.close(held)
        return None
    return held


def _json(path: Path) -> Json:
    try:
        found: Json = orjson.loads(path.read_bytes())
    except (OSError, orjson.JSONDecodeError):
        return {}
    return found
