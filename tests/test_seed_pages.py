"""The two seed pages come out of the demo's records, row for row and by calculation.

Facts and page statements are those of ``../shared/facts``; ids such as BD-18 or OR-03 are those of
``../shared/seed-features.md``. They lie beside the checkout and not in it, so elsewhere these tests
are skipped.
"""

import shutil
from collections import Counter
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import attrs
import pytest

from ledger import commands as orders
from ledger.claim import claim_id
from ledger.importing.records import import_records, parse_records
from ledger.values import Digest
from projections.board.boards import Board, board_at
from projections.board.history import coverage, headline, leaders, posts, status
from projections.board.rows import Row
from projections.over_time.changes import changes_between
from projections.story import story_of
from tests.seed_records import DEMO, NEEDS_FACTS, facts
from web.settings import Settings
from web.wiring import Workspace, make_home, open_workspace

NOW = datetime(2026, 11, 20, 12, tzinfo=UTC)
READ_ON = "2026-11-12"
BIG, SMALL = "bigcodebench", "code-interpreter"

pytestmark = NEEDS_FACTS


@attrs.frozen
class Pages:
    """The demo's records in a ledger, asked as readers ask."""

    workspace: Workspace

    def board(self, slug: str, view: str, metric: str | None = None, **asked: str | None) -> Board:
        """A board, as read on the page's day unless another is asked for."""
        moment = self.workspace.moment(**{"as_read_on": READ_ON, **asked})
        with self.workspace.views.read() as reader:
            return board_at(reader, slug, moment, view=view, metric=metric)

    def status(self, slug: str, **asked: str | None) -> str | None:
        """The status chip of a benchmark."""
        board = self.board(slug, "all", **asked)
        with self.workspace.views.read() as reader:
            return status(board, posts(reader, slug, board.moment)).word

    def decide(self, claim: str, wish: orders.AnyEffect, number: int) -> None:
        """Report a claim and decide the report, having checked its own snapshot."""
        ledger, moment = self.workspace.ledger, self.workspace.moment()
        with self.workspace.views.read() as reader:
            story = story_of(reader, ledger.store, claim, moment)
        filed = orders.FileReport(
            number=number, target=f"claims/{claim}", reason="not-comparable", received_at=NOW
        )
        ledger.do(filed, "ada")
        decided = orders.Decide(
            number=number,
            outcome="accepted",
            reason="not-comparable",
            statement="Looked at again.",
            snapshot=Digest(story.readings[-1].digest),
            effects=(wish,),
        )
        ledger.do(decided, "boris")
        self.workspace.follower.catch_up()


