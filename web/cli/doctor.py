"""Is a home well? One line a check: ok, a warning, or an error with what to do.

The checks stand on each other: what cannot be opened is not looked into, and is said once. Nothing
is changed but what opening a ledger changes: whatever is missing of its triggers is put back.
"""

import shutil
import stat
from collections.abc import Callable, Iterator

import attrs
import click

from ledger import events as ev
from ledger.errors import NotFound, Refused
from ledger.store.looking import Looked, look_at
from ledger.values import Digest, short_instant
from projections.frozen import frozen_digests
from reports.fonts import installed
from web.cli.options import json_option
from web.cli.output import print_json, visible
from web.cli.sealing import NotSealedYet, log_of
from web.cli.session import Session, pass_session
from web.cli.upkeep import all_events
from web.health import LEAST_ROOM, MOST_LAG, NOTHING
from web.sealing_key import is_exposed
from web.wiring import HomeMissing, Workspace, exists, key_file

OK, WARNING, ERROR = "ok", "warning", "error"
LITTLE_ROOM = 1024**3
"""Bytes on the disk below which it is time to make room."""
MOST_SHOWN = 5


class Doubtful(Refused):
    """{what}."""


class Unwell(Refused):
    """{what}."""


class NotLookedAt(Refused):
    """It was not looked at, as {what} is not well."""


@attrs.frozen
class Found:
    """What a check came to."""

    name: str
    state: str
    said: str


@attrs.define
class Examined:
    """A home under examination; ``deep`` also reads all that is frozen."""

    session: Session
    deep: bool
    ill: set[str] = attrs.field(factory=set)

    @property
    def workspace(self) -> Workspace:
        """The open ledger; refused where opening it would only make things worse."""
        for name in ("home", "database"):
            if name in self.ill:
                raise NotLookedAt(what=f"the {name}")
        return self.session.workspace

    def looked(self) -> Looked:
        """The ledger's database, as it is before anybody opens it."""
        if "home" in self.ill:
            raise NotLookedAt(what="the home")
        return look_at(self.session.settings.ledger)


@click.command()
@click.option("--deep", is_flag=True, help="Also read every frozen file, which takes a while.")
@json_option
@pass_session
def doctor(session: Session, deep: bool, as_json: bool) -> None:
    """Check the home, the stores, the log and its key, the read model, the archive, the clock, the
    disk and the fonts; status 1 when one of them is not well."""
    examined = Examined(session, deep)
    results = []
    for name, check in CHECKS.items():
        found = _found(name, check, examined)
        results.append(found)
        if not as_json:
            click.echo(visible(f"{found.state:<8}{found.name}: {found.said}"))
    well = all(one.state != ERROR for one in results)
    if as_json:
        print_json({"well": well, "checks": [attrs.asdict(one) for one in results]})
    if not well:
        click.get_current_context().exit(1)


def _found(name: str, check: Callable[[Examined], str], examined: Examined) -> Found:
    try:
        return Found(name, OK, check(examined))
    except (Doubtful, NotSealedYet) as why:
        return Found(name, WARNING, str(why))
    except Exception as why:  # noqa: BLE001 -- whatever ails it, a doctor says what, and goes on
        examined.ill.add(name)
        return Found(name, ERROR, str(why) or type(why).__name__)


# --- the stores -------------------------------------------------------------------------------


def _home(examined: Examined) -> str:
    settings = examined.session.settings
    if not exists(settings):
        raise HomeMissing(name=settings.home)
    return str(settings.home.resolve())


def _database(examined: Examined) -> str:
    found = examined.looked()
    if not found.may_write:
        what = f"{found.version} lets us read and not write; see who owns it, and what it may do"
        raise Unwell(what=what)
    return f"{found.version}, and we may write to it"


def _triggers(examined: Examined) -> str:
    """Before the ledger is opened, which puts them back."""
    if "database" in examined.ill:
        raise NotLookedAt(what="the database")
    missing = examined.looked().unguarded
    if missing:
        what = (
            f"what keeps rows from being changed was taken away: {_some(missing)}. What is missing"
            " is put back now; drop what is there under its name and does something else."
            " corrigenda verify says whether anything was altered meanwhile"
        )
        raise Unwell(what=what)
    return "every recorded row is kept from being changed"


def _ledger(examined: Examined) -> str:
    return f"{examined.workspace.ledger.store.head()} is the last position"


def _private(examined: Examined) -> str:
    workspace = examined.workspace
    workspace.private.verify(NOTHING)
    settings = workspace.settings
    if settings.database_url is None:
        path = settings.home / "private.db"
        mode = stat.S_IMODE(path.stat().st_mode)
        if mode & 0o077:
            raise Doubtful(what=f"others may read {path} (mode {mode:04o}); chmod 600 it")
    return "it answers"


