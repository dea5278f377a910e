"""Three roles on a real server: what each may do, and above all what it may not."""

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import attrs
import psycopg
import pytest
from psycopg.errors import InsufficientPrivilege

from tests.postgres import Server
from tests.web.corrigenda import Corrigenda
from web.private import open_private
from web.private.store import NotCleaned
from web.roles import Roles
from web.wiring import random_nonce, utc_now

TABLES = ("events", "log_bundles", "log_subtrees", "log_checkpoints", "log_keys")
BOARD = "model,score\nAlpha,72.5\nBeta,71.0\n"
ABOUT = ("--source", "toy-board", "--benchmark", "toy", "--benchmark-name", "Toy", "--unit", "%")


@attrs.frozen
class Database:
    """A ledger on the server with its roles, and its home."""

    server: Server
    name: str
    roles: Roles
    home: Path

    def url(self, role: str) -> str:
        """The address for a role."""
        return self.server.url(self.name, user=role)

    def run(self, role: str, *statements: str) -> list[tuple[object, ...]]:
        """What a role gets for statements in one transaction; the rows of the last."""
        with psycopg.connect(self.url(role)) as connection:
            for statement in statements:
                cursor = connection.execute(statement.encode())
            return cursor.fetchall() if cursor.description else []

    def refused(self, role: str, statement: str) -> None:
        """A statement is refused for want of a right, and not for anything else."""
        with pytest.raises(InsufficientPrivilege):
            self.run(role, statement)


