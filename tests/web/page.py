"""A page taken apart as a reader finds it: its words, its links, its tables by their captions."""

from collections.abc import Iterator
from html.parser import HTMLParser

import attrs

VOID = frozenset({"meta", "link", "input", "img", "br", "hr", "source", "rect"})
INLINE = frozenset({"a", "b", "bdi", "cite", "code", "del", "ins", "span", "strong", "time"})
Attributes = dict[str, str]


@attrs.define(eq=False)
class Element:
    """One element with what is in it."""

    tag: str
    attributes: Attributes
    inside: list["Element | str"] = attrs.field(factory=list)

    @property
    def text(self) -> str:
        """Its words, single-spaced; what stands in a block of its own stands apart."""
        return " ".join("".join(self.words()).split())

    def words(self) -> Iterator[str]:
        """Its words as they stand."""
        for one in self.inside:
            if isinstance(one, str):
                yield one
            else:
                apart = "" if one.tag in INLINE else " "
                yield apart
                yield from one.words()
                yield apart

    def all(self, tag: str, name: str | None = None) -> list["Element"]:
        """Every element of a kind in it, of one class if that is given."""
        found = [one for one in self.every() if one.tag == tag]
        return [one for one in found if name is None or name in one.names]

    def one(self, tag: str, name: str | None = None) -> "Element":
        """The one element of a kind."""
        (found,) = self.all(tag, name)
        return found

    @property
    def names(self) -> list[str]:
        """Its classes."""
        return self.attributes.get("class", "").split()

    def every(self) -> Iterator["Element"]:
        """Every element in it, as they begin."""
        for one in self.inside:
            if isinstance(one, Element):
                yield one
                yield from one.every()

    def links(self) -> dict[str, str]:
        """Words and addresses of all links; of equal words the last."""
        return {one.text: one.attributes["href"] for one in self.all("a")}


@attrs.define(eq=False)
class Page(HTMLParser):
    """A page; see :func:`page_of`."""

    root: Element = attrs.field(factory=lambda: Element("document", {}))
    open: list[Element] = attrs.field(factory=list)

    def __attrs_pre_init__(self) -> None:
        super().__init__()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Go into an element."""
        element = Element(tag, {name: value or "" for name, value in attrs})
        self._here.inside.append(element)
        if tag not in VOID:
            self.open.append(element)

    def handle_endtag(self, tag: str) -> None:
        """Leave an element."""
        if tag not in VOID:
            assert self.open.pop().tag == tag, f"{tag} ends where it did not begin"

    def handle_data(self, data: str) -> None:
        """Keep the words."""
        self._here.inside.append(data)

    @property
    def _here(self) -> Element:
        return self.open[-1] if self.open else self.root

    @property
    def main(self) -> Element:
        """What is between header and footer."""
        return self.root.one("main")

    def section(self, heading: str) -> Element:
        """The section with a heading, named by its id."""
        for one in self.root.all("section"):
            if any(head.attributes.get("id") == heading for head in one.all("h2")):
                return one
        raise AssertionError(f"no section {heading}")

    def table(self, name: str) -> Element:
        """The table whose caption has an id."""
        for one in self.root.all("table"):
            if one.one("caption").attributes.get("id") == name:
                return one
        raise AssertionError(f"no table {name}")

    def rows(self, name: str) -> list[dict[str, Element]]:
        """The rows of a table: each cell under the words of its column."""
        table = self.table(name)
        columns = [one.text for one in table.one("thead").all("th")]
        rows = [
            [one for one in row.inside if isinstance(one, Element)]
            for row in table.one("tbody").all("tr")
        ]
        return [dict(zip(columns, cells, strict=True)) for cells in rows]


def page_of(html: str) -> Page:
    """Take a page apart; it has to be well formed."""
    page = Page()
    page.feed(html)
    page.close()
    assert not page.open, f"{page.open[-1].tag} never ends"
    return page
