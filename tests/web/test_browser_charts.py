"""Charts in a real browser: pictures without scripts, and explored under the strict policy."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from tests.web.orchard import Orchard
from tests.web.seeded import BIG, seeded, seeded_once
from tests.web.served import overflow, served

__all__ = ["seeded", "seeded_once"]

WATCH = """
window.blocked = [];
document.addEventListener("securitypolicyviolation", one =>
  window.blocked.push(`${one.violatedDirective} ${one.blockedURI} ${one.sample}`));
"""
SHIFTS = """
window.moved = [];
new PerformanceObserver(list => list.getEntries().forEach(one => window.moved.push(
  [one.value, ...one.sources.map(source => source.node?.nodeName)])))
  .observe({type: "layout-shift", buffered: true});
"""
PUSHED = """
() => new Promise(done => {
  scrollTo(0, 0);
  document.querySelector("main").prepend(document.createElement("hr"));
  const look = () => window.moved.length ? done(window.moved.length) : requestAnimationFrame(look);
  look();
})
"""
HEADINGS = ("number-one", "scores", "launch-posts")


@pytest.fixture
def address(seeded: Orchard) -> Iterator[str]:
    """The demo's benchmarks, served on loopback."""
    with served(seeded.app) as address:
        yield address


def figure(page: Page, heading: str) -> Locator:
    """A chart of a benchmark's page."""
    return page.locator(f"section:has(#{heading}) figure.chart")


def loaded(picture: Locator) -> str:
    """Which file an image shows, once it is there."""
    picture.scroll_into_view_if_needed()
    expect(picture).to_have_js_property("complete", value=True)
    assert picture.evaluate("one => one.naturalWidth") > 0
    return str(picture.evaluate("one => one.currentSrc"))


@pytest.mark.parametrize(("width", "form"), [(1280, "wide"), (360, "narrow")])
def test_without_scripts_there_is_the_picture_and_nothing_to_press(
    browser: Browser, address: str, width: int, form: str
) -> None:
    """The form for this window and this scheme; what cannot work is not offered."""
    context = browser.new_context(
        java_script_enabled=False,
        color_scheme="dark",
        viewport={"width": width, "height": 900},
    )
    page = context.new_page()
    with page.expect_response(lambda one: "charts/scores.svg" in one.url) as answer:
        page.goto(f"{address}{BIG}")
        figure(page, "scores").scroll_into_view_if_needed()
    assert answer.value.url.endswith(f"scheme=dark&width={form}")
    assert answer.value.ok
    expect(figure(page, "scores").get_by_role("img", name="Scores over time")).to_be_visible()
    assert figure(page, "scores").get_by_role("button").count() == 0
    context.close()


@pytest.mark.parametrize("width", [1280, 360])
def test_a_reader_explores_every_chart_under_the_strict_policy(
    browser: Browser, address: str, width: int
) -> None:
    """Nothing is blocked, nothing comes from elsewhere, and the program only when asked for."""
    context = browser.new_context(viewport={"width": width, "height": 900})
    context.add_init_script(WATCH)
    page = context.new_page()
    asked: list[str] = []
    said: list[str] = []
    page.on("request", lambda one: asked.append(one.url))
    page.on("console", lambda one: said.append(one.text))
    page.on("pageerror", lambda one: said.append(str(one)))
    page.goto(f"{address}{BIG}")
    for heading in HEADINGS:
        assert "scheme=light" in loaded(figure(page, heading).locator("img"))
    assert not [one for one in asked if "vega.js" in one]
    for heading in HEADINGS:
        chart = figure(page, heading)
        size = chart.locator("img").bounding_box()
        chart.get_by_role("button", name="Explore this chart").click()
        canvas = chart.locator("canvas")
        expect(canvas).to_be_visible()
        drawn = canvas.bounding_box()
        assert size is not None
        assert drawn is not None
        assert (drawn["width"], drawn["height"]) == (size["width"], size["height"])
    assert [one for one in asked if not one.startswith(address)] == []
    assert len([one for one in asked if "vega.js" in one]) == 1
    assert page.evaluate("window.blocked") == []
    assert said == []
    assert overflow(page) == 0
    context.close()


def test_a_mark_says_its_numbers_and_the_picture_comes_back(page: Page, address: str) -> None:
    """By pointing at it; and one presses the same button to be back, by keyboard as well."""
    page.set_viewport_size({"width": 1280, "height": 900})
    page.goto(f"{address}{BIG}")
    chart = figure(page, "number-one")
    chart.get_by_role("button").focus()
    page.keyboard.press("Enter")
    canvas = chart.locator("canvas")
    expect(canvas).to_be_visible()
    canvas.scroll_into_view_if_needed()
    canvas.hover(position={"x": 200, "y": 58})
    tip = page.locator(".chart-tip")
    expect(tip).to_contain_text("GPT-4o May 2024")
    expect(tip).to_contain_text("56.1%")
    chart.get_by_role("button", name="Show the picture again").click()
    expect(canvas).to_have_count(0)
    expect(tip).to_be_hidden()
    expect(chart.locator("picture")).to_be_visible()


def test_where_the_program_does_not_come_the_picture_stays(page: Page, address: str) -> None:
    """It says so, and nothing is lost."""
    page.route("**/charts/vega.js*", lambda route: route.abort())
    page.goto(f"{address}{BIG}")
    chart = figure(page, "scores")
    chart.get_by_role("button").click()
    expect(chart.get_by_role("status")).to_contain_text("did not load")
    expect(chart.locator("picture")).to_be_visible()


@pytest.mark.parametrize("width", [1280, 360])
def test_nothing_moves_while_the_charts_load(browser: Browser, address: str, width: int) -> None:
    """Each picture has its place before it is there, also where it comes late."""
    context = browser.new_context(viewport={"width": width, "height": 900})
    context.add_init_script(SHIFTS)
    page = context.new_page()
    page.goto(f"{address}{BIG}")
    for heading in HEADINGS:
        loaded(figure(page, heading).locator("img"))
    assert page.evaluate("window.moved") == []
    # What has no place of its own is seen, or the line above says nothing.
    assert page.evaluate(PUSHED) > 0
    context.close()
