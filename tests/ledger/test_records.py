"""Records, our own JSON Lines: what is read, what is refused, and that twice is once."""

import hashlib
import json
import re
from collections.abc import Callable, Iterator
from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import attrs
import pytest

from ledger import commands as orders
from ledger import events as ev
from ledger.archive import Archive, CannotKeep
from ledger.errors import FileRefused
from ledger.importing import limits
from ledger.importing.receipt import FileReceipt
from ledger.importing.records import RecordsFile, RecordsRefused, import_records, parse_records
from ledger.importing.records.kinds import CLAIM, FACTS, STATED
from ledger.importing.records.shapes import SHAPES
from ledger.ledger import Ledger
from ledger.store import open_store
from ledger.values import Instant, PartialDate, Score, Slug
from projections.keeping.follow import Follower
from projections.keeping.views import Views, open_views
from projections.known import KnownToViews
from tests.ledger.engines import Clock, Salt

ROOT = Path(__file__).parents[2]
DOCUMENTATION = (ROOT / "docs" / "records.md").read_text(encoding="utf-8")
NOW = datetime(2026, 11, 30, 12, tzinfo=UTC)
READ_AT = datetime(2026, 11, 12, tzinfo=UTC)

HEADER = {
    "record": "file",
    "format": "corrigenda-records/1",
    "read_at": "2026-11-12",
    "why": "as read",
}
LAB = {"record": "lab", "slug": "alder", "name": "Alder Labs"}
BENCHMARK = {"record": "benchmark", "slug": "orchard", "name": "Orchard"}
RULE = {
    "record": "ranking-rule",
    "benchmark": "orchard",
    "metric": "grown",
    "name": "share grown",
    "unit": "%",
}
MODEL = {"record": "model", "slug": "birch", "name": "Birch", "lab": "alder"}
SOURCE = {"record": "source", "slug": "report", "name": "Birch report", "kind": "technical-report"}
READING = {"record": "reading", "source": "report", "benchmark": "orchard"}
CLAIM_LINE = {"record": "claim", "name": "Birch", "metric": "grown", "score": "71.0"}
PAGE = [LAB, BENCHMARK, RULE, MODEL, SOURCE, READING, CLAIM_LINE]

Line = dict[str, Any] | str


def written(*lines: Line, header: Line = HEADER) -> bytes:
    """A records file of these lines, given as objects or as text."""
    texts = (line if isinstance(line, str) else json.dumps(line) for line in (header, *lines))
    return "".join(f"{text}\n" for text in texts).encode()


def parsed(*lines: Line, header: Line = HEADER) -> RecordsFile:
    """What is read from such a file."""
    return parse_records("page.jsonl", written(*lines, header=header), NOW)


def refusal(*lines: Line, header: Line = HEADER) -> FileRefused:
    """Why such a file is refused."""
    with pytest.raises(FileRefused) as caught:
        parsed(*lines, header=header)
    return caught.value


@attrs.frozen
class Desk:
    """A curator's desk: a real ledger, and the read model that follows it."""

    ledger: Ledger
    views: Views
    known: KnownToViews

    @classmethod
    def at(cls, events: str | Path, views: str | Path, archive: Path) -> "Desk":
        """Open one; ``events`` and ``views`` are files or the address of a PostgreSQL."""
        store = open_store(events, clock=Clock(NOW), salt=Salt())
        opened = open_views(views)
        known = KnownToViews(store, opened, Follower(store, opened))
        return cls(Ledger(store, Archive(archive), lambda: NOW), opened, known)

    def bring_in(self, *lines: Line, header: Line = HEADER, **options: Any) -> list[FileReceipt]:
        """Import a file of these lines."""
        return self.take(parsed(*lines, header=header), **options)

    def take(self, records: RecordsFile, **options: Any) -> list[FileReceipt]:
        """Import a file that was read."""
        return import_records(self.ledger, self.known, records, "mira", **options)

    @property
    def head(self) -> int:
        """How much is recorded."""
        return self.ledger.store.head()

    def facts(self, stream: str) -> list[ev.Event]:
        """What a stream holds."""
        return self.ledger.facts(stream)

    def claims(self) -> list[ev.ClaimRecorded]:
        """Every claim as it was first recorded."""
        events = (record.event for record in self.ledger.store.after(0, 100_000))
        return [event for event in events if isinstance(event, ev.ClaimRecorded)]

    def close(self) -> None:
        """Let go of both databases."""
        self.views.close()
        self.ledger.store.close()


