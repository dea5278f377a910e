"""Everything out: boards, claims, changes and corrections as tables, lines and Every Eval Ever
records; and what went out comes in again as it was."""

import csv
import io
import shutil
from pathlib import Path
from typing import Any

import jsonschema
import orjson
import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from ledger.errors import BadValue
from ledger.importing.formats.safe_cells import given_back
from ledger.values import parse_name
from ledger.vocabulary import UNITS, UPDATE_TYPES
from tests.web.corrigenda import Corrigenda, Toy
from tests.web.desk import BENCHMARK, HERON, Office
from tests.web.seeded import seeded_once
from web.csv_forms import safe
from web.retractions_csv import COLUMNS, NATURES

__all__ = ["seeded_once"]

SCHEMA = (
    Path(__file__).parents[3] / "shared/formats/every_eval_ever/every_eval_ever.eval.schema.json"
)
CSV, LINES = "text/csv; charset=utf-8", "application/jsonl"
BESIDE = (
    *("lab", "source", "source_name", "source_kind", "date", "url", "passed", "completed"),
    *("total", "metric", "metric_name", "better", "benchmark_name"),
)
COMPARED = ("rank", "name", "score", "unit", "published_on", "tied", "split", "setting", "key")


def valid(record: Any) -> None:
    """Whether a record is one by the schema of version 0.3.0."""
    if not SCHEMA.exists():
        pytest.skip("the schema of Every Eval Ever is not beside the checkout")
    jsonschema.Draft7Validator(orjson.loads(SCHEMA.read_bytes())).validate(record)


def rows_of(text: str) -> list[dict[str, str]]:
    """A table as a spreadsheet reads it."""
    return list(csv.DictReader(io.StringIO(text, newline="")))


def board_of(ledger: Corrigenda, slug: str, *options: str) -> list[tuple[Any, ...]]:
    """What a board shows: places, names, digits, units, dates, ties, splits, settings, labs, keys,
    sources and the claims' own dates, addresses and counters."""
    found = []
    for row in rows_of(ledger.done("board", slug, "--view", "all", "--csv", *options)):
        row["name"] = f"{row['model']} {row['version']}".strip()
        found.append(tuple(row[name] for name in (*COMPARED, *BESIDE)))
    return found


def brought_in(home: Path, *files: Path) -> Corrigenda:
    """An empty home, into which these files were imported; nobody said what they are."""
    ledger = Corrigenda(home)
    ledger.done("init")
    for file in files:
        ledger.done("import", str(file))
    return ledger


# --- out and in -------------------------------------------------------------------------------


@pytest.mark.parametrize("slug", ["bigcodebench", "codeforces-rating", "humaneval-mbpp-average"])
def test_a_board_comes_back_as_it_was(seeded_once: Path, tmp_path: Path, slug: str) -> None:
    """As CSV and as Every Eval Ever records, from the real boards of the demo, ties and all."""
    ledger = Corrigenda(Path(shutil.copytree(seeded_once, tmp_path / "home")))
    table, records = tmp_path / "board.csv", tmp_path / "board.jsonl"
    ledger.done(
        *("export", "board", slug, "--view", "all"),
        *("--csv", str(table), "--every-eval-ever", str(records)),
    )
    before = board_of(ledger, slug)
    assert before
    assert board_of(brought_in(tmp_path / "from-csv", table), slug) == before
    assert board_of(brought_in(tmp_path / "from-records", records), slug) == before
    for line in records.read_bytes().splitlines():
        valid(orjson.loads(line))


def test_every_claim_comes_back_too(toy: Toy, tmp_path: Path) -> None:
    """A model called =SUM(A1) of a lab called @lab, and every row, not each model's best alone."""
    table, records = tmp_path / "toy.csv", tmp_path / "toy.jsonl"
    options = ("--every-claim", "--as-read-on", "2025-02-08")
    toy.corrigenda.done(
        *("export", "board", "toy", *options),
        *("--csv", str(table), "--every-eval-ever", str(records)),
    )
    before = board_of(toy.corrigenda, "toy", *options)
    assert ("=SUM(A1)", "@lab") in [
        (row["model"][1:], row["lab"][1:]) for row in rows_of(table.read_text(encoding="utf-8"))
    ]
    for file, name in ((table, "csv"), (records, "records")):
        found = brought_in(tmp_path / name, file)
        assert board_of(found, "toy", "--every-claim") == before
        (source,) = {row["source"]["slug"] for row in found.json("board", "toy")["rows"]}
        assert found.json("source", source)["readings"][0]["read_at"] == "2025-02-07T19:15:10Z"


def test_bringing_it_in_twice_changes_nothing(toy: Toy, tmp_path: Path) -> None:
    """The second receipt says so."""
    for option, name in (("--csv", "toy.csv"), ("--every-eval-ever", "toy.jsonl")):
        file = tmp_path / name
        toy.corrigenda.done("export", "board", "toy", option, str(file))
        ledger = brought_in(tmp_path / f"from {name}", file)
        events = ledger.json("events")["events"]
        (receipt,) = ledger.json("import", str(file))["files"]
        assert (receipt["recorded"], receipt["restated"], receipt["delisted"]) == (0, 0, 0)
        assert ledger.json("events")["events"] == events


