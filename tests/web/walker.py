"""Somebody at a real browser: two pairs of hands for the same pages, and a look at each page met.

:class:`Pointer` clicks. :class:`Keyboard` has nothing but keys: it presses Tab until the focus is
where it has to be, and only reads the page to know that. Every page that a :class:`Walker` meets is
looked at by axe and may not scroll sideways.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Protocol

import attrs
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, Locator, Page, Route, ViewportSize, expect

from tests.web.served import overflow

MOST_STOPS = 250
"""Stops of the Tab key on one page; whoever needs more than that walks in a circle."""

HAS_FOCUS = "one => one === document.activeElement"
OUTLINE = "one => getComputedStyle(one).outlineStyle"
FOLDED = "details:not([open])"


class Hands(Protocol):
    """What people do with a page."""

    def follow(self, link: Locator) -> None:
        """Go where a link leads."""

    def press(self, button: Locator) -> None:
        """Press a button that leads to a page."""

    def unfold(self, summary: Locator) -> None:
        """Fold something out."""

    def write(self, field: Locator, text: str) -> None:
        """Fill in a field, whatever it held."""

    def choose(self, field: Locator, option: str) -> None:
        """Choose from a list."""

    def tick(self, box: Locator) -> None:
        """Tick a box, or the first of several choices of which none is taken."""

    def pick(self, link: Locator) -> None:
        """Go to a line of the queue by its link."""

    def take(self, link: Locator) -> None:
        """Take the report of a line of the queue."""

    def open(self, link: Locator) -> None:
        """Open a line of the queue."""


@attrs.frozen
class Pointer:
    """Clicks."""

    page: Page

    def follow(self, link: Locator) -> None:
        """Click it."""
        self._away(link)

    def press(self, button: Locator) -> None:
        """Click it."""
        self._away(button)

    def unfold(self, summary: Locator) -> None:
        """Click it."""
        summary.click()

    def write(self, field: Locator, text: str) -> None:
        """Put the text there."""
        field.fill(text)

    def choose(self, field: Locator, option: str) -> None:
        """Pick the option."""
        field.select_option(option)

    def tick(self, box: Locator) -> None:
        """Click it."""
        box.check()

    def pick(self, link: Locator) -> None:
        """Look for it."""
        expect(link).to_be_visible()

    def take(self, link: Locator) -> None:
        """Click the button of its line."""
        line = self.page.get_by_role("listitem").filter(has=link)
        self._away(line.get_by_role("button", name="Take it"))

    def open(self, link: Locator) -> None:
        """Click it."""
        self._away(link)

    def _away(self, wanted: Locator) -> None:
        with self.page.expect_navigation():
            wanted.click()


@attrs.frozen
class Keyboard:
    """Presses keys, and nothing else; what has the focus is always to be seen."""

    page: Page

    def reach(self, wanted: Locator, key: str = "Tab") -> None:
        """Go on until the focus is there."""
        for _ in range(MOST_STOPS):
            if wanted.evaluate(HAS_FOCUS):
                expect(wanted).to_be_in_viewport()
                assert wanted.evaluate(OUTLINE) != "none", f"no sign of the focus on {wanted}"
                return
            self.page.keyboard.press(key)
        raise AssertionError(f"{MOST_STOPS} times {key}, and never at {wanted}")

    def follow(self, link: Locator) -> None:
        """Enter follows a link."""
        self.reach(link)
        self._away("Enter")

    def press(self, button: Locator) -> None:
        """Enter presses a button."""
        self.reach(button)
        self._away("Enter")

    def unfold(self, summary: Locator) -> None:
        """Enter folds out."""
        self.reach(summary)
        self.page.keyboard.press("Enter")

    def write(self, field: Locator, text: str) -> None:
        """What Tab comes to is selected; so typing takes its place."""
        self.reach(field)
        self.page.keyboard.type(text)

    def choose(self, field: Locator, option: str) -> None:
        """A list goes to what is typed."""
        self.reach(field)
        self.page.keyboard.type(option)
        expect(field.locator("option:checked")).to_have_text(option)

    def tick(self, box: Locator) -> None:
        """Space ticks."""
        self.reach(box)
        self.page.keyboard.press("Space")
        expect(box).to_be_checked()

    def pick(self, link: Locator) -> None:
        """The key j goes down the queue."""
        self.reach(link, "j")

    def take(self, link: Locator) -> None:
        """The key a takes it."""
        self.reach(link, "j")
        self._away("a")

    def open(self, link: Locator) -> None:
        """The key k goes up the queue, and o opens."""
        self.reach(link, "k")
        self._away("o")

    def _away(self, key: str) -> None:
        with self.page.expect_navigation():
            self.page.keyboard.press(key)


@attrs.frozen
class Walker:
    """Somebody on their way through the pages; every page is looked at as it is met."""

    page: Page
    hands: Hands
    base: str
    eye: Page | None = attrs.field(default=None, kw_only=True)
    """A page with scripts that looks at copies, where the walk goes without: axe is a script."""
    met: list[str] = attrs.field(factory=list, kw_only=True)

    def visit(self, path: str) -> None:
        """Type an address."""
        self.page.goto(f"{self.base}{path}")
        self.look()

    def follow(self, name: str, *, within: Locator | None = None) -> None:
        """Follow a link."""
        self.hands.follow((within or self.page).get_by_role("link", name=name))
        self.look()

    def press(self, name: str, *, within: Locator | None = None) -> None:
        """Press a button that leads to a page."""
        self.hands.press((within or self.page).get_by_role("button", name=name, exact=True))
        self.look()

    def pick(self, words: str) -> None:
        """Go to a line of the queue, which a person with a pointer just looks at."""
        self.hands.pick(self.page.get_by_role("link", name=words))

    def take(self, words: str) -> None:
        """Take the report of a line of the queue."""
        self.hands.take(self.page.get_by_role("link", name=words))
        self.look()

    def open(self, words: str) -> None:
        """Open the report of a line of the queue."""
        self.hands.open(self.page.get_by_role("link", name=words))
        self.look()

    def unfold(self, words: str) -> None:
        """Fold something out."""
        self.hands.unfold(self.page.locator("summary").filter(has_text=words))

    def write(self, label: str, text: str, *, exact: bool = False) -> None:
        """Fill in a field."""
        self.hands.write(self.page.get_by_label(label, exact=exact), text)

    def choose(self, label: str, option: str) -> None:
        """Choose from a list."""
        self.hands.choose(self.page.get_by_label(label, exact=True), option)

    def tick(self, label: str) -> None:
        """Tick a box or a choice."""
        self.hands.tick(self.page.get_by_label(label))

    # --- looking ------------------------------------------------------------------------------

    @property
    def path(self) -> str:
        """The address of the page, without what all of them have."""
        return self.page.url.removeprefix(self.base)

    def look(self) -> None:
        """Nothing for axe to find, nothing that scrolls sideways, with everything folded out."""
        with unfolded(self.page):
            assert overflow(self.page) == 0, f"{self.path} scrolls sideways"
            found = Axe().run(self.page if self.eye is None else copied(self.page, self.eye))
        assert not found.violations_count, f"{self.path}\n{found.generate_report()}"
        self.met.append(self.path)


@contextmanager
def unfolded(page: Page) -> Iterator[None]:
    """Fold everything out for a moment."""
    marked = "all => all.forEach(one => { one.open = true; one.dataset.folded = ''; })"
    page.locator(FOLDED).evaluate_all(marked)
    yield
    back = "all => all.forEach(one => { one.open = false; delete one.dataset.folded; })"
    page.locator("details[data-folded]").evaluate_all(back)


def copied(page: Page, eye: Page) -> Page:
    """The very markup of a page, in a browser where scripts may run; the page's own may not."""
    markup, address = page.content(), page.url.partition("#")[0]

    def answer(route: Route) -> None:
        if route.request.resource_type == "script":
            route.fulfill(body="", content_type="text/javascript")
        elif route.request.url == address:
            route.fulfill(body=markup, content_type="text/html; charset=utf-8")
        else:
            route.continue_()

    eye.unroute_all()
    eye.route("**/*", answer)
    eye.context.add_cookies(page.context.cookies())  # type: ignore[arg-type]
    eye.goto(address)
    return eye


@contextmanager
def walking(
    browser: Browser, base: str, *, scripts: bool, width: int, keyboard: bool
) -> Iterator[Walker]:
    """Sit down at a browser of one's own."""
    size = ViewportSize(width=width, height=900)
    context = browser.new_context(
        java_script_enabled=scripts, viewport=size, locale="en-GB", timezone_id="UTC"
    )
    sight = None if scripts else browser.new_context(viewport=size)
    page = context.new_page()
    hands = Keyboard(page) if keyboard else Pointer(page)
    yield Walker(page, hands, base, eye=sight.new_page() if sight else None)
    context.close()
    if sight:
        sight.close()
