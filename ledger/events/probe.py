"""Windows of days in which links were probed."""

from ledger.events.parts import fact
from ledger.values import Digest, Instant, PartialDate, Slug


@fact
class ProbeWindowOpened:
    """From ``first_day`` to ``last_day`` (UTC, both included) links are probed.

    ``links`` are those that are to be probed, where that is known; ``links_stated`` how many there
    are, where only that is. ``about`` is the page that they belong to (``papers/2402.14658``).
    """

    slug: Slug
    subject: str
    first_day: PartialDate
    last_day: PartialDate
    about: str | None = None
    links: tuple[str, ...] = ()
    links_stated: int | None = None
    source: Slug | None = None
    read_at: Instant
    why: str


@fact
class LinkProbed:
    """A link was probed at ``read_at``: what was found, by what, and where it led.

    ``cause`` says in a word why (``dns``, ``tls``, ``timeout``, ``robots``), ``status`` is the
    HTTP status, ``found_at`` the address after redirects, ``digest`` the bytes if they were frozen.
    """

    link: str
    result: str
    cause: Slug | None = None
    status: int | None = None
    found_at: str | None = None
    digest: Digest | None = None
    read_at: Instant


@fact
class ProbeWindowClosed:
    """A window takes no more probes."""

    read_at: Instant
    why: str | None = None