@pytest.fixture
def database(
    postgres_url: str, postgres_server: Server, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Iterator[Database]:
    """Made by the owner with ``init``, a board imported and the SQL run as it is printed; from
    then on whoever runs the command is the web role."""
    name = postgres_url.rpartition("/")[2]
    roles = Roles("corrigenda", f"web_{name}", f"read_{name}")
    made = Database(postgres_server, name, roles, tmp_path / "home")
    corrigenda = Corrigenda(made.home)
    monkeypatch.setenv("CORRIGENDA_DATABASE_URL", made.url("corrigenda"))
    corrigenda.done("init")
    words = ("--owner", roles.owner, "--web", roles.web, "--read", roles.read)
    script = corrigenda.done("database", "roles", *words)
    made.run("postgres", script)
    made.run("postgres", script)  # Once more changes nothing.
    for role in (roles.web, roles.read):
        made.run("postgres", f"ALTER ROLE {role} PASSWORD '{postgres_server.password}'")
    monkeypatch.setenv("CORRIGENDA_DATABASE_URL", made.url(roles.web))
    yield made
    for role in (roles.web, roles.read):
        made.run("postgres", f"REASSIGN OWNED BY {role} TO corrigenda", f"DROP OWNED BY {role}")
        made.run("postgres", f"DROP ROLE {role}")


@pytest.fixture
def lived_in(database: Database, tmp_path: Path) -> Database:
    """A day's work by the web role: an import, a person, a report, a decision, a checkpoint."""
    corrigenda = Corrigenda(database.home)
    file = tmp_path / "2025-02-07T191510Z.csv"
    file.write_text(BOARD, encoding="utf-8")
    corrigenda.done("import", *ABOUT, str(file))
    corrigenda.done("user", "add", "mira", "--role", "reviewer", "--one-time")
    claim = corrigenda.json("board", "toy")["rows"][0]["claim_id"]
    words = ("--reason", "wrong-value", "--words", "It says something else.")
    corrigenda.done("report", "file", "--target", f"claims/{claim}", *words)
    return database


@pytest.mark.postgres
def test_the_product_runs_with_the_web_role(lived_in: Database) -> None:
    """Day by day nothing needs more: it imports, reports, seals, rebuilds, verifies, and opens."""
    corrigenda = Corrigenda(lived_in.home)
    corrigenda.done("checkpoint")
    corrigenda.done("rebuild")
    corrigenda.done("rebuild")
    corrigenda.done("doctor")
    assert corrigenda.json("verify")["holds"]
    # What the web role made anew is for replicas to read as well.
    live = lived_in.run(lived_in.roles.read, "SELECT live FROM views.generation")[0][0]
    assert lived_in.run(lived_in.roles.read, f"SELECT count(*) FROM views.g{live}_alias")


@pytest.mark.postgres
def test_the_web_role_changes_nothing_that_is_recorded(lived_in: Database) -> None:
    """Also with the triggers dropped by the owner: it has no right to."""
    web = lived_in.roles.web
    before = {name: lived_in.run(web, f"SELECT * FROM ledger.{name}") for name in TABLES}
    assert before["events"]
    assert before["log_checkpoints"]
    for table in TABLES:
        guard = "events_stay" if table == "events" else "seals_stay"
        lived_in.refused(web, f"DROP TRIGGER {guard} ON ledger.{table}")
        lived_in.refused(web, f"ALTER TABLE ledger.{table} DISABLE TRIGGER ALL")
        lived_in.run("corrigenda", f"DROP TRIGGER {guard} ON ledger.{table}")
    for table in TABLES:
        column = "topic" if table == "events" else "entries"
        column = {"log_subtrees": "hash", "log_keys": "note"}.get(table, column)
        lived_in.refused(web, f"UPDATE ledger.{table} SET {column} = {column}")
        lived_in.refused(web, f"DELETE FROM ledger.{table}")
        lived_in.refused(web, f"TRUNCATE ledger.{table}")
        lived_in.refused(web, f"DROP TABLE ledger.{table}")
        lived_in.refused(web, f"ALTER TABLE ledger.{table} ADD COLUMN more text")
        lived_in.refused(web, f"LOCK TABLE ledger.{table} IN ACCESS EXCLUSIVE MODE")
        assert lived_in.run(web, f"SELECT * FROM ledger.{table}") == before[table]
    # The owner could, now; so it was the right that was missing, and not the row.
    with pytest.raises(psycopg.errors.CheckViolation):
        lived_in.run("corrigenda", "UPDATE ledger.events SET originator_version = -1")


@pytest.mark.postgres
def test_the_web_role_chooses_no_position_and_makes_nothing(lived_in: Database) -> None:
    """An event gets its place from the table; and no function of the ledger can be replaced."""
    web = lived_in.roles.web
    columns = "(notification_id, originator_id, originator_version, topic, state)"
    values = "(1000, 'report:9', 1, 'x', '')"
    lived_in.refused(
        web, f"INSERT INTO ledger.events {columns} OVERRIDING SYSTEM VALUE VALUES {values}"
    )
    with (
        psycopg.connect(lived_in.url(web)) as connection,
        connection.cursor() as cursor,
        pytest.raises(InsufficientPrivilege),
        cursor.copy(f"COPY ledger.events {columns} FROM STDIN".encode()),
    ):
        pass
    lived_in.refused(web, "SELECT setval('ledger.events_notification_id_seq', 1)")
    lived_in.refused(web, "CREATE TABLE ledger.more (one int)")
    lived_in.refused(web, "CREATE SCHEMA more")
    lived_in.refused(web, "DROP SCHEMA ledger CASCADE")
    lived_in.refused(web, "DROP FUNCTION ledger.lock_events()")
    lived_in.refused(web, "ALTER FUNCTION ledger.events_stay() RENAME TO gone")
    lived_in.refused(web, f"SET ROLE {lived_in.roles.owner}")


@pytest.mark.postgres
def test_the_read_role_reads_the_ledger_and_the_views_alone(lived_in: Database) -> None:
    """It writes nothing, locks nothing, and nothing private is there for it."""
    read = lived_in.roles.read
    assert lived_in.run(read, "SELECT * FROM ledger.events")
    assert lived_in.run(read, "SELECT * FROM views.generation")
    lived_in.refused(read, "SELECT * FROM private.words")
    lived_in.refused(read, "INSERT INTO ledger.events (originator_id) VALUES ('x')")
    lived_in.refused(read, "INSERT INTO ledger.log_subtrees VALUES (1, 0, '')")
    lived_in.refused(read, "SELECT ledger.lock_events()")
    lived_in.refused(read, "SELECT ledger.lock_log()")
    lived_in.refused(read, "UPDATE views.generation SET live = 1")
    lived_in.refused(read, "DELETE FROM views.generation")
    lived_in.refused(read, "CREATE TABLE views.more (one int)")


@pytest.mark.postgres
def test_the_web_role_erases_for_good_and_the_others_say_that_they_do_not(
    lived_in: Database,
) -> None:
    """An erased text leaves the table's file, which takes the table's owner; who is none is told,
    where PostgreSQL itself would only warn."""
    digest = None
    with closing(
        open_private(lived_in.url(lived_in.roles.web), clock=utc_now, nonce=random_nonce)
    ) as private:
        digest = private.keep_words("Forget me.")
        file = lived_in.run("corrigenda", "SELECT pg_relation_filepath('private.words')")
        assert private.erase(digest)
        assert lived_in.run("corrigenda", "SELECT pg_relation_filepath('private.words')") != file
        digest = private.keep_words("Forget me too.")
        lived_in.run("postgres", "ALTER TABLE private.words OWNER TO postgres")
        lived_in.run("postgres", f"GRANT ALL ON private.words TO {lived_in.roles.web}")
        with pytest.raises(NotCleaned, match="corrigenda database roles"):
            private.erase(digest)
    lived_in.run("postgres", f"ALTER TABLE private.words OWNER TO {lived_in.roles.web}")


@pytest.mark.parametrize(
    "names",
    [("a", "b", "b"), ("A", "b", "c"), ("a", 'b"; DROP', "c"), ("a", "pg_b", "c"), ("", "b", "c")],
)
def test_a_name_that_is_no_role_is_refused(tmp_path: Path, names: tuple[str, ...]) -> None:
    """Nothing that needs quoting comes into the SQL."""
    options = zip(("--owner", "--web", "--read"), names, strict=True)
    words = [word for option in options for word in option]
    assert "role" in Corrigenda(tmp_path).refused("database", "roles", *words)
