"""The two seed pages as records: every fact of ``../shared/facts`` is there, to the digit.

What the pages say about themselves comes out of the records by calculation. The facts lie beside
the checkout and not in it, so elsewhere these tests are skipped. Ids such as OR-06 are those of
``../shared/seed-features.md``.
"""

import re
from collections.abc import Iterator

from ledger import events as ev
from ledger.vocabulary import DOCUMENT_KINDS
from tests.seed_records import (
    NEEDS_FACTS,
    READ_AT,
    SHARED,
    Page,
    bigcodebench,
    code_interpreter,
    page,
)

__all__ = ["bigcodebench", "code_interpreter", "page"]

pytestmark = NEEDS_FACTS


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
