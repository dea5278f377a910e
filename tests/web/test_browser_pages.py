"""The pages in a real browser: without scripts, at two widths, in the light and in the dark."""

from collections.abc import Iterator

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, Dialog, Page, expect

from tests.web.orchard import BIRCH, BOARD, NOW, WRONG, Orchard
from tests.web.said import say
from tests.web.served import WIDTHS, overflow, unfold

DAY = "2025-07-28"
PAGES = [
    "/",
    BOARD,
    f"{BOARD}?as_read_on={DAY}&recorded_through=40&published_by={DAY}&every_claim=yes",
    f"{BOARD}?metric=hours",
    "/benchmarks/meadow",
    f"/claims/{BIRCH}",
    f"/claims/{WRONG}",
    "/models/birch",
    "/sources/orchard-board",
    "/labs/alder-labs",
    "/?q=al",
    "/corrections",
    f"{BOARD}?as_read_on=2025-02-30",
]


@pytest.fixture
def plain(browser: Browser) -> Iterator[Page]:
    """A page where no script runs, not even one that slipped in."""
    context = browser.new_context(java_script_enabled=False, timezone_id="America/Los_Angeles")
    yield context.new_page()
    context.close()


@pytest.mark.parametrize("width", WIDTHS)
def test_the_controls_work_without_scripts(plain: Page, address: str, width: int) -> None:
    """Follow the tab of a view, choose a day, press the button; the address says exactly that."""
    plain.set_viewport_size({"width": width, "height": 900})
    plain.goto(f"{address}{BOARD}")
    whose = plain.get_by_role("navigation", name="Whose numbers")
    whose.get_by_role("link", name="Independent runs").click()
    plain.get_by_label("As read on (UTC)").fill(DAY)
    plain.get_by_label("also later ones").check()
    plain.get_by_role("button", name="Show", exact=True).click()
    expect(plain).to_have_url(
        f"{address}{BOARD}?view=independent&metric=grown&as_read_on={DAY}&corrected=since"
    )
    expect(plain.get_by_role("note")).to_contain_text(f"as read by the end of {DAY} UTC")
    row = plain.get_by_role("table", name="Independent runs: share grown").get_by_role("row")
    expect(row.filter(has_text="Birch")).to_contain_text("64.20%")
    plain.get_by_role("link", name="Show the present state").click()
    expect(plain).to_have_url(f"{address}{BOARD}?view=independent&metric=grown")


@pytest.mark.parametrize("width", WIDTHS)
def test_the_optional_controls_work_without_scripts(plain: Page, address: str, width: int) -> None:
    """Each has a form of its own that carries the others along; all can be dropped again."""
    plain.set_viewport_size({"width": width, "height": 900})
    plain.goto(f"{address}{BOARD}?view=labs")
    plain.get_by_text("More: what the ledger held earlier").click()
    plain.get_by_label("Only what the ledger held by").fill("38")
    plain.get_by_role("button", name="Show as the ledger stood").click()
    expect(plain.get_by_role("note")).to_contain_text("position 38")
    plain.get_by_label("Only what counts from this day").fill(DAY)
    plain.get_by_role("button", name="Show as published by").click()
    expect(plain).to_have_url(
        f"{address}{BOARD}?view=labs&metric=grown&as_read_on={NOW.date()}&corrected=then"
        f"&recorded_through=38&published_by={DAY}"
    )
    plain.get_by_role("button", name="Show", exact=True).click()
    expect(plain.get_by_role("note")).to_contain_text("position 38")
    plain.get_by_role("link", name="Drop what is set here").click()
    expect(plain.get_by_role("note")).to_have_count(0)


def test_an_emptied_day_is_not_sent(plain: Page, address: str) -> None:
    """The browser asks for it, so nobody meets the 400 that a hand-made address gets."""
    plain.goto(f"{address}{BOARD}")
    plain.get_by_label("As read on (UTC)").fill("")
    plain.get_by_role("button", name="Show", exact=True).click()
    expect(plain).to_have_url(f"{address}{BOARD}")


