"""Reports and decisions through the command."""

import re
import sqlite3
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing

import pytest

from tests.web.corrigenda import Toy
from web.cli.reports import filed as report_numbered
from web.settings import Settings
from web.wiring import open_workspace

ACCEPTED = ("--outcome", "accepted", "--type", "correction", "--reason", "wrong-value")
STATEMENT = ("--statement", "The table says 73.9.")


def filed(toy: Toy, *words: str) -> int:
    """The number of a report on Beta's claim, filed by ada."""
    target = f"claims/{toy.claim('Beta')}"
    order = ("report", "file", "--target", target, "--reason", "wrong-value", *words)
    return int(toy.corrigenda.json(*order)["number"])


def decided(toy: Toy, number: int, *words: str) -> dict[str, object]:
    """The log's entry of a decision by boris, who checked the latest snapshot; clara approves it
    where it takes two people."""
    order = ("report", "decide", str(number), *STATEMENT, "--snapshot", toy.snapshot(), *words)
    entry = toy.corrigenda.json(*order, by="boris")
    assert isinstance(entry, dict)
    if "proposed" in entry:
        approval = ("report", "approve", str(number), "--decision", entry["decision"])
        entry = toy.corrigenda.json(*approval, by="clara")
        assert isinstance(entry, dict)
    return entry


def corrected(toy: Toy) -> dict[str, object]:
    """Beta's 73.1, corrected to 73.9."""
    return decided(toy, filed(toy), *ACCEPTED, "--set", "score=73.9", "--applies-from", "start")


# --- filing -----------------------------------------------------------------------------------


def test_a_report_keeps_what_it_asks_for_beside_what_the_source_says(toy: Toy) -> None:
    """--set proposes a field; what it would replace is looked up, not typed."""
    number = filed(toy, "--set", "score=73.9", "--set", "unit=")
    found = toy.corrigenda.json("report", "show", str(number))
    assert found["proposes"] == [
        {"field": "score", "from": "73.1", "to": "73.9"},
        {"field": "unit", "from": "%", "to": None},
    ]
    assert (found["state"], found["filed_by"], found["reason"]) == ("open", "ada", "wrong-value")
    assert [one["type"] for one in found["events"]] == ["report-filed/1"]
    assert "73.1 → 73.9" in toy.corrigenda.done("report", "show", str(number))


def test_the_words_of_a_report_are_in_no_event(toy: Toy) -> None:
    """They go to the private store; the ledger holds a digest."""
    filed(toy, "--words", "My name is Ada and I saw 73.9.")
    event = toy.corrigenda.json("events")["events"][-1]["event"]
    assert re.fullmatch(r"[0-9a-f]{64}", event["words"])
    assert b"My name is Ada" not in (toy.corrigenda.home / "ledger.db").read_bytes()
    assert words_kept(toy) == 1


def test_a_refused_report_keeps_no_words(toy: Toy) -> None:
    """What was said for nothing is erased again."""
    words = ("report", "file", "--target", "benchmarks/toy", "--words", "Hello.")
    assert "wrong-value" in toy.corrigenda.refused(*words, "--reason", "dislike")
    assert words_kept(toy) == 0


def words_kept(toy: Toy) -> int:
    """How many texts the private store has."""
    with closing(sqlite3.connect(toy.corrigenda.home / "private.db")) as connection:
        return int(connection.execute("SELECT count(*) FROM words").fetchone()[0])


@pytest.mark.parametrize(
    ("target", "wanted"),
    [
        ("claims/c0", "score=1"),
        ("claims/BETA", "score=many"),
        ("claims/BETA", "name=Beta 2"),
        ("claims/BETA", "score="),
    ],
)
def test_a_report_that_cannot_be_meant_is_refused(toy: Toy, target: str, wanted: str) -> None:
    """An unknown claim, a value that does not fit its field, a field that nobody corrects."""
    about = target.replace("BETA", toy.claim("Beta"))
    words = ("report", "file", "--target", about, "--reason", "wrong-value", "--set", wanted)
    assert toy.corrigenda.refused(*words, "--json")
    assert toy.corrigenda.json("report", "list") == {"reports": []}


def test_reports_are_numbered_and_listed_by_state(toy: Toy) -> None:
    """The next free number is taken; a withdrawn report is no longer open."""
    assert (filed(toy), filed(toy)) == (1, 2)
    toy.corrigenda.done("report", "withdraw", "2", "--reason", "A mistake of mine.")
    reports = toy.corrigenda.json("report", "list")["reports"]
    assert [(one["number"], one["state"]) for one in reports] == [(1, "open"), (2, "withdrawn")]
    found = toy.corrigenda.json("report", "list", "--state", "open")["reports"]
    assert [one["number"] for one in found] == [1]
    assert "withdrawn" in toy.corrigenda.done("report", "list")