@pytest.fixture
def desk(tmp_path: Path) -> Iterator[Desk]:
    """A desk with an empty ledger on SQLite."""
    opened = Desk.at(tmp_path / "ledger.sqlite", tmp_path / "views.sqlite", tmp_path / "archive")
    yield opened
    opened.close()


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


# --- what is refused --------------------------------------------------------------------------

BAD: list[tuple[Line, str | None, str]] = [
    ("[1]", None, "one JSON object"),
    ('{"record":"lab"', None, "not JSON: .* at column 16"),
    ('{"record":"lab","slug":"a","name":"A","slug":"b"}', "slug", "said twice"),
    ({"record": "decision"}, "record", "one of file, benchmark"),
    ({"slug": "alder"}, "record", "one of file, benchmark"),
    (HEADER, "record", "first line alone"),
    (LAB | {"colour": "red"}, "colour", "no such field; known are record, read_at, slug, name"),
    (LAB | {"\u202ered": 1}, r"\u202ered", "no such field"),
    ({"record": "lab", "slug": "alder"}, "name", "missing"),
    (LAB | {"name": None}, "name", "missing"),
    (LAB | {"name": 7}, "name", "7: text in quotes"),
    (LAB | {"name": True}, "name", "true: text in quotes"),
    (LAB | {"slug": "Alder Labs"}, "slug", "128 of a-z"),
    (LAB | {"name": "Al\u200bder"}, "name", r"U\+200B"),
    (LAB | {"name": "Al\u202eder"}, "name", r"U\+202E"),
    (LAB | {"name": "Al\u0007der"}, "name", r"U\+0007"),
    (LAB | {"name": "\u3164"}, "name", r"U\+3164"),
    ('{"record":"lab","slug":"a","name":"A","why":"\\ud800"}', "why", r"U\+D800"),
    (LAB | {"why": "to the \u2067left"}, "why", r"U\+2067"),
    (LAB | {"why": " "}, "why", "empty"),
    (LAB | {"why": "w" * 20_001}, "why", "at most 20000"),
    (LAB | {"read_at": "2026-12-01"}, "read_at", "lies in the future"),
    (LAB | {"read_at": "2026-11-30T12:00:01Z"}, "read_at", "lies in the future"),
    (LAB | {"read_at": "2026-02-30"}, "read_at", "2026-02-30"),
    (LAB | {"read_at": "2026-11-30T12:00:00"}, "read_at", "needs an offset"),
    (MODEL | {"released": "2026-12"}, "released", r"in the future \(today is 2026-11-30\)"),
    (MODEL | {"released": "12/2026"}, "released", "write it as YYYY"),
    (MODEL | {"means_from": "2026-12-01"}, "means_from", "in the future"),
    (RULE | {"unit": "furlongs"}, "unit", "known are %"),
    (RULE | {"splits": []}, "splits", "a list in square brackets"),
    (RULE | {"splits": ["All", "All"]}, "splits", "twice"),
    (RULE | {"decimals": "2"}, "decimals", "whole number"),
    (RULE | {"decimals": -1}, "decimals", "whole number"),
    (RULE | {"decimals": 1.5}, "decimals", "whole number"),
    (RULE | {"headline": "yes"}, "headline", "true or false"),
    (SOURCE | {"kind": "blog"}, "kind", "known are launch-post"),
    (SOURCE | {"address": "javascript:alert(1)"}, "address", "https://"),
    (SOURCE | {"address": "https://example.org/a b"}, "address", "no spaces"),
    ({"record": "post", "source": "a", "benchmark": "b", "listed": 1}, "listed", "true or false"),
    ({"record": "model-facts", "model": "a", "facts": {}}, "facts", "in curly brackets"),
    ({"record": "model-facts", "model": "a", "facts": {"A b": "1"}}, "facts", "128 of a-z"),
    ({"record": "model-facts", "model": "a", "facts": {"n": [1]}}, "facts", "text in quotes"),
    (
        {"record": "model-facts", "model": "a", "facts": {"released": "2027"}},
        "facts",
        "in the future",
    ),
    ({"record": "index", "slug": "i", "name": "I", "models": [{"rank": 1}]}, "models", "a name"),
    (
        {"record": "index", "slug": "i", "name": "I", "models": [{"name": "A"}, {"name": "A"}]},
        "models",
        "twice",
    ),
    (
        {"record": "index", "slug": "i", "name": "I", "models": [{"name": "A", "score": 1}]},
        "models",
        "score is unknown there",
    ),
]


