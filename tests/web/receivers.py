"""Who is told: a mail server and a receiver of webhooks, real ones, on loopback."""

import threading
from asyncio import Transport
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from email import message_from_bytes
from email.message import EmailMessage
from email.policy import default
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from socket import socket
from typing import Any

import attrs
from aiosmtpd.controller import Controller
from aiosmtpd.smtp import SMTP, Envelope, Session


def free_port() -> int:
    """A port that nobody has at the moment."""
    with socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


# --- mail -------------------------------------------------------------------------------------


@attrs.define
class Mailbox:
    """What a mail server took in, and what it answers to the recipient and to the text.

    ``then`` is done when a text has come in, before it is answered.
    """

    port: int
    came: list[tuple[Sequence[str], EmailMessage]] = attrs.field(factory=list)
    to_recipient: str = "250 OK"
    to_text: str = "250 OK"
    then: Callable[[], None] | None = None
    hangs_up: bool = False

    @property
    def url(self) -> str:
        """The address of the server."""
        return f"smtp://127.0.0.1:{self.port}"

    async def handle_RCPT(  # noqa: N802 -- the name is aiosmtpd's
        self, server: SMTP, _: Session, envelope: Envelope, address: str, options: Sequence[str]
    ) -> str:
        """Take a recipient, or refuse."""
        del server, options
        if self.to_recipient.startswith("250"):
            envelope.rcpt_tos.append(address)
        return self.to_recipient

    async def handle_DATA(  # noqa: N802 -- the name is aiosmtpd's
        self, server: SMTP, _: Session, envelope: Envelope
    ) -> str:
        """Take a text in, or refuse."""
        content = envelope.content
        assert isinstance(content, bytes)
        message = message_from_bytes(content, policy=default)
        assert isinstance(message, EmailMessage)
        self.came.append((envelope.rcpt_tos, message))
        if self.then is not None:
            self.then()
        if self.hangs_up:
            assert isinstance(server.transport, Transport)
            server.transport.abort()
        return self.to_text


@contextmanager
def mailbox() -> Iterator[Mailbox]:
    """A mail server that runs."""
    made = Mailbox(free_port())
    controller = Controller(made, hostname="127.0.0.1", port=made.port)
    controller.start()
    try:
        yield made
    finally:
        controller.stop()


# --- webhooks ---------------------------------------------------------------------------------


@attrs.define
class Receiver:
    """The requests that came, and what each is answered: the statuses in turn, then 204."""

    port: int = 0
    came: list[tuple[dict[str, str], bytes]] = attrs.field(factory=list)
    answers: list[int] = attrs.field(factory=list)
    then: Callable[[], None] | None = None

    @property
    def url(self) -> str:
        """The address of the receiver."""
        return f"http://127.0.0.1:{self.port}/hook?for=kites"

    @property
    def ids(self) -> list[str]:
        """The ids of the messages, in the order in which they came."""
        return [headers["webhook-id"] for headers, _ in self.came]


def handler_of(receiver: Receiver) -> type[BaseHTTPRequestHandler]:
    """What a server does with each request."""

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            """Note the request and answer it."""
            body = self.rfile.read(int(self.headers["Content-Length"]))
            receiver.came.append(
                ({name.lower(): value for name, value in self.headers.items()}, body)
            )
            if receiver.then is not None:
                receiver.then()
            self.send_response(receiver.answers.pop(0) if receiver.answers else 204)
            self.send_header("Location", f"http://127.0.0.1:{receiver.port}/elsewhere")
            self.end_headers()

        def log_message(self, *_: Any) -> None:
            """Say nothing."""

    return Handler


@contextmanager
def receiver() -> Iterator[Receiver]:
    """A receiver that runs."""
    made = Receiver()
    server = ThreadingHTTPServer(("127.0.0.1", 0), handler_of(made))
    made.port = server.server_port
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02})
    thread.start()
    try:
        yield made
    finally:
        server.shutdown()
        thread.join()
        server.server_close()