def test_many_who_file_at_once_get_numbers_of_their_own(toy: Toy) -> None:
    """Whoever finds a number taken meanwhile takes the next."""

    def file(_: int) -> int:
        workspace = open_workspace(Settings(home=toy.corrigenda.home))
        try:
            return report_numbered(workspace, "ada", "benchmarks/toy", "other")
        finally:
            workspace.close()

    with ThreadPoolExecutor(4) as pool:
        numbers = list(pool.map(file, range(12)))
    assert sorted(numbers) == list(range(1, 13))


def test_nobody_withdraws_the_report_of_another(toy: Toy) -> None:
    """Only its reporter may take it back."""
    number = filed(toy)
    assert "its reporter" in toy.corrigenda.refused("report", "withdraw", str(number), by="boris")


# --- deciding ---------------------------------------------------------------------------------


def test_a_correction_shows_from_the_day_it_was_decided(toy: Toy) -> None:
    """Now it shows; as read before it does not; as that day is known today it does."""
    entry = corrected(toy)
    assert toy.scores()[0] == ("Beta", "73.9")
    assert toy.scores("--as-read-on", "2025-02-20")[0] == ("Beta", "73.1")
    since = ("--as-read-on", "2025-02-20", "--corrected", "since")
    assert toy.scores(*since)[0] == ("Beta", "73.9")
    names = ("number", "decided_at", "outcome", "type", "reason", "claims", "decided_by")
    assert {*names, "snapshot", "replaces", "replaced_by"} <= set(entry)
    assert toy.corrigenda.json("corrections")["corrections"] == [entry]
    assert entry["claims"] == [
        {
            "claim_id": toy.claim("Beta"),
            "benchmark": "toy",
            "model": toy.corrigenda.json("board", "toy")["rows"][0]["model"]["id"],
            "before": {"score": "73.1"},
            "after": {"score": "73.9"},
            "applies_from": "start",
            "upstream_on": None,
        }
    ]


def test_the_log_reads_well(toy: Toy) -> None:
    """Who, when, why, what was checked and what it did, in words."""
    corrected(toy)
    text = toy.corrigenda.done("corrections")
    assert "Correction 1: accepted, correction (wrong-value)" in text
    assert "on report 1 by boris" in text
    assert f"Checked: snapshot {toy.snapshot()}." in text
    assert "score: 73.1 → 73.9" in text


def test_nobody_decides_their_own_report(toy: Toy) -> None:
    """Somebody else has to."""
    words = ("report", "decide", str(filed(toy)), *ACCEPTED, *STATEMENT)
    effect = ("--set", "score=73.9", "--applies-from", "start", "--snapshot", toy.snapshot())
    assert "ask somebody else" in toy.corrigenda.refused(*words, *effect)


def test_a_decision_names_the_snapshot_that_was_checked(toy: Toy) -> None:
    """Without one, or with one that the claim does not rest on, nothing is decided."""
    words = ("report", "decide", str(filed(toy)), *ACCEPTED, *STATEMENT)
    effect = ("--set", "score=73.9", "--applies-from", "start")
    refused = toy.corrigenda.refused
    assert "SHA-256" in refused(*words, *effect, by="boris")
    assert toy.snapshot() in refused(*words, *effect, "--snapshot", "0" * 64, by="boris")
    assert toy.corrigenda.json("corrections") == {"corrections": []}


def test_from_when_a_change_applies_is_never_guessed(toy: Toy) -> None:
    """A change without --applies-from, and --applies-from without a change, are wrong usage."""
    words = ("report", "decide", str(filed(toy)), *ACCEPTED, *STATEMENT)
    assert toy.corrigenda.run(*words, "--retract", by="boris").exit_code == 2
    assert toy.corrigenda.run(*words, "--applies-from", "start", by="boris").exit_code == 2
    impossible = ("--retract", "--applies-from", "2025-02-30", "--snapshot", toy.snapshot())
    assert "2025-02-30" in toy.corrigenda.refused(*words, *impossible, by="boris")


def test_a_claim_is_retracted_and_reinstated_in_parts_of_one_report(toy: Toy) -> None:
    """Each part is a decision of its own; --remainder leaves the rest open."""
    number, start = filed(toy), ("--applies-from", "start")
    decided(toy, number, *ACCEPTED, "--retract", *start, "--remainder")
    assert [name for name, _ in toy.scores()] == ["Alpha", "Delta"]
    decided(toy, number, *ACCEPTED, "--reinstate", *start)
    assert [name for name, _ in toy.scores()] == ["Beta", "Alpha", "Delta"]
    assert len(toy.corrigenda.json("corrections")["corrections"]) == 2


def test_a_claim_is_held_out_and_readmitted(toy: Toy) -> None:
    """Held out it stands beside the board with its reason."""
    number, start = filed(toy), ("--applies-from", "start")
    decided(toy, number, *ACCEPTED, "--hold-out", *start, "--remainder")
    (row,) = toy.corrigenda.json("board", "toy")["unranked"]
    assert (row["as_written"], row["rank"]) == ("Beta", None)
    assert "Not ranked:" in toy.corrigenda.done("board", "toy")
    decided(toy, number, *ACCEPTED, "--readmit", *start)
    assert toy.scores()[0] == ("Beta", "73.1")


