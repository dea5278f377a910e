"""Reporting in a real browser: without scripts, at two widths, by keyboard alone, and under axe."""

import re
from pathlib import Path

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page, expect

from tests.web.orchard import BIRCH, BOARD, Orchard
from tests.web.people import signed_in
from tests.web.served import WIDTHS, overflow, unfold
from tests.web.suspects import ADVERT, apart
from tests.web.test_browser_pages import plain
from web.cookies import SESSION
from web.reporting.screening import HIDDEN_FIELD

__all__ = ["plain"]

FORMS = [
    "/report",
    f"/report?target=claims/{BIRCH}",
    "/report?target=benchmarks/orchard",
    "/report?target=benchmarks/orchard%23caveat-weather",
    "/report?target=models/birch",
    "/report?target=sources/birch-post",
    "/report?target=corrections/1",
]


@pytest.fixture
def table(tmp_path: Path) -> Path:
    """A file to send."""
    file = tmp_path / "table 4.txt"
    file.write_text("Birch 70.1\n", encoding="utf-8")
    return file


@pytest.mark.parametrize("width", WIDTHS)
def test_a_report_from_the_board_to_its_secret_page_without_scripts(
    plain: Page, address: str, table: Path, width: int
) -> None:
    """From the row to the form, a mistake that comes back, a draft, and off it goes."""
    plain.set_viewport_size({"width": width, "height": 900})
    plain.goto(f"{address}{BOARD}?view=independent")
    row = plain.get_by_role("table", name="Independent runs: share grown").get_by_role("row")
    row.filter(has_text="Birch").get_by_role("link", name=re.compile("^Report")).click()
    expect(plain.get_by_role("link", name="Birch on Orchard: 69%")).to_be_visible()
    plain.get_by_label("What is wrong", exact=True).select_option("The number is wrong")
    plain.get_by_label("Score").fill("7O.1")
    plain.get_by_label("In your words").fill("Table 4 says so.\nIt is on page 7.")
    plain.get_by_label("Files").set_input_files(table)
    plain.get_by_role("button", name="Send").click()
    expect(plain.get_by_role("alert")).to_contain_text("not a plain decimal number")
    plain.get_by_role("link", name="Score", exact=True).click()
    expect(plain.get_by_label("Score")).to_be_focused()
    expect(plain.get_by_label("In your words")).to_have_value("Table 4 says so.\nIt is on page 7.")
    plain.get_by_label("Score").fill("70.1")
    plain.get_by_role("button", name="Save as a draft").click()
    expect(plain.get_by_role("status")).to_contain_text("This is your draft")
    expect(plain.get_by_text("table 4.txt", exact=True)).to_be_visible()
    plain.get_by_role("button", name="Send").click()
    expect(plain).to_have_url(re.compile(r"/reports/[A-Za-z0-9_-]{43}$"))
    expect(plain.get_by_text("Thank you. It has come in")).to_be_visible()
    expect(plain.get_by_role("link", name="table 4.txt")).to_be_visible()
    plain.get_by_role("link", name="Change what you said").click()
    plain.get_by_label("Score").fill("70.2")
    plain.get_by_role("button", name="Save the changes").click()
    expect(plain.get_by_text("You changed what you said")).to_be_visible()
    plain.get_by_text("Withdraw it").click()
    plain.get_by_label("Why").select_option("The reporter was mistaken")
    plain.get_by_role("button", name="Withdraw for good").click()
    expect(plain.get_by_text("It was withdrawn; nothing more happens")).to_be_visible()


def test_only_what_belongs_to_the_wish_shows(plain: Page, address: str) -> None:
    """The style sheet does it; no script."""
    plain.goto(f"{address}/report?target=claims/{BIRCH}")
    expect(plain.get_by_label("Score")).to_be_visible()
    plain.get_by_label("A link is dead or leads astray").check()
    expect(plain.get_by_label("Score")).to_be_hidden()
    expect(plain.get_by_label("The link that is dead")).to_be_visible()
    plain.get_by_label("Only a remark").check()
    expect(plain.get_by_label("The link that is dead")).to_be_hidden()


