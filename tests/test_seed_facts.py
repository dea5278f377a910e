"""The two seed pages as records: every fact of ``../shared/facts`` is there, to the digit.

What the pages say about themselves comes out of the records by calculation. The facts lie beside
the checkout and not in it, so elsewhere these tests are skipped. Ids such as OR-06 are those of
``../shared/seed-features.md``.
"""

import json
import re
from collections.abc import Iterator
from datetime import UTC, datetime
from decimal import ROUND_HALF_UP, Decimal
from pathlib import Path
from typing import Any

import attrs
import pytest

from ledger import events as ev
from ledger.importing.records import RecordsFile, parse_records
from ledger.importing.records.reading import RecordedReading
from ledger.model import full_name
from ledger.vocabulary import DOCUMENT_KINDS

ROOT = Path(__file__).parents[1]
SHARED = ROOT.parent / "shared"
DEMO = ROOT / "web" / "demo"
READ_AT = datetime(2026, 11, 12, tzinfo=UTC)
TENTH = Decimal("0.1")

pytestmark = pytest.mark.skipif(
    not (SHARED / "facts").is_dir(),
    reason="the facts that the demo's records were made from are not beside this checkout",
)


@attrs.frozen
class Stated:
    """One claim of a page: what it says, and the source that says it."""

    source: ev.SourceRegistered
    says: ev.Statement

    @property
    def ranks(self) -> bool:
        """Whether its own source ranks it."""
        return self.says.not_ranked is None

    @property
    def written(self) -> tuple[str, str, str | None]:
        """Day, digits and wording, as the page's tables print them."""
        return (str(self.says.published_on), self.says.score.text, self.says.as_written)


@attrs.frozen
class Page:
    """One page: the facts about it, and the records that were made of them."""

    facts: dict[str, Any]
    records: RecordsFile

    @classmethod
    def of(cls, name: str) -> "Page":
        """Read both."""
        facts = json.loads((SHARED / "facts" / f"{name}.json").read_text(encoding="utf-8"))
        path = DEMO / f"{name}.jsonl"
        return cls(facts, parse_records(path.name, path.read_bytes(), READ_AT))

    def asserted(self, kind: type[Any]) -> list[Any]:
        """The asserted facts of one kind, in the order of the file."""
        facts = (line.order.fact for line in self.records.facts)
        return [fact for fact in facts if isinstance(fact, kind)]

    @property
    def models(self) -> dict[str, ev.ModelRegistered]:
        """The registered models by their full name."""
        found = self.asserted(ev.ModelRegistered)
        return {full_name(model.name, model.version): model for model in found}

    @property
    def sources(self) -> dict[str, ev.SourceRegistered]:
        """The registered sources by their slug."""
        return {source.slug: source for source in self.asserted(ev.SourceRegistered)}

    @property
    def labs(self) -> dict[str | None, str]:
        """The labs' names by their slugs."""
        return {lab.slug: lab.name for lab in self.asserted(ev.LabRegistered)}

    def claims(self, *kinds: str) -> list[Stated]:
        """All claims that sources of these kinds (or of any) make."""
        found = [
            Stated(self.sources[reading.source], says)
            for reading in self.records.readings
            for row in reading.board.statements.values()
            for says in row
        ]
        return [one for one in found if not kinds or one.source.kind in kinds]

    def reading(self, source: str) -> RecordedReading:
        """The one reading of a source."""
        (found,) = (one for one in self.records.readings if one.source == source)
        return found

    def described(self) -> dict[str, str | None]:
        """The facts about the benchmark."""
        (one,) = self.asserted(ev.BenchmarkDescribed)
        return dict(one.facts)


@pytest.fixture(scope="module")
def bigcodebench() -> Page:
    """The page S2."""
    return Page.of("bigcodebench")


@pytest.fixture(scope="module")
def code_interpreter() -> Page:
    """The page S1."""
    return Page.of("code-interpreter")


@pytest.fixture(scope="module", params=["bigcodebench", "code-interpreter"])
def page(request: pytest.FixtureRequest) -> Page:
    """Either page."""
    return Page.of(request.param)


# --- both pages -------------------------------------------------------------------------------


def test_everything_was_read_on_the_day_that_the_facts_say(page: Page) -> None:
    """All readings and facts bear the page's day and are transcribed readings."""
    assert page.facts["read_on"] == READ_AT.date().isoformat()
    assert {one.board.read_at for one in page.records.readings} == {READ_AT}
    assert {line.order.fact.read_at for line in page.records.facts} == {READ_AT}
    assert all(one.board.transcribed for one in page.records.readings)


