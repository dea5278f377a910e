"""Looking at the page of a paper as read on a day."""

from tests.web.orchard import Orchard
from tests.web.page import Element, Page, page_of


def on(pages: Orchard, address: str, day: str | None = None) -> Page:
    """A page as read on a day."""
    return page_of(pages.page(address + (f"?as_read_on={day}" if day else "")))


def ids(page: Page) -> list[str]:
    """The sections of a page, by the ids of their headings."""
    return [head.attributes["id"] for one in page.main.all("section") for head in one.all("h2")]


def cells(row: dict[str, Element]) -> dict[str, str]:
    """The words of a row."""
    return {name: one.text for name, one in row.items()}