@pytest.mark.parametrize("width", WIDTHS)
def test_no_page_scrolls_sideways_as_a_whole(page: Page, address: str, width: int) -> None:
    """Wide tables scroll inside their own region, which the keyboard reaches."""
    page.set_viewport_size({"width": width, "height": 900})
    for path in PAGES:
        page.goto(address + path)
        unfold(page)
        assert overflow(page) == 0, path
        regions = page.get_by_role("region").filter(has=page.locator("table"))
        for region in regions.all():
            assert region.get_attribute("tabindex") == "0"


NAMED = "checkpoint_step_12000_merged_dare_ties_v2_final_q8_0_" * 2
LONG: list[dict[str, object]] = [
    {"record": "lab", "slug": "long-lab", "name": f"Lab_{NAMED}"},
    {
        "record": "model",
        "slug": "long",
        "name": f"Model_{NAMED}",
        "version": f"v_{NAMED}",
        "lab": "long-lab",
    },
    {"record": "source", "slug": "long-post", "name": f"Post_{NAMED}", "kind": "launch-post"},
    {"record": "source", "slug": "long-ark", "name": f"Ark_{NAMED}", "kind": "paper-archive"},
    {"record": "paper", "slug": "long-paper", "title": f"Paper_{NAMED}"},
    {"record": "paper-reading", "source": "long-ark", "paper": "long-paper"},
    {"record": "archive-entry", "leaderboard_rows": 0},
    {"record": "reading", "source": "long-post", "benchmark": "orchard"},
    {
        "record": "claim",
        "name": f"Model_{NAMED} v_{NAMED}",
        "metric": "grown",
        "score": "12345678901234567890.12345678901234567890",
        "setting": NAMED,
    },
]


@pytest.mark.parametrize("width", [*WIDTHS, 320])
def test_names_without_a_space_push_no_page_aside(
    page: Page, orchard: Orchard, address: str, width: int
) -> None:
    """Models bear the names of files: they break wherever the window ends."""
    say(orchard, *LONG)
    orchard.workspace.catch_up()
    page.set_viewport_size({"width": width, "height": 900})
    paths = ("/?q=model_", BOARD, f"{BOARD}?view=labs", "/models/long", "/papers/long-paper")
    for path in (*paths, "/labs/long-lab", "/sources/long-post"):
        page.goto(f"{address}{path}")
        unfold(page)
        assert overflow(page) == 0, path


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", WIDTHS)
def test_axe_finds_nothing(page: Page, address: str, width: int, scheme: str) -> None:
    """Names, contrast, landmarks, tables, headings: every rule that axe has."""
    page.set_viewport_size({"width": width, "height": 900})
    page.emulate_media(color_scheme="dark" if scheme == "dark" else "light")
    axe = Axe()
    for path in PAGES:
        page.goto(address + path)
        unfold(page)
        found = axe.run(page)
        assert not found.violations_count, f"{path}\n{found.generate_report()}"


def test_no_page_makes_the_browser_complain(page: Page, address: str) -> None:
    """No header that it does not know, nothing that the policy blocks, nothing missing."""
    said: list[str] = []
    page.on("console", lambda message: said.append(message.text))
    page.on("pageerror", lambda error: said.append(str(error)))
    for path in PAGES[:-1]:
        page.goto(address + path, wait_until="networkidle")
    assert not said


def test_the_keyboard_comes_first_to_the_content(page: Page, address: str) -> None:
    """The skip link is the first stop, is seen there, and leads past the header."""
    page.goto(f"{address}{BOARD}")
    page.keyboard.press("Tab")
    skip = page.get_by_role("link", name="Skip to the content")
    expect(skip).to_be_focused()
    expect(skip).to_be_in_viewport()
    page.keyboard.press("Enter")
    expect(page.get_by_role("main")).to_be_focused()


def test_hostile_names_run_nothing(page: Page, address: str) -> None:
    """Not one dialog opens, with scripts on."""
    dialogs: list[str] = []

    def note(dialog: Dialog) -> None:
        dialogs.append(dialog.message)
        dialog.dismiss()

    page.on("dialog", note)
    for path in (f"{BOARD}?as_read_on={DAY}&every_claim=yes", "/corrections", f"/claims/{WRONG}"):
        page.goto(address + path)
        for link in page.get_by_role("main").get_by_role("link").all()[:10]:
            link.hover()
    assert not dialogs
    assert not page.context.cookies()
