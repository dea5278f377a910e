"""The three roles of a PostgreSQL database, as SQL that a person reads before running it.

The owner owns the ledger, the web role is what serves day by day, the read role is for replicas.
Who serves can add events and sealed entries and read them; changing or removing them takes the
owner, whether the triggers are there or not.
"""

import re

import attrs

from ledger.errors import BadValue

NAME = re.compile(r"[a-z_][a-z0-9_]{0,62}")
RESERVED = ("pg_", "public", "none")

SEALED = ("log_bundles", "log_subtrees", "log_checkpoints", "log_keys")

SCRIPT = """\
-- The roles of a Corrigenda database. Run it in that database, as a superuser, once
-- `corrigenda init` was run as {owner}; and again whenever {owner} ran init, rebuild or migrate:
--   corrigenda database roles | psql -v ON_ERROR_STOP=1 --single-transaction DATABASE
-- It gives no passwords: say \\password {web} in psql, or let pg_hba.conf decide.

DO $$
DECLARE role text;
BEGIN
    FOREACH role IN ARRAY ARRAY['{owner}', '{web}', '{read}'] LOOP
        IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = role) THEN
            EXECUTE format('CREATE ROLE %I LOGIN', role);
        END IF;
        EXECUTE format('ALTER ROLE %I NOSUPERUSER NOCREATEDB NOCREATEROLE NOREPLICATION'
            ' NOBYPASSRLS', role);
        EXECUTE format('GRANT CONNECT ON DATABASE %I TO %I', current_database(), role);
    END LOOP;
    EXECUTE format('REVOKE ALL ON DATABASE %I FROM PUBLIC', current_database());
END $$;

-- What {web} may do in views and private, {owner} may do too. Never the other way round.
GRANT {web} TO {owner};

-- Nobody has anything here but what follows.
REVOKE ALL ON SCHEMA ledger, views, private FROM PUBLIC, {web}, {read};
REVOKE ALL ON ALL TABLES IN SCHEMA ledger, views, private FROM PUBLIC, {web}, {read};
REVOKE ALL ON ALL SEQUENCES IN SCHEMA ledger, views, private FROM PUBLIC, {web}, {read};
REVOKE ALL ON ALL FUNCTIONS IN SCHEMA ledger FROM PUBLIC, {web}, {read};
ALTER SCHEMA ledger OWNER TO {owner};
ALTER SCHEMA views OWNER TO {owner};
ALTER SCHEMA private OWNER TO {owner};

-- ledger: {owner}'s. {web} adds and reads; the position of an event is not for it to choose.
{ledger}
ALTER FUNCTION ledger.events_stay() OWNER TO {owner};
ALTER FUNCTION ledger.seals_stay() OWNER TO {owner};
ALTER FUNCTION ledger.lock_events() OWNER TO {owner};
ALTER FUNCTION ledger.lock_log() OWNER TO {owner};
GRANT USAGE ON SCHEMA ledger TO {web}, {read};
GRANT SELECT ON ALL TABLES IN SCHEMA ledger TO {web}, {read};
GRANT INSERT (originator_id, originator_version, topic, state) ON ledger.events TO {web};
GRANT INSERT ON {sealed} TO {web};
GRANT EXECUTE ON FUNCTION ledger.lock_events(), ledger.lock_log() TO {web};

-- views: worked out from the ledger, made anew by whoever serves. private: erasing a text writes
-- its table anew, which only the table's owner may.
GRANT USAGE, CREATE ON SCHEMA views TO {web};
GRANT USAGE ON SCHEMA private TO {web};
GRANT USAGE ON SCHEMA views TO {read};
DO $$
DECLARE found regclass;
BEGIN
    FOR found IN
        SELECT oid FROM pg_class WHERE relkind = 'r'
        AND relnamespace IN ('views'::regnamespace, 'private'::regnamespace)
    LOOP
        EXECUTE format('ALTER TABLE %s OWNER TO %I', found, '{web}');
    END LOOP;
END $$;
GRANT ALL ON ALL TABLES IN SCHEMA views, private TO {web};
GRANT ALL ON ALL SEQUENCES IN SCHEMA views, private TO {web};
GRANT SELECT ON ALL TABLES IN SCHEMA views TO {read};

-- What comes later, until this is run again.
ALTER DEFAULT PRIVILEGES FOR ROLE {owner}, {web} IN SCHEMA views GRANT SELECT ON TABLES TO {read};
ALTER DEFAULT PRIVILEGES FOR ROLE {owner} IN SCHEMA views, private GRANT ALL ON TABLES TO {web};
ALTER DEFAULT PRIVILEGES FOR ROLE {owner} IN SCHEMA views, private GRANT ALL ON SEQUENCES TO {web};
"""


@attrs.frozen
class Roles:
    """Three different names that need no quoting. Raises ``BadValue`` for others."""

    owner: str
    web: str
    read: str

    def __attrs_post_init__(self) -> None:
        for name in (self.owner, self.web, self.read):
            if NAME.fullmatch(name) is None or name.startswith(RESERVED):
                why = "use small letters, digits and underscores, and no name of PostgreSQL's own"
                raise BadValue(what="role", shown=repr(name), why=why)
        if len({self.owner, self.web, self.read}) < 3:
            raise BadValue(what="role", shown=repr(self.web), why="give three different names")

    def script(self) -> str:
        """What sets them up in a database that ``init`` made; it may be run again at any time."""
        quoted = {name: f'"{value}"' for name, value in attrs.asdict(self).items()}
        tables = [f"ledger.{name}" for name in ("events", *SEALED)]
        ledger = "\n".join(f"ALTER TABLE {name} OWNER TO {quoted['owner']};" for name in tables)
        text = SCRIPT.replace("{ledger}", ledger).replace("{sealed}", ", ".join(tables[1:]))
        for name, value in attrs.asdict(self).items():
            # Inside of quotes the bare name, elsewhere an identifier.
            text = text.replace(f"'{{{name}}}'", f"'{value}'")
            text = text.replace(f"{{{name}}}", quoted[name])
        return text
