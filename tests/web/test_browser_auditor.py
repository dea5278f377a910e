"""Three walks in a real browser: a reader to a number's source, an auditor from two days to the
proof of what lies between them, and everybody through the pages that these ones were made after.

What the seed pages state is in ``../shared/facts``, beside the checkout and not in it; elsewhere
the walk through them is skipped.
"""

import re
from collections.abc import Iterator
from decimal import Decimal

import pytest
from playwright.sync_api import Browser, Page, expect

from ledger import commands as orders
from tests.seed_records import NEEDS_FACTS, facts
from tests.web.orchard import BOARD, WRONG, Orchard
from tests.web.seeded import BIG, READ_ON, SMALL, seeded, seeded_once
from tests.web.served import WIDTHS, axe_finds_nothing, overflow, served

__all__ = ["seeded", "seeded_once"]

DAY = "2025-07-28"
VIEWS = {"labs": "lab_claims", "independent": "independent_claims"}


@pytest.fixture
def address(orchard: Orchard) -> Iterator[str]:
    """The orchard, sealed and served on loopback."""
    orchard.workspace.seal()
    with served(orchard.app) as address:
        yield address


# --- a reader ---------------------------------------------------------------------------------


@pytest.mark.parametrize("width", WIDTHS)
def test_a_reader_finds_the_source_of_a_number_in_three_clicks(
    plain: Page, address: str, width: int
) -> None:
    """From the first page: the benchmark, the number, and the frozen bytes that say it."""
    plain.set_viewport_size({"width": width, "height": 900})
    plain.goto(f"{address}/")
    plain.get_by_role("main").get_by_role("link", name="Orchard", exact=True).first.click()
    whose = plain.get_by_role("table").first.get_by_role("row").filter(has_text="Alder 7B")
    whose.get_by_role("link").filter(has_text=re.compile("Alder 7B|72.5")).first.click()
    expect(plain.get_by_role("heading", level=1)).to_contain_text("72.5")
    plain.get_by_role("link", name="about it").first.click()
    expect(plain.get_by_role("heading", level=1)).to_contain_text("Snapshot")
    expect(plain.locator("#text + pre")).to_contain_text("Alder 7B May 2025,72.5")


# --- an auditor -------------------------------------------------------------------------------


@pytest.mark.parametrize("width", WIDTHS)
def test_an_auditor_gets_from_two_days_to_the_decision_and_its_proof(
    plain: Page, address: str, width: int
) -> None:
    """What changed, why, who decided it, the very event in the log, and the signed root over it."""
    plain.set_viewport_size({"width": width, "height": 900})
    plain.goto(f"{address}{BOARD}/changes?from={DAY}&to=2025-08-20&view=labs")
    row = plain.get_by_role("row").filter(has_text="70.5%").first
    row.get_by_role("link", name="Correction 1").click()
    expect(plain.get_by_role("heading", level=1)).to_contain_text("Correction 1")
    plain.get_by_role("link", name="39", exact=True).click()
    expect(plain.get_by_role("heading", level=1)).to_have_text("Event 39: decision made")
    expect(plain.locator(".path > li").last).to_contain_text("The same.")
    plain.locator("#proof ~ p").get_by_role("link", name="checkpoint 40").first.click()
    expect(plain.locator("#note + pre")).to_contain_text("\n40\n")
    assert overflow(plain) == 0


def test_an_auditor_looks_through_the_log_without_scripts(plain: Page, address: str) -> None:
    """By what happened, in the form; what is withheld has a place and an entry."""
    plain.goto(f"{address}/audit")
    plain.get_by_role("main").get_by_role("link", name="Log", exact=True).click()
    plain.get_by_label("What", exact=True).select_option("claim corrected")
    plain.get_by_role("button", name="Narrow the list").click()
    expect(plain.get_by_role("table").get_by_role("row")).to_have_count(2)
    plain.get_by_role("link", name=f"claim:{WRONG}").click()
    expect(plain.get_by_role("table").get_by_role("row")).to_have_count(3)
    plain.get_by_role("link", name="Show all events").click()
    withheld = plain.get_by_role("row").filter(has_text="withheld")
    withheld.get_by_role("link", name="38").click()
    expect(plain.get_by_role("main")).to_contain_text("Of a report only its decisions can be read")


def audit_pages(orchard: Orchard) -> list[str]:
    """Every kind of them, with something withheld and two checkpoints to compare."""
    filed = orders.FileReport(
        number=9, target="site", reason="other", received_at=orchard.workspace.ledger.clock()
    )
    orchard.workspace.ledger.do(filed, by="reader")
    digest = orchard.workspace.ledger.claim(WRONG).readings[-1].digest
    return [
        "/audit",
        "/audit/events?count=12",
        "/audit/events?type=probe-window-opened/1",
        "/audit/events/40",
        "/audit/events/41",
        "/audit/imports/37",
        "/audit/imports",
        "/audit/snapshots",
        f"/audit/snapshots/{digest}",
        "/audit/checkpoints",
        "/audit/checkpoints/40",
        "/audit/consistency?from=40",
    ]