@pytest.mark.parametrize(("line", "field", "why"), BAD)
def test_a_bad_line_refuses_the_file_and_says_where_and_why(
    line: Line, field: str | None, why: str
) -> None:
    """The refusal names the file, the line, the field and the reason."""
    refused = refusal(LAB, line)
    assert isinstance(refused, RecordsRefused)
    (problem,) = refused.problems
    assert (problem.row, problem.field) == (3, field)
    assert re.search(why, problem.why)
    assert str(refused).startswith("page.jsonl: nothing was recorded, because of 1 problem: line 3")


BAD_CLAIMS: list[tuple[Line, str | None, str]] = [
    (json.dumps(CLAIM_LINE).replace('"71.0"', "NaN"), None, "NaN is not a number"),
    (json.dumps(CLAIM_LINE).replace('"71.0"', "-Infinity"), None, "-Infinity is not a number"),
    (CLAIM_LINE | {"score": "Infinity"}, "score", "not a plain decimal number"),
    (CLAIM_LINE | {"score": "1e999"}, "score", "exponent is beyond reason"),
    (json.dumps(CLAIM_LINE).replace('"71.0"', "1e999"), "score", "exponent is beyond reason"),
    (CLAIM_LINE | {"score": "1" * 61}, "score", "at most 60"),
    (CLAIM_LINE | {"score": True}, "score", "a number is expected"),
    (CLAIM_LINE | {"score": "71 %"}, "score", "not a plain decimal number"),
    (CLAIM_LINE | {"unit": "percent"}, "unit", "known are %"),
    (CLAIM_LINE | {"published_on": "2026-12-01"}, "published_on", "in the future"),
    (CLAIM_LINE | {"passed": 3.5}, "passed", "whole number"),
    (CLAIM_LINE | {"passed": 10**16}, "passed", "whole number"),
    (CLAIM_LINE | {"read_at": "2026-11-12"}, "read_at", "when its reading is"),
    (CLAIM_LINE | {"extra": {"soil": ["clay"]}}, "extra", "text in quotes"),
    (CLAIM_LINE | {"source": "elsewhere"}, "source", "no reading of elsewhere on orchard"),
    (CLAIM_LINE | {"score": "72"}, "key", "line 3 states this row under the same metric and split"),
    (
        CLAIM_LINE | {"key": "Birch", "name": "Beech", "split": "x"},
        "name",
        "another name on line 3",
    ),
    (CLAIM_LINE | {"metric": "wilted"}, "metric", "none of the metrics of its reading"),
    (READING, "order", "line 2 is a reading of the same instant"),
]


@pytest.mark.parametrize(("line", "field", "why"), BAD_CLAIMS)
def test_a_bad_claim_refuses_the_file(line: Line, field: str | None, why: str) -> None:
    """Numbers that are none, rows stated twice, claims of no reading."""
    refused = refusal(READING | {"metrics": ["grown"]}, CLAIM_LINE, line)
    assert isinstance(refused, RecordsRefused)
    (problem,) = refused.problems
    assert (problem.row, problem.field) == (4, field)
    assert re.search(why, problem.why)


def test_a_claim_before_any_reading_is_refused() -> None:
    """It would not be known who stated it."""
    assert "line 2: no reading stands before this claim" in str(refusal(CLAIM_LINE, READING))


def test_the_claims_of_a_refused_reading_are_not_complained_about() -> None:
    """One mistake makes one problem."""
    refused = refusal(READING | {"colour": "red"}, CLAIM_LINE, CLAIM_LINE | {"score": "NaN"})
    assert isinstance(refused, RecordsRefused)
    assert [(problem.row, problem.field) for problem in refused.problems] == [
        (2, "colour"),
        (4, "score"),
    ]


def test_all_problems_are_said_at_once_up_to_fifty() -> None:
    """Sixty bad lines: fifty are listed, all are counted."""
    refused = refusal(*(LAB | {"slug": f"Lab {n}"} for n in range(60)))
    assert isinstance(refused, RecordsRefused)
    assert [problem.row for problem in refused.problems] == list(range(2, 52))
    assert "because of 60 problems: line 2" in str(refused)
    assert str(refused).endswith("; and 10 more.")


