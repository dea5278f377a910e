"""Papers on the command line: shown, reported and decided like claims, and in the public log."""

from contextlib import closing
from pathlib import Path

import pytest

from tests.web.corrigenda import Corrigenda
from web.app import create_app
from web.settings import Settings
from web.wiring import open_workspace

RECORDS = Path(__file__).parents[2] / "web" / "demo" / "opencodeinterpreter.jsonl"
PAPER = "2402.14658"
CODE = "e4428d012d3e4c4d"


@pytest.fixture
def curated(corrigenda: Corrigenda) -> Corrigenda:
    """A home with the sample paper."""
    corrigenda.done("import", str(RECORDS))
    return corrigenda


def test_a_paper_is_shown_as_read_on_a_day(curated: Corrigenda) -> None:
    """As text with its sections, as JSON with all of it; what is not known is refused."""
    text = curated.done("paper", PAPER, "--as-read-on", "2026-09-24")
    assert "3 of 3 samples from 1 repository ran; 0 without a recorded run." in text
    assert "harvested" in text
    assert "not stated" in text
    before = curated.done("paper", PAPER, "--as-read-on", "2025-07-27")
    assert "the first reading is of 2025-07-28" in before
    assert curated.json("paper", PAPER, "--as-read-on", "2025-08-01")["records"] == []
    assert "no paper called 1234.56789" in curated.refused("paper", "1234.56789")
    assert "2025-02-30" in curated.refused("paper", PAPER, "--as-read-on", "2025-02-30")


def test_an_import_is_told_and_can_be_taken_back(curated: Corrigenda) -> None:
    """Twice is once; taken back, the record's samples and counts show no more."""
    again = curated.json("import", str(RECORDS))["files"]
    assert {one["recorded"] for one in again} == {0}
    assert "on paper 2402.14658" in str([one["notes"] for one in again])
    record = next(one for one in again if "syntology on paper" in str(one["notes"]))
    curated.done("import", "--withdraw", record["digest"])
    assert curated.json("paper", PAPER)["records"] == []
    assert curated.done("rebuild", "--check") == ""


def test_a_sample_is_reported_decided_and_in_the_log(curated: Corrigenda) -> None:
    """The whole way: filed with what it should say, decided by another, public with its change."""
    target = ("--target", f"samples/{CODE}", "--reason", "wrong-value")
    curated.done("report", "file", *target, "--set", "outcome=violated")
    sample = next(
        one
        for one in curated.json("paper", PAPER)["records"][0]["samples"]
        if one["code_sha256"] == CODE
    )
    assert sample["report"] == f"samples/{CODE}"
    snapshot = curated.json("source", "syntology")["readings"][0]["digest"]
    reviewer = Corrigenda(curated.home, by="boris")
    reviewer.done(
        *("report", "decide", "1", "--outcome", "accepted", "--reason", "wrong-value"),
        *("--statement", "The record says so.", "--snapshot", snapshot),
        *("--set", "outcome=violated", "--applies-from", "start"),
    )
    (entry,) = curated.json("corrections")["corrections"]
    assert entry["subjects"][0]["address"] == f"samples/{CODE}"
    assert entry["subjects"][0]["after"] == {"outcome": "violated"}
    told = curated.done("corrections")
    assert "outcome: not stated → violated" in told
    pages = read_pages(curated, "/corrections", "/corrections/1", "/corrections.atom")
    for page in pages:
        assert f"ample {CODE}" in page
        assert "violated" in page


def read_pages(corrigenda: Corrigenda, *paths: str) -> list[str]:
    """Public pages as a browser gets them."""
    with closing(open_workspace(Settings(home=corrigenda.home))) as workspace:
        client = create_app(workspace).test_client()
        answers = [client.get(path) for path in paths]
    assert [one.status_code for one in answers] == [200] * len(paths)
    return [one.get_data(as_text=True) for one in answers]


@pytest.mark.parametrize(
    "target", [f"papers/{PAPER}", f"samples/{CODE}", "probes/syntology-2026-09"]
)
def test_the_form_knows_what_is_to_be_reported(curated: Corrigenda, target: str) -> None:
    """Papers, samples and windows can be reported as pages are, without an account."""
    (page,) = read_pages(curated, f"/report?target={target}")
    assert target in page


def test_one_cannot_report_a_sample_that_is_not_there(curated: Corrigenda) -> None:
    """Nor propose what its outcome cannot be."""
    target = ("--target", "samples/0000000000000000", "--reason", "other")
    assert "no sample" in curated.refused("report", "file", *target)
    here = ("--target", f"samples/{CODE}", "--reason", "other", "--set", "outcome=crashed")
    assert "known are honoured" in curated.refused("report", "file", *here)
