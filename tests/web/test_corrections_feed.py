"""The public log for spreadsheets and feed readers: CSV and Atom."""

import xml.etree.ElementTree as ET
from pathlib import Path

import pytest

from ledger import commands as orders
from ledger.errors import BadValue
from tests.web.kites import HERON, Kites, make_kites, open_kites
from tests.web.public_log import ATOM, HOSTILE, by_title, feed, table, three, told
from web.settings import Settings

# --- CSV --------------------------------------------------------------------------------------


def test_csv_is_safe_and_its_numbers_stay_numbers(kites: Kites) -> None:
    """A statement that a spreadsheet would run is text; a negative score is a number."""
    kites.correct("-3.50", statement='=HYPERLINK("http://evil.example")', reason="@cmd")
    (row,) = table(kites)
    assert row["statement"] == '\'=HYPERLINK("http://evil.example")'
    assert row["reason"] == "'@cmd"
    assert (row["before"], row["after"]) == ("72.5", "-3.50")
    assert (row["number"], row["benchmark"], row["model"]) == ("1", "kitebench", "Heron-7B")
    assert row["decided_at"] == "2025-07-01T08:00:00.000000Z"


def test_csv_has_a_row_for_each_field_and_one_for_what_changed_nothing(kites: Kites) -> None:
    """So before and after are single values."""
    wish = orders.Correct(
        claim=HERON, applies_from="start", to=(("score", "70.1"), ("setting", "8 shots"))
    )
    kites.decide(wish)
    kites.decide()
    declined, *changed = table(kites)
    assert (declined["outcome"], declined["field"], declined["model"]) == (
        "declined",
        "",
        "Heron-7B",
    )
    assert {(row["field"], row["before"], row["after"]) for row in changed} == {
        ("score", "72.5", "70.1"),
        ("setting", "", "8 shots"),
    }


# --- feed -------------------------------------------------------------------------------------


def test_a_later_reversal_updates_an_entry_and_keeps_its_id(kites: Kites) -> None:
    """RFC 4287: the id never changes, and ``updated`` only grows (case P026)."""
    first = kites.correct("70.1")
    before = by_title(kites)[1]
    assert told(before, "updated") == told(before, "published") == "2025-07-01T08:00:00.000000Z"
    kites.wait(days=3)
    kites.reverse(first)
    after = by_title(kites)
    assert told(after[1], "id") == told(before, "id")
    assert told(after[1], "published") == told(before, "published")
    assert told(after[1], "updated") == "2025-07-04T08:00:00.000000Z"
    assert "No longer in force: correction 2 came in its place." in told(after[1], "content")
    assert told(feed(kites), "updated") == "2025-07-04T08:00:00.000000Z"


def test_ids_are_of_the_ledger_and_not_of_its_address(kites: Kites, tmp_path: Path) -> None:
    """The same under every name; others in another ledger; none twice."""
    three(kites)
    ids = {number: told(one, "id") for number, one in by_title(kites).items()}
    assert len(set(ids.values())) == 3
    assert all(one.startswith("urn:uuid:") for one in ids.values())
    elsewhere = kites.app.test_client().get("/corrections.atom", base_url="https://kites.example")
    root = ET.fromstring(elsewhere.data)  # noqa: S314 -- our own
    assert {told(one, "id") for one in root.findall("a:entry", ATOM)} == set(ids.values())
    assert 'href="https://kites.example/corrections/1"' in elsewhere.text
    other = Settings(home=tmp_path / "other", two_person=False)
    make_kites(other)
    with open_kites(other) as opened:
        opened.correct("70.1")
        assert told(by_title(opened)[1], "id") not in ids.values()


def test_an_old_entry_that_changed_is_in_the_feed_again(kites: Kites) -> None:
    """However many came after it."""
    number = kites.file()
    kites.correct("70.1", number=number, remainder=True)
    for _ in range(101):
        kites.decide(number=number, outcome="accepted-in-part", remainder=True)
    assert 1 not in by_title(kites)
    kites.wait(hours=1)
    kites.reverse("1.1")
    found = by_title(kites)
    assert len(found) == 100
    assert 1 in found


def test_the_feed_is_well_formed_whatever_a_statement_holds(kites: Kites) -> None:
    """Markup is text; a statement that nobody can read is not taken."""
    for unseen in ("\x0b", "\x00", "\u202e"):
        with pytest.raises(BadValue):
            kites.decide(statement=f"looked{unseen} up")
    kites.decide(statement=f"{HOSTILE} & ]]> end")
    (entry,) = feed(kites).findall("a:entry", ATOM)
    assert f"{HOSTILE} & ]]> end" in told(entry, "content")
    required = {"id", "title", "updated", "published", "author", "link", "content"}
    assert required <= {part.tag.partition("}")[2] for part in entry}


def test_an_empty_feed_is_a_feed(kites: Kites) -> None:
    """With id, title and updated, as RFC 4287 asks."""
    found = feed(kites)
    assert found.findall("a:entry", ATOM) == []
    assert told(found, "id").startswith("urn:uuid:")
    assert told(found, "updated") == "1970-01-01T00:00:00.000000Z"


def test_links_bear_the_address_that_the_operator_gave(kites_once: Path, tmp_path: Path) -> None:
    """Whatever name a request comes under."""
    import shutil  # noqa: PLC0415 -- used once

    shutil.copytree(kites_once, tmp_path / "home")
    settings = Settings(home=tmp_path / "home", two_person=False, address="https://kites.example")
    with open_kites(settings) as kites:
        kites.correct("70.1")
        assert 'href="https://kites.example/corrections/1"' in kites.get("/corrections.atom").text