def test_without_an_instant_in_the_header_each_line_says_its_own() -> None:
    """A reading that nobody knows the time of is refused."""
    header = {"record": "file", "format": "corrigenda-records/1"}
    assert "line 2, read_at: it is missing" in str(refusal(LAB, header=header))
    assert parsed(LAB | {"read_at": "2026-11-12"}, header=header).read_at is None


@pytest.mark.parametrize(
    "header",
    [
        "",
        "{",
        json.dumps(LAB),
        json.dumps(HEADER | {"format": "corrigenda-records/2"}),
        '{"format":"corrigenda-records/1"}',
    ],
)
def test_a_file_that_does_not_begin_with_the_header_is_refused(header: str) -> None:
    """What a later version of the format means is not guessed."""
    assert 'does not begin with {"record":"file"' in str(refusal(LAB, header=header))


def test_a_header_with_a_mistake_is_refused_by_itself() -> None:
    """Otherwise every line would be complained about."""
    refused = refusal(LAB, header=HEADER | {"read_at": "2026-12-24", "by": "mira"})
    assert isinstance(refused, RecordsRefused)
    assert {problem.field for problem in refused.problems} == {"read_at", "by"}


def test_an_empty_file_is_refused() -> None:
    """Nothing at all is not a records file."""
    with pytest.raises(FileRefused, match=r"page\.jsonl: it is empty"):
        parse_records("page.jsonl", b"\n \n", NOW)


# --- limits -----------------------------------------------------------------------------------


def test_the_limits_are_checked_before_anything_is_parsed() -> None:
    """Too many bytes, lines, characters in a line, or levels: refused with the limit."""
    bad = written() + b"not JSON\n"
    cases: list[tuple[bytes, str]] = [
        (bad + b" " * limits.MOST_BYTES, f"at most {limits.MOST_BYTES}"),
        (bad + b"\n" * limits.MOST_ROWS, f"100003 lines and at most {limits.MOST_ROWS}"),
        (written() + b'{"why":"' + b"w" * limits.LONGEST_LINE, "line 2 has 1048584 characters"),
        (written() + b"[" * 33, "line 2 nests more than 32 levels deep"),
        (written() + b'{"a":' * 500_00, "line 2 nests more than 32 levels deep"),
    ]
    for data, why in cases:
        with pytest.raises(FileRefused, match=why):
            parse_records("page.jsonl", data, NOW)


def test_brackets_in_text_are_not_levels() -> None:
    """A caveat may hold as many brackets as it likes."""
    limits.check_depth("page.jsonl", json.dumps({"text": '\\"' + "[" * 100}))
    limits.check_depth("page.jsonl", "[" * 32 + "]" * 32 + "[]" * 40)
    with pytest.raises(FileRefused, match="it nests more than 32 levels deep"):
        limits.check_depth("page.json", "[" * 33)


@pytest.mark.parametrize(
    ("data", "where"),
    [
        (b'{"record":"file"}\xff', r"byte 17 \(0xff\)"),
        (limits.BOM + b"{}\xc3(", r"byte 5 \(0xc3\)"),
        ('{"record":"file"}'.encode("utf-16"), r"byte 0 \(0xff\)"),
    ],
)
def test_another_encoding_is_refused_with_the_byte_that_gave_it_away(
    data: bytes, where: str
) -> None:
    """Only UTF-8 is read; a byte order mark counts as bytes."""
    with pytest.raises(FileRefused, match=rf"page\.jsonl: {where} is not UTF-8"):
        parse_records("page.jsonl", data, NOW)


# --- what is recorded -------------------------------------------------------------------------


def test_a_page_is_recorded_as_facts_and_a_transcribed_reading(desk: Desk) -> None:
    """Facts in one transaction, then the reading with its claims; who, and from which file."""
    records = parsed(*PAGE)
    facts, reading = desk.take(records)
    assert (facts.rows, facts.counts["recorded"], facts.digest) == (5, 5, records.digest)
    assert (reading.rows, reading.counts["recorded"]) == (1, 1)
    assert reading.notes[0] == "line 7: report on orchard"
    first, *_ = recorded = desk.ledger.store.after(0, 100)
    assert {record.envelope.recorded_by for record in recorded} == {"mira"}
    assert {record.envelope.recorded_at for record in recorded[:5]} == {first.envelope.recorded_at}
    assert first.envelope.cause == f"import:{records.digest}"
    frozen = desk.facts("source:report")[1]
    assert isinstance(frozen, ev.SourceFrozen)
    assert (frozen.transcribed, frozen.file) == (True, "page.jsonl")
    assert desk.ledger.archive.get(frozen.digest) == records.readings[0].board.data


