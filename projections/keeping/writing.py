"""Rows of plain texts and numbers into a table, by the quickest way that each engine has.

Naming every value of every row, and asking for each row to be inserted, costs more than the
database does with it.
"""

from collections.abc import Sequence
from typing import Any

from sqlalchemy import Connection, Table
from sqlalchemy.exc import DBAPIError

Rows = Sequence[tuple[Any, ...]]


def insert_rows(connection: Connection, table: Table, columns: Sequence[str], rows: Rows) -> None:
    """Insert rows, each in the order of ``columns``, in the connection's transaction."""
    if not rows:
        return
    prepared = connection.dialect.identifier_preparer
    named = ", ".join(prepared.quote(name) for name in columns)
    into = f"{prepared.format_table(table)} ({named})"
    if connection.dialect.name == "postgresql":
        _copy(connection, f"COPY {into} FROM STDIN", rows)
        return
    marks = ", ".join("?" * len(columns))
    statement = f"INSERT INTO {into} VALUES ({marks})"  # noqa: S608 -- our own names
    connection.exec_driver_sql(statement, list(rows))


def _copy(connection: Connection, statement: str, rows: Rows) -> None:
    """PostgreSQL's own way for many rows; what goes wrong is said as SQLAlchemy would say it."""
    dialect = connection.dialect
    driver: Any = dialect.loaded_dbapi
    raw: Any = connection.connection.driver_connection
    try:
        with raw.cursor() as cursor, cursor.copy(statement) as copy:
            for row in rows:
                copy.write_row(row)
    except driver.Error as why:
        gone = dialect.is_disconnect(why, raw, None)
        if gone:
            connection.invalidate(why)
        raise DBAPIError.instance(
            statement, None, why, driver.Error, connection_invalidated=gone, dialect=dialect
        ) from why
