"""Settings → ledger, read model and private store, with the clock and randomness they are given."""

import logging
import secrets
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

import attrs

from ledger.archive import Archive
from ledger.decision import TwoPersonRule
from ledger.errors import Busy, NotFound, Refused
from ledger.importing.snapshot import BoardImporter
from ledger.ledger import Ledger
from ledger.seal import NoKey, Seals
from ledger.sealing.keys import named_key
from ledger.store import open_store
from ledger.store.looking import NoDatabase
from ledger.values import Instant
from projections.keeping.crew import Crew
from projections.keeping.follow import Follower
from projections.keeping.views import Views, open_views
from projections.known import KnownToViews
from projections.moment import Moment, moment_at
from web.private import PrivateStore, open_private
from web.replica import Replica
from web.sealing_key import KeyFile
from web.settings import Settings

LOG = logging.getLogger("corrigenda")


def utc_now() -> Instant:
    """The server's clock."""
    return datetime.now(UTC)


def random_salt() -> str:
    """128 random bits in hexadecimal."""
    return secrets.token_hex(16)


def random_nonce() -> bytes:
    """128 random bits, which keep a short text from being found by trying."""
    return secrets.token_bytes(16)


def random_secret() -> bytes:
    """256 random bits: the secret half of a key."""
    return secrets.token_bytes(32)


class HomeMissing(NotFound):
    """There is no ledger at {name} yet; run corrigenda init, or corrigenda demo for the sample
    pages."""


@attrs.frozen
class Workspace:
    """One ledger with its read model and its private store, open."""

    settings: Settings
    ledger: Ledger
    views: Views
    follower: Follower
    private: PrivateStore
    seals: Seals
    replica: Replica | None = None

    def catch_up(self) -> None:
        """Let the read model, and the sealed log, hold all that is recorded."""
        self.follower.catch_up()
        self.seal()

    def seal(self) -> None:
        """Seal what is recorded, where there is a key to sign with.

        What was recorded is recorded, whatever comes of this: so it is said, and refuses nothing.
        The next who comes here, or who asks for a checkpoint, seals what is left.
        """
        try:
            self.seals.seal()
        except NoKey as why:
            LOG.debug("nothing was sealed: %s", why)
        except Busy:
            LOG.info("nothing was sealed: somebody else was writing for long")
        except Refused as why:
            LOG.error("nothing was sealed: %s", why)  # noqa: TRY400 -- it says what to do

    def moment(
        self,
        *,
        as_read_on: str | None = None,
        corrected: str | None = None,
        recorded_through: str | None = None,
        published_by: str | None = None,
        day_named: str | None = None,
    ) -> Moment:
        """The moment asked for, by this ledger's clock: see :mod:`projections.moment`."""
        return moment_at(
            self.ledger.store,
            self.ledger.clock(),
            as_read_on=as_read_on,
            corrected=corrected,
            recorded_through=recorded_through,
            published_by=published_by,
            day_named=day_named,
        )

    def importer(self, by: str, *, dry_run: bool = False) -> BoardImporter:
        """An importer that compares with what this ledger holds."""
        return BoardImporter(self.ledger, self.known(), by, dry_run)

    def known(self) -> KnownToViews:
        """What imports have to know of this ledger."""
        return KnownToViews(self.ledger.store, self.views, self.follower)

    def close(self) -> None:
        """Give everything back."""
        self.ledger.store.close()
        self.views.close()
        self.private.close()
        if self.replica is not None:
            self.replica.close()


def exists(settings: Settings) -> bool:
    """Whether ``init`` was run here."""
    return settings.archive.is_dir()


def make_home(settings: Settings) -> None:
    """What ``init`` makes: the folder and the archive in it (the stores make themselves)."""
    settings.archive.mkdir(parents=True, exist_ok=True)


def open_workspace(
    settings: Settings,
    *,
    clock: Callable[[], Instant] = utc_now,
    salt: Callable[[], str] = random_salt,
    nonce: Callable[[], bytes] = random_nonce,
) -> Workspace:
    """Open what ``init`` made; refused where there is none."""
    if not exists(settings):
        raise HomeMissing(name=settings.home)
    _refuse_what_lost_its_ledger(settings)
    store = open_store(settings.ledger, clock=clock, salt=salt)
    views = open_views(settings.views)
    private = open_private(settings.private, clock=clock, nonce=nonce)
    rule = TwoPersonRule() if settings.two_person else None
    ledger = Ledger(store, Archive(settings.archive), clock, rule)
    seals = Seals(store, key_file(settings))
    replica = Replica(settings.read_url, clock) if settings.read_url else None
    follower = Follower(store, views, crew=Crew(str(settings.ledger), str(settings.views)))
    return Workspace(settings, ledger, views, follower, private, seals, replica)


def _refuse_what_lost_its_ledger(settings: Settings) -> None:
    """An empty ledger in the place of one that is gone would look well, and be backed up."""
    if settings.database_url is not None:
        return
    # Asked in this order, as whoever makes a home makes the ledger before the private store.
    was_in_use = Path(settings.private).exists()
    if was_in_use and not Path(settings.ledger).exists():
        raise NoDatabase(name=settings.ledger)


def key_file(settings: Settings) -> KeyFile:
    """Where the key that signs checkpoints is."""
    return KeyFile(settings.key_file, settings.signing_key)


def make_key(workspace: Workspace, secret: Callable[[], bytes] = random_secret) -> None:
    """What ``init`` makes once the stores are open: a key for the log, unless it has one.

    Raises ``BadValue`` when the settings give the log a name that no key can bear.
    """
    settings, keys = workspace.settings, key_file(workspace.settings)
    if keys.is_made() or workspace.seals.keys():
        return
    keys.make(named_key(secret(), log_name=settings.log_name, address=settings.address))
