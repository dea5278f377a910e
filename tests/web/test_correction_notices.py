"""The notice of a decision: what it moved, what came of it later, and who asked for it."""

import orjson
import pytest

from ledger import commands as orders
from ledger.values import PartialDate
from tests.web.flat_page import Page
from tests.web.kites import HERON, IBIS, LOON, Kites
from tests.web.public_log import HOSTILE, numbers, text
from web.private.reporters import erase_report, open_letter

# --- the notice -------------------------------------------------------------------------------


def test_a_notice_says_which_rows_of_which_boards_it_moved(kites: Kites) -> None:
    """Just before and just after its own position, in each view, with pinned links to both."""
    kites.correct("70.1")
    page = text(kites, "/corrections/1")
    assert "KiteBench v1, score, Independent runs: 2 rows moved" in page
    notice = kites.json("/corrections/1.json")
    (board,) = [one for one in notice["boards"] if one["view"] == "independent"]
    moved = {one["name"]: (one["rank"], one["score"]) for one in board["moved"]}
    assert moved == {
        "Heron-7B": ({"before": 2, "after": 3}, {"before": "72.5", "after": "70.1"}),
        "Loon-3B": ({"before": 3, "after": 2}, {"before": "71", "after": "71"}),
    }
    links = [
        one for one in Page.of(kites.page("/corrections/1")).values("href") if "view=all" in one
    ]
    ranks = [
        [
            row["as_written"]
            for row in kites.json(link.replace("kitebench?", "kitebench.json?"))["rows"]
        ]
        for link in links
    ]
    assert ranks == [["Ibis-13B", "Heron-7B", "Loon-3B"], ["Ibis-13B", "Loon-3B", "Heron-7B"]]


def test_a_notice_says_who_lost_number_one(kites: Kites) -> None:
    """A retraction shows what left the board, and the source's own date as a field of its own."""
    wish = orders.Retract(claim=IBIS, applies_from="start", upstream_on=PartialDate("2025-06-20"))
    kites.decide(wish, type="retraction", reason="source-withdrew-it")
    page = text(kites, "/corrections/1")
    assert "Number one: Ibis-13B → Heron-7B" in page
    assert "Ibis-13B 1 → not ranked" in page
    assert "its source withdrew it on 20 Jun 2025" in page
    assert "standing ranked retracted" in page


def test_what_a_notice_says_of_its_boards_never_changes(kites: Kites) -> None:
    """Neither by later decisions nor by late readings."""
    kites.correct("70.1")
    before = kites.json("/corrections/1.json")
    kites.wait(days=1)
    kites.correct("99.0", LOON)
    after = kites.json("/corrections/1.json")
    assert (after["boards"], after["claims"]) == (before["boards"], before["claims"])


def test_a_late_reading_does_not_change_what_a_decision_did(kites: Kites) -> None:
    """The entry is about what was there when it was decided."""
    from tests.web.kites import KITES, read  # noqa: PLC0415 -- used once

    kites.correct("70.1")
    before = kites.json("/corrections.json")["corrections"]
    read(
        kites.workspace,
        KITES,
        "2025-06-20T080000Z.csv",
        "model,score\nHeron-7B,60\nIbis-13B,80.0\n",
    )
    assert kites.json("/corrections.json")["corrections"] == before


def test_a_decision_with_two_effects_shows_both(kites: Kites) -> None:
    """Before is what showed before the first, after what showed after the last."""
    kites.decide(
        orders.HoldOut(claim=HERON, applies_from="start"),
        orders.Dispute(claim=HERON, applies_from="start", about="denominator"),
    )
    (claim,) = kites.json("/corrections.json")["corrections"][0]["claims"]
    assert (claim["before"]["standing"], claim["after"]["standing"]) == ("ranked", "held-out")
    assert (claim["before"]["disputed"], claim["after"]["disputed"]) == (None, "denominator")


def test_a_report_in_parts_shows_the_other_parts(kites: Kites) -> None:
    """One report may have several entries; what is still open of it is not told."""
    number = kites.file()
    kites.decide(
        orders.Dispute(claim=HERON, applies_from="start", about="denominator"),
        number=number,
        outcome="accepted-in-part",
        remainder=True,
    )
    kites.correct("70.1", number=number)
    assert "a part of report 1" in text(kites, "/corrections/1")
    assert "on the same report: correction 2" in text(kites, "/corrections/1")
    assert kites.json("/corrections/2.json")["same_report"] == [1]


