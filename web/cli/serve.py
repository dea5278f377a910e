"""Serve the pages from this machine: one process that answers, in several threads."""

import socket
from collections.abc import Callable
from typing import Any

import click
from gunicorn.app.base import BaseApplication  # type: ignore[import-untyped]  # it ships no types

from ledger.errors import Refused
from web.cli.output import say
from web.cli.session import Session, pass_session
from web.settings import Settings
from web.telling.outgoing import Teller, channels_of
from web.wiring import open_workspace

THREADS = 8
PATIENCE = 5
"""Seconds that requests under way get to finish when the server is stopped."""


class AddressTaken(Refused):
    """Nothing can be served at {host}:{port} ({why}); choose another with --port."""


@click.command()
@click.option("--port", type=click.IntRange(1, 65_535), default=8000, show_default=True)
@click.option("--host", default="127.0.0.1", show_default=True, help="Which address to listen at.")
@pass_session
def serve(session: Session, port: int, host: str) -> None:
    """Serve the pages until Ctrl-C; only this machine can reach them unless --host says more."""
    session.caught_up()
    run(session, host, port)


def run(session: Session, host: str, port: int) -> None:
    """Serve until stopped. The server opens the ledger for itself, after it has forked."""
    check_free(host, port)
    channels_of(session.settings)
    session.close()
    Server(session.settings, host, port).run()


def check_free(host: str, port: int) -> None:
    """Refuse an address that cannot be listened at, before anything is started."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    with socket.socket(family) as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((host, port))
        except OSError as why:
            raise AddressTaken(host=host, port=port, why=why.strerror or why) from None


class Server(BaseApplication):  # type: ignore[misc]
    """Gunicorn with our settings and no configuration file of its own."""

    def __init__(self, settings: Settings, host: str, port: int) -> None:
        self.settings = settings
        self.address = f"[{host}]:{port}" if ":" in host else f"{host}:{port}"
        self.teller: Teller | None = None
        super().__init__()

    def load_config(self) -> None:
        """What the server is told."""
        options: dict[str, Any] = {
            "bind": self.address,
            "workers": 1,
            "worker_class": "gthread",
            "threads": THREADS,
            "graceful_timeout": PATIENCE,
            "loglevel": "warning",
            # It would listen in the user's home folder, for orders that nobody here gives.
            "control_socket_disable": True,
            # Said once the pages answer, and not as soon as the address is ours.
            "post_worker_init": lambda _: say(f"Serving at http://{self.address}/ (Ctrl-C stops)."),
            "worker_exit": self.leave,
        }
        for name, value in options.items():
            self.cfg.set(name, value)

    def leave(self, _arbiter: object, _worker: object) -> None:
        """Let whoever tells people finish what is under way; called in the process that ends."""
        if self.teller is not None:
            self.teller.stop(PATIENCE)

    def load(self) -> Callable[..., Any]:
        """The pages; called in the process that answers, so the ledger is opened there."""
        from web.app import create_app  # noqa: PLC0415 -- only whoever serves needs Flask

        workspace = open_workspace(self.settings)
        pages: Callable[..., Any] = create_app(workspace)
        self.teller = Teller(workspace)
        self.teller.start()
        return pages