def test_every_launch_post_is_a_source_with_its_claim(page: Page) -> None:
    """Day, model, lab, digits and wording of each; and it lists the benchmark (LP-03, LP-04)."""
    wanted = {
        (one["post"], one["lab"], one["date"], one["score"], one["as_written"])
        for one in page.facts["launch_posts"]
    }
    found = {
        (one.says.name, page.labs[one.source.lab], *one.written)
        for one in page.claims("launch-post")
    }
    assert found == wanted
    posts = [source for source in page.sources.values() if source.kind == "launch-post"]
    assert {str(one.published_on) for one in posts} == {date for _, _, date, _, _ in wanted}
    assert len(page.asserted(ev.PostRead)) == len(wanted)
    assert all(post.listed for post in page.asserted(ev.PostRead))


def test_every_document_is_a_source_with_its_headline_claim(page: Page) -> None:
    """Day, document, kind, lab, digits, wording and section of each (SC-05, SC-06)."""
    documents = {
        source.name: source for source in page.sources.values() if source.kind in DOCUMENT_KINDS
    }
    assert set(documents) == {one["document"] for one in page.facts["system_cards"]}
    for wanted in page.facts["system_cards"]:
        source = documents[wanted["document"]]
        assert wanted["document"].endswith(source.kind.replace("-", " "))
        assert page.labs[source.lab] == wanted["lab"]
        assert str(source.published_on) == wanted["date"]
        assert source.model == page.models[wanted["model"]].slug
        claims = [one for one in page.claims() if one.source == source]
        headline, *others = claims
        assert (headline.says.name, headline.ranks) == (wanted["model"], True)
        assert headline.written == (wanted["date"], wanted["score"], wanted["as_written"])
        assert {one.says.section for one in claims} == {wanted["section"]}
        assert {one.says.as_written for one in others} <= {wanted["as_written"]}


def test_every_model_of_a_lab_has_its_lab(page: Page) -> None:
    """The lab of each row of the labs' board, under its name."""
    for row in page.facts["lab_claims"]:
        assert page.labs[page.models[row["model"]["name"]].lab] == row["lab"]


def test_each_row_of_the_labs_board_is_the_best_ranked_claim_of_its_model(page: Page) -> None:
    """Score to the digit, and the month of the earliest claim that states it (BD-15, BD-16)."""
    rule = page.asserted(ev.RankingRuleSet)[0]
    assert rule.headline
    ranked = [
        one
        for one in page.claims("launch-post", *DOCUMENT_KINDS)
        if one.ranks and one.says.metric == rule.metric
        if rule.splits is None or one.says.split in rule.splits
    ]
    assert {one.says.name for one in ranked} == {
        row["model"]["name"] for row in page.facts["lab_claims"]
    }
    for row in page.facts["lab_claims"]:
        own = [one for one in ranked if one.says.name == row["model"]["name"]]
        assert {one.says.score.text for one in own} == {row["score"]}
        assert min(str(one.says.published_on) for one in own)[:7] == row["date"]


def test_posts_and_documents_are_counted_as_the_page_counts_them(page: Page) -> None:
    """How many, from how many labs, and the last day of a post (BP-11, LP-05, LP-06, SC-01)."""
    states = page.facts["page_states"]
    posts = [one for one in page.sources.values() if one.kind == "launch-post"]
    documents = [one for one in page.sources.values() if one.kind in DOCUMENT_KINDS]
    assert len(posts) == states["launch_posts"]["count"]
    assert len({one.lab for one in posts}) == states["launch_posts"]["labs"]
    assert len(documents) == states["system_cards"]["count"]
    assert len({one.lab for one in documents}) == states["system_cards"]["labs"]
    assert max(str(one.published_on) for one in posts).startswith(
        states["launch_posts"].get("last", "2026-09")
    )


def test_the_facts_of_the_benchmark_carry_over(page: Page) -> None:
    """Name and enumerations as the page has them (BP-06 to BP-08)."""
    wanted, found = page.facts["benchmark"], page.described()
    (registered,) = page.asserted(ev.BenchmarkRegistered)
    assert (registered.slug, registered.name) == (wanted["slug"], wanted["name"])
    for field in ("category", "kind", "level", "scored", "answers", "made_by", "released", "paper"):
        assert found.get(field) == wanted.get(field)
    for field in ("near_ceiling", "human_performance"):
        assert found.get(field) == wanted.get(field)
    rule = page.asserted(ev.RankingRuleSet)[0]
    assert (rule.name, rule.unit) == (wanted["metric"], wanted["unit"])
    assert rule.higher_is_better == wanted["higher_is_better"]


