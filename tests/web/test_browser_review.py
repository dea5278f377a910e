"""Reviewing in a real browser: with and without scripts, by keyboard alone, at two widths."""

from collections.abc import Iterator

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, Page, expect

from ledger import commands as orders
from ledger.events import Change
from tests.web.desk import HERON, IBIS, LOON, Office
from tests.web.reviewing import PDF, filed_with_words, frozen, pdf_with
from tests.web.served import WIDTHS, overflow, served, unfold
from web.cookies import SESSION


@pytest.fixture
def address(office: Office) -> Iterator[str]:
    """The office, served on loopback."""
    with served(office.app) as address:
        yield address


def seat(page: Page, office: Office, address: str, handle: str = "boris") -> None:
    """Log a reviewer in with this browser."""
    secret = office.reviewer(handle).secret
    page.context.add_cookies([{"name": SESSION, "value": secret, "url": address}])


def decide(page: Page, address: str, number: int) -> None:
    """Fill in the form and decide, as anybody would."""
    page.goto(f"{address}/review/{number}")
    page.get_by_label("read 1 Jul 2025, 08:00:00 UTC").check()
    page.get_by_label("It is the right row").check()
    page.get_by_label("Accepted, as asked").check()
    page.get_by_label("From the claim’s first reading").check()
    page.get_by_label("Statement what readers are told").fill("Table 3 says so.")
    page.get_by_role("button", name="Preview", exact=True).last.click()
    expect(page.locator("#preview")).to_contain_text("What it would do to the boards")
    page.get_by_role("button", name="Decide", exact=True).click()


@pytest.mark.parametrize("width", WIDTHS)
def test_two_people_decide_without_scripts(
    plain: Page, browser: Browser, office: Office, address: str, width: int
) -> None:
    """Preview, propose, approve; the board and the log show it, and the undoing too."""
    plain.set_viewport_size({"width": width, "height": 900})
    number = office.desk.file(IBIS, (Change("score", "80.0", "70"),))
    seat(plain, office, address)
    decide(plain, address, number)
    expect(plain.get_by_role("status")).to_contain_text("does nothing until a second person")
    assert overflow(plain) == 0
    context = browser.new_context(java_script_enabled=False)
    second = context.new_page()
    seat(second, office, address, "clara")
    second.goto(f"{address}/review?awaiting=yes")
    second.get_by_role("link", name=f"Report {number}: Ibis-13B").click()
    expect(second.get_by_text("Number one: Ibis-13B → Heron-7B").first).to_be_visible()
    second.get_by_role("button", name="Approve").click()
    expect(second.get_by_role("status")).to_contain_text("The decision is recorded.")
    second.goto(f"{address}/corrections/1")
    expect(second.get_by_role("main")).to_contain_text("Table 3 says so.")
    context.close()
    assert office.desk.scores()["Ibis-13B"] == "70"


def test_a_reviewer_needs_only_the_keyboard(page: Page, office: Office, address: str) -> None:
    """Through the queue with j and k; o opens, a takes, ? shows the keys; typing is left alone."""
    first, second = office.desk.file(), office.desk.file(LOON)
    seat(page, office, address)
    page.goto(f"{address}/review")
    page.keyboard.press("?")
    expect(page.locator("#keys")).to_have_attribute("open", "")
    page.keyboard.press("j")
    expect(page.get_by_role("link", name=f"Report {first}:")).to_be_focused()
    page.keyboard.press("j")
    expect(page.get_by_role("link", name=f"Report {second}:")).to_be_focused()
    page.keyboard.press("a")
    page.wait_for_url("**/review?done=1-held")
    assert office.desk.workspace.ledger.report(second).held_by == "boris"
    page.keyboard.press("k")
    page.keyboard.press("k")
    page.keyboard.press("o")
    page.wait_for_url(f"**/review/{first}")
    page.keyboard.press("o")
    expect(page.locator("#source")).to_be_focused()
    page.keyboard.press("j")
    page.wait_for_url(f"**/review/{second}")
    page.keyboard.press("k")
    page.wait_for_url(f"**/review/{first}")
    page.get_by_label("Statement what readers are told").focus()
    page.keyboard.type("jkoa?")
    expect(page.get_by_label("Statement what readers are told")).to_have_value("jkoa?")
    page.keyboard.press("Tab")
    expect(page.get_by_role("button", name="Preview", exact=True).last).to_be_focused()
    assert page.url.endswith(f"/review/{first}")