def test_a_duplicate_leads_to_what_was_decided_of_the_original(kites: Kites) -> None:
    """And says nothing of an original that nobody decided yet."""
    original = kites.file()
    copy = kites.file(by="erik")
    kites.decide(number=copy, outcome="duplicate", duplicate_of=original, snapshot=None)
    assert kites.json("/corrections/1.json")["duplicates"] == []
    assert f"report {original}" not in text(kites, "/corrections/1")
    kites.correct("70.1", number=original)
    assert kites.json("/corrections/1.json")["duplicates"] == [2]


@pytest.mark.parametrize("address", ["/corrections/2", "/corrections/0", "/corrections/01"])
@pytest.mark.parametrize("form", ["", ".json", ".jsonld"])
def test_a_number_without_a_decision_is_nowhere(kites: Kites, address: str, form: str) -> None:
    """An open report is no entry, and an entry has one address."""
    kites.correct("70.1")
    kites.file()
    assert kites.get(address + form).status_code == 404


def test_before_it_was_decided_a_notice_was_not_there(kites: Kites) -> None:
    """The log of an earlier moment is the log of that moment."""
    position = kites.head
    kites.wait(days=2)
    kites.correct("70.1")
    assert kites.get("/corrections/1?as_read_on=2025-07-02").status_code == 404
    assert kites.get(f"/corrections/1?recorded_through={position}").status_code == 404
    assert "Nothing has been decided yet." in text(kites, "/corrections?as_read_on=2025-07-02")
    assert numbers(kites, "?as_read_on=2025-07-02&corrected=since") == [1]


def test_a_notice_is_a_correction_comment_of_schema_org(kites: Kites) -> None:
    """In its markup, which no policy has to let run, and as a document of its own."""
    kites.correct("70.1", statement=HOSTILE)
    html = kites.page("/corrections/1")
    page = Page.of(html)
    assert "https://schema.org/CorrectionComment" in page.values("itemtype")
    assert {"text", "datePublished", "dateModified", "author", "identifier"} <= set(
        page.values("itemprop")
    )
    assert "script" not in page.tags
    (link,) = [one for one in page.values("href") if one.endswith(".jsonld")][:1]
    response = kites.get(link)
    assert response.content_type == "application/ld+json"
    comment = orjson.loads(response.data)
    assert (comment["@type"], comment["text"]) == ("CorrectionComment", HOSTILE)
    assert comment["url"] == "http://localhost/corrections/1"
    assert comment["datePublished"] == "2025-07-01T08:00:00.000000Z"


# --- who asked --------------------------------------------------------------------------------


def anonymous(kites: Kites, credit: str | None) -> int:
    """A report by somebody without an account."""
    number = kites.file(by="reporter-0a1b2c3d")
    open_letter(kites.workspace.private, number, "dana@example.org", credit=credit)
    return number


def test_whoever_asked_is_named_if_they_want_to_be(kites: Kites) -> None:
    """And thanked for what was accepted alone; nobody gets a name into the log else."""
    kites.correct("70.1", number=anonymous(kites, "Dana Q."))
    kites.decide(number=anonymous(kites, "Buy kites"))
    kites.correct("69", LOON, number=anonymous(kites, None))
    assert "<dt>Asked for by</dt><dd><bdi>Dana Q.</bdi></dd>" in kites.page("/corrections/1")
    assert kites.json("/corrections/1.json")["asked_by"] == "Dana Q."
    assert "Buy kites" not in kites.page("/corrections/2")
    assert "Asked for by" not in text(kites, "/corrections/3")
    assert "dana@example.org" not in kites.page("/corrections/1")


def test_after_erasure_the_reporter_is_erased_everywhere(kites: Kites) -> None:
    """Case P018: in the page as of then too, which nobody may keep for ever; the decision stays."""
    kites.correct("70.1", number=anonymous(kites, "Dana Q."))
    pinned = f"/corrections/1?as_read_on=2025-07-01&recorded_through={kites.head}"
    before = kites.get(pinned)
    assert "Dana Q." in before.text
    assert before.headers["Cache-Control"] == "no-cache"
    erase_report(kites.workspace.private, 1, ())
    after = kites.get(pinned, If_None_Match=before.headers["ETag"])
    assert after.status_code == 200
    assert "Dana Q." not in after.text
    assert "<dt>Asked for by</dt><dd><bdi>[erased]</bdi></dd>" in after.text
    for address in ("/corrections", "/corrections.csv", "/corrections.json", "/corrections.atom"):
        assert "Dana" not in kites.get(address).text
    assert numbers(kites) == [1]
