"""The page S1 as records: what the page of Code Interpreter says comes out of them by calculation.

Ids such as OR-06 are those of ``../shared/seed-features.md``.
"""

from decimal import ROUND_HALF_UP, Decimal

from ledger import events as ev
from ledger.vocabulary import DOCUMENT_KINDS
from tests.seed_records import NEEDS_FACTS, TENTH, Page, code_interpreter

__all__ = ["code_interpreter"]

pytestmark = NEEDS_FACTS


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