@pytest.mark.parametrize(("width", "scheme"), [(1280, "light"), (360, "dark")])
def test_axe_finds_nothing_on_the_audit_pages(
    browser: Browser, orchard: Orchard, address: str, width: int, scheme: str
) -> None:
    """Nor does a page scroll sideways."""
    axe_finds_nothing(browser, address, audit_pages(orchard), width=width, scheme=scheme)


def test_no_table_of_the_audit_scrolls_sideways_on_a_phone(
    plain: Page, orchard: Orchard, address: str
) -> None:
    """Each row is a card there, and to those who hear it a row of the same table."""
    plain.set_viewport_size({"width": 360, "height": 900})
    beyond = "all => all.map(one => one.scrollWidth - one.clientWidth)"
    for path in audit_pages(orchard):
        plain.goto(f"{address}{path}")
        assert set(plain.locator(".scroll").evaluate_all(beyond)) <= {0}, path
    plain.goto(f"{address}/audit/events?count=12")
    table = plain.get_by_role("table")
    expect(table.get_by_role("columnheader", name="Stream")).to_have_count(1)
    row = table.get_by_role("row").filter(has_text="claim corrected")
    expect(row.get_by_role("rowheader")).to_have_text("claim corrected")
    expect(row.get_by_role("cell")).to_have_count(5)
    withheld = table.get_by_role("row").filter(has_text="withheld").first
    expect(withheld.get_by_role("rowheader")).to_have_text("withheld")
    expect(withheld).to_contain_text("41")


# --- the seed pages ---------------------------------------------------------------------------


@pytest.fixture
def seeds(seeded: Orchard) -> Iterator[str]:
    """The demo, served on loopback."""
    with served(seeded.app) as address:
        yield address


def rows_of(page: Page) -> list[str]:
    """The rows of the board that is open, as anybody reads them."""
    texts: list[str] = page.locator("table").first.locator("tbody tr").all_inner_texts()
    return [" ".join(text.split()) for text in texts]


@NEEDS_FACTS
@pytest.mark.parametrize(("board", "slug"), [(BIG, "bigcodebench"), (SMALL, "code-interpreter")])
def test_the_boards_of_the_seed_pages_show_each_of_their_numbers(
    plain: Page, seeds: str, board: str, slug: str
) -> None:
    """S1 and S2 as read on their day: every row with its model and its digits, in the page's order
    but for ties, and what the page states of itself."""
    told = facts(slug)
    for view, name in VIEWS.items():
        plain.goto(f"{seeds}{board}?view={view}&as_read_on={READ_ON}")
        rows = rows_of(plain) if told[name] else []
        assert len(rows) == len(told[name])
        for claim in told[name]:
            model = " ".join(filter(None, (claim["model"]["name"], claim["model"]["version"])))
            fitting = [row for row in rows if model in row and f"{claim['score']}%" in row]
            assert fitting, f"{model} with {claim['score']} on {board} ({view})"
        assert scores(rows) == sorted(scores(rows), reverse=True)
    main = plain.get_by_role("main")
    for kind in ("launch_posts", "system_cards"):
        for one in told[kind]:
            if one["score"] is not None:
                expect(main).to_contain_text(one["score"])
    expect(main).to_contain_text(told["page_states"]["status"], ignore_case=True)


def scores(rows: list[str]) -> list[Decimal]:
    """The first number with a percent sign in each row."""
    found = (re.search(r"([0-9]+(?:\.[0-9]+)?)%", row) for row in rows)
    return [Decimal(one.group(1)) for one in found if one]


@NEEDS_FACTS
def test_the_paper_of_the_seed_pages_shows_each_of_its_numbers(plain: Page, seeds: str) -> None:
    """S3 as read on the day of its record: the abstract's scores, samples and outcomes; the archive
    on its own day has nothing of the record yet."""
    told = facts("opencodeinterpreter")
    paper = f"{seeds}/papers/{told['paper']['arxiv_id']}"
    plain.goto(f"{paper}?as_read_on={told['record_read_on']}")
    main = plain.get_by_role("main")
    expect(main.get_by_role("heading", level=1)).to_have_text(told["paper"]["title"])
    for claim in told["abstract_claims"]:
        expect(main).to_contain_text(claim["score"])
        expect(main).to_contain_text(claim["plus"])
    text = main.inner_text()
    for author in told["paper"]["authors"]:
        assert author in text
    for sample in told["samples"]:
        assert sample["code_sha256_prefix"] in text
    outcomes = told["sample_outcomes"]
    for word, count in outcomes.items():
        if word not in ("note", "harvested", "ran") and count:
            assert re.search(rf"\b{count}\b[^.]*{word}|{word}[^.]*\b{count}\b", text), word
    plain.goto(f"{paper}?as_read_on={told['archive']['frozen_on']}")
    expect(main).not_to_contain_text(told["samples"][0]["code_sha256_prefix"])
