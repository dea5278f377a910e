"""Settings → ledger, read model and private store, with the clock and randomness they are given."""

import secrets
from collections.abc import Callable
from datetime import UTC, datetime

import attrs

from ledger.archive import Archive
from ledger.decision import TwoPersonRule
from ledger.errors import NotFound
from ledger.importing.snapshot import BoardImporter
from ledger.ledger import Ledger
from ledger.store import open_store
from ledger.values import Instant
from projections.follow import Follower
from projections.known import KnownToViews
from projections.moment import Moment, moment_at
from projections.views import Views, open_views
from web.private import PrivateStore, open_private
from web.settings import Settings


def utc_now() -> Instant:
    """The server's clock."""
    return datetime.now(UTC)


def random_salt() -> str:
    """128 random bits in hexadecimal."""
    return secrets.token_hex(16)


def random_nonce() -> bytes:
    """128 random bits, which keep a short text from being found by trying."""
    return secrets.token_bytes(16)


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

    def moment(
        self,
        *,
        as_read_on: str | None = None,
        corrected: str | None = None,
        recorded_through: str | None = None,
        published_by: str | None = None,
    ) -> Moment:
        """The moment asked for, by this ledger's clock: see :mod:`projections.moment`."""
        return moment_at(
            self.ledger.store,
            self.ledger.clock(),
            as_read_on=as_read_on,
            corrected=corrected,
            recorded_through=recorded_through,
            published_by=published_by,
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
    store = open_store(settings.ledger, clock=clock, salt=salt)
    views = open_views(settings.views)
    private = open_private(settings.private, clock=clock, nonce=nonce)
    rule = TwoPersonRule() if settings.two_person else None
    ledger = Ledger(store, Archive(settings.archive), clock, rule)
    return Workspace(settings, ledger, views, Follower(store, views), private)
