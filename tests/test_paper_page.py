"""The third seed page comes out of the demo's records, item by item and by calculation.

Facts are those of ``../shared/facts``; ids such as CR-02 or INC-67 are those of
``../shared/seed-features.md``. They lie beside the checkout and not in it, so elsewhere these tests
are skipped; ``test_made_up_paper`` tests the same on made-up data.
"""

import json
import shutil
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import attrs
import pytest

from ledger import commands as orders
from ledger.importing.records import import_records, parse_records
from ledger.label import label_id
from ledger.sample import sample_id
from ledger.values import Digest
from ledger.vocabulary import LABELS, POINTER_ONLY, RUN_OUTCOMES
from projections.board.boards import Board, board_at
from projections.code.papers import paper_at
from projections.code.samples import sample_at
from projections.decisions.corrections import corrections
from reports.code.papers import paper_json
from reports.code.samples import sample_json
from reports.contract import Json, correction_json
from web.settings import Settings
from web.wiring import Workspace, make_home, open_workspace

FACTS = Path(__file__).parents[2] / "shared" / "facts" / "opencodeinterpreter.json"
RECORDS = Path(__file__).parents[1] / "web" / "demo" / "opencodeinterpreter.jsonl"
NOW = datetime(2026, 11, 20, 12, tzinfo=UTC)
PAPER, REPOSITORY = "2402.14658", "opencodeinterpreter--opencodeinterpreter"
BENCHMARK = "humaneval-mbpp-average"
LABEL = label_id(PAPER, REPOSITORY, "paper-archive")
DAYS = ("2025-08-01", "2026-09-17", "2026-09-20", "2026-09-24")

pytestmark = pytest.mark.skipif(
    not FACTS.is_file(),
    reason="the facts of the seed pages (../shared/facts) are not beside this checkout",
)


@pytest.fixture(scope="module")
def facts() -> dict[str, Any]:
    """What the page states."""
    found: dict[str, Any] = json.loads(FACTS.read_text(encoding="utf-8"))
    return found


@attrs.frozen
class Page:
    """The demo's records in a ledger, asked as readers ask."""

    workspace: Workspace

    def on(self, day: str | None, **asked: str) -> Json:
        """The page as read on a day."""
        moment = self.workspace.moment(as_read_on=day, **asked)
        with self.workspace.views.read() as reader:
            return paper_json(paper_at(reader, self.workspace.ledger.store, PAPER, moment))

    def record(self, day: str | None = DAYS[-1]) -> Json:
        """What the run record holds."""
        (found,) = self.on(day)["records"]
        return dict(found)

    def sample(self, code: str) -> Json:
        """A sample's page."""
        moment = self.workspace.moment()
        with self.workspace.views.read() as reader:
            return sample_json(sample_at(reader, self.workspace.ledger.store, code, moment), moment)

    def board(self, metric: str) -> Board:
        """The composite benchmark's board."""
        moment = self.workspace.moment(as_read_on=DAYS[-1])
        with self.workspace.views.read() as reader:
            return board_at(reader, BENCHMARK, moment, metric=metric, every_claim=True)

    def decide(self, number: int, target: str, wish: orders.AnyEffect, snapshot: str) -> Json:
        """Report something, accept it, and give its entry in the log."""
        ledger = self.workspace.ledger
        filed = orders.FileReport(
            number=number, target=target, reason="wrong-value", received_at=NOW
        )
        ledger.do(filed, "ada")
        decided = orders.Decide(
            number=number,
            outcome="accepted",
            type="correction",
            reason="wrong-value",
            statement="Looked at in its frozen source.",
            snapshot=Digest(snapshot),
            effects=(wish,),
        )
        ledger.do(decided, "boris")
        self.workspace.follower.catch_up()
        with self.workspace.views.read() as reader:
            return correction_json(corrections(reader, ledger.store)[0])


