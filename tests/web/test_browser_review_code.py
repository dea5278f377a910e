"""Labels and samples are reported and reviewed in a browser, with a keyboard and by ear."""

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, expect
from playwright.sync_api import Page as Chromium

from tests.shelf import CODES
from tests.web.reported_code import CASES, Office, office
from tests.web.reviewing import press
from tests.web.served import overflow, served, unfold
from tests.web.shelved import GRAFTS, shelved
from web.cookies import SESSION

__all__ = ["office", "shelved"]


def test_the_whole_way_of_a_report_on_a_sample_without_scripts(
    browser: Browser, office: Office
) -> None:
    """Filed on its page, decided on the review page, and seen by everybody; at 360 pixels."""
    boris = office.reviewer()
    with served(office.shelved.pages.app) as address:
        context = browser.new_context(
            java_script_enabled=False, viewport={"width": 360, "height": 900}
        )
        page = context.new_page()
        page.goto(f"{address}/samples/{CODES[0]}")
        page.get_by_role("link", name="Report a problem or propose a change").click()
        file_it(page)
        page.context.add_cookies([{"name": SESSION, "value": boris.secret, "url": address}])
        page.goto(f"{address}/review?about=samples")
        page.get_by_role("link", name="Report 1: Sample").click()
        decide_it(page)
        for path in (GRAFTS, f"/samples/{CODES[0]}", "/corrections"):
            page.goto(f"{address}{path}")
            expect(page.get_by_role("main")).to_contain_text("ran · violated contract")
            assert overflow(page) == 0, path
        context.close()


def file_it(page: Chromium) -> None:
    """Say on the public form what should be different."""
    page.get_by_label("What is wrong").select_option("wrong-value")
    page.get_by_label("Change what it says").check()
    page.get_by_label("What it should say").fill("ran · violated contract")
    page.get_by_role("button", name="Send").click()
    expect(page.get_by_role("main")).to_contain_text("report 1")


def decide_it(page: Chromium) -> None:
    """Look, preview and decide as a reviewer does."""
    assert overflow(page) == 0
    page.get_by_label("read 24 Sep 2026").check()
    page.get_by_label("Accepted, as asked").check()
    page.get_by_label("Correct it, to the values below").check()
    page.get_by_label("Outcome", exact=True).select_option("violated")
    page.get_by_label("From the sample’s first reading").check()
    page.get_by_label("Statement what readers are told").fill("The record says so.")
    page.get_by_role("button", name="Preview", exact=True).last.click()
    expect(page.locator("#preview")).to_contain_text("Samples: ran · honoured")
    assert overflow(page) == 0
    page.get_by_role("button", name="Decide", exact=True).click()
    expect(page.get_by_role("status")).to_contain_text("The decision is recorded.")


def test_axe_finds_nothing_where_labels_and_samples_are_reviewed(
    page: Chromium, office: Office
) -> None:
    """The queue, an open report on each, one that waits for a second person, one decided."""
    opened_one, boris = office.file(CASES[0]), office.reviewer()
    waiting = office.file(CASES[1])
    press(boris, waiting, "decide", office.ready(boris, waiting, CASES[1], propose="yes"))
    office.accept(CASES[0])
    paths = [
        "/review",
        f"/review/{opened_one}",
        f"/review/{waiting}",
        "/review/3",
        "/corrections/1",
    ]
    clara = office.reviewer("clara")
    with served(office.shelved.pages.app) as address:
        page.context.add_cookies([{"name": SESSION, "value": clara.secret, "url": address}])
        for width, scheme in ((1280, "light"), (360, "dark")):
            page.set_viewport_size({"width": width, "height": 900})
            page.emulate_media(color_scheme="dark" if scheme == "dark" else "light")
            for path in paths:
                page.goto(address + path)
                unfold(page)
                found = Axe().run(page)
                assert not found.violations_count, f"{path}\n{found.generate_report()}"
                assert overflow(page) == 0, path
