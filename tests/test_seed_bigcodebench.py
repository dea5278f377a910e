"""The page S2 as records: what the page of BigCodeBench says comes out of them by calculation.

Ids such as OR-06 are those of ``../shared/seed-features.md``.
"""

from ledger import events as ev
from ledger.model import full_name
from ledger.vocabulary import DOCUMENT_KINDS
from tests.seed_records import NEEDS_FACTS, Page, bigcodebench

__all__ = ["bigcodebench"]

pytestmark = NEEDS_FACTS


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
