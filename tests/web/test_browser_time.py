"""Time in a real browser: turning from change to change, comparing, citing; without scripts."""

import re
from collections.abc import Iterator

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, Locator, Page, expect

from tests.web.orchard import BIRCH, BOARD, WRONG
from tests.web.served import WIDTHS, overflow, unfold

DAY = "2025-07-28"
CHANGES = f"{BOARD}/changes?from=2025-07-28&to=2025-08-20"
PAGES = [
    f"{BOARD}?as_read_on={DAY}",
    f"{BOARD}?as_read_on=2025-07-29T00:00:00Z&corrected=since",
    f"/claims/{WRONG}?as_read_on={DAY}&recorded_through=40",
    f"/sources/orchard-board?as_read_on={DAY}",
    "/models/birch/history",
    "/models/birch/history?as_read_on=2024-01-01",
    CHANGES,
    f"{BOARD}/changes?from=2025-07-29T00:00:00Z&to=2025-08-20&recorded_through=40&view=labs",
    "/benchmarks/meadow/changes",
]


@pytest.fixture
def plain(browser: Browser) -> Iterator[Page]:
    """A page where no script runs, far from UTC."""
    context = browser.new_context(java_script_enabled=False, timezone_id="Pacific/Kiritimati")
    yield context.new_page()
    context.close()


def bar(page: Page) -> Locator:
    """The time bar."""
    return page.get_by_role("region", name="Time", exact=True)


@pytest.mark.parametrize("width", WIDTHS)
def test_one_turns_from_change_to_change(plain: Page, address: str, width: int) -> None:
    """Back to the first change and forth again; each day says that it is not now."""
    plain.set_viewport_size({"width": width, "height": 900})
    plain.goto(f"{address}{BOARD}?view=independent")
    expect(plain.get_by_role("note")).to_have_count(0)
    for day in ("2025-07-29", "2025-07-28", "2025-07-20"):
        bar(plain).get_by_role("link", name="Previous change").click()
        expect(plain).to_have_url(f"{address}{BOARD}?view=independent&as_read_on={day}")
        expect(plain.get_by_role("note")).to_contain_text(f"as read by the end of {day} UTC")
        expect(plain.get_by_label("As read on (UTC)")).to_have_value(day)
    expect(bar(plain)).to_contain_text("No earlier change")
    bar(plain).get_by_role("link", name="Next change 28 Jul 2025").click()
    expect(plain).to_have_url(f"{address}{BOARD}?view=independent&as_read_on=2025-07-28")


@pytest.mark.parametrize("width", WIDTHS)
def test_an_auditor_compares_two_days_and_reaches_the_decision(
    plain: Page, address: str, width: int
) -> None:
    """From the board of a day to what changed since, to the row that moved, to the decision."""
    plain.set_viewport_size({"width": width, "height": 900})
    plain.goto(f"{address}{BOARD}?view=labs&as_read_on={DAY}")
    plain.get_by_role("link", name="1 change in all").click()
    expect(plain.get_by_role("heading", level=1)).to_have_text("What changed on Orchard")
    row = (
        plain.get_by_role("table", name="1 row changed").get_by_role("row").filter(has_text="Birch")
    )
    expect(row).to_contain_text("71.0%")
    expect(row).to_contain_text("70.5%")
    row.get_by_role("link", name="Correction 1").click()
    expect(plain.get_by_role("heading", level=1)).to_contain_text("Correction 1")


@pytest.mark.parametrize("width", WIDTHS)
def test_any_two_days_can_be_compared(plain: Page, address: str, width: int) -> None:
    """The form of the page takes two days, whose numbers, and which metric."""
    plain.set_viewport_size({"width": width, "height": 900})
    plain.goto(f"{address}{BOARD}")
    plain.get_by_role("link", name="What changed between two days").click()
    plain.get_by_label("From the start of (UTC)").fill("2025-07-29")
    plain.get_by_label("To the end of (UTC)").fill("2025-07-29")
    plain.get_by_label("Numbers from").select_option("Independent runs")
    plain.get_by_role("button", name="Compare").click()
    expect(plain.locator(".lead")).to_have_text(
        "On 29 Jul 2025 (UTC): 3 changes; 3 rows of the board changed."
    )
    plain.get_by_role("link", name="Previous change 28 Jul 2025").click()
    expect(plain.locator(".lead")).to_contain_text("On 28 Jul 2025 (UTC): 3 changes")
    plain.get_by_role("link", name="Everything").click()
    expect(plain.locator(".lead")).to_contain_text("From the start of 20 Jul 2025")