def is_name(text: str) -> bool:
    """Whether a text can be a name here at all."""
    try:
        return parse_name(text) == text
    except BadValue:
        return False


BEGINNINGS = ("=", "+", "-", "@", "'", "''=", "'=", '"', ",", "+1", "-1", "=cmd|' /C calc'!A0", "")
LETTERS = st.text(st.characters(categories=["L", "N", "P", "S", "M", "Zs"]), max_size=12)
NAMES = st.builds(str.__add__, st.sampled_from(BEGINNINGS), LETTERS).map(str.strip).filter(is_name)
SCORES = st.sampled_from(["72.50", "3,471", "-0.5", "+4.50", "007", ".5", "5.", "1e3", "0", "1E-4"])
BOARDS = st.lists(
    st.fixed_dictionaries(
        {
            "model": NAMES,
            "key": NAMES,
            "score": SCORES,
            "setting": st.none() | NAMES,
            "split": st.none() | NAMES,
            "lab": st.none() | NAMES,
            "unit": st.sampled_from(UNITS),
            "date": st.sampled_from(
                [None, "2024", "2024-02", "2024-02-29", "2023-01-01/2023-02-01"]
            ),
            "url": st.sampled_from([None, "https://example.org/a,b?c='d'"]),
            "passed": st.sampled_from([None, "12"]),
            "total": st.sampled_from([None, "90"]),
        }
    ),
    min_size=1,
    max_size=5,
    unique_by=lambda row: row["key"],
)


def nasty(name: str, score: str) -> dict[str, str | None]:
    """A row whose every name is the same."""
    names = dict.fromkeys(("model", "key", "setting", "split", "lab"), name)
    return {**names, "score": score, "unit": "points", "date": "2024-02"}


@example([nasty(f"{one}x" if one in "\"'," else one, "3,471") for one in BEGINNINGS if one])
@given(BOARDS)
@settings(
    max_examples=4,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much],
)
def test_whatever_a_board_says_comes_back(
    tmp_path_factory: pytest.TempPathFactory, rows: list[dict[str, str | None]]
) -> None:
    """Names that are formulas, quotes, numbers or apostrophes; scores that JSON cannot write."""
    folder = tmp_path_factory.mktemp("nasty")
    first = Corrigenda(folder / "first")
    first.done("init")
    (folder / "board.json").write_bytes(orjson.dumps(rows))
    about = ("--format", "snapshot", "--source", "nasty-board", "--benchmark", "nasty")
    first.done("import", *about, str(folder / "board.json"))
    table, records = folder / "board.csv", folder / "board.jsonl"
    first.done(
        *("export", "board", "nasty", "--every-claim"),
        *("--csv", str(table), "--every-eval-ever", str(records)),
    )
    before = board_of(first, "nasty", "--every-claim")
    assert before
    for file, name in ((table, "csv"), (records, "records")):
        assert board_of(brought_in(folder / name, file), "nasty", "--every-claim") == before
    for line in records.read_bytes().splitlines():
        valid(orjson.loads(line))


@given(st.text() | NAMES)
def test_every_cell_is_given_back(cell: str) -> None:
    """No two cells are written the same, so none is taken for another."""
    assert given_back(safe(cell)) == cell


def test_a_mean_is_no_claim(tmp_path: Path) -> None:
    """A row that no source states is left out of an import, and said so."""
    ledger = Corrigenda(tmp_path / "home")
    ledger.done("init")
    file = tmp_path / "board.csv"
    file.write_text(
        "rank,model,score,unit,source,source_kind,key,claim_id,metric,benchmark,better,read_at\n"
        "1,Wren,50.0,%,wren-board,official-leaderboard,Wren,,score,wrens,higher,"
        "2025-02-07T19:15:10Z\n",
        encoding="utf-8",
    )
    (receipt,) = ledger.json("import", str(file))["files"]
    assert receipt["recorded"] == 0
    assert "a mean over splits" in receipt["refused"][0]["why"]


# --- over HTTP --------------------------------------------------------------------------------


@pytest.fixture
def decided(office: Office) -> Office:
    """One correction is decided."""
    office.desk.accept("70.1")
    return office


DAY = "as_read_on=2025-07-23"
ADDRESSES = {
    f"/benchmarks/{BENCHMARK}.jsonl": (LINES, 2, BENCHMARK),
    f"/benchmarks/{BENCHMARK}.eee.jsonl": (LINES, 3, BENCHMARK),
    f"/claims/{HERON}.csv": (CSV, 3, HERON),
    f"/claims/{HERON}.jsonl": (LINES, 2, HERON),
    "/corrections.jsonl": (LINES, 1, "corrections"),
    "/corrections.retractions.csv": (CSV, 2, "corrections_retractions"),
    f"/benchmarks/{BENCHMARK}/changes.jsonl": (LINES, 1, f"{BENCHMARK}_changes"),
}