def test_the_same_file_again_records_nothing(desk: Desk, tmp_path: Path, postgres_url: str) -> None:
    """Twice is once, on either engine."""
    with closing(Desk.at(postgres_url, postgres_url, tmp_path / "another archive")) as other:
        for one in (desk, other):
            one.bring_in(*PAGE)
            head = one.head
            receipts = one.bring_in(*PAGE)
            assert one.head == head
            assert all(receipt.known_already for receipt in receipts)
            assert [receipt.counts["unchanged"] for receipt in receipts] == [5, 1]


@pytest.mark.parametrize(
    "order", [("bigcodebench", "code-interpreter"), ("code-interpreter", "bigcodebench")]
)
def test_the_demos_pages_can_be_imported_in_either_order(
    desk: Desk, order: tuple[str, str]
) -> None:
    """They share a lab and a model; each stands alone, and twice is once."""
    pages = [(ROOT / "web" / "demo" / f"{name}.jsonl") for name in order]
    for page in (*pages, *pages):
        desk.take(parse_records(page.name, page.read_bytes(), NOW))
    assert len(desk.claims()) == 89 + 26
    assert len(desk.facts("model:qwen1.5-72b")) == len(desk.facts("lab:alibaba")) == 1


def test_a_dry_run_counts_the_same_and_records_nothing(desk: Desk) -> None:
    """Models that the file itself registers count as registered."""
    tried = desk.bring_in(*PAGE, dry_run=True)
    assert desk.head == 0
    assert not any(desk.ledger.archive.digests())
    assert [one.counts for one in tried] == [one.counts for one in desk.bring_in(*PAGE)]


def test_an_interrupted_import_is_finished_by_the_same_file(desk: Desk, tmp_path: Path) -> None:
    """Dead between the facts and the readings: the facts stand, the readings follow."""
    (tmp_path / "full disk").write_text("", encoding="utf-8")
    broken = attrs.evolve(desk.ledger, archive=Archive(tmp_path / "full disk"))
    with pytest.raises(CannotKeep, match="full disk"):
        attrs.evolve(desk, ledger=broken).bring_in(*PAGE)
    assert (desk.head, desk.claims()) == (5, [])
    facts, reading = desk.bring_in(*PAGE)
    assert (facts.counts["recorded"], facts.counts["unchanged"]) == (0, 5)
    assert reading.counts["recorded"] == 1


def test_progress_is_told_reading_by_reading(desk: Desk) -> None:
    """How many are done, and of how many."""
    told: list[tuple[int, int]] = []
    report: Callable[[int, int], None] = lambda done, of: told.append((done, of))  # noqa: E731
    desk.bring_in(*PAGE, READING | {"order": "2"}, CLAIM_LINE, progress=report)
    assert told == [(1, 2), (2, 2)]


def test_a_page_that_is_read_again_registers_nothing_anew(desk: Desk) -> None:
    """The later file lists the same things; only what its reading changed is recorded."""
    desk.bring_in(*PAGE)
    later = HEADER | {"read_at": "2026-11-20"}
    again = [line for line in PAGE if line not in (RULE, CLAIM_LINE)]
    facts, reading = desk.bring_in(*again, CLAIM_LINE | {"score": "71.00"}, header=later)
    assert facts.counts["unchanged"] == 4
    assert reading.counts["restated"] == 1


def test_a_registration_that_says_otherwise_is_refused(desk: Desk) -> None:
    """What a slug means was settled when it was registered."""
    desk.bring_in(LAB)
    with pytest.raises(RecordsRefused, match="line 2: The lab alder is registered already"):
        desk.bring_in(LAB | {"name": "Elder Labs"})


def test_readings_are_entered_in_the_order_in_which_they_were_made(desk: Desk) -> None:
    """The file may list them otherwise; the first reading is the one that records the claim."""
    late = READING | {"read_at": "2026-11-14"}
    receipts = desk.bring_in(
        *PAGE[:-2], RULE | {"read_at": "2026-11-01"}, late, CLAIM_LINE, READING, CLAIM_LINE
    )
    assert [one.counts["recorded"] for one in receipts[1:]] == [1, 0]
    assert [one.read_at for one in receipts[1:]] == [READ_AT, READ_AT + timedelta(days=2)]


