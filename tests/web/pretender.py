"""A server that speaks for a log: an honest one in memory, and whatever lie a test asks for."""

import base64
import re
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from hashlib import sha256
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qs, urlsplit

import attrs
import orjson

from ledger.proof.hashes import TileHashes
from ledger.proof.merkle import consistency_proof, inclusion_proof, leaf_hash, root_of
from ledger.proof.note import Checkpoint, SigningKey, signed
from ledger.proof.tiles import HEIGHT, WIDTH, Tile, bundled, tile_at

KEY = SigningKey("log.example/pretender", bytes(range(32)))
NEXT = SigningKey(KEY.name, bytes(range(1, 33)))
OTHER = SigningKey("log.example/other", bytes(range(2, 34)))

Lie = bytes | int | Callable[[bytes], bytes] | str
"""Another answer, a status, what is made of the honest answer, or where it leads."""


@attrs.define
class Pretender:
    """The log as it is now, and the lies by address; ``asked`` is what was asked for."""

    stored: list[str]
    key: SigningKey = KEY
    ties: list[str] = attrs.field(factory=list)
    lies: dict[str, Lie] = attrs.field(factory=dict)
    asked: list[str] = attrs.field(factory=list)
    address: str = ""

    @property
    def size(self) -> int:
        """How many leaves there are."""
        return len(self.stored)

    @property
    def entries(self) -> list[bytes]:
        """The entries of the leaves."""
        return [sha256(one.encode()).digest() for one in self.stored]

    @property
    def checkpoint(self) -> Checkpoint:
        """Its checkpoint, which is as true as the log is."""
        return Checkpoint(self.key.name, self.size, root_of(map(leaf_hash, self.entries)))

    def answer(self, what: str) -> bytes | None:
        """The honest answer to an address below the log's."""
        parts = urlsplit(what)
        given = {name: int(values[0]) for name, values in parse_qs(parts.query).items()}
        if parts.path == "checkpoint":
            return signed(self.checkpoint.text, self.key).encode()
        if parts.path == "checkpoint/keys.json":
            keys = [str(self.key.verifier)]
            return orjson.dumps({"origin": self.key.name, "keys": keys, "ties": self.ties})
        if parts.path == "proof/consistency":
            return _proof(consistency_proof(given["from"], given["to"], self._hashes(given["to"])))
        if parts.path == "proof/inclusion":
            index = given["index"]
            proof = inclusion_proof(index, given["size"], self._hashes(given["size"]))
            return _proof(proof, position=index + 1, entry=self.entries[index].hex())
        if found := re.fullmatch(r"events/(\d+)\.json", parts.path):
            return orjson.dumps({"stored": self.stored[int(found[1]) - 1], "withheld": False})
        return self.tile(tile_at(parts.path)) if parts.path.startswith("tile/") else None

    def tile(self, tile: Tile) -> bytes:
        """A tile of hashes or of entries."""
        start = tile.index * WIDTH
        if tile.level is None:
            return bundled(self.entries[start : start + tile.width])
        leaves, below = [leaf_hash(entry) for entry in self.entries], 1 << HEIGHT * tile.level
        hashes = [root_of(leaves[at : at + below]) for at in range(0, len(leaves), below)]
        return b"".join(hashes[start : start + tile.width])

    def _hashes(self, size: int) -> TileHashes:
        return TileHashes(size, self.tile)


def _proof(proof: Sequence[bytes], **more: object) -> bytes:
    return orjson.dumps({"proof": [base64.b64encode(one).decode() for one in proof], **more})


@contextmanager
def serving(pretender: Pretender) -> Iterator[Pretender]:
    """Let it speak, on loopback, until the end of the test."""

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            what = self.path.removeprefix("/")
            pretender.asked.append(what)
            lie = pretender.lies.get(what, pretender.lies.get(what.partition("?")[0]))
            if isinstance(lie, int):
                self.send_error(lie)
                return
            if isinstance(lie, str):
                self.send_response(302)
                self.send_header("Location", lie)
                self.end_headers()
                return
            honest = lie if isinstance(lie, bytes) else pretender.answer(what)
            if honest is None:
                self.send_error(404)
                return
            answer = lie(honest) if callable(lie) else honest
            self.send_response(200)
            self.send_header("Content-Length", str(len(answer)))
            self.end_headers()
            self.wfile.write(answer)

        def log_message(self, *_: object) -> None:
            """Keep quiet."""

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        pretender.address = f"http://127.0.0.1:{server.server_port}"
        thread = threading.Thread(target=server.serve_forever, args=(0.05,))
        thread.start()
        try:
            yield pretender
        finally:
            server.shutdown()
            thread.join()
