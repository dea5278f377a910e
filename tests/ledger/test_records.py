"""Records, our own JSON Lines: every kind and field is documented, and read as it says."""

import hashlib
import json
import re
from datetime import UTC, datetime

import attrs
import pytest

from ledger import commands as orders
from ledger import events as ev
from ledger.importing import limits
from ledger.importing.records import parse_records
from ledger.importing.records.kinds import CLAIM, FACTS, STATED
from ledger.importing.records.shapes import SHAPES
from ledger.values import Score, Slug
from tests.ledger.record_lines import (
    BENCHMARK,
    CLAIM_LINE,
    HEADER,
    NOW,
    READ_AT,
    READING,
    ROOT,
    RULE,
    Desk,
    parsed,
    refusal,
    written,
)

DOCUMENTATION = (ROOT / "docs" / "records.md").read_text(encoding="utf-8")


# --- the documentation ------------------------------------------------------------------------


def sections() -> dict[str, str]:
    """The documentation's section about each kind of record."""
    parts = re.split(r"^## (.+)$", DOCUMENTATION, flags=re.MULTILINE)
    return dict(zip(parts[1::2], parts[2::2], strict=True))


def examples(section: str) -> list[str]:
    """The example lines of a section."""
    blocks = re.findall(r"```jsonl\n(.*?)```", section, flags=re.DOTALL)
    return [line for block in blocks for line in block.splitlines()]


def test_every_kind_of_record_is_documented_with_an_example() -> None:
    """Each kind has a section with a line of that kind, and no section is about anything else."""
    assert set(sections()) - {"What every line has"} == set(SHAPES)
    for kind in SHAPES:
        assert kind in {json.loads(line)["record"] for line in examples(sections()[kind])}


@pytest.mark.parametrize("kind", list(SHAPES))
def test_every_field_is_documented(kind: str) -> None:
    """The section about a kind names all of its fields; those that have to be there in bold."""
    section = sections()[kind]
    for field in SHAPES[kind].fields:
        assert f"**{field}**" in section or f"`{field}`" in section
    for field in SHAPES[kind].required:
        assert f"**{field}**" in section or f"**{field}s**" in section


def test_the_examples_of_the_documentation_are_a_file_that_can_be_imported(desk: Desk) -> None:
    """All example lines, one after the other, are read and recorded without a refusal."""
    lines = [line for section in sections().values() for line in examples(section)]
    receipts = desk.take(parse_records("examples.jsonl", written(*lines[1:], header=lines[0]), NOW))
    of_readings = 1 + (2 + 4) + (2 + 8)
    assert receipts[0].counts["recorded"] == len(lines) - of_readings
    assert [receipt.counts["recorded"] for receipt in receipts[1:]] == [2, 2, 4, 4]


# --- what is read -----------------------------------------------------------------------------


def test_a_claim_line_can_say_all_that_a_statement_holds() -> None:
    """The fields of a claim line are those of the ledger's Statement."""
    assert set(STATED) == set(attrs.fields_dict(ev.Statement))
    assert set(CLAIM.fields) == {*STATED, "source", "benchmark", "key"}


@pytest.mark.parametrize("kind", list(FACTS))
def test_a_line_can_say_all_that_its_fact_holds(kind: str) -> None:
    """The fields of a record are those of its event, with the stream's own name and when; that an
    import met a rule is said by imports alone."""
    event = attrs.fields_dict(FACTS[kind].fact)  # type: ignore[arg-type]
    assert set(FACTS[kind].shape.fields) | {"read_at"} == {*event, FACTS[kind].of} - {"met"}


def test_a_fact_goes_to_the_stream_that_it_is_about() -> None:
    """A ranking rule becomes an order to the benchmark's stream, read when the header says."""
    (line,) = parsed(RULE | {"splits": ["Hard", "All"], "headline": True}).facts
    assert line.order == orders.Assert(
        stream="benchmark:orchard",
        fact=ev.RankingRuleSet(
            metric=Slug("grown"),
            name="share grown",
            unit="%",
            splits=("Hard", "All"),
            headline=True,
            read_at=READ_AT,
            why="as read",
        ),
    )


