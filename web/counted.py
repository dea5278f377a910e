"""What a server counts of its requests, for ``/metrics``.

A label is a rule of ours, a kind of refusal, a method or a status: never an address, so that nobody
can make the counts grow, and nothing secret is in them. Several workers count into files of one
folder, each into its own, and whichever of them is asked adds them up.
"""

import os
from pathlib import Path

from prometheus_client import CollectorRegistry, Counter, Histogram, values
from prometheus_client.multiprocess import MultiProcessCollector

METHODS = frozenset({"GET", "HEAD", "POST", "OPTIONS"})
NO_ROUTE = "none"
"""What an address that leads nowhere is counted under."""
OTHER = "other"
FOLDER = "PROMETHEUS_MULTIPROC_DIR"
"""What the library calls the folder; it asks the environment for it at every value."""
SECONDS = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0)


class Counted:
    """The counts of one process; threads share them.

    ``folder`` is where the workers of one server count together: make this in each of them, after
    it has forked. Without one the process counts for itself.
    """

    def __init__(self, folder: Path | None = None) -> None:
        if folder is not None:
            os.environ[FOLDER] = str(folder)
            # Chosen when the library is imported, which may have been before we knew.
            values.ValueClass = values.MultiProcessValue()  # type: ignore[no-untyped-call]
        self._folder = folder
        self._own = own = CollectorRegistry()
        self.requests = Counter(
            "corrigenda_requests",
            "Requests by the rule of their address, method and status.",
            ("route", "method", "status"),
            registry=own,
        )
        self.seconds = Histogram(
            "corrigenda_request_seconds",
            "How long requests took, to the last byte.",
            ("route",),
            buckets=SECONDS,
            registry=own,
        )
        self.refusals = Counter(
            "corrigenda_refusals", "Refusals by their kind.", ("kind",), registry=own
        )
        self.hits = Counter(
            "corrigenda_cache_hits",
            "Answers without the work: pinned pages given out whole, views that were kept, and"
            " pages that the asker held already (304).",
            ("cache",),
            registry=own,
        )
        self.appended = Counter(
            "corrigenda_events_appended", "Events that these workers recorded.", registry=own
        )

    def registry(self) -> CollectorRegistry:
        """All that was counted, by every worker of this server."""
        if self._folder is None:
            return self._own
        together = CollectorRegistry()
        MultiProcessCollector(together, str(self._folder))  # type: ignore[no-untyped-call]
        return together

    def request(self, route: str | None, method: str, status: int, seconds: float) -> None:
        """Count a request that was answered."""
        rule = route or NO_ROUTE
        known = method if method in METHODS else OTHER
        self.requests.labels(rule, known, str(status)).inc()
        self.seconds.labels(rule).observe(seconds)
