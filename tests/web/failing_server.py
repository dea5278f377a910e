"""A server on loopback whose paths fail in every way in which a link fails."""

import datetime as dt
import ipaddress
import socket
import ssl
import threading
import zlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import attrs
import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

PAGE = b"<title>Kites</title>The red kite scores 71.0."
SECRET = "sid=secret-cookie"
FINE = {"Content-Type": "text/html; charset=utf-8", "Set-Cookie": SECRET, "X-Inner": "10.0.0.1"}
STATUSES = {"401", "403", "404", "410", "418", "429", "451", "500", "503"}


@attrs.define
class FailingServer:
    """What was asked of it, and how its ``robots.txt`` answers."""

    port: int = 0
    asked: list[str] = attrs.field(factory=list)
    agents: set[str] = attrs.field(factory=set)
    methods: set[str] = attrs.field(factory=set)
    robots: bytes | int = b""
    elsewhere: str = ""
    over: threading.Event = attrs.field(factory=threading.Event)
    on_gate: Callable[[], None] | None = None

    def url(self, path: str, host: str = "127.0.0.1") -> str:
        """An address of it."""
        return f"http://{host}:{self.port}/{path}"

    @property
    def links(self) -> list[str]:
        """The paths that were asked for, but for the robots.txt."""
        return [path for path in self.asked if path != "/robots.txt"]


class Handler(BaseHTTPRequestHandler):
    """Answers one request in the way that its path names."""

    protocol_version = "HTTP/1.1"
    failing: FailingServer

    def do_GET(self) -> None:
        """Note the request, and fail as asked."""
        self.failing.asked.append(self.path)
        self.failing.methods.add(self.command)
        self.failing.agents.add(self.headers["User-Agent"])
        name = self.path.strip("/").partition("?")[0].partition("/")[0]
        if name == "robots.txt":
            self._robots()
        elif name in STATUSES:
            self._answer(b"no", int(name), {"Retry-After": "60"} if name in {"429", "503"} else {})
        else:
            getattr(self, f"_{name.replace('-', '_').partition('.')[0]}")()

    def _answer(
        self, body: bytes, status: int = 200, headers: dict[str, str] | None = None
    ) -> None:
        self.send_response(status)
        for name, value in (FINE if headers is None else headers).items():
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def _robots(self) -> None:
        robots = self.failing.robots
        if isinstance(robots, int):
            self._answer(b"", robots, {})
        else:
            self._answer(robots, 200 if robots else 404, {"Content-Type": "text/plain"})

    def _fine(self) -> None:
        self._answer(PAGE)

    def _paper(self) -> None:
        self._answer(PAGE)

    def _gate(self) -> None:
        if self.failing.on_gate is not None:
            self.failing.on_gate()
        self._answer(PAGE)

    def _gzip(self) -> None:
        self._packed(PAGE, "gzip", zlib.MAX_WBITS + 16)

    def _deflate(self) -> None:
        self._packed(PAGE, "deflate", -zlib.MAX_WBITS)

    def _bomb(self) -> None:
        self._packed(bytes(20_000_000), "gzip", zlib.MAX_WBITS + 16)

    def _deflate_bomb(self) -> None:
        self._packed(bytes(20_000_000), "deflate", zlib.MAX_WBITS)

    def _half_gzip(self) -> None:
        self._packed(PAGE, "gzip", zlib.MAX_WBITS + 16, cut=10)

    def _packed(self, body: bytes, coding: str, window: int, cut: int = 0) -> None:
        packing = zlib.compressobj(9, zlib.DEFLATED, window)
        packed = packing.compress(body) + packing.flush()
        packed = packed[: len(packed) - cut]
        self._answer(packed, headers={"Content-Type": "text/html", "Content-Encoding": coding})

    def _brotli(self) -> None:
        self._answer(b"x", headers={"Content-Encoding": "br"})

    def _endless(self) -> None:
        self.send_response(200)
        self.end_headers()
        self.close_connection = True
        while not self.failing.over.is_set():
            self.wfile.write(bytes(1 << 16))

    def _silent(self) -> None:
        self.failing.over.wait()
        self.close_connection = True

    def _drips(self) -> None:
        """A byte now and then: each read succeeds, and the whole never ends."""
        self.send_response(200)
        self.send_header("Content-Length", "1000000")
        self.end_headers()
        while not self.failing.over.wait(0.05):
            self.wfile.write(b".")

    def _drips_headers(self) -> None:
        self.wfile.write(b"HTTP/1.1 200 OK\r\nX: ")
        while not self.failing.over.wait(0.05):
            self.wfile.write(b".")

    def _loop(self) -> None:
        self._lead("/loop-back")

    def _loop_back(self) -> None:
        self._lead("/loop")

    def _further(self) -> None:
        """Leads on, always to somewhere new."""
        self._lead(self.path + "/on")

    def _moved(self) -> None:
        self._lead("/fine")

    def _nowhere(self) -> None:
        self._answer(b"", 302, {})

    def _to_file(self) -> None:
        self._lead("file:///etc/passwd")

    def _with_password(self) -> None:
        self._lead(f"http://ada:secret@127.0.0.1:{self.failing.port}/fine")

    def _elsewhere(self) -> None:
        self._lead(self.failing.elsewhere)

    def _lead(self, where: str) -> None:
        self._answer(b"", 302, {"Location": where})

    def _truncated(self) -> None:
        self.send_response(200)
        self.send_header("Content-Length", "1000")
        self.end_headers()
        self.wfile.write(b"half of it")
        self.close_connection = True

    def _half_chunk(self) -> None:
        self.send_response(200)
        self.send_header("Transfer-Encoding", "chunked")
        self.end_headers()
        self.wfile.write(b"40\r\nhalf of it")
        self.close_connection = True

    def _chunks(self) -> None:
        self.send_response(200)
        self.send_header("Content-Type", "text/html")
        self.send_header("Transfer-Encoding", "chunked")
        self.end_headers()
        self.wfile.write(b"%x\r\n%s\r\n0\r\n\r\n" % (len(PAGE), PAGE))

    def _hangs_up(self) -> None:
        self.close_connection = True

    def _noise(self) -> None:
        self.wfile.write(b"this is no HTTP\r\n\r\n")
        self.close_connection = True

    def log_message(self, *_: object) -> None:
        """Say nothing."""