@pytest.fixture(scope="module")
def loaded(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A home with the demo's records, made once and copied for whoever changes it."""
    home = tmp_path_factory.mktemp("seeds") / "home"
    settings = Settings(home=home)
    make_home(settings)
    workspace = open_workspace(settings, clock=lambda: NOW)
    for file in sorted(DEMO.glob("*.jsonl")):
        records = parse_records(file.name, file.read_bytes(), NOW)
        import_records(workspace.ledger, workspace.known(), records, "curator")
    workspace.follower.catch_up()
    workspace.close()
    return home


@pytest.fixture
def pages(loaded: Path, tmp_path: Path) -> Iterator[Pages]:
    """The records in a ledger of the test's own."""
    shutil.copytree(loaded, tmp_path / "home")
    workspace = open_workspace(Settings(home=tmp_path / "home"), clock=lambda: NOW)
    yield Pages(workspace)
    workspace.close()


# --- the boards, row for row ------------------------------------------------------------------

Line = tuple[int, str, str | None, str, str]


def printed(fact: dict[str, Any], rank: int) -> Line:
    """A row as the page prints it: dates there are months."""
    model = fact["model"]
    return (rank, model["name"], model["version"], fact["score"], fact["date"])


def shown(row: Row) -> Line:
    """A row as we show it, its date cut to the month."""
    assert row.model is not None
    return (
        row.rank or 0,
        row.model.name,
        row.model.version,
        str(row.score),
        str(row.published_on)[:7],
    )


@pytest.mark.parametrize(("view", "listed"), [("labs", 14), ("independent", 69)])
def test_a_board_is_the_pages_row_for_row(pages: Pages, view: str, listed: int) -> None:
    """BD-16 and BD-17: order, names with versions, digits as written, dates, source kinds."""
    claims = facts(BIG)["lab_claims" if view == "labs" else "independent_claims"]
    expected = [printed(one, one["position"]) for one in claims]
    board = pages.board(BIG, view)
    assert [shown(row) for row in board.rows] == sorted(expected)
    assert len(board.rows) == listed == facts(BIG)["page_states"][view]["models"]
    assert {row.source.independent for row in board.rows} == {view == "independent"}


def test_all_claims_are_both_boards_by_score_and_earlier_date(pages: Pages) -> None:
    """BD-18 and OR-01: 83 rows, no model on both, lab rows where the page has them."""
    page = facts(BIG)
    board = pages.board(BIG, "all")
    both = [printed(one, 0)[1:] for one in page["lab_claims"] + page["independent_claims"]]
    assert Counter(shown(row)[1:] for row in board.rows) == Counter(both)
    assert len(board.rows) == 83 == len({row.model for row in board.rows})
    keys = [(row.score and -row.score.value, str(row.published_on)[:7]) for row in board.rows]
    assert keys == sorted(keys)
    labs = [row.rank for row in board.rows if not row.source.independent]
    assert labs == [1, 2, 3, 10, 12, 28, 34, 39, 41, 42, 44, 52, 61, 74]


@pytest.mark.parametrize(("view", "groups"), [("labs", 1), ("independent", 6), ("all", 11)])
def test_ties_are_marked_and_ordered_by_date(pages: Pages, view: str, groups: int) -> None:
    """BD-10 and OR-08: 1, 6 and 11 groups; ordinal ranks; the earlier date first in each."""
    board = pages.board(BIG, view)
    tied: dict[str, list[Row]] = {}
    for row in board.rows:
        tied.setdefault(row.sort_key, []).append(row)
    found = [group for group in tied.values() if len(group) > 1]
    assert len(found) == groups
    assert all(row.tied == (len(tied[row.sort_key]) > 1) for row in board.rows)
    assert [row.rank for row in board.rows] == list(range(1, len(board.rows) + 1))
    for group in found:
        days = [row.published_on.first_day for row in group if row.published_on]
        assert days == sorted(days)


def test_the_day_before_the_reading_is_empty_and_says_why(pages: Pages) -> None:
    """Nobody can be shown what had not been read yet."""
    for slug in (BIG, SMALL):
        for view in ("labs", "independent", "all"):
            board = pages.board(slug, view, as_read_on="2026-11-11")
            assert board.rows == ()
            assert "the first reading is of 2026-11-12" in (board.empty_because or "")


def test_what_is_not_tracked_is_counted(pages: Pages) -> None:
    """BD-09: the leaderboard stated 120 entries, of which 69 are listed."""
    assert pages.board(BIG, "independent").untracked == 51
    assert pages.board(BIG, "all").untracked == 51
    assert pages.board(BIG, "labs").untracked == 0


def test_what_the_page_leaves_out_stands_beside_the_board(pages: Pages) -> None:
    """INC-27 and INC-28: three numbers inside wordings are claims, held out with a reason."""
    beside = pages.board(BIG, "labs").unranked
    assert {(row.as_written, str(row.score)) for row in beside} == {
        ("Command A Agentic", "59.7"),
        ("DiffusionGemma 26B A4B", "41.9"),
        ("Phi-4 Mini", "33.8"),
    }
    assert all((row.why_unranked or "").startswith("not comparable") for row in beside)


def test_a_shared_top_score_is_said_in_every_view(pages: Pages) -> None:
    """BD-05 and INC-21: the page says so on the labs' board alone."""
    assert "2 models share the top score of 60.6%" in headline(pages.board(BIG, "labs"))
    assert "2 models share the top score of 56.1%" in headline(pages.board(BIG, "independent"))
    assert "2 models share the top score of 60.6%" in headline(pages.board(BIG, "all"))


# --- number one over time ---------------------------------------------------------------------


def held(board: Board) -> list[tuple[str, str]]:
    """Who held number one, and since when."""
    return [(one.model.full_name, str(one.since)) for one in leaders(board)]


def test_four_models_held_number_one_in_labs_own_numbers(pages: Pages) -> None:
    """OR-03: each from the day of its earliest lab claim; a tie does not change the holder."""
    assert held(pages.board(BIG, "labs")) == [
        ("Mercury Coder Small", "2025-02-26"),
        ("Seed-Coder-8B-Instruct", "2025-05-08"),
        ("DeepSeek-V4-Pro", "2026-04-24"),
        ("DeepSeek V4.1 Flash", "2026-09-10"),
    ]


def test_three_models_held_number_one_with_claims_included(pages: Pages) -> None:
    """OR-02: clipped at the benchmark's release, so GPT-4o leads from June 2024."""
    found = held(pages.board(BIG, "all"))
    assert found == [
        ("GPT-4o May 2024", "2024-06"),
        ("DeepSeek-V4-Pro", "2026-04-24"),
        ("DeepSeek V4.1 Flash", "2026-09-10"),
    ]
    assert len(found) == facts(BIG)["page_states"]["all"]["number_one_models"]


def test_each_view_is_led_since_when_the_page_says(pages: Pages) -> None:
    """BP-02: model, score and month of each headline."""
    for slug in (BIG, SMALL):
        for lead in facts(slug)["page_states"]["leads"]:
            last = leaders(pages.board(slug, lead["view"]))[-1]
            assert (last.model.full_name, last.score) == (lead["model"], lead["score"])
            assert str(last.since)[:7] == lead["since"]


def test_a_decision_that_counts_the_agentic_number_changes_who_led(pages: Pages) -> None:
    """OR-04: readmitted, Command A Agentic leads from its report on; as read before it does not."""
    claim = claim_id("cohere-command-a-technical-report", BIG, "Command A Agentic", "pass-1", None)
    pages.decide(claim, orders.Readmit(claim=claim, applies_from="start"), 1)
    labs, everything = (pages.board(BIG, view, as_read_on=None) for view in ("labs", "all"))
    agentic = ("Command A Agentic", "2025-04-01")
    flash = ("DeepSeek V4.1 Flash", "2026-09-10")
    assert held(labs) == [("Mercury Coder Small", "2025-02-26"), agentic, flash]
    assert held(everything) == [("GPT-4o May 2024", "2024-06"), agentic, flash]
    assert next(row.rank for row in labs.rows if row.name == "Command A Agentic") == 3
    assert len(held(pages.board(BIG, "labs"))) == 4
    assert held(pages.board(BIG, "labs", corrected="since")) == held(labs)


# --- status -----------------------------------------------------------------------------------


def test_the_status_follows_from_the_launch_posts_of_two_years(pages: Pages) -> None:
    """BP-03 and LP-01: fading and dropped as of the reading, each in use at an earlier time."""
    assert pages.status(BIG) == facts(BIG)["page_states"]["status"].lower() == "fading"
    assert pages.status(SMALL) == facts(SMALL)["page_states"]["status"].lower() == "dropped"
    assert pages.status(SMALL, published_by="2024-06-01") == "in use"
    assert pages.status(BIG, published_by="2025-10-01") == "in use"
    assert pages.status(BIG, published_by="2025-02-25") is None


def test_the_strongest_model_tested_is_on_the_capability_index(pages: Pages) -> None:
    """BP-15 and BP-14: number 34 of the index is scored here; of its highest 20 none is there."""
    board = pages.board(BIG, "labs")
    with pages.workspace.views.read() as reader:
        (found,) = [one for one in coverage(reader, board) if one.best_rank is not None]
        assert (found.best_model, found.best_rank) == ("DeepSeek V4.1 Flash", 34)
        untested = coverage(reader, pages.board(SMALL, "labs"))
    expected = facts(SMALL)["capability_index_top20_without_score"]
    (top,) = [one for one in untested if one.not_named]
    assert list(top.without_score) == expected["named"]
    assert top.not_named == expected["more"]


# --- Code Interpreter -------------------------------------------------------------------------


def test_code_interpreter_is_the_pages_board_with_its_error(pages: Pages) -> None:
    """BD-15: four rows, the one of Qwen1.5-72B under a metric that it does not measure."""
    expected = [printed(one, one["position"]) for one in facts(SMALL)["lab_claims"]]
    assert [shown(row) for row in pages.board(SMALL, "labs").rows] == expected


@pytest.mark.parametrize(
    ("day", "rate", "accuracy"),
    [
        ("2023-09-24", [], []),
        ("2023-09-25", [], [("Qwen-14B", "58.4")]),
        (
            "2023-09-28",
            [("Qwen-14B", "81.7"), ("Qwen-7B", "70.2"), ("Qwen-1_8B", "26.8")],
            [("Qwen-14B", "58.4"), ("Qwen-7B", "41.9"), ("Qwen-1_8B", "14.7")],
        ),
        (
            "2024-02-05",
            [("Qwen-14B", "81.7"), ("Qwen-7B", "70.2"), ("Qwen-1_8B", "26.8")],
            [
                ("Qwen1.5-72B", "73.1"),
                ("Qwen-14B", "58.4"),
                ("Qwen-7B", "41.9"),
                ("Qwen-1_8B", "14.7"),
            ],
        ),
    ],
)
def test_code_interpreter_by_the_day_of_publication(
    corrected: Pages, day: str, rate: list[tuple[str, str]], accuracy: list[tuple[str, str]]
) -> None:
    """OR-05 and INC-02, metric by metric, once 73.1 is what its post says it is."""
    for metric, expected in (("executable-code-rate", rate), ("accuracy", accuracy)):
        board = corrected.board(SMALL, "labs", metric, as_read_on=None, published_by=day)
        assert [(row.name, str(row.score)) for row in board.rows] == expected


@pytest.fixture
def corrected(pages: Pages) -> Pages:
    """The error of the page corrected, as in the demo."""
    claim = claim_id("qwen1.5-72b-launch-post", SMALL, "Qwen1.5-72B", "executable-code-rate", "All")
    wish = orders.Correct(
        claim=claim, applies_from="start", to=(("metric", "accuracy"), ("split", "Math"))
    )
    pages.decide(claim, wish, 1)
    return pages


def test_the_correction_shows_from_its_decision_on(corrected: Pages) -> None:
    """Four rows as read on the day, three now, three as that day is known today."""

    def count(**asked: str | None) -> int:
        return len(corrected.board(SMALL, "labs", **asked).rows)

    assert count() == 4
    assert count(as_read_on=None) == 3
    assert count(corrected="since") == 3
    assert count(corrected="then") == 4


def test_the_correction_is_the_one_change_after_the_reading(corrected: Pages) -> None:
    """Between the reading and today one step was made on the board, by a decision."""
    moment = corrected.workspace.moment()
    with corrected.workspace.views.read() as reader:
        store = corrected.workspace.ledger.store
        start = datetime(2026, 11, 13, tzinfo=UTC)
        (step,) = changes_between(reader, store, SMALL, start, moment)
    assert (step.kind, step.name, step.old, step.new) == (
        "corrected",
        "Qwen1.5-72B",
        "73.1",
        "73.1",
    )
    assert step.decision is not None