def own_words(page: Page) -> Iterator[str]:
    """Every sentence of the records that is not a quotation."""
    described = page.described()
    yield described["description"] or ""
    yield described.get("level_detail") or ""
    for line in page.records.facts:
        yield getattr(line.order.fact, "why", None) or ""
        yield getattr(line.order.fact, "text", None) or ""
        yield getattr(line.order.fact, "effect", None) or ""


def test_the_sentences_of_the_page_do_not_carry_over(page: Page) -> None:
    """Descriptions and caveats share no run of six words with the page."""
    seed = words((SHARED / "seeds" / page.facts["page"]).read_text(encoding="utf-8"))
    runs = {tuple(seed[place : place + 6]) for place in range(len(seed))}
    for sentence in own_words(page):
        own = words(sentence)
        for place in range(len(own) - 5):
            assert tuple(own[place : place + 6]) not in runs


def words(text: str) -> list[str]:
    """The words of a text, in small letters."""
    return re.findall(r"[a-z0-9@%,.]*[a-z0-9@%]", text.lower())


# --- BigCodeBench -----------------------------------------------------------------------------


def test_every_row_of_the_official_leaderboard_is_a_claim(bigcodebench: Page) -> None:
    """Name with version, digits and the model's release, in the order of the board (BD-17)."""
    claims = bigcodebench.claims("official-leaderboard")
    rows = bigcodebench.facts["independent_claims"]
    assert len(rows) == len(claims) == 69
    for row, claim in zip(rows, claims, strict=True):
        name = full_name(row["model"]["name"], row["model"]["version"])
        assert (claim.says.name, claim.says.score.text) == (name, row["score"])
        assert claim.says.published_on is None
        model = bigcodebench.models[name]
        assert (model.name, model.version) == (row["model"]["name"], row["model"]["version"])
        assert str(model.released) == row["date"]


def test_the_leaderboard_states_more_entries_than_are_named(bigcodebench: Page) -> None:
    """120 entries, 69 of them named: the other 51 are a count and nothing more (BD-09)."""
    board = bigcodebench.reading("bigcodebench-leaderboard").board
    wanted = bigcodebench.facts["benchmark"]
    assert board.entries_stated == wanted["own_leaderboard_entries"] == 120
    assert board.rows == wanted["own_leaderboard_tracked"] == 69
    assert board.entries_stated - board.rows == 51


def test_the_labs_models_and_the_leaderboards_are_two_sets(bigcodebench: Page) -> None:
    """14 + 69 = 83 with nothing in common (OR-01); one model more is stated and never ranked."""
    labs = {
        one.says.name for one in bigcodebench.claims("launch-post", *DOCUMENT_KINDS) if one.ranks
    }
    independent = {one.says.name for one in bigcodebench.claims("official-leaderboard")}
    assert (len(labs), len(independent), len(labs | independent)) == (14, 69, 83)
    assert set(bigcodebench.models) - labs - independent == {"Command A Agentic"}


def test_eight_posts_and_nine_documents_are_about_fourteen_models(bigcodebench: Page) -> None:
    """8 + 9 - 3 models in both, with the same score and their own days (OR-07, SC-09, INC-25)."""
    posts = {one.says.name: one.says for one in bigcodebench.claims("launch-post")}
    documents = {
        one.says.name: one.says for one in bigcodebench.claims(*DOCUMENT_KINDS) if one.ranks
    }
    assert (len(posts), len(documents), len(posts | documents)) == (8, 9, 14)
    pairs = {
        name: (str(posts[name].published_on), str(documents[name].published_on))
        for name in set(posts) & set(documents)
    }
    assert pairs == {
        "Mercury Coder Small": ("2025-02-26", "2025-06-17"),
        "Seed-Coder-8B-Instruct": ("2025-05-08", "2025-06-04"),
        "Seed Diffusion Preview": ("2025-07-31", "2025-08-04"),
    }
    assert all(posts[name].score == documents[name].score for name in pairs)