def _read_model(examined: Examined) -> str:
    workspace = examined.workspace
    head, reached = workspace.ledger.store.head(), workspace.follower.position()
    if reached > head:
        what = f"it has reached position {reached}, which is not recorded; corrigenda rebuild"
        raise Unwell(what=f"{what} makes it anew")
    if reached < head:
        what = f"it has reached position {reached} of {head}"
        if head - reached > MOST_LAG:
            raise Unwell(what=f"{what}; corrigenda rebuild brings it up")
        raise Doubtful(what=f"{what}; the next page, or corrigenda rebuild, brings it up")
    return f"it has reached position {reached}, in tables of this release"


# --- the log ----------------------------------------------------------------------------------


def _log(examined: Examined) -> str:
    _ = examined.workspace
    return log_of(examined.session)


def _key(examined: Examined) -> str:
    if "home" in examined.ill:
        raise NotLookedAt(what="the home")
    settings = examined.session.settings
    key = key_file(settings)
    if key.given is not None:
        return "it is given by CORRIGENDA_SIGNING_KEY"
    if not key.has_key():
        raise Unwell(what=f"there is none in {settings.key_file}; bring it back from a copy")
    if is_exposed(settings.key_file):
        raise Unwell(what=f"others may read {settings.key_file}; chmod 600 it")
    return f"{settings.key_file} is there for its owner alone"


# --- the archive ------------------------------------------------------------------------------


def _archive(examined: Examined) -> str:
    """Whether every snapshot that a reading names is there, and what it is named by."""
    workspace = examined.workspace
    digests = list(_read_digests(workspace) if examined.deep else _listed_digests(workspace))
    archive = workspace.ledger.archive
    wrong: list[str] = []
    for digest in digests:
        try:
            if examined.deep:
                archive.check(digest)
            elif not archive.has(digest):
                raise NotFound(what="archived file", name=digest)
        except Refused as why:
            wrong.append(str(why))
    if wrong:
        raise Unwell(what=f"{_some(wrong, ' ')} Bring them back from a copy of the archive")
    said = "and give their SHA-256" if examined.deep else "by their names (--deep reads them)"
    return f"{len(digests)} snapshots are there {said}"


def _listed_digests(workspace: Workspace) -> Iterator[Digest]:
    with workspace.views.read() as reader:
        yield from frozen_digests(reader)


def _read_digests(workspace: Workspace) -> Iterator[Digest]:
    """From the events themselves, each once."""
    found = (
        record.event.digest
        for record in all_events(workspace)
        if isinstance(record.event, ev.SourceFrozen)
    )
    yield from dict.fromkeys(found)


def _some(wrong: list[str] | tuple[str, ...], between: str = ", ") -> str:
    more = f"{between}And {len(wrong) - MOST_SHOWN} more." if len(wrong) > MOST_SHOWN else ""
    return between.join(wrong[:MOST_SHOWN]) + more


# --- the machine ------------------------------------------------------------------------------


def _disk(examined: Examined) -> str:
    if "home" in examined.ill:
        raise NotLookedAt(what="the home")
    archive = examined.session.settings.archive
    free = shutil.disk_usage(archive).free
    what = f"{free // 2**20:,} MiB are free where the archive is"
    if free < LEAST_ROOM:
        raise Unwell(what=f"only {what}; make room")
    if free < LITTLE_ROOM:
        raise Doubtful(what=f"only {what}; make room soon")
    return what


def _clock(examined: Examined) -> str:
    ledger = examined.workspace.ledger
    now, last = ledger.clock(), ledger.store.recorded_at(ledger.store.head())
    if last is not None and now < last:
        what = (
            f"it says {short_instant(now)}, and the last event was recorded at"
            f" {short_instant(last)}; set the clock, or all that is recorded until then bears that"
            " instant"
        )
        raise Unwell(what=what)
    return f"it says {short_instant(now)}, which is not before the last event"


def _fonts(_: Examined) -> str:
    try:
        found = installed()
    except Refused as why:
        raise Doubtful(what=str(why).rstrip(".")) from None
    return f"the {len(found)} families that paper is printed with are installed"


CHECKS: dict[str, Callable[[Examined], str]] = {
    "home": _home,
    "database": _database,
    "triggers": _triggers,
    "ledger": _ledger,
    "log": _log,
    "key": _key,
    "read model": _read_model,
    "private store": _private,
    "archive": _archive,
    "disk": _disk,
    "clock": _clock,
    "fonts": _fonts,
}
