"""``/metrics``: how the server does, as Prometheus reads it; for its operator alone.

Much of it is nobody else's business (how long the oldest report has waited, what is refused to
whom), so it is there for whoever shows ``CORRIGENDA_METRICS_TOKEN``; where none is set, for this
very machine, asked by its own name and through no proxy. For all others there is nothing.
"""

import hmac
import logging
from collections.abc import Iterable, Iterator
from ipaddress import ip_address
from urllib.parse import urlsplit

import attrs
from flask import Blueprint, Response, current_app, request
from prometheus_client import CollectorRegistry, generate_latest
from prometheus_client.core import GaugeMetricFamily, Metric
from prometheus_client.exposition import CONTENT_TYPE_LATEST
from werkzeug.exceptions import NotFound as NoSuchPage

from ledger.errors import Refused
from projections.review.queue import waiting_since
from web import access
from web.bearer import shown
from web.counted import Counted
from web.freshness import Reached
from web.printing.jobs import QUEUED, RUNNING
from web.printing.pages import jobs
from web.site import Site, site
from web.wiring import Workspace

LOG = logging.getLogger("corrigenda.web")

NAME = "corrigenda_counted"
"""Under which the app has what it counted."""

FORWARDED = ("Forwarded", "X-Forwarded-For", "X-Forwarded-Host", "X-Real-IP", "Via")

metrics = Blueprint("metrics", __name__)


@metrics.get("/metrics")
@access.public
def show() -> Response:
    """The counts of all workers, and how far the stores are; 404 for strangers."""
    here = site()
    if not _may_see(here.workspace.settings.metrics_token):
        raise NoSuchPage
    counted: Counted = current_app.extensions[NAME]
    stores = CollectorRegistry()
    stores.register(_Stores(_read(here)))
    told = generate_latest(stores) + generate_latest(counted.registry())
    return Response(told, content_type=CONTENT_TYPE_LATEST)


def _may_see(token: str | None) -> bool:
    if token is not None:
        return hmac.compare_digest(token.encode(), (shown() or "").encode())
    if any(name in request.headers for name in FORWARDED):
        return False
    return _is_loopback(request.remote_addr or "") and _is_loopback(_name_of(request.host))


def _name_of(host: str) -> str:
    try:
        return urlsplit(f"//{host}").hostname or ""
    except ValueError:
        return ""


def _is_loopback(name: str) -> bool:
    try:
        return name == "localhost" or ip_address(name).is_loopback
    except ValueError:
        return False


# --- what the stores say ----------------------------------------------------------------------


@attrs.frozen(eq=False)
class _Stores:
    """What was read from the stores just now, as the library wants it."""

    read: tuple[Metric, ...]

    def collect(self) -> Iterable[Metric]:
        """All of it."""
        return self.read


def _read(here: Site) -> tuple[Metric, ...]:
    """What the stores say; when one of them says nothing, that alone."""
    name, what = (
        "corrigenda_stores_answer",
        "Whether the stores answer.",
    )
    try:
        return (*_of_stores(here), _gauge(name, what, 1))
    except Refused as why:
        LOG.warning("the stores could not be asked for /metrics: %s", why)
        return (_gauge(name, what, 0),)


def _of_stores(here: Site) -> Iterator[Metric]:
    """Asked for at every look, so that all workers say the same; nothing is caught up for it."""
    yield from _of_the_ledger(here.workspace)
    yield from _of_the_queue(here.workspace)
    printing = GaugeMetricFamily(
        "corrigenda_pdf_jobs", "Large PDFs that are being printed.", labels=("state",)
    )
    found = jobs().states()
    for state in (QUEUED, RUNNING):
        printing.add_metric((state,), found.count(state))
    yield printing


def _of_the_ledger(workspace: Workspace) -> Iterator[Metric]:
    store, latest = workspace.ledger.store, workspace.seals.latest()
    primary = Reached(store, workspace.follower.position(), store.head())
    sealed = latest.position if latest else 0
    yield _gauge("corrigenda_head_position", "The ledger's last position.", primary.ledger_head)
    yield _gauge("corrigenda_read_model_position", "How far the pages are.", primary.position)
    behind = "Positions that the pages are behind."
    yield _gauge("corrigenda_read_model_lag_positions", behind, primary.lag)
    yield _gauge("corrigenda_sealed_position", "The newest checkpoint's last position.", sealed)
    if workspace.replica is not None:
        lag = workspace.replica.lag(primary)
        is_read = "Whether pages are read from the read replica."
        yield _gauge("corrigenda_replica_read", is_read, lag.read)
        if lag.behind is not None:
            behind = "Positions that the read replica is behind."
            yield _gauge("corrigenda_replica_lag_positions", behind, lag.behind)


def _of_the_queue(workspace: Workspace) -> Iterator[Metric]:
    with workspace.views.read() as reader:
        count, oldest = waiting_since(reader)
    age = (workspace.ledger.clock() - oldest).total_seconds() if oldest else 0.0
    told = "How long the oldest of them has waited."
    yield _gauge("corrigenda_reports_waiting", "Reports that nobody has decided.", count)
    yield _gauge("corrigenda_oldest_waiting_report_seconds", told, max(0.0, age))


def _gauge(name: str, what: str, value: float) -> GaugeMetricFamily:
    return GaugeMetricFamily(name, what, value=value)