def test_second_values_are_claims_that_do_not_rank(bigcodebench: Page) -> None:
    """Agentic, no-think and Instruct stand beside the headline values (SC-07, INC-27, INC-28)."""
    held = {
        (one.says.name, one.says.score.text, one.says.split, one.says.setting)
        for one in bigcodebench.claims()
        if not one.ranks
    }
    assert held == {
        ("Command A Agentic", "59.7", None, "agentic"),
        ("DiffusionGemma 26B A4B", "41.9", None, "no-think"),
        ("Phi-4 Mini", "33.8", "Instruct", None),
    }
    wordings = [one["as_written"] for one in bigcodebench.facts["system_cards"]]
    for _, score, _, _ in held:
        assert any(score in wording for wording in wordings)


def test_split_setting_and_locator_are_taken_from_the_wording(bigcodebench: Page) -> None:
    """What a claim says of its split, setting and place stands in its source's words (SC-08)."""
    stated = [one.says for one in bigcodebench.claims("launch-post", *DOCUMENT_KINDS)]
    for says in stated:
        for part in (says.split, says.setting, says.locator):
            assert part is None or part.lower() in (says.as_written or "").lower()
    by_score = {says.score.text: (says.split, says.setting, says.locator) for says in stated}
    assert by_score["48.4"] == by_score["50.1"] == ("Complete", "greedy", "Table 6")
    assert by_score["43"] == ("Completion", "0-shot", "Table 8")
    assert by_score["46"] == (None, "TD", "Table 3")
    assert by_score["45.4"] == ("Instruct", None, "Table 12")
    assert {says.locator for says in stated if says.score.text == "53.2"} == {"Figure 1"}
    assert {says.split for says in stated if says.score.text == "53.3"} == {
        "Full",
        "Completion Full",
    }


def test_one_model_keeps_the_days_of_all_its_documents(bigcodebench: Page) -> None:
    """Post and card of September 2026 are two sources of the same day (INC-23, INC-24)."""
    claims = [one for one in bigcodebench.claims() if one.says.score.text == "60.6"]
    assert {(one.source.kind, one.says.name, str(one.says.published_on)) for one in claims} == {
        ("launch-post", "DeepSeek V4.1 Flash", "2026-09-10"),
        ("model-card", "DeepSeek-V4.1-Flash Base", "2026-09-10"),
    }


def test_the_strongest_tested_model_has_its_rank(bigcodebench: Page) -> None:
    """Number 34 of the capability index (BP-15)."""
    (index,) = bigcodebench.asserted(ev.CapabilityIndexRead)
    found = [{"model": one.name, "rank": one.rank} for one in index.models]
    assert found == bigcodebench.facts["capability_index"]


# --- Code Interpreter -------------------------------------------------------------------------

METRICS = {
    "executable code rate": ("executable-code-rate", "Table 7"),
    "final-response correctness": ("accuracy", "Table 8"),
}


def components(page: Page) -> dict[str, dict[tuple[str, str], Decimal]]:
    """The numbers of each document, by metric and split."""
    found: dict[str, dict[tuple[str, str], Decimal]] = {}
    for one in page.claims(*DOCUMENT_KINDS):
        numbers = found.setdefault(one.says.name, {})
        numbers[one.says.metric, one.says.split or ""] = one.says.score.value
    return found


def test_every_number_of_a_document_is_a_claim(code_interpreter: Page) -> None:
    """Eight a report, each with metric, split and table, digits as written (SC-05, SC-07)."""
    for document in code_interpreter.facts["system_cards"]:
        claims = code_interpreter.claims(*DOCUMENT_KINDS)
        own = [one.says for one in claims if one.source.name == document["document"]]
        found = [(says.metric, says.locator, says.split, says.score.text) for says in own]
        wanted = [
            (*METRICS[part["metric"]], part["split"], part["score"])
            for part in document["components"]
        ]
        assert found == wanted
        assert len(found) == 8


def test_two_posts_and_three_reports_are_about_four_models(code_interpreter: Page) -> None:
    """One model is in both, three days apart (OR-07, INC-25)."""
    posts = {one.says.name: one.says for one in code_interpreter.claims("launch-post")}
    reports = {one.says.name: one.says for one in code_interpreter.claims("technical-report")}
    assert (len(posts), len(reports), len(posts | reports)) == (2, 3, 4)
    assert set(posts) & set(reports) == {"Qwen-14B"}
    assert str(posts["Qwen-14B"].published_on) == "2023-09-25"
    assert str(reports["Qwen-14B"].published_on) == "2023-09-28"


def test_the_posts_number_stands_in_the_report_too(code_interpreter: Page) -> None:
    """58.4 is the accuracy on mathematics in both; 81.7 is another metric (INC-01)."""
    (post,) = (one.says for one in code_interpreter.claims("launch-post") if "14B" in one.says.name)
    assert (post.metric, post.split, post.score.text) == ("accuracy", "Math", "58.4")
    assert components(code_interpreter)["Qwen-14B"]["accuracy", "Math"] == post.score.value


