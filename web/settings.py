"""Typed settings from the environment; nothing else reads it."""

import os
from collections.abc import Mapping
from pathlib import Path
from urllib.parse import urlsplit

import attrs

from ledger.errors import BadValue

DEFAULT_HOME = "./var"
SWITCH = {"on": True, "off": False}
JSON, SILENT = "json", "off"
SHORTEST_TOKEN = 16


@attrs.frozen(kw_only=True)
class Settings:
    """Where a ledger lives, and who is at the keyboard.

    ``database_url`` is set when the three stores are schemas of one PostgreSQL database; otherwise
    they are three SQLite files in ``home``. The archive of frozen bytes is in ``home`` either way.
    ``read_url`` is a server that follows that database; public pages are read there.
    ``two_person`` says whether removals, decisions on many claims, and those that change a number
    one take a second person. ``proxies`` is how many servers of our own stand before this one and
    say whom they speak for. ``address`` is where people reach the pages, such as
    ``https://corrections.example.org``; feeds and messages have it in their links.
    ``webhook_url`` with its secret, and ``smtp_url`` with the sender ``mail_from``, are how people
    are told of what happens to reports (:mod:`web.telling.outgoing`). ``signing_key`` signs
    checkpoints in place of the key in ``home``; ``log_name`` is what a new key calls the log.
    ``state`` is the user's own folder, outside of every home, for what was seen of logs.
    ``log`` says how requests are logged (``json`` or ``off``); ``metrics_token`` is what whoever
    asks for ``/metrics`` has to show.
    """

    home: Path
    database_url: str | None = None
    read_url: str | None = attrs.field(default=None, repr=False)
    by: str | None = None
    two_person: bool = True
    proxies: int = 0
    address: str | None = None
    webhook_url: str | None = None
    webhook_secret: str | None = attrs.field(default=None, repr=False)
    smtp_url: str | None = attrs.field(default=None, repr=False)
    mail_from: str | None = None
    signing_key: str | None = attrs.field(default=None, repr=False)
    log_name: str | None = None
    state: Path = Path("~/.local/state")
    log: str = SILENT
    metrics_token: str | None = attrs.field(default=None, repr=False)

    @classmethod
    def from_environment(cls, environment: Mapping[str, str] = os.environ) -> "Settings":
        """``CORRIGENDA_HOME``, ``CORRIGENDA_DATABASE_URL``, ``CORRIGENDA_READ_URL`` (an address of
        PostgreSQL, beside the former), ``CORRIGENDA_BY``,
        ``CORRIGENDA_TWO_PERSON`` (on or off), ``CORRIGENDA_PROXIES`` (a number),
        ``CORRIGENDA_ADDRESS``, ``CORRIGENDA_WEBHOOK_URL``, ``CORRIGENDA_WEBHOOK_SECRET``,
        ``CORRIGENDA_SMTP_URL``, ``CORRIGENDA_MAIL_FROM``, ``CORRIGENDA_SIGNING_KEY``,
        ``CORRIGENDA_LOG_NAME``, ``CORRIGENDA_LOG`` (json or off), ``CORRIGENDA_METRICS_TOKEN``, and
        ``XDG_STATE_HOME`` (where it is absolute)."""
        return cls(
            home=Path(environment.get("CORRIGENDA_HOME") or DEFAULT_HOME),
            database_url=environment.get("CORRIGENDA_DATABASE_URL") or None,
            read_url=_read_url(environment),
            by=environment.get("CORRIGENDA_BY") or None,
            two_person=_switch(environment, "CORRIGENDA_TWO_PERSON"),
            proxies=_count(environment, "CORRIGENDA_PROXIES"),
            address=_address(environment, "CORRIGENDA_ADDRESS"),
            webhook_url=environment.get("CORRIGENDA_WEBHOOK_URL") or None,
            webhook_secret=environment.get("CORRIGENDA_WEBHOOK_SECRET") or None,
            smtp_url=environment.get("CORRIGENDA_SMTP_URL") or None,
            mail_from=environment.get("CORRIGENDA_MAIL_FROM") or None,
            signing_key=environment.get("CORRIGENDA_SIGNING_KEY") or None,
            log_name=environment.get("CORRIGENDA_LOG_NAME") or None,
            state=_state(environment),
            log=_one_of(environment, "CORRIGENDA_LOG", SILENT, JSON),
            metrics_token=_token(environment, "CORRIGENDA_METRICS_TOKEN"),
        )

    @property
    def ledger(self) -> str:
        """Where the events are."""
        return self.database_url or str(self.home / "ledger.db")

    @property
    def seen(self) -> Path:
        """Where it is remembered what was seen of logs."""
        return self.state / "corrigenda" / "seen"

    @property
    def views(self) -> str:
        """Where the read model is."""
        return self.database_url or str(self.home / "views.db")

    @property
    def private(self) -> str:
        """Where contacts, notes and drafts are."""
        return self.database_url or str(self.home / "private.db")

    @property
    def key_file(self) -> Path:
        """Where the key that signs checkpoints is."""
        return self.home / "checkpoint.key"

    @property
    def archive(self) -> Path:
        """Where the frozen bytes are."""
        return self.home / "archive"


