"""What somebody with a database console might try on a ledger, and how it is refused."""

import sqlite3

import psycopg

from tests.ledger.engines import Place, PostgresPlace

COLUMNS = "(originator_id, originator_version, topic, state)"
KEY = "(originator_id, originator_version)"
UPSERT = "DO UPDATE SET topic = 'y'"
FORGED = "('report:1', 1, 'x', '00')"
ATTEMPTS = {
    "sqlite": [
        "UPDATE events SET state = x'00'",
        "UPDATE OR REPLACE events SET rowid = rowid + 1",
        "DELETE FROM events",
        "DELETE FROM events WHERE rowid = 2",
        f"INSERT INTO events {COLUMNS} VALUES {FORGED}",
        f"INSERT OR REPLACE INTO events {COLUMNS} VALUES {FORGED}",
        f"REPLACE INTO events {COLUMNS} VALUES {FORGED}",
        f"INSERT INTO events {COLUMNS} VALUES {FORGED} ON CONFLICT {KEY} {UPSERT}",
        "INSERT OR REPLACE INTO events VALUES (1, 'report:9', 1, 'x', x'00')",
        "INSERT INTO events VALUES (0, 'report:9', 1, 'x', x'00')",
        "INSERT INTO events VALUES (-1, 'report:9', 1, 'x', x'00')",
        "INSERT OR REPLACE INTO events VALUES (-7, 'report:9', 1, 'x', x'00')",
    ],
    "postgres": [
        "UPDATE ledger.events SET topic = 'x'",
        "UPDATE ledger.events SET topic = 'x' WHERE false",
        "DELETE FROM ledger.events",
        "DELETE FROM ledger.events WHERE notification_id = 2",
        "TRUNCATE ledger.events",
        f"INSERT INTO ledger.events {COLUMNS} VALUES {FORGED}",
        f"INSERT INTO ledger.events {COLUMNS} VALUES {FORGED} ON CONFLICT {KEY} {UPSERT}",
        "INSERT INTO ledger.events VALUES ('report:9', 1, 'x', '00', 1)",
        "INSERT INTO ledger.events OVERRIDING SYSTEM VALUE VALUES ('report:9', 1, 'x', '00', 1)",
        "MERGE INTO ledger.events USING (SELECT 1) AS one ON true WHEN MATCHED THEN DELETE",
    ],
}

# A statement that is merely wrong would prove nothing, so these are all that counts.
GUARDED = (
    sqlite3.IntegrityError,
    psycopg.errors.RaiseException,
    psycopg.errors.UniqueViolation,
    psycopg.errors.GeneratedAlways,
)


def attempts(place: Place) -> list[str]:
    """The statements that somebody with a console might try on this engine."""
    return ATTEMPTS["postgres" if isinstance(place, PostgresPlace) else "sqlite"]