def test_a_dispute_marks_the_row_until_it_is_cleared(toy: Toy) -> None:
    """It keeps its place and says what about."""
    number, start = filed(toy), ("--applies-from", "start")
    decided(toy, number, *ACCEPTED, "--dispute", "how often it ran", *start, "--remainder")
    assert "disputed: how often it ran" in toy.corrigenda.done("board", "toy")
    decided(toy, number, *ACCEPTED, "--clear", *start)
    assert "disputed" not in toy.corrigenda.done("board", "toy")


def test_a_row_can_be_given_to_another_model(toy: Toy) -> None:
    """The claim is Alpha's then, and one row per model is its best."""
    alpha = next(
        row["model"]["id"]
        for row in toy.corrigenda.json("board", "toy")["rows"]
        if row["as_written"] == "Alpha"
    )
    decided(toy, filed(toy), *ACCEPTED, "--reidentify", alpha, "--applies-from", "start")
    assert [name for name, _ in toy.scores()] == ["Beta", "Delta"]
    assert len(toy.scores("--every-claim")) == 3


def test_a_row_cannot_be_given_to_a_model_that_nobody_knows(toy: Toy) -> None:
    """A slug with a slip in it would make a model out of nothing."""
    words = ("report", "decide", str(filed(toy)), *ACCEPTED, *STATEMENT)
    effect = ("--reidentify", "alhpa", "--applies-from", "start", "--snapshot", toy.snapshot())
    assert toy.corrigenda.refused(*words, *effect, by="boris") == "There is no model called alhpa."


def test_one_decision_may_touch_several_claims(toy: Toy) -> None:
    """Each --claim is changed alike, in one transaction."""
    claims = [toy.claim("Beta"), toy.claim("Delta")]
    named = [word for claim in claims for word in ("--claim", claim)]
    entry = decided(
        toy,
        filed(toy),
        *ACCEPTED,
        *named,
        "--set",
        "setting=3-shot",
        "--applies-from",
        "2025-02-08",
    )
    assert entry["outcome"] == "accepted"
    rows = toy.corrigenda.json("board", "toy")["rows"]
    assert {row["as_written"]: row["setting"] for row in rows} == {
        "Beta": "3-shot",
        "Alpha": None,
        "Delta": "3-shot",
    }


def test_a_declined_report_changes_nothing_and_is_published(toy: Toy) -> None:
    """The log shows it like any other decision."""
    before = toy.scores()
    entry = decided(toy, filed(toy), "--outcome", "declined", "--reason", "other")
    assert (entry["outcome"], entry["claims"]) == ("declined", [])
    assert toy.scores() == before
    report = toy.corrigenda.json("report", "show", "1")
    assert report["state"] == "decided"
    assert report["corrections"] == [entry]


def test_what_is_decided_is_not_decided_again(toy: Toy) -> None:
    """It has to be reversed instead."""
    corrected(toy)
    words = ("report", "decide", "1", "--outcome", "declined", "--reason", "other", *STATEMENT)
    assert "reverse that decision" in toy.corrigenda.refused(*words, by="boris")


def test_a_reversal_brings_back_what_the_source_says(toy: Toy) -> None:
    """Both the decision and its reversal stay in the log, each naming the other."""
    entry = corrected(toy)
    words = ("report", "reverse", "1", "--decision", str(entry["decision"]))
    reversal = toy.corrigenda.json(*words, "--statement", "Read wrongly.", by="boris")
    assert (reversal["replaces"], reversal["outcome"]) == (1, "reversed")
    assert toy.scores()[0] == ("Beta", "73.1")
    log = toy.corrigenda.json("corrections")["corrections"]
    assert [(one["number"], one["replaced_by"]) for one in log] == [(2, None), (1, 2)]
    assert "It replaces correction 1." in toy.corrigenda.done("corrections")


def test_what_was_never_decided_cannot_be_reversed(toy: Toy) -> None:
    """An unknown decision is refused."""
    filed(toy)
    words = ("report", "reverse", "1", "--decision", "1.9", "--statement", "No.")
    assert "1.9" in toy.corrigenda.refused(*words, by="boris")


def test_nothing_in_a_statement_steers_the_terminal(toy: Toy) -> None:
    """It is refused, and what the refusal says of it is harmless."""
    words = ("report", "decide", str(filed(toy)), "--outcome", "declined", "--reason", "other")
    snapshot = ("--snapshot", toy.snapshot())
    told = toy.corrigenda.refused(*words, "--statement", "\x1b[2Jgone", *snapshot, by="boris")
    assert "\x1b" not in told
    assert "it holds U+001B, which a reader cannot see" in told
