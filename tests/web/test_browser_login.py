"""A reviewer logs in in a real browser, on both engines."""

import re
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page

from tests.web.login import HASHED, OTHER, PASSWORD
from tests.web.orchard import Hand
from tests.web.served import served
from web.app import create_app
from web.private import accounts as acc
from web.settings import Settings
from web.wiring import make_home, open_workspace


@pytest.fixture(params=["sqlite", "postgres"])
def address(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[str]:
    """Pages served on loopback; mira has a one-time password."""
    database = request.getfixturevalue("postgres_url") if request.param == "postgres" else None
    settings = Settings(home=tmp_path / "home", database_url=database)
    make_home(settings)
    with closing(open_workspace(settings, clock=Hand())) as workspace:
        workspace.follower.catch_up()
        acc.add_account(workspace.private, "mira", ["reviewer"], HASHED, one_time=True)
        with served(create_app(workspace)) as address:
            yield address


@pytest.mark.parametrize("scripts", [True, False])
def test_a_reviewer_logs_in_with_the_keyboard_alone(
    browser: Any, address: str, scripts: bool
) -> None:
    """Through the login page, the new password, and out again; with scripts and without."""
    context = browser.new_context(
        java_script_enabled=scripts, viewport={"width": 360, "height": 740}
    )
    page: Page = context.new_page()
    page.goto(f"{address}/login?next=/corrections")
    for text in ("mira", PASSWORD):
        page.keyboard.press("Tab") if text == PASSWORD else page.focus("#handle")
        page.keyboard.type(text)
    page.keyboard.press("Enter")
    page.wait_for_url(re.compile(r"/password\?next="))
    if scripts:
        assert Axe().run(page).violations_count == 0
    page.focus("#password")
    for text in (PASSWORD, OTHER, OTHER):
        page.keyboard.type(text)
        page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    page.wait_for_url(f"{address}/corrections")
    page.goto(f"{address}/password")
    page.get_by_role("button", name="Log out").press("Enter")
    page.wait_for_url(f"{address}/")
    page.goto(f"{address}/password")
    page.wait_for_url(re.compile(r"/login\?next="))
    width = page.locator("html").bounding_box()
    assert width is not None
    assert width["width"] <= 360
    if scripts:
        assert Axe().run(page).violations_count == 0
    context.close()