def test_the_readings_are_chosen_with_the_keyboard_alone(page: Page, address: str) -> None:
    """Day, reading and button follow one another; the arrows choose between two readings."""
    page.goto(f"{address}{BOARD}?as_read_on={DAY}")
    page.get_by_role("radio", name="As read on that day").focus()
    page.keyboard.press("ArrowDown")
    expect(page.get_by_role("radio", name="As we know it today")).to_be_checked()
    page.keyboard.press("Enter")
    expect(page).to_have_url(re.compile(r"corrected=since$"))
    expect(page.get_by_role("note")).to_contain_text("with corrections decided later")


def test_the_bar_is_walked_in_the_order_in_which_it_is_read(page: Page, address: str) -> None:
    """Banner, turns, day, reading, button, and what is folded away; each stop can be seen."""
    page.goto(f"{address}{BOARD}?as_read_on={DAY}")
    first = bar(page).get_by_role("link").first
    first.focus()
    stops = [first.inner_text()]
    for _ in range(15):
        page.keyboard.press("Tab")
        # A date has stops of its own within it.
        seen, words = page.evaluate(
            """() => {
                const one = document.activeElement, place = one.getBoundingClientRect();
                const seen = place.top >= 0 && place.bottom <= innerHeight && place.width > 0;
                return [seen, one.innerText || one.name];
            }"""
        )
        assert seen, words
        stops.append(words)
    walked = iter(" ".join(one.split()) for one in stops)
    for name in (
        "Show the present state",
        "Show this day with what was corrected since",
        "Previous change",
        "as_read_on",
        "Next change",
        "corrected",
        "Show",
        "More:",
        "Cite or link",
        "What changed between two days",
    ):
        assert any(one.startswith(name) for one in walked), (name, stops)


def test_the_citation_leads_to_the_pinned_page(plain: Page, address: str) -> None:
    """What is cited is there at its address, and is told to be of that moment."""
    plain.goto(f"{address}/claims/{BIRCH}?as_read_on={DAY}")
    plain.get_by_text("Cite or link to exactly this page").click()
    cited = bar(plain).locator(".citation")
    expect(cited).to_contain_text("“Birch on Orchard: 64.20%, as stated by Orchard board.”")
    cited.get_by_role("link").click()
    expect(plain).to_have_url(re.compile(r"recorded_through=\d+$"))
    expect(plain.get_by_role("note")).to_contain_text("only what the ledger held at position")


@pytest.mark.parametrize("width", WIDTHS)
def test_nothing_of_it_scrolls_sideways_or_moves(page: Page, address: str, width: int) -> None:
    """Folded up or not; and nothing shifts while the page comes in."""
    page.set_viewport_size({"width": width, "height": 900})
    for path in PAGES:
        page.goto(address + path, wait_until="networkidle")
        shifted = page.evaluate(
            """() => new Promise(done => {
                let sum = 0;
                new PerformanceObserver(all => {
                    for (const one of all.getEntries()) sum += one.value;
                }).observe({type: "layout-shift", buffered: true});
                requestAnimationFrame(() => setTimeout(() => done(sum), 50));
            })"""
        )
        assert shifted == 0, path
        unfold(page)
        assert overflow(page) == 0, path


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", WIDTHS)
def test_axe_finds_nothing_about_time(page: Page, address: str, width: int, scheme: str) -> None:
    """Names, contrast, landmarks, tables, headings: every rule that axe has."""
    page.set_viewport_size({"width": width, "height": 900})
    page.emulate_media(color_scheme="dark" if scheme == "dark" else "light")
    axe = Axe()
    for path in PAGES:
        page.goto(address + path)
        unfold(page)
        found = axe.run(page)
        assert not found.violations_count, f"{path}\n{found.generate_report()}"


def test_the_browser_complains_of_nothing(page: Page, address: str) -> None:
    """No header that it does not know, nothing that the policy blocks, nothing missing."""
    said: list[str] = []
    page.on("console", lambda message: said.append(message.text))
    page.on("pageerror", lambda error: said.append(str(error)))
    for path in PAGES:
        page.goto(address + path, wait_until="networkidle")
    assert not said


def test_paper_says_of_when_it_is_and_has_no_forms(page: Page, address: str) -> None:
    """The banner and the citation are printed, folded up or not; what cannot be pressed is not."""
    page.goto(f"{address}{BOARD}?as_read_on={DAY}")
    page.emulate_media(media="print")
    expect(page.get_by_text("Not the present state")).to_be_visible()
    expect(bar(page).locator(".citation")).to_be_visible()
    for name in ("form", ".time-more", ".time-changes"):
        for one in bar(page).locator(name).all():
            expect(one).to_be_hidden()