def test_a_line_may_say_its_own_instant_and_why() -> None:
    """What a line says goes before what the header says."""
    line = {"record": "caveat", "benchmark": "orchard", "caveat": "hail", "text": "It hailed."}
    (found,) = parsed(line | {"read_at": "2026-11-13T01:30:00+02:00", "why": "reports"}).facts
    fact = found.order.fact
    assert isinstance(fact, ev.CaveatStated)
    assert (fact.read_at, fact.why) == (datetime(2026, 11, 12, 23, 30, tzinfo=UTC), "reports")


def test_null_retires_a_caveat_and_takes_a_fact_back() -> None:
    """Where null means something it is kept; a caveat without any text is a slip."""
    caveat = {"record": "caveat", "benchmark": "orchard", "caveat": "hail"}
    facts = {
        "record": "benchmark-facts",
        "benchmark": "orchard",
        "facts": {"level": None, "n": 7.0},
    }
    retired, described = (line.order.fact for line in parsed(caveat | {"text": None}, facts).facts)
    assert isinstance(retired, ev.CaveatStated)
    assert retired.text is None
    assert isinstance(described, ev.BenchmarkDescribed)
    assert described.facts == {"level": None, "n": "7.0"}
    assert "line 2, text: it is missing" in str(refusal(caveat))


@pytest.mark.parametrize("score", ['"53.30"', "53.30", '"3,471"', "1E2", "-0.50", "100"])
def test_a_score_keeps_its_digits(score: str) -> None:
    """As text or as a JSON number: 53.30 does not become 53.3, nor 1E2 100."""
    claim = json.dumps(CLAIM_LINE).replace('"71.0"', score)
    (reading,) = parsed(READING, claim).readings
    (says,) = reading.board.statements["Birch"]
    assert says.score.text == score.strip('"')


def test_a_claim_belongs_to_the_reading_before_it_or_to_the_one_that_it_names() -> None:
    """A claim may name an earlier reading of the file by source and benchmark."""
    other = READING | {"source": "post"}
    late = CLAIM_LINE | {"source": "report", "benchmark": "orchard", "split": "Hard"}
    first, second = parsed(READING, CLAIM_LINE, other, CLAIM_LINE | {"score": 70}, late).readings
    assert [says.split for says in first.board.statements["Birch"]] == [None, "Hard"]
    assert [says.score for says in second.board.statements["Birch"]] == [Score("70")]


def test_one_row_in_two_settings_has_two_keys() -> None:
    """The key is the model's name unless the line says another."""
    greedy = CLAIM_LINE | {"setting": "greedy", "key": "Birch (greedy)", "not_ranked": "too easy"}
    (reading,) = parsed(READING, CLAIM_LINE, greedy).readings
    assert {key: says[0].setting for key, says in reading.board.statements.items()} == {
        "Birch": None,
        "Birch (greedy)": "greedy",
    }


@pytest.mark.parametrize(("start", "end"), [(b"", b"\n"), (b"", b"\r\n"), (limits.BOM, b"\n")])
def test_what_a_reading_freezes_are_its_own_lines(start: bytes, end: bytes) -> None:
    """The digest is that of the reading's and its claims' lines, joined by newlines."""
    own = [
        json.dumps(READING).encode(),
        b'  {"record":"claim","name":"Birch \xc3\xa9", "metric":"grown","score":71.0}',
    ]
    lines = [json.dumps(HEADER).encode(), own[0], json.dumps(BENCHMARK).encode(), b"", own[1]]
    (reading,) = parse_records("page.jsonl", start + end.join(lines), NOW).readings
    assert reading.board.data == b"\n".join(own)
    assert reading.board.digest == hashlib.sha256(b"\n".join(own)).hexdigest()
    assert reading.board.media_type == "application/jsonl; profile=corrigenda-records"
    assert reading.board.transcribed


def test_a_reading_without_claims_names_the_metrics_that_it_states_nothing_under() -> None:
    """Nothing stated is something read; under what, has to be said."""
    assert "line 2, metrics: the reading has no claims" in str(refusal(READING))
    (reading,) = parsed(READING | {"metrics": ["grown"]}).readings
    assert (reading.board.metrics, reading.board.rows) == (("grown",), 0)
