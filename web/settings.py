"""Typed settings from the environment; nothing else reads it."""

import os
from collections.abc import Mapping
from pathlib import Path

import attrs

DEFAULT_HOME = "./var"


@attrs.frozen(kw_only=True)
class Settings:
    """Where a ledger lives, and who is at the keyboard.

    ``database_url`` is set when the three stores are schemas of one PostgreSQL database; otherwise
    they are three SQLite files in ``home``. The archive of frozen bytes is in ``home`` either way.
    """

    home: Path
    database_url: str | None = None
    by: str | None = None

    @classmethod
    def from_environment(cls, environment: Mapping[str, str] = os.environ) -> "Settings":
        """``CORRIGENDA_HOME``, ``CORRIGENDA_DATABASE_URL`` and ``CORRIGENDA_BY``."""
        return cls(
            home=Path(environment.get("CORRIGENDA_HOME") or DEFAULT_HOME),
            database_url=environment.get("CORRIGENDA_DATABASE_URL") or None,
            by=environment.get("CORRIGENDA_BY") or None,
        )

    @property
    def ledger(self) -> str:
        """Where the events are."""
        return self.database_url or str(self.home / "ledger.db")

    @property
    def views(self) -> str:
        """Where the read model is."""
        return self.database_url or str(self.home / "views.db")

    @property
    def private(self) -> str:
        """Where contacts, notes and drafts are."""
        return self.database_url or str(self.home / "private.db")

    @property
    def archive(self) -> Path:
        """Where the frozen bytes are."""
        return self.home / "archive"