class Quiet(ThreadingHTTPServer):
    """Says nothing of clients that had enough."""

    daemon_threads = True

    def handle_error(self, *_: object) -> None:
        """A client hung up, as it should."""


@contextmanager
def failing_server(host: str = "127.0.0.1", chain: Path | None = None) -> Iterator[FailingServer]:
    """A server that runs; under TLS with the certificate and key in ``chain``."""
    made = FailingServer()
    server = Quiet((host, 0), type("Bound", (Handler,), {"failing": made}))
    if chain is not None:
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(chain)
        server.socket = context.wrap_socket(server.socket, server_side=True)
    made.port = server.server_port
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02})
    thread.start()
    try:
        yield made
    finally:
        made.over.set()
        server.shutdown()
        thread.join()
        server.server_close()


def nobodys_port() -> int:
    """A port that nobody listens on."""
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        return int(found.getsockname()[1])


def own_certificate(file: Path) -> Path:
    """A certificate for 127.0.0.1 and localhost that nobody but itself vouches for, with key."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "localhost")])
    now = dt.datetime.now(dt.UTC)
    names = [x509.DNSName("localhost"), x509.IPAddress(ipaddress.ip_address("127.0.0.1"))]
    made = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - dt.timedelta(days=1))
        .not_valid_after(now + dt.timedelta(days=1))
        .add_extension(x509.SubjectAlternativeName(names), critical=False)
        .add_extension(x509.BasicConstraints(ca=True, path_length=None), critical=True)
        .sign(key, hashes.SHA256())
    )
    private = key.private_bytes(
        serialization.Encoding.PEM,
        serialization.PrivateFormat.PKCS8,
        serialization.NoEncryption(),
    )
    file.write_bytes(made.public_bytes(serialization.Encoding.PEM) + private)
    return file


@pytest.fixture
def server() -> Iterator[FailingServer]:
    """A server that fails in every way."""
    with failing_server() as made:
        yield made