def test_facts_follow_the_order_of_their_lines(desk: Desk) -> None:
    """A lab has to be registered before its model, on an earlier line or earlier still."""
    with pytest.raises(RecordsRefused, match="line 2, lab: no lab is registered as alder; a lab"):
        desk.bring_in(MODEL, LAB)
    assert desk.head == 0
    desk.bring_in(LAB)
    desk.bring_in(MODEL)
    assert len(desk.facts("model:birch")) == 1


UNREGISTERED: list[tuple[list[Line], int, str, str]] = [
    ([LAB, MODEL, BENCHMARK, RULE, READING, CLAIM_LINE], 6, "source", "no source .* as report"),
    ([LAB, MODEL, SOURCE, READING, CLAIM_LINE], 5, "benchmark", "no benchmark .* as orchard"),
    ([*PAGE[:2], *PAGE[3:]], 6, "metrics", "grown has no ranking rule on orchard"),
    ([*PAGE[:3], *PAGE[4:]], 7, "name", "Birch means no registered model by 2026-11-12T00:00:00Z"),
    ([RULE], 2, "benchmark", "no benchmark is registered as orchard"),
    ([SOURCE | {"model": "birch"}], 2, "model", "no model is registered as birch"),
]


@pytest.mark.parametrize(("lines", "row", "field", "why"), UNREGISTERED)
def test_what_a_line_takes_for_granted_has_to_be_registered(
    desk: Desk, lines: list[Line], row: int, field: str, why: str
) -> None:
    """Nothing is registered by the way, and nothing of the file is recorded."""
    with pytest.raises(RecordsRefused) as caught:
        desk.bring_in(*lines)
    assert [(one.row, one.field) for one in caught.value.problems] == [(row, field)]
    assert re.search(why, caught.value.problems[0].why)
    assert desk.head == 0


def test_a_model_known_from_a_later_day_only_is_no_model_yet(desk: Desk) -> None:
    """The refusal says from when on the name means something."""
    early = READING | {"read_at": "2026-11-01"}
    with pytest.raises(RecordsRefused, match="it means birch only as of 2026-11-12T00:00:00Z"):
        desk.bring_in(*PAGE[:-2], early, CLAIM_LINE)


def test_a_reading_may_ask_to_register_the_names_that_it_meets(desk: Desk) -> None:
    """With "register": true unknown names become models, and known ones stay what they are."""
    beech = CLAIM_LINE | {"name": "beech"}
    desk.bring_in(*PAGE[:-2], READING | {"register": True}, CLAIM_LINE, beech)
    assert len(desk.facts("model:beech")) == len(desk.facts("model:birch")) == 1
    assert len(desk.claims()) == 2


def test_a_row_that_was_named_before_keeps_its_model(desk: Desk) -> None:
    """A new name under an old key need not mean anything; a new row's name must."""
    desk.bring_in(*PAGE[:-1], CLAIM_LINE | {"key": "1"})
    renamed = CLAIM_LINE | {"key": "1", "name": "Birch (best)"}
    later = HEADER | {"read_at": "2026-11-20"}
    (receipt,) = desk.bring_in(READING, renamed, header=later)
    assert receipt.counts["restated"] == 1
    with pytest.raises(RecordsRefused, match=r"line 3, name: Birch \(best\) means no registered"):
        desk.bring_in(READING | {"order": "2"}, renamed | {"key": "2"}, header=later)


def test_a_name_that_means_another_model_needs_means_from(desk: Desk) -> None:
    """Otherwise the new model would take over the scores of the old one."""
    desk.bring_in(LAB, MODEL)
    second = MODEL | {"slug": "birch-2"}
    with pytest.raises(RecordsRefused) as caught:
        desk.bring_in(second)
    assert "line 2, name: Birch already means the model birch; give means_from" in str(caught.value)
    desk.bring_in(second | {"means_from": "2026-11-12"})
    (registered,) = desk.facts("model:birch-2")
    assert isinstance(registered, ev.ModelRegistered)
    assert registered.means_from == READ_AT


