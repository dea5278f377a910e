"""Whole responses, kept under what they follow from; what was asked for longest ago goes first."""

from collections import OrderedDict
from collections.abc import Hashable, Sequence
from threading import Lock

import attrs

LARGEST = 2 * 1024 * 1024
"""Bytes of a page; a larger one is not kept."""

LONGEST_KEY = 4 * 1024
"""Signs of what a page is kept under, which whoever asks has a say in; under more none is kept."""

Headers = Sequence[tuple[str, str]]


@attrs.frozen
class WholePage:
    """A response of status 200: its headers, its tag, its body as it went out, and the rule of its
    address."""

    headers: Headers
    tag: str
    body: bytes = attrs.field(repr=False)
    route: str | None = None


@attrs.define
class WholePages:
    """The latest pages asked for, of so many bytes at most; threads share it."""

    most_bytes: int
    given: int = attrs.field(default=0, init=False)
    """How many pages were given out of here."""
    _pages: OrderedDict[Hashable, WholePage] = attrs.field(factory=OrderedDict, init=False)
    _bytes: int = attrs.field(default=0, init=False)
    _door: Lock = attrs.field(factory=Lock, init=False)

    def find(self, key: Hashable) -> WholePage | None:
        """The page under a key."""
        with self._door:
            page = self._pages.get(key)
            if page is not None:
                self._pages.move_to_end(key)
                self.given += 1
            return page

    def keep(self, key: Hashable, page: WholePage) -> None:
        """Keep a page, unless it is too large, or asked for at too great a length."""
        if len(page.body) > LARGEST or len(str(key)) > LONGEST_KEY:
            return
        with self._door:
            before = self._pages.pop(key, None)
            self._bytes += _size(key, page) - (_size(key, before) if before else 0)
            self._pages[key] = page
            while self._bytes > self.most_bytes:
                self._bytes -= _size(*self._pages.popitem(last=False))


def _size(key: Hashable, page: WholePage) -> int:
    """What a page takes, about: a short one under a long key is no small one."""
    headers = sum(len(name) + len(value) for name, value in page.headers)
    return len(page.body) + len(str(key)) + headers
