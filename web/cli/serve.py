"""Serve the pages from this machine: one process that answers or more, each in several threads.

Each worker opens the ledger for itself, after it has forked, and catches up with it before every
request. So what one has recorded the others show at once, and none needs to know of another.
"""

import logging
import os
import shutil
import socket
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from multiprocessing import Semaphore
from pathlib import Path
from typing import Any

import click
from gunicorn.app.base import BaseApplication  # type: ignore[import-untyped]  # it ships no types
from gunicorn.glogging import Logger  # type: ignore[import-untyped]

from ledger import faults
from ledger.errors import Refused
from web import logged
from web.cli.gathering import Gathering
from web.cli.output import say
from web.cli.session import Session, pass_session
from web.settings import Settings
from web.telling.outgoing import Teller, channels_of
from web.wiring import Workspace, open_workspace

THREADS = 8
MOST_WORKERS = 64
PATIENCE = 5
"""Seconds that requests under way get to finish when the server is stopped."""
PAUSE = 1.0
"""Seconds after which a worker that could not open the ledger makes place for the next one."""

LOG = logging.getLogger("corrigenda")


class AddressTaken(Refused):
    """Nothing can be served at {host}:{port} ({why}); choose another with --port."""


@click.command()
@click.option("--port", type=click.IntRange(1, 65_535), default=8000, show_default=True)
@click.option("--host", default="127.0.0.1", show_default=True, help="Which address to listen at.")
@click.option(
    "--workers",
    metavar="N",
    type=click.IntRange(1, MOST_WORKERS),
    default=1,
    show_default=True,
    help="How many processes answer.",
)
@pass_session
def serve(session: Session, port: int, host: str, workers: int) -> None:
    """Serve the pages until Ctrl-C; only this machine can reach them unless --host says more."""
    session.caught_up()
    run(session, host, port, workers)


def run(session: Session, host: str, port: int, workers: int = 1) -> None:
    """Serve until stopped. The server opens the ledger for itself, after it has forked."""
    faults.must_not_be_told()
    check_free(host, port)
    channels_of(session.settings)
    session.close()
    logged.install(session.settings.log)
    with counting_together(workers) as folder:
        Server(session.settings, host, port, workers, folder).run()


def check_free(host: str, port: int) -> None:
    """Refuse an address that cannot be listened at, before anything is started."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    with socket.socket(family) as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((host, port))
        except OSError as why:
            raise AddressTaken(host=host, port=port, why=why.strerror or why) from None


@contextmanager
def counting_together(workers: int) -> Iterator[Path | None]:
    """A folder in which several workers count; it goes with the server. A single one needs none."""
    if workers == 1:
        yield None
        return
    folder, owner = Path(tempfile.mkdtemp(prefix="corrigenda-counts-")), os.getpid()
    try:
        yield folder
    finally:
        # A worker that ends comes by here too, as it was forked in there; the folder is not its.
        if os.getpid() == owner:
            shutil.rmtree(folder, ignore_errors=True)


class Discreet(Logger):  # type: ignore[misc]
    """Gunicorn's own log, without addresses that were asked for, which may bear a secret, and
    without those of people."""

    def setup(self, cfg: Any) -> None:
        """Let it speak as all else does, where that is JSON."""
        super().setup(cfg)
        ours = logged.handler()
        if ours is not None:
            self.error_log.handlers = [ours]

    def exception(self, msg: object, *args: Any, **kwargs: Any) -> None:
        """What failed, and not for which address."""
        if str(msg).startswith("Error handling request"):
            msg, args = "A request could not be handled", ()
        super().exception(msg, *args, **kwargs)

    def warning(self, msg: object, *args: Any, **kwargs: Any) -> None:
        """What is odd; of a request that cannot be read, neither who sent it nor what it said."""
        if str(msg).startswith("Invalid request"):
            msg, args = "A request could not be read", ()
        super().warning(msg, *args, **kwargs)


class Server(BaseApplication):  # type: ignore[misc]
    """Gunicorn with our settings and no configuration file of its own."""

    def __init__(
        self, settings: Settings, host: str, port: int, workers: int, counts: Path | None
    ) -> None:
        self.settings = settings
        self.address = f"[{host}]:{port}" if ":" in host else f"{host}:{port}"
        self.workers = workers
        self.counts = counts
        self.teller: Teller | None = None
        self.unsaid = Semaphore()
        super().__init__()

    def load_config(self) -> None:
        """What the server is told."""
        options: dict[str, Any] = {
            "bind": self.address,
            "workers": self.workers,
            "worker_class": Gathering,
            "threads": THREADS,
            "graceful_timeout": PATIENCE,
            "loglevel": "warning",
            "logger_class": Discreet,
            # It would listen in the user's home folder, for orders that nobody here gives.
            "control_socket_disable": True,
            # Whom to believe is our own setting (``web/app.py``): without it Gunicorn would take
            # what anybody on this machine, or its environment, says of schemes and addresses.
            "forwarded_allow_ips": "",
            "post_worker_init": self.ready,
            "worker_exit": self.leave,
        }
        for name, value in options.items():
            self.cfg.set(name, value)

    def ready(self, _worker: object) -> None:
        """Say where the pages are once they answer, and not as soon as the address is ours; the
        first worker that can says it for all."""
        if self.unsaid.acquire(block=False):
            say(f"Serving at http://{self.address}/ (Ctrl-C stops).")

    def leave(self, _arbiter: object, _worker: object) -> None:
        """Let whoever tells people finish what is under way; called in the process that ends."""
        if self.teller is not None:
            self.teller.stop(PATIENCE)

    def load(self) -> Callable[..., Any]:
        """The pages; called in the process that answers, so the ledger is opened there."""
        from web.app import create_app  # noqa: PLC0415 -- only whoever serves needs Flask
        from web.cli.bodies import whole_bodies  # noqa: PLC0415
        from web.counted import Counted  # noqa: PLC0415

        workspace = self._opened()
        pages: Callable[..., Any] = create_app(workspace, Counted(self.counts))
        self.teller = Teller(workspace)
        self.teller.start()
        return whole_bodies(pages)

    def _opened(self) -> Workspace:
        """The ledger, and done what a worker left half done that died; each comes by here.

        Who is refused, as a store is busy or away, ends by itself and is replaced. Gunicorn takes
        an error in here for one of the program, and would stop all that answer.
        """
        from web.reporting.left_behind import finish_letters, later  # noqa: PLC0415 -- as above
        from web.reporting.screening import finish_rescues  # noqa: PLC0415

        try:
            workspace = open_workspace(self.settings)
            finish_rescues(workspace)
            finish_letters(workspace)
        except Refused as why:
            LOG.error("a worker could not begin: %s", why)  # noqa: TRY400 -- it says what to do
            time.sleep(PAUSE)
            raise SystemExit(1) from None
        later(workspace).start()
        return workspace
