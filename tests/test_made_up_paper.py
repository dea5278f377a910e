"""A made-up paper with everything that a page of one can say, and its decisions taken away."""

import json
from datetime import date
from pathlib import Path

from ledger.sample import sample_id
from reports.bundle import correction_bundle, corrections_bundle
from reports.rebuild import rebuild
from tests.shelf import (
    ARCHIVE,
    CODES,
    LABEL,
    RECORD,
    Shelf,
    counts,
    label,
    line,
    run,
    sample,
    shelves,
)
from web.exports import records_of
from web.wiring import make_key


def test_a_page_with_everything_says_all_of_it(tmp_path: Path) -> None:
    """A quoted abstract to the byte, with source and licence; licences and reasons; a probe."""
    text = "We graft.To test it, we wait; that brings the gap."
    window = {"subject": "links", "first_day": "2026-09-16", "last_day": "2026-09-18"}
    link = "https://example.org/Wren/grafts"
    with shelves(tmp_path / "home") as shelf:
        quote = line("abstract", text=text, licence="CC0-1.0")
        entry = line("archive-entry", leaderboard_rows=2, tasks=["Grafting"], methods=["Budding"])
        shelf.read(ARCHIVE, "2025-07-28", quote, entry, label("official", as_of="2025-07"))
        shelf.bring(line("probe-window", slug="w", **window), at="2026-09-16")
        shelf.bring(line("probe", window="w", link=link, result="reachable"), at="2026-09-17")
        read_everything(shelf)
        found = shelf.page()
    (abstract,) = found["abstracts"]
    assert (abstract["text"], abstract["licence"]) == (text, "CC0-1.0")
    assert abstract["source"]["name"] == "Archive of papers"
    assert (found["tasks"], found["methods"], found["hidden"]) == (["Grafting"], ["Budding"], [])
    assert found["repositories"][0]["reachability"]["window"] == "w"
    (record,) = found["records"]
    assert (record["counted"], record["pointer_only"]) == (True, 1)
    told = {one["code_sha256"]: one for one in record["samples"]}
    assert told[CODES[0]]["blames"] == "nobody"
    assert told[CODES[1]]["blames"] == "instrument"
    assert told[CODES[1]]["pointer_only"] == "not-permissive"
    dates = {one["what"]: one["date"] for one in found["dates"]}
    assert (dates["harvested"], dates["ran"]) == ("Aug 2026", "30 Aug 2026")


def test_decisions_on_labels_and_samples_can_be_taken_away_and_rebuilt(tmp_path: Path) -> None:
    """A notice and the log: what they show follows from the events that go along with them."""
    with shelves(tmp_path / "home") as shelf:
        workspace = shelf.desk.workspace
        make_key(workspace, lambda: bytes(range(32)))
        archive = shelf.read(ARCHIVE, "2025-07-28", label("archive-listed"))
        record = shelf.read(RECORD, "2026-09-24", sample(CODES[0]), run(CODES[0], "violated"))
        one, other = LABEL, sample_id(CODES[0])
        shelf.correct(one, f"labels/{one}", archive, label="official")
        shelf.correct(other, f"samples/{CODES[0]}", record, outcome="draft-wrong")
        workspace.catch_up()
        made, head = records_of(workspace), shelf.head
        today = date(2026, 11, 30)
        bundles = [correction_bundle(made, head, number) for number in (1, 2)]
        bundles.append(corrections_bundle(made, shelf.moment(), today, today))
    for bundle in bundles:
        document = json.loads(bundle.data)
        assert "outcome" in str(document["shows"]) or "label" in str(document["shows"])
        assert rebuild(document) == []


def read_everything(shelf: Shelf) -> None:
    """A record that tells two of three samples one by one."""
    shelf.read(
        RECORD,
        "2026-09-24",
        counts(3, 2, 1, honoured=1, draft_wrong=1, pointer_only=1),
        sample(CODES[0], licence="MIT", path="a.py", harvested_on="2026-08"),
        sample(CODES[1], licence="GPL-3.0", pointer_only="not-permissive"),
        run(CODES[0], "honoured", ran_on="2026-08-30"),
        run(CODES[1], "draft-wrong"),
    )