def test_two_models_of_one_file_cannot_share_a_name(desk: Desk) -> None:
    """Name and version together are what means a model."""
    with pytest.raises(RecordsRefused, match="line 4, name: Birch May already means the model a"):
        desk.bring_in(
            LAB,
            MODEL | {"slug": "a", "version": "May"},
            MODEL | {"slug": "b", "name": "Birch May"},
        )


def test_only_a_launch_post_lists_a_benchmark_or_leaves_it_out(desk: Desk) -> None:
    """A report that is said to list one would bend the history of launch posts."""
    post = {"record": "post", "source": "report", "benchmark": "orchard", "listed": True}
    with pytest.raises(RecordsRefused, match="line 4, source: report is a technical-report"):
        desk.bring_in(BENCHMARK, SOURCE, post)
    desk.bring_in(BENCHMARK, SOURCE | {"kind": "launch-post"}, post | {"listed": False})
    assert desk.facts("source:report")[1:] == [
        ev.PostRead(benchmark=Slug("orchard"), listed=False, read_at=READ_AT)
    ]


def test_a_rule_of_the_stream_refuses_the_line(desk: Desk) -> None:
    """What the ledger's own rules refuse is said beside everything else that is wrong."""
    caveat = {"record": "caveat", "benchmark": "orchard", "caveat": "hail", "text": None}
    with pytest.raises(RecordsRefused) as caught:
        desk.bring_in(BENCHMARK, RULE | {"combine": "worst"}, caveat, MODEL)
    assert [problem.row for problem in caught.value.problems] == [3, 4, 5]
    assert "it is best or mean" in caught.value.problems[0].why
    assert "There is no caveat called hail" in caught.value.problems[1].why


def test_an_index_may_leave_ranks_unsaid(desk: Desk) -> None:
    """That a model is among the twenty highest says nothing about its place among them."""
    index = {"record": "index", "slug": "canopy", "name": "Canopy", "entries_stated": 20}
    desk.bring_in(index | {"models": [{"name": "Cedar"}, {"rank": 2, "name": "Birch"}]})
    (read,) = desk.facts("index:canopy")
    assert isinstance(read, ev.CapabilityIndexRead)
    assert [(one.rank, one.name) for one in read.models] == [(None, "Cedar"), (2, "Birch")]


def test_somebody_else_may_register_the_same_at_the_same_time(desk: Desk) -> None:
    """What another writer recorded between the check and the append is looked at anew."""
    meddled: list[str] = []

    def clock() -> Instant:
        # The check has read the streams and is about to judge them.
        if not meddled:
            meddled.append("once")
            same = ev.LabRegistered(slug=Slug("alder"), name="Alder Labs", read_at=READ_AT)
            desk.ledger.do(orders.Assert(stream="lab:alder", fact=same), "otto")
        return NOW

    busy = attrs.evolve(desk, ledger=attrs.evolve(desk.ledger, clock=clock))
    facts, _ = busy.bring_in(*PAGE)
    assert (facts.counts["recorded"], facts.counts["unchanged"]) == (4, 1)
    assert len(desk.facts("lab:alder")) == 1


def test_a_claim_is_recorded_with_all_that_its_line_says(desk: Desk) -> None:
    """Every field of the line stands in the event."""
    full = CLAIM_LINE | {
        "key": "Birch, hard",
        "split": "Hard",
        "setting": "greedy",
        "unit": "%",
        "published_on": "2026-09",
        "lab": "Alder",
        "url": "https://example.org/birch",
        "as_written": "Orchard  (Hard)\n",
        "section": "Results",
        "locator": "Table 3",
        "passed": 71,
        "completed": 100,
        "total": 120,
        "not_ranked": "too easy",
        "extra": {"soil": "clay", "plots": 3.0},
    }
    desk.bring_in(*PAGE[:-1], full)
    (claim,) = desk.claims()
    assert claim.key == "Birch, hard"
    assert claim.says == ev.Statement(
        name="Birch",
        metric=Slug("grown"),
        score=Score("71.0"),
        split="Hard",
        setting="greedy",
        unit="%",
        published_on=PartialDate("2026-09"),
        lab="Alder",
        url="https://example.org/birch",
        as_written="Orchard  (Hard)\n",
        section="Results",
        locator="Table 3",
        passed=71,
        completed=100,
        total=120,
        not_ranked="too easy",
        extra=(("plots", "3.0"), ("soil", "clay")),
    )