def test_the_enter_key_shows_and_does_not_decide(page: Page, office: Office, address: str) -> None:
    """In a field of one line it asks for a preview, like the first button."""
    number = office.desk.file()
    seat(page, office, address)
    page.goto(f"{address}/review/{number}")
    page.get_by_label("From the claim’s first reading").check()
    page.get_by_label("Score", exact=True).press("Enter")
    expect(page.locator("#preview")).to_be_visible()
    assert office.desk.events(number) == ["report-filed"]


@pytest.mark.parametrize("width", WIDTHS)
def test_a_long_slug_can_be_read_to_its_end(
    plain: Page, office: Office, address: str, width: int
) -> None:
    """The metric that somebody asks for wraps in its field; nothing of it is cut off."""
    plain.set_viewport_size({"width": width, "height": 900})
    slug = "-".join(["accuracy-of-code-execution-results"] * 3)
    number = office.desk.file(
        HERON, (Change("metric", "score", slug),), reason="wrong-metric-or-split"
    )
    seat(plain, office, address)
    plain.goto(f"{address}/review/{number}")
    field = plain.get_by_label("Metric", exact=True)
    expect(field).to_have_value(slug)
    hidden = "e => [e.scrollWidth - e.clientWidth, e.scrollHeight - e.clientHeight]"
    assert field.evaluate(hidden) == [0, 0]
    assert overflow(plain) == 0


def test_what_somebody_wrote_does_not_run(page: Page, office: Office, address: str) -> None:
    """Words, notes and names are text, and the policy would stop them if they were not."""
    number = filed_with_words(office.desk)
    seat(page, office, address)
    said: list[str] = []
    page.on("dialog", lambda dialog: said.append(dialog.message))
    page.on("console", lambda message: said.append(message.text))
    page.on("pageerror", lambda error: said.append(str(error)))
    page.goto(f"{address}/review/{number}")
    expect(page.get_by_text("<script>alert('x')</script>")).to_be_visible()
    assert said == []


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", WIDTHS)
def test_axe_finds_nothing_where_reviewers_work(
    page: Page, office: Office, address: str, width: int, scheme: str
) -> None:
    """The queue, an open report, one that waits for a second person, one that is decided."""
    page.set_viewport_size({"width": width, "height": 900})
    page.emulate_media(color_scheme="dark" if scheme == "dark" else "light")
    for path in everything(office):
        seat(page, office, address)
        page.goto(address + path)
        unfold(page)
        found = Axe().run(page)
        assert not found.violations_count, f"{path}\n{found.generate_report()}"
        assert overflow(page) == 0, path


def everything(office: Office) -> list[str]:
    """Pages of every kind."""
    desk = office.desk
    office.reviewer("clara")
    opened = filed_with_words(desk)
    desk.accept("70.1")
    waiting = desk.file(IBIS)
    version = desk.workspace.ledger.claim(IBIS).version
    retract = orders.Retract(claim=IBIS, version=version, applies_from="start")
    desk.decide(desk.order(waiting, retract), by="clara")
    mine = desk.file(HERON, by="boris")
    digest = frozen(desk, pdf_with("Heron-7B 72.5"), PDF)
    csv = desk.snapshot()
    return [
        "/review",
        "/review?benchmark=none",
        "/review?state=apart",
        f"/review/{opened}?view={digest}",
        f"/review/{opened}?view={csv}",
        "/review/2?done=decided",
        f"/review/{waiting}",
        f"/review/{mine}",
    ]