def test_the_error_of_the_page_is_recorded_as_the_page_makes_it(code_interpreter: Page) -> None:
    """73.1 ranks as a code rate though its own words say accuracy; a decision corrects it."""
    (post,) = (one for one in code_interpreter.claims() if one.says.name == "Qwen1.5-72B")
    assert (post.says.metric, post.says.split) == ("executable-code-rate", "All")
    assert post.says.score.text == "73.1"
    assert "Accuracy of Code Execution Results, Math" in (post.says.as_written or "")
    assert post.ranks


def test_the_order_flips_under_the_other_metric(code_interpreter: Page) -> None:
    """On the accuracy of mathematics: 58.4 > 41.9 > 14.7 (INC-02)."""
    numbers = components(code_interpreter)
    on_math = sorted(numbers, key=lambda name: numbers[name]["accuracy", "Math"], reverse=True)
    assert on_math == ["Qwen-14B", "Qwen-7B", "Qwen-1_8B"]


def test_the_pooled_visualization_score_lies_between_hard_and_easy(code_interpreter: Page) -> None:
    """At a weight of 0.475 to 0.485, one and the same for all three models (OR-06)."""
    shared = {Decimal(thousandths) / 10_000 for thousandths in range(4750, 4851)}
    for numbers in components(code_interpreter).values():
        hard, easy, pooled = (numbers["accuracy", f"Vis.-{of}"] for of in ("Hard", "Easy", "All"))
        assert hard < pooled < easy
        weight = (pooled - hard) / (easy - hard)
        assert (
            Decimal("0.475") <= weight.quantize(Decimal("0.001"), ROUND_HALF_UP) <= Decimal("0.485")
        )
        shared = {
            one
            for one in shared
            if (hard + one * (easy - hard)).quantize(TENTH, ROUND_HALF_UP) == pooled
        }
    assert shared


def test_the_rate_over_all_tasks_is_no_plain_mean(code_interpreter: Page) -> None:
    """It is pooled by task, so it is stated and not worked out (INC-07)."""
    for numbers in components(code_interpreter).values():
        parts = [numbers["executable-code-rate", of] for of in ("Math", "Visualization", "General")]
        stated = numbers["executable-code-rate", "All"]
        assert min(parts) < stated < max(parts)
        assert (sum(parts, Decimal(0)) / 3).quantize(TENTH, ROUND_HALF_UP) != stated


def test_the_change_of_the_judge_is_recorded(code_interpreter: Page) -> None:
    """What, when, from whom to whom (BP-05)."""
    (change,) = code_interpreter.asserted(ev.EvaluationChanged)
    (wanted,) = code_interpreter.facts["benchmark"]["evaluation_changes"]
    found = (change.what, str(change.changed_on), change.before, change.after)
    assert found == (wanted["what"], wanted["date"], wanted["from"], wanted["to"])


def test_the_untested_models_of_the_index_are_named_without_a_rank(code_interpreter: Page) -> None:
    """Four of the twenty highest are named; their places are not (BP-14)."""
    (index,) = code_interpreter.asserted(ev.CapabilityIndexRead)
    wanted = code_interpreter.facts["capability_index_top20_without_score"]
    assert [one.name for one in index.models] == wanted["named"]
    assert {one.rank for one in index.models} == {None}
    assert index.entries_stated == len(wanted["named"]) + wanted["more"] == 20


def test_the_newest_model_is_of_the_month_that_the_page_says(code_interpreter: Page) -> None:
    """February 2024 (BP-13)."""
    newest = max(str(one.says.published_on) for one in code_interpreter.claims())
    assert newest[:7] == code_interpreter.facts["newest_scored_model"]


# --- across the pages -------------------------------------------------------------------------


def test_one_model_is_registered_alike_on_both_pages(
    bigcodebench: Page, code_interpreter: Page
) -> None:
    """Qwen1.5-72B has a lab's number on one page and a leaderboard's on the other (INC-80)."""
    shared = set(bigcodebench.models) & set(code_interpreter.models)
    assert shared == {"Qwen1.5-72B"}
    for name in shared:
        assert bigcodebench.models[name] == code_interpreter.models[name]
    scores = {
        one.says.score.text
        for one in (*bigcodebench.claims(), *code_interpreter.claims())
        if one.says.name in shared
    }
    assert scores == {"73.1", "36.8"}
