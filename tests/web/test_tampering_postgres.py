"""Alterations of a home whose stores are in PostgreSQL are found and named as well."""

from tests.web.tampered import OnPostgres

ON_POSTGRES = {
    "event-changed": (
        "UPDATE ledger.events SET state = convert_to(replace(convert_from(state, 'UTF8'),"
        " '\"ada\"', '\"eve\"'), 'UTF8') WHERE notification_id = 280"
    ),
    "events-cut-off": "DELETE FROM ledger.events WHERE notification_id = 308",
    "event-removed": "DELETE FROM ledger.events WHERE notification_id = 206",
    "tile-changed": "UPDATE ledger.log_subtrees SET hash = sha256('')",
    "checkpoint-missing": "DELETE FROM ledger.log_checkpoints WHERE size = 307",
    "row-changed": "UPDATE views.g1_claim_version SET score = '1' WHERE name = 'Wren 042'",
}


def test_alterations_in_postgresql_are_named(on_postgres: OnPostgres) -> None:
    """One after the other, each on the whole home: what is undone holds again."""
    tables = ("ledger.events", "ledger.log_subtrees", "ledger.log_checkpoints")
    on_postgres.alter(
        "CREATE SCHEMA safe",
        *(
            f"CREATE TABLE safe.{name.partition('.')[2]} AS TABLE {name}"
            for name in (*tables, "views.g1_claim_version")
        ),
    )
    assert on_postgres.wrong() == []
    for kind, statement in ON_POSTGRES.items():
        on_postgres.alter(statement)
        assert kind in [found for found, _ in on_postgres.wrong()], kind
        for name in (*tables, "views.g1_claim_version"):
            over = " OVERRIDING SYSTEM VALUE" if name == "ledger.events" else ""
            safe = f"safe.{name.partition('.')[2]}"
            on_postgres.alter(
                f"DELETE FROM {name}", f"INSERT INTO {name}{over} SELECT * FROM {safe}"
            )
    assert on_postgres.wrong() == []