@pytest.fixture(scope="module")
def loaded(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A home with the page's records, made once and copied for whoever changes it."""
    home = tmp_path_factory.mktemp("paper") / "home"
    make_home(Settings(home=home))
    workspace = open_workspace(Settings(home=home), clock=lambda: NOW)
    records = parse_records(RECORDS.name, RECORDS.read_bytes(), NOW)
    import_records(workspace.ledger, workspace.known(), records, "curator")
    workspace.follower.catch_up()
    workspace.close()
    return home


@pytest.fixture
def page(loaded: Path, tmp_path: Path) -> Iterator[Page]:
    """The records in a ledger of the test's own."""
    shutil.copytree(loaded, tmp_path / "home")
    workspace = open_workspace(Settings(home=tmp_path / "home"), clock=lambda: NOW)
    yield Page(workspace)
    workspace.close()


# --- F, I, J: the paper, its repositories, the days -------------------------------------------


def test_the_paper_is_named_as_on_its_page(page: Page, facts: dict[str, Any]) -> None:
    """PP-01: title, eight authors in order, arXiv number; no abstract, as it is not ours."""
    found = page.on(DAYS[-1])
    paper = facts["paper"]
    assert (found["paper"]["title"], found["paper"]["authors"]) == (
        paper["title"],
        paper["authors"],
    )
    assert found["paper"]["arxiv_id"] == paper["arxiv_id"] == found["paper"]["id"]
    assert (len(found["paper"]["authors"]), found["abstracts"]) == (8, [])
    assert found["report"] == f"papers/{PAPER}"


def test_the_four_days_differ_as_the_facts_say(page: Page, facts: dict[str, Any]) -> None:
    """Archive, open window, closed window, record: each shows from its own reading on."""
    pages = [page.on(day) for day in DAYS]
    names = [[one["name"] for one in found["repositories"]] for found in pages]
    assert names == [[facts["repository"]["name"]]] * 4
    windows = [[one["state"] for one in found["windows"]] for found in pages]
    assert windows == [[], ["open"], ["closed"], ["closed"]]
    reached = [[one["reachability"] for one in found["repositories"]] for found in pages]
    assert reached == [[None]] * 4
    ran = [[one["ran"] for one in found["records"]] for found in pages]
    assert ran == [[], [], [], [3]]
    assert [len(found["claims"]) for found in pages] == [0, 0, 0, 6]


def test_nothing_shows_before_the_archive_was_frozen(page: Page, facts: dict[str, Any]) -> None:
    """But the title, and why there is nothing."""
    found = page.on("2025-07-27")
    assert found["empty_because"].endswith(facts["archive"]["frozen_on"])
    empty = ("repositories", "records", "results", "hidden", "windows", "claims", "caveats")
    assert [found[name] for name in empty] == [[]] * len(empty)


def test_every_date_is_there_with_what_it_means(page: Page, facts: dict[str, Any]) -> None:
    """RP-02: five clocks, of which two are not stated; none stands for another."""
    found = page.on(DAYS[-1])
    dates = {one["what"]: one["date"] for one in found["dates"]}
    assert dates == {
        "Paper archive frozen": "28 Jul 2025",
        "probe window": "16 Sep 2026 to 18 Sep 2026",
        "Syntology read": "24 Sep 2026",
        "harvested": None,
        "ran": None,
    }
    assert all(one["means"] for one in found["dates"])
    (window,) = found["windows"]
    assert (window["first_day"], window["last_day"]) == (
        facts["probe_window"]["from"],
        facts["probe_window"]["to"],
    )
    assert page.record()["read_at"][:10] == facts["record_read_on"]
    later = {"kind": "added-later", "text": "added to the ledger later"}
    assert later in found["results"][0]["marks"]


def test_a_repository_that_was_not_probed_shows_nothing(page: Page) -> None:
    """RP-01 and INC-66: how many were not probed is said, of none what was found."""
    (window,) = page.on(DAYS[-1])["windows"]
    assert (window["repositories_probed"], window["repositories_not_probed"]) == (0, 1)


def test_the_label_says_who_asserts_it_and_as_of_when(page: Page, facts: dict[str, Any]) -> None:
    """RL-03, RL-06, RL-07: the archive's word of the day on which it was frozen."""
    (repository,) = page.on(DAYS[0])["repositories"]
    (found,) = repository["labels"]
    assert found["name"] == facts["repository"]["label"] == repository["label_name"]
    assert found["asserted_by"]["kind"] == LABELS["archive-listed"][2] == "paper-archive"
    assert found["as_of"] == facts["archive"]["frozen_on"]
    (listed,) = repository["listings"]
    assert listed["official"] is facts["repository"]["official"] is False
    assert listed["mentioned"] is facts["repository"]["mentioned_in_paper"] is False


def test_what_the_archive_does_not_have_is_said_and_what_is_hidden_is_counted(
    page: Page, facts: dict[str, Any]
) -> None:
    """PP-06, PP-07, INC-64, INC-69: the empty sentence with its freeze date; one tag not shown."""
    found = page.on(DAYS[-1])
    (results,) = found["results"]
    assert results["leaderboard_rows"] == facts["archive"]["leaderboard_rows"] == 0
    assert "no leaderboard rows" in results["sentence"]
    assert "28 Jul 2025" in results["sentence"]
    (hidden,) = found["hidden"]
    assert hidden["count"] == facts["archive"]["task_tags_without_page"] == 1
    assert (found["tasks"], found["methods"]) == ([], [])


# --- G, H: what ran, licences -----------------------------------------------------------------


def test_the_counts_are_the_pages_and_add_up(page: Page, facts: dict[str, Any]) -> None:
    """CR-01 to CR-04 and CR-12: 3 = 3 + 0, 3 = 0 + 1 + 2 + 0, and the part is the whole."""
    found, stated = page.record(), facts["sample_outcomes"]
    assert (found["harvested"], found["ran"]) == (stated["harvested"], stated["ran"]) == (3, 3)
    assert found["no_run"] == stated["no recorded run"] == 0
    by_outcome = {name: one["count"] for name, one in found["outcomes"].items()}
    assert by_outcome == {
        "honoured": stated["honoured"],
        "violated": stated["violated contract"],
        "draft-wrong": stated["our draft was wrong"],
        "fixture-failed": 0,
    }
    assert "fixture-failed" not in found["stated_outcomes"]
    assert sum(by_outcome.values()) == found["ran"]
    (part,) = found["parts"]
    assert (part["name"], part["harvested"], part["repositories"], part["ran"]) == (
        facts["repository"]["label"],
        3,
        1,
        3,
    )


def test_instrument_failures_are_counted_apart(page: Page, facts: dict[str, Any]) -> None:
    """CR-06 and INC-62: of three that ran two blame the instrument and one the code."""
    found = page.record()
    assert found["blames"] == {"code": 1, "instrument": 2}
    instrument = [one for one, told in found["outcomes"].items() if told["blames"] == "instrument"]
    names = [RUN_OUTCOMES[one][0].removeprefix("ran · ") for one in instrument]
    assert names == facts["vocabulary"]["instrument_failures"]


def test_which_sample_had_which_outcome_is_not_made_of_the_counts(
    page: Page, facts: dict[str, Any]
) -> None:
    """The page states counts alone: no sample has an outcome of its own, and that is said."""
    found = page.record()
    prefixes = [one["code_sha256_prefix"] for one in facts["samples"]]
    assert [one["code_sha256"] for one in found["samples"]] == prefixes
    assert {one["outcome"] for one in found["samples"]} == {None}
    assert {one["blames"] for one in found["samples"]} == {None}
    assert (found["listed"], found["told"], found["only_counted"]) == (3, 0, 0)
    assert any("Which sample had which outcome is not told" in one for one in found["sentences"])


def test_a_sample_is_named_by_the_digits_that_are_known(page: Page, facts: dict[str, Any]) -> None:
    """CR-10, AG-02, INC-63: the call with its own id, and whether the id is whole."""
    code = facts["samples"][0]["code_sha256_prefix"]
    found = page.sample(code)
    assert (found["code_sha256"], found["complete"]) == (code, False)
    assert found["call"] == f'get_code(code_sha256="{code}")'
    assert found["report"] == f"samples/{code}"
    (copy,) = found["copies"]
    assert copy["repository_name"] == facts["repository"]["name"]
    assert copy["file"] == f"https://github.com/{facts['repository']['name']}"
    assert (copy["licence"], copy["harvested_on"], copy["commit"]) == (None, None, None)
    calls = [one.partition("(")[0] for one in facts["agent_tools"]]
    assert [page.on(None)["call"].partition("(")[0], "get_code"] == calls


def test_none_of_the_samples_is_pointer_only(page: Page, facts: dict[str, Any]) -> None:
    """LI-01 to LI-05: zero of three; the four reasons are there in words."""
    assert page.record()["pointer_only"] == facts["licences"]["pointer_only"] == 0
    reasons = page.on(None)["vocabulary"]["pointer_only"]
    assert reasons == dict(POINTER_ONLY)
    assert len(reasons) == len(facts["vocabulary"]["pointer_only_reasons"]) == 4


def test_every_word_of_the_page_is_defined(page: Page, facts: dict[str, Any]) -> None:
    """CR-07, RL-01 to RL-05: the page's names, each with a meaning in our own words."""
    words = page.on(None)["vocabulary"]
    outcomes = [one["name"] for one in words["outcomes"].values()]
    assert outcomes == facts["vocabulary"]["run_outcomes"]
    labels = [one["name"] for one in words["labels"].values()]
    assert labels == facts["vocabulary"]["repository_labels"]
    for kind in ("outcomes", "labels"):
        assert all(one["means"] for one in words[kind].values())


def test_what_a_reader_must_beware_of_stands_there(page: Page) -> None:
    """CR-05, LI-02, LI-06, RL-08, RL-09: statements that can be retired, each read on a day."""
    slugs = [one["caveat"] for one in page.on(DAYS[-1])["caveats"]]
    assert slugs == ["code-text", "contract", "file-links", "licences", "ran", "stars"]
    assert page.on(DAYS[0])["caveats"] == []


# --- the abstract's claims --------------------------------------------------------------------


def test_the_abstracts_numbers_are_claims_on_a_composite_benchmark(
    page: Page, facts: dict[str, Any]
) -> None:
    """PP-02 and INC-65: averages, and in brackets those of the plus versions; by the paper."""
    stated = [(one["score"], one["plus"]) for one in facts["abstract_claims"]]
    boards = {metric: page.board(metric).rows for metric in ("average", "average-plus")}
    scores = {metric: {row.key: str(row.score) for row in rows} for metric, rows in boards.items()}
    keys = [one["model"] for one in facts["abstract_claims"]]
    assert [(scores["average"][key], scores["average-plus"][key]) for key in keys] == stated
    assert {row.source.kind for rows in boards.values() for row in rows} == {"paper"}
    assert {row.unit for rows in boards.values() for row in rows} == {None}
    leads = {metric: rows[0].setting for metric, rows in boards.items()}
    assert set(leads.values()) == {"with synthesized human feedback from GPT-4"}


# --- K: corrections ---------------------------------------------------------------------------


def test_a_correction_lies_over_the_frozen_label_and_stands_in_the_log(page: Page) -> None:
    """CO-02 to CO-04, INC-61: as read before it the archive's flag shows as it was frozen."""
    before = page.on(None)["repositories"][0]["labels"][0]
    wish = orders.Correct(claim=LABEL, applies_from="start", to=(("label", "official"),))
    entry = page.decide(1, f"labels/{LABEL}", wish, before["snapshots"][0])
    assert entry["subjects"][0]["after"] == {"label": "official"}
    now, then = (page.on(day)["repositories"][0]["labels"][0] for day in (None, DAYS[-1]))
    assert (now["value"], then["value"]) == ("official", "archive-listed")
    assert now["says"]["label"] == "archive-listed"
    assert now["corrected_by"] == [entry["decision"]]
    assert page.on(None)["corrections"] == [entry["number"]]
    assert page.on(DAYS[-1])["corrections"] == []


def test_a_sample_is_reported_and_decided_like_a_claim(page: Page, facts: dict[str, Any]) -> None:
    """CO-01: the counts stay the record's, and hold what was decided."""
    code = facts["samples"][2]["code_sha256_prefix"]
    wish = orders.Correct(
        claim=sample_id(code), applies_from="start", to=(("outcome", "violated"),)
    )
    snapshot = page.sample(code)["snapshots"][0]
    entry = page.decide(1, f"samples/{code}", wish, snapshot)
    assert entry["subjects"][0]["before"] == {"outcome": "not stated"}
    found = page.record(None)
    assert [one["outcome"] for one in found["samples"]] == [None, None, "violated"]
    assert (found["outcomes"]["violated"]["count"], found["told"]) == (1, 1)
    assert page.record()["told"] == 0
