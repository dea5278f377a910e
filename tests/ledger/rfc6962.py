"""The tree of RFC 6962, section 2.1, as its text says it: slow, recursive, all at once."""

from collections.abc import Sequence
from hashlib import sha256


def root(entries: Sequence[bytes]) -> bytes:
    """MTH(D[n])."""
    if not entries:
        return sha256().digest()
    if len(entries) == 1:
        return sha256(b"\x00" + entries[0]).digest()
    k = largest_power_below(len(entries))
    return sha256(b"\x01" + root(entries[:k]) + root(entries[k:])).digest()


def path(m: int, entries: Sequence[bytes]) -> list[bytes]:
    """PATH(m, D[n])."""
    if len(entries) == 1:
        return []
    k = largest_power_below(len(entries))
    if m < k:
        return [*path(m, entries[:k]), root(entries[k:])]
    return [*path(m - k, entries[k:]), root(entries[:k])]


def proof(m: int, entries: Sequence[bytes]) -> list[bytes]:
    """PROOF(m, D[n])."""
    return subproof(m, entries, whole=True)


def subproof(m: int, entries: Sequence[bytes], *, whole: bool) -> list[bytes]:
    """SUBPROOF(m, D[n], b)."""
    if m == len(entries):
        return [] if whole else [root(entries)]
    k = largest_power_below(len(entries))
    if m <= k:
        return [*subproof(m, entries[:k], whole=whole), root(entries[k:])]
    return [*subproof(m - k, entries[k:], whole=False), root(entries[:k])]


def largest_power_below(n: int) -> int:
    """The k of the RFC: the largest power of two smaller than n."""
    k = 1
    while k * 2 < n:
        k *= 2
    return k
