"""Who waits for events in PostgreSQL hears a notice, and looks anyway should none come."""

import time
from threading import Lock
from typing import Any

import psycopg
from psycopg import Connection

LOOK_AGAIN = 1.0
"""Seconds between two looks of one who waits for events, should no notice come."""

CHANNEL = "ledger_events"


class Ear:
    """One connection that hears notices. That none comes proves nothing: its user looks anyway."""

    def __init__(self, conninfo: dict[str, Any]) -> None:
        self._conninfo = conninfo
        self._mine = Lock()
        self._connection: Connection | None = None

    def listen(self, seconds: float) -> None:
        """Return at a notice, or after so many seconds; one thread hears at a time."""
        end = time.monotonic() + seconds
        if not self._mine.acquire(blocking=False):
            # What the other one hears is for both: look when it is done.
            if self._mine.acquire(timeout=seconds):
                self._mine.release()
            return
        try:
            if self._connection is None:
                # From now on nothing is missed; what came before, the caller sees at once.
                self._connection = self._connect()
                return
            for _ in self._connection.notifies(timeout=end - time.monotonic(), stop_after=1):
                pass
        except psycopg.OperationalError:
            # Deaf: the next call connects anew, and until then looking does.
            self._hang_up()
            time.sleep(max(0.0, end - time.monotonic()))
        finally:
            self._mine.release()

    def close(self) -> None:
        """Hang up."""
        with self._mine:
            self._hang_up()

    def _connect(self) -> Connection:
        connection = psycopg.connect(**self._conninfo, autocommit=True)
        connection.execute(f"LISTEN {CHANNEL}".encode())
        return connection

    def _hang_up(self) -> None:
        if self._connection is not None:
            self._connection.close()
            self._connection = None