def _read_url(environment: Mapping[str, str]) -> str | None:
    """Where to read from; only a database of PostgreSQL has a server that follows it."""
    value = environment.get("CORRIGENDA_READ_URL") or None
    if value is None:
        return None
    # The value is not shown: it may hold a password.
    if not value.startswith(("postgresql://", "postgres://")):
        why = "give postgresql://…"
    elif not environment.get("CORRIGENDA_DATABASE_URL"):
        why = "set CORRIGENDA_DATABASE_URL as well, to the database that it follows"
    else:
        return value
    raise BadValue(what="CORRIGENDA_READ_URL", shown="as it is", why=why)


def _state(environment: Mapping[str, str]) -> Path:
    """Where a program keeps what should last, by the XDG base directory specification."""
    named = Path(environment.get("XDG_STATE_HOME") or "")
    return named if named.is_absolute() else Path("~/.local/state").expanduser()


def _switch(environment: Mapping[str, str], name: str) -> bool:
    """A setting that is on unless it is switched off; a misspelt one must not switch anything."""
    value = environment.get(name) or "on"
    if value not in SWITCH:
        raise BadValue(what=name, shown=repr(value), why="it is on or off")
    return SWITCH[value]


def _one_of(environment: Mapping[str, str], name: str, usual: str, *others: str) -> str:
    """One of a few words."""
    value = environment.get(name) or usual
    if value not in (usual, *others):
        known = " or ".join((*others, usual))
        raise BadValue(what=name, shown=repr(value), why=f"it is {known}")
    return value


def _token(environment: Mapping[str, str], name: str) -> str | None:
    """A secret that nobody guesses; it is not shown in what is said of it."""
    value = environment.get(name) or None
    if value is not None and not (value.isascii() and len(value) >= SHORTEST_TOKEN):
        why = f"it has at least {SHORTEST_TOKEN} letters and digits; openssl rand -hex 32 makes one"
        raise BadValue(what=name, shown="(not shown)", why=why)
    return value


def _count(environment: Mapping[str, str], name: str) -> int:
    """A small number; nothing is none."""
    value = environment.get(name) or "0"
    if len(value) != 1 or value not in "0123456789":
        raise BadValue(what=name, shown=repr(value), why="it is a number from 0 to 9")
    return int(value)


def _address(environment: Mapping[str, str], name: str) -> str | None:
    """An http address without a path; a slash at its end is dropped."""
    value = (environment.get(name) or "").rstrip("/")
    if not value:
        return None
    parts = urlsplit(value)
    if parts.scheme not in ("http", "https") or value != f"{parts.scheme}://{parts.netloc}":
        raise BadValue(what=name, shown=repr(value), why="write it as https://name")
    return value