def test_a_stranger_can_take_it_away(decided: Office) -> None:
    """As a file whose name says what it is and of which position."""
    for address, (media_type, least, name) in ADDRESSES.items():
        span = "from=2025-07-01&to=2025-07-23" if "changes" in address else DAY
        response = decided.app.test_client().get(f"{address}?{span}")
        assert (response.status_code, response.content_type) == (200, media_type), address
        assert "Set-Cookie" not in response.headers
        said = response.headers["Content-Disposition"]
        assert said.startswith(f'attachment; filename="{name}_')
        position = decided.desk.workspace.ledger.store.head()
        assert f"position-{position}." in said
        lines = response.text.splitlines()
        assert len(lines) >= least, address
        if media_type == LINES:
            assert all(isinstance(orjson.loads(line), dict) for line in lines)


def test_an_impossible_day_is_refused(decided: Office) -> None:
    """And so is a parameter that the page does not know."""
    client = decided.app.test_client()
    for address in ADDRESSES:
        day = "from=2025-02-30" if "changes" in address else "as_read_on=2025-02-30"
        for query in (day, "nonsense=1"):
            assert client.get(f"{address}?{query}").status_code == 400, address


def test_lines_say_what_the_document_says(decided: Office) -> None:
    """The rows of the board, and those of the log, each with what it is about."""
    client = decided.app.test_client()
    document = client.get(f"/benchmarks/{BENCHMARK}.json?{DAY}").json
    lines = client.get(f"/benchmarks/{BENCHMARK}.jsonl?{DAY}").text.splitlines()
    assert document is not None
    rows = [*document["rows"], *document["unranked"]]
    assert [orjson.loads(line)["score"] for line in lines] == [row["score"] for row in rows]
    first = orjson.loads(lines[0])
    assert first | rows[0] == first
    assert (first["benchmark"], first["as_read_on"]) == (BENCHMARK, "2025-07-23")
    log = client.get("/corrections.json").json
    assert log is not None
    found = client.get("/corrections.jsonl").text.splitlines()
    assert [orjson.loads(line) for line in found] == log["corrections"]


def test_corrections_in_the_columns_of_retraction_watch(decided: Office) -> None:
    """A row for each number that was corrected, with the addresses of what is said here."""
    text = decided.app.test_client().get("/corrections.retractions.csv").text
    (row,) = rows_of(text)
    assert tuple(row) == COLUMNS
    assert row["Record ID"] == "1"
    assert row["Title"] == "Heron-7B on KiteBench v1"
    assert (row["Journal"], row["Publisher"]) == ("KiteBench v1", "kite-board")
    assert (row["RetractionNature"], row["Reason"]) == ("Correction", "Wrong value;")
    assert row["RetractionDate"] == "7/23/2025 0:00"
    assert row["URLS"].split(";") == [
        f"http://localhost/{path}" for path in ("corrections/1", f"claims/{HERON}")
    ]
    assert "score: 72.5 → 70.1" in row["Notes"]


def test_every_update_type_has_a_nature() -> None:
    """One of the four that are told apart there."""
    assert tuple(sorted(NATURES)) == tuple(sorted(UPDATE_TYPES))


# --- by the command ---------------------------------------------------------------------------


def test_the_command_writes_the_same(toy: Toy, tmp_path: Path) -> None:
    """Each form into a file, one of them onto standard output; nothing asked for is refused."""
    ledger = toy.corrigenda
    at = ("--as-read-on", "2025-02-08")
    assert ledger.done("export", "board", "toy", *at, "--csv", "-") == ledger.done(
        "board", "toy", *at, "--csv"
    )
    claim = toy.claim("Beta")
    story = ledger.json("claim", claim)["history"]
    lines = ledger.done("export", "claim", claim, "--jsonl", "-").splitlines()
    assert [orjson.loads(line)["new"] for line in lines] == [step["new"] for step in story]
    assert len(rows_of(ledger.done("export", "claim", claim, "--csv", "-"))) == len(story)
    span = ("--from", "2025-02-01", "--to", "2025-02-28")
    files = {form: tmp_path / f"changes.{form}" for form in ("csv", "jsonl")}
    wanted = [word for form, file in files.items() for word in (f"--{form}", str(file))]
    ledger.done("export", "changes", "toy", *span, *wanted)
    told = ledger.json("changes", "toy", *span)
    assert len(told) == len(files["jsonl"].read_bytes().splitlines())
    assert len(told) == len(rows_of(files["csv"].read_text(encoding="utf-8")))
    assert ledger.run("export", "changes", "toy", *span).exit_code == 2
    both = ledger.run("export", "board", "toy", "--csv", "-", "--jsonl", "-")
    assert both.exit_code == 2
    for form in ("--csv", "--jsonl", "--retractions"):
        ledger.done(
            "export", "corrections", "--from", "2025-01-01", "--to", "2025-12-31", form, "-"
        )
