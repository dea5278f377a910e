"""Where an address leads: taken apart, looked up once, and allowed or refused by what it is.

A name is looked up here and the connection goes to the very numbers that were checked, so a name
that is answered otherwise the next time (DNS rebinding) leads nowhere else.
"""

import socket
import threading
from collections.abc import Callable, Sequence
from ipaddress import IPv4Address, IPv6Address, IPv6Network, ip_address
from urllib.parse import quote, urlsplit

import attrs

from ledger.errors import BadValue
from ledger.values import parse_address
from web.fetching.failure import NotFetched

Number = IPv4Address | IPv6Address
Lookup = Callable[[str, int], Sequence[str]]
"""From a host and a port to IP addresses as text; raises ``OSError``."""

PORTS = {"http": 80, "https": 443}
AS_THEY_ARE = "/%:@!$&'()*+,;=-._~?"
UNICAST = IPv6Network("2000::/3")
SIX_TO_FOUR = IPv6Network("2002::/16")
NAT64 = IPv6Network("64:ff9b::/96")


@attrs.frozen
class Place:
    """An http or https address in its parts; ``target`` is what stands in the request line."""

    address: str
    scheme: str
    host: str
    port: int
    target: str

    @property
    def origin(self) -> str:
        """Scheme, host and port: what one robots.txt is about."""
        host = f"[{self.host}]" if ":" in self.host else self.host
        return f"{self.scheme}://{host}:{self.port}"

    @property
    def authority(self) -> str:
        """The value of the Host header."""
        host = f"[{self.host}]" if ":" in self.host else self.host
        return host if self.port == PORTS[self.scheme] else f"{host}:{self.port}"


def place_of(address: str) -> Place:
    """An address taken apart; refused when it bears credentials or is not http or https."""
    try:
        parts = urlsplit(parse_address(address, "address"))
        port = parts.port
        host = (parts.hostname or "").encode("idna").decode("ascii").rstrip(".")
    except BadValue as no:
        raise NotFetched(address, "bad-address", str(no.fields["why"])) from None
    except ValueError:
        raise NotFetched(address, "bad-address", "it cannot be read as an address") from None
    if parts.username is not None or parts.password is not None:
        shown = f"{parts.scheme}://…@{parts.hostname}"
        why = "it has a name or password in it; leave them out"
        raise NotFetched(shown, "credentials", why)
    if not host or not host.isprintable() or " " in host or port == 0:
        raise NotFetched(address, "bad-address", "it names no host")
    target = quote(parts.path or "/", safe=AS_THEY_ARE.replace("?", ""))
    if parts.query:
        target += "?" + quote(parts.query, safe=AS_THEY_ARE)
    whole = address.partition("#")[0]
    return Place(whole, parts.scheme, host, port or PORTS[parts.scheme], target)


# --- what may be asked ------------------------------------------------------------------------


def is_public(number: Number) -> bool:
    """Whether a number is anybody's: not private, loopback, link-local, multicast or reserved.

    A number that carries another one inside (mapped, NAT64) is judged by that one.
    """
    if isinstance(number, IPv6Address):
        if number.ipv4_mapped is not None:
            return is_public(number.ipv4_mapped)
        if number in NAT64:
            return is_public(IPv4Address(int(number) & 0xFFFFFFFF))
        return number in UNICAST and number.is_global and number not in SIX_TO_FOUR
    return number.is_global and not (number.is_multicast or number.is_reserved)


def anywhere(number: Number) -> bool:
    """Every number that one host can have."""
    return not (number.is_multicast or number.is_unspecified)


# --- looking up -------------------------------------------------------------------------------


def look_up(host: str, port: int) -> list[str]:
    """The numbers of a host, as this machine's resolver gives them."""
    found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    return list(dict.fromkeys(str(entry[4][0]) for entry in found))


def numbers_of(
    place: Place, lookup: Lookup, permits: Callable[[Number], bool], seconds: float
) -> list[Number]:
    """The numbers to connect to, in order; refused when any of them is not permitted.

    The resolver cannot be told to be quick, so it is left alone when its time is over.
    """
    answer: list[Sequence[str] | OSError | UnicodeError] = []

    def ask() -> None:
        try:
            answer.append(lookup(place.host, place.port))
        except (OSError, UnicodeError) as why:
            answer.append(why)

    asking = threading.Thread(target=ask, daemon=True)
    asking.start()
    asking.join(seconds)
    if not answer:
        raise NotFetched(place.address, "timeout", "looking up its host takes too long")
    found = answer[0]
    if isinstance(found, OSError | UnicodeError):
        raise _not_found(place, found)
    numbers = [ip_address(text.partition("%")[0]) for text in found]
    if not numbers:
        raise NotFetched(place.address, "dns", "its host has no address")
    for number in numbers:
        if not permits(number):
            why = f"its host is at {number}, which is not a public address (--allow-private)"
            raise NotFetched(place.address, "private-address", why)
    return numbers


def _not_found(place: Place, why: OSError | UnicodeError) -> NotFetched:
    passing = isinstance(why, socket.gaierror) and why.errno == socket.EAI_AGAIN
    if passing:
        return NotFetched(place.address, "dns-failure", "its host could not be looked up just now")
    return NotFetched(place.address, "dns", "there is no such host")