def test_the_keyboard_alone_sends_a_report(plain: Page, address: str) -> None:
    """Tab reaches each field in order and never the hidden one; Enter sends the form."""
    plain.goto(f"{address}/report?target=models/birch")
    plain.get_by_label("What is wrong", exact=True).focus()
    plain.keyboard.type("It is about")
    reached = []
    for _ in range(12):
        plain.keyboard.press("Tab")
        focused = plain.locator(":focus")
        name = focused.get_attribute("name") or ""
        reached.append(name)
        if name == "same-as":
            plain.keyboard.type("Alder 7B May 2025")
        if name == "credit":
            break
    assert reached == ["wish", "same-as", "words", "addresses", "files", "contact", "credit"]
    plain.keyboard.press("Enter")
    expect(plain).to_have_url(re.compile("/reports/"))


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", WIDTHS)
def test_axe_finds_nothing_on_the_forms(page: Page, address: str, width: int, scheme: str) -> None:
    """Each kind of form, one with mistakes, and the secret page; none scrolls sideways."""
    page.set_viewport_size({"width": width, "height": 900})
    page.emulate_media(color_scheme="dark" if scheme == "dark" else "light")
    for path in FORMS:
        page.goto(address + path)
        unfold(page)
        _is_well(page, path)
    page.goto(f"{address}/report?target=claims/{BIRCH}")
    page.get_by_label("What is wrong", exact=True).select_option("The number is wrong")
    page.get_by_label("Score").fill("x" * 60)
    page.get_by_label("In your words").fill("unbroken" * 40)
    page.get_by_role("button", name="Send").click()
    _is_well(page, "with a mistake")
    page.get_by_label("Score").fill("70.1")
    page.get_by_role("button", name="Send").click()
    expect(page).to_have_url(re.compile("/reports/"))
    unfold(page)
    _is_well(page, "the secret page")
    page.goto(f"{address}/report?target=claims/{BIRCH}")
    page.get_by_label("What is wrong", exact=True).select_option("The number is wrong")
    page.get_by_label("Score").fill("70.1")
    page.get_by_role("button", name="Send").click()
    expect(page.get_by_role("button", name="Add mine to the open report")).to_be_visible()
    _is_well(page, "with an offer")


def _is_well(page: Page, what: str) -> None:
    found = Axe().run(page)
    assert not found.violations_count, f"{what}\n{found.generate_report()}"
    assert overflow(page) == 0, what


def test_nothing_in_the_form_needs_what_the_policy_forbids(
    page: Page, address: str, orchard: Orchard
) -> None:
    """No console message, no request but our own."""
    said: list[str] = []
    page.on("console", lambda message: said.append(message.text))
    page.on("requestfailed", lambda request: said.append(request.url))
    page.goto(f"{address}/report?target=claims/{BIRCH}")
    page.get_by_role("button", name="Save as a draft").click()
    expect(page.get_by_role("status")).to_be_visible()
    assert said == []
    assert orchard.head > 0


@pytest.mark.parametrize("width", WIDTHS)
def test_a_reviewer_goes_through_what_is_suspected(
    page: Page, address: str, orchard: Orchard, width: int
) -> None:
    """Reject all of a kind with one press, rescue another; axe finds nothing."""
    for count in range(3):
        apart(orchard.workspace, HIDDEN_FIELD, words=f"{ADVERT}/{count} " + "unbroken" * 50)
    apart(orchard.workspace, words="A short one https://example.net/table")
    ada = signed_in(orchard.app, orchard.workspace, "ada", "reviewer")
    page.context.add_cookies([{"name": SESSION, "value": ada.secret, "url": address}])
    page.set_viewport_size({"width": width, "height": 900})
    page.goto(f"{address}/review/suspected")
    _is_well(page, "what is suspected")
    page.get_by_label(re.compile(HIDDEN_FIELD + r" \(3\)")).check()
    page.get_by_role("button", name="Reject").click()
    expect(page.get_by_role("status")).to_have_text("3 rejected.")
    page.get_by_role("button", name="Rescue").click()
    expect(page.get_by_role("status")).to_contain_text("2 is the number of the report")
    expect(page.get_by_text("Nothing here.")).to_be_visible()
    _is_well(page, "nothing suspected")
