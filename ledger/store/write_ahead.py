"""SQLite files that are read while somebody writes: their journal is a write-ahead log."""

import sqlite3
import time

LOOK_AGAIN = 0.02
"""Seconds between two tries."""


def write_ahead(connection: sqlite3.Connection, patience: float) -> None:
    """See that the file of this connection has a write-ahead log; it keeps it.

    For the lock of this change alone SQLite does not wait, whatever the timeout of the connection:
    of two who make one file at once, one is told that it is busy. So we wait.

    Args:
        connection: Outside a transaction.
        patience: For how many seconds it is tried again.

    Raises:
        sqlite3.OperationalError: It could not be done, or somebody held the file for longer.

    """
    until = time.monotonic() + patience
    while True:
        try:
            connection.execute("PRAGMA journal_mode=WAL")
        except sqlite3.OperationalError as why:
            if why.sqlite_errorcode & 0xFF != sqlite3.SQLITE_BUSY or time.monotonic() >= until:
                raise
            time.sleep(LOOK_AGAIN)
        else:
            return
