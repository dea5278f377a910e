"""What was reported and decided of labels and samples, in the queue and in the public log."""

import orjson

from tests.shelf import CODES, LABEL, PAPER
from tests.web.flat_page import Page
from tests.web.reported_code import CASES, SAMPLE, Office, office
from tests.web.reviewing import press
from tests.web.sent import opened
from tests.web.shelved import shelved

__all__ = ["office", "shelved"]


# --- the queue --------------------------------------------------------------------------------


def test_the_queue_says_what_each_is_about_and_can_be_narrowed(office: Office) -> None:
    """By kind and by paper; each line leads to the paper."""
    for case in CASES:
        office.file(case)
    boris = office.reviewer()
    whole = Page.of(boris.get("/review").text).text
    assert "Report 1: Sample 1f0c7a5b2d9e4836, ran · honoured" in whole
    assert "Report 2: Label of Wren/grafts, official repository" in whole
    assert f"paper {PAPER}" in whole
    narrowed = Page.of(boris.get("/review?about=labels").text).text
    assert "Report 2" in narrowed
    assert "Report 1:" not in narrowed
    assert "1 report, oldest first" in narrowed
    assert "2 reports, oldest first" in boris.get(f"/review?paper={PAPER}").text
    assert boris.get("/review?about=Nope!").status_code == 400


def test_labels_and_samples_are_decided_together(office: Office) -> None:
    """As they are asked for, each in a decision of its own, checked against its latest reading."""
    for case in CASES:
        office.file(case)
    boris = office.reviewer()
    html = boris.get("/review").text
    lines = [part.partition('"')[0] for part in html.split('name="chosen" value="')[1:]]
    fields = {
        "chosen": lines,
        "outcome": "accepted",
        "checked": "yes",
        "applies": "start",
        "reason": "wrong-value",
        "statement": "Both are so.",
        "do": "decide",
    }
    answer = boris.post("/review", fields)
    assert answer.status_code == 303, Page.of(answer.text).text
    log = office.text("/corrections")
    assert "2 entries" in log
    assert office.shelved.shelf.label() == "named-in-paper"


def test_the_interface_gives_what_a_decision_has_to_name(office: Office) -> None:
    """Which kind it is, its version, and the snapshots to check."""
    number, boris = office.file(CASES[0]), office.reviewer()
    told = boris.get(f"/api/reports/{number}").get_json()["claim"]
    assert (told["kind"], told["claim_id"]) == ("sample", SAMPLE)
    assert told["snapshots"] == [str(office.shelved.record)]
    assert told["version"] == office.workspace.ledger.told(SAMPLE).version


# --- the public log ---------------------------------------------------------------------------


def test_the_log_can_be_narrowed_to_labels_to_samples_and_to_a_paper(office: Office) -> None:
    """As page, JSON, CSV and feed; what was declined belongs to what it was about, too."""
    office.accept(CASES[0])
    office.accept(CASES[1])
    number, boris = office.file(CASES[1]), office.reviewer()
    fields = office.ready(boris, number, CASES[1], outcome="declined", does=[], type="")
    assert press(boris, number, "decide", fields).status_code == 303
    pages = office.shelved.pages

    def numbers(query: str) -> list[int]:
        return [one["number"] for one in pages.json(f"/corrections.json?{query}")["corrections"]]

    assert numbers("about=samples") == [1]
    assert numbers("about=labels") == [3, 2]
    assert numbers("about=claims") == []
    assert numbers(f"paper={PAPER}") == [3, 2, 1]
    assert numbers("paper=1234.56789") == []
    assert numbers("q=Wren/grafts") == [3, 2, 1]
    assert numbers("q=wren--grafts+named") == []
    assert numbers(f"q={CODES[0]}") == [1]
    page = Page.of(pages.page("/corrections?about=labels"))
    assert "About the label of Wren/grafts for paper 2603.01234; nothing was changed." in page.text
    assert f"/labels/{LABEL}" in page.values("href")
    assert "code samples" in page.text
    assert "Grafting" in page.text
    feed = pages.get("/corrections.atom?about=samples").text
    assert feed.count("<entry>") == 1
    assert "sample 1f0c7a5b2d9e4836" in feed
    rows = pages.get(f"/corrections.csv?paper={PAPER}").text.splitlines()
    assert sum(f",samples/{CODES[0]}" in one and ",outcome," in one for one in rows) == 1
    assert sum(one.endswith(f",labels/{LABEL}") for one in rows) == 2
    assert pages.get("/corrections?about=nothing").status_code == 400


def test_a_notice_says_what_it_moved_on_the_paper_for_good(office: Office) -> None:
    """Just before and just after, whatever is decided later; its JSON and JSON-LD say it too."""
    number = office.accept(CASES[0])
    pages = office.shelved.pages
    first = pages.json("/corrections/1.json")["papers"]
    assert first[0]["paper"] == PAPER
    moved = {(one["of"], one["what"]): one["after"] for one in first[0]["differs"]}
    assert moved["count", "honoured"] == "0"
    assert moved["count", "violated"] == "1"
    clara = office.reviewer("clara")
    fields = opened(clara, f"/review/{number}")
    fields |= {"undo": [f"{number}.1"], "undo_statement": ["We read the wrong line."]}
    assert press(clara, number, "undo", fields).status_code == 303
    assert pages.json("/corrections/1.json")["papers"] == first
    assert pages.json("/corrections/2.json")["papers"][0]["differs"][0]["after"] == "honoured"
    about = orjson.loads(pages.get("/corrections/1.jsonld").data)["about"]
    assert f"/samples/{CODES[0]}" in str(about)
