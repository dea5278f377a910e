"""Asking another Corrigenda over HTTP: bounded in bytes and in time, and never led elsewhere.

Its user names the address, so private addresses are fine; but an answer that leads to another host
is not followed. What the other side says it does not have is ``None``; anything else that goes
wrong ends the check, since a server that cannot be reached proves nothing.
"""

import http.client
import time
from http import HTTPStatus
from typing import IO, Any
from urllib.error import HTTPError, URLError
from urllib.parse import quote, urlencode, urlsplit
from urllib.request import HTTPRedirectHandler, OpenerDirector, Request, build_opener

import attrs

from ledger.errors import BadValue, Refused
from ledger.proof.tiles import Tile

SECONDS = 20
SECONDS_IN_ALL = 120
PIECE = 1 << 16
LONGEST = 1 << 20
LONGEST_EVENT = 16 << 20
NOT_THERE = (HTTPStatus.NOT_FOUND, HTTPStatus.GONE, HTTPStatus.BAD_REQUEST)


class Unreachable(Refused):
    """{address} cannot be asked ({why}), so nothing is known of its log; try again later."""


class NoLog(Refused):
    """There is no checkpoint at {address}; is it the address of a Corrigenda?"""


@attrs.define
class Asking:
    """A log by the address of its pages; see :class:`ledger.verifying.afar.Log`."""

    address: str
    requests: int = 0
    _opener: OpenerDirector = attrs.field(init=False)

    def __attrs_post_init__(self) -> None:
        self._opener = build_opener(_SameHost())

    def checkpoint(self) -> str:
        """Its newest checkpoint."""
        found = self._get("checkpoint")
        if found is None:
            raise NoLog(address=self.address)
        return found.decode("utf-8", errors="replace")

    def keys(self) -> bytes | None:
        """Its keys and ties, as JSON."""
        return self._get("checkpoint/keys.json")

    def tile(self, tile: Tile) -> bytes | None:
        """A tile of hashes or of entries."""
        return self._get(tile.path)

    def consistency(self, old: int, new: int) -> bytes | None:
        """The proof between two of its checkpoints, as JSON."""
        return self._get(f"proof/consistency?{urlencode({'from': old, 'to': new})}")

    def inclusion(self, index: int, size: int) -> bytes | None:
        """The proof that a leaf is under one of its checkpoints, as JSON."""
        return self._get(f"proof/inclusion?{urlencode({'index': index, 'size': size})}")

    def event(self, position: int) -> bytes | None:
        """An event, as JSON."""
        return self._get(f"events/{position}.json", LONGEST_EVENT)

    def _get(self, what: str, most: int = LONGEST) -> bytes | None:
        self.requests += 1
        url = f"{self.address}/{what}"
        asked = Request(url, headers={"User-Agent": "corrigenda-verify", "Accept": "*/*"})  # noqa: S310 -- http and https alone, see parse_address
        try:
            with self._opener.open(asked, timeout=SECONDS) as answer:
                found = _read(answer, most)
        except HTTPError as why:
            with why:
                if why.code in NOT_THERE:
                    return None
                raise Unreachable(address=url, why=f"it answers {why.code}") from None
        except (URLError, OSError, http.client.HTTPException) as why:
            reason = getattr(why, "reason", None) or why
            raise Unreachable(address=url, why=reason) from None
        if len(found) > most:
            raise Unreachable(address=url, why=f"its answer has more than {most} bytes")
        return found


def _read(answer: http.client.HTTPResponse, most: int) -> bytes:
    """The body, in pieces: who sends a byte now and then shall not keep us for ever."""
    end, found = time.monotonic() + SECONDS_IN_ALL, b""
    while len(found) <= most and (piece := answer.read1(PIECE)):
        found += piece
        if time.monotonic() > end:
            raise URLError(f"its answer takes more than {SECONDS_IN_ALL} seconds")
    return found


class _SameHost(HTTPRedirectHandler):
    """Goes on to another address of the same server, and to no other."""

    max_redirections = 3

    def redirect_request(  # noqa: PLR0917 -- urllib calls it so
        self, req: Request, fp: IO[bytes], code: int, msg: str, headers: Any, newurl: str
    ) -> Request | None:
        """Refuse to be led elsewhere."""
        if urlsplit(newurl)[:2] != urlsplit(req.full_url)[:2]:
            raise URLError(f"it leads to another server, {newurl[:200]}")
        return super().redirect_request(req, fp, code, msg, headers, newurl)


def parse_address(text: str) -> str:
    """The address of a Corrigenda's pages, without a slash at its end. Raises ``BadValue``."""
    parts = urlsplit(text)
    path = parts.path.removesuffix("/").removesuffix("/checkpoint")
    plain = parts.scheme in {"http", "https"} and parts.hostname and not parts.username
    if not plain or parts.query or parts.fragment or quote(path, safe="/%:@-._~") != path:
        why = "write it as https://name, the address of its pages"
        raise BadValue(what="address", shown=repr(text), why=why)
    return f"{parts.scheme}://{parts.netloc.lower()}{path}"
