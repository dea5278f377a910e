"""A page without its shape: its words, and its elements and attributes wherever they stand."""

from collections import Counter
from html.parser import HTMLParser

import attrs


@attrs.define(eq=False)
class Page(HTMLParser):
    """What a page is made of, as far as these tests look."""

    tags: Counter[str] = attrs.field(factory=Counter)
    attributes: list[tuple[str, str, str | None]] = attrs.field(factory=list)
    words: list[str] = attrs.field(factory=list)

    def __attrs_pre_init__(self) -> None:
        super().__init__()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Count an element and keep its attributes."""
        self.tags[tag] += 1
        self.attributes += [(tag, name, value) for name, value in attrs]

    def handle_data(self, data: str) -> None:
        """Keep the text."""
        self.words.append(data)

    @classmethod
    def of(cls, html: str) -> "Page":
        """Take a page apart."""
        page = cls()
        page.feed(html)
        page.close()
        return page

    @property
    def text(self) -> str:
        """The text, single-spaced."""
        return " ".join("".join(self.words).split())

    def values(self, wanted: str) -> list[str]:
        """The values of an attribute, wherever it stands."""
        return [value or "" for _, name, value in self.attributes if name == wanted]
