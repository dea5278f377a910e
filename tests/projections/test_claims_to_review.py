"""Which claims a reviewer has to look at again, since their source moved on."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from projections.review.queue import ClaimToReview, claims_to_review
from tests.desk import Desk, claim, open_desk

HERON = claim("heron")


@pytest.fixture
def desk(tmp_path: Path) -> Iterator[Desk]:
    """Heron-7B was read on 1 June and corrected on the 10th; Ibis-13B was only read."""
    made = open_desk(tmp_path).at("2025-06-10T12:00:00Z")
    made.read("heron,Heron-7B,72.5;ibis,Ibis-13B,60", "2025-06-01")
    made.correct(HERON, score="70.1")
    yield made.at("2025-06-30T12:00:00Z")
    made.workspace.close()


def waiting(desk: Desk) -> list[ClaimToReview]:
    """What waits for a reviewer now."""
    desk.workspace.follower.catch_up()
    with desk.workspace.views.read() as reader:
        return claims_to_review(reader)


def again(desk: Desk) -> list[str]:
    """The claims among it."""
    return [one.claim_id for one in waiting(desk)]


def test_a_new_key_in_the_place_of_a_decided_claim_is_put_up_for_review(desk: Desk) -> None:
    """The source gave the row another key: the correction stays with the claim that went."""
    desk.read("h2,Heron-7B,72.5;ibis,Ibis-13B,60", "2025-06-15")
    (one,) = waiting(desk)
    assert (one.claim_id, one.name) == (claim("h2"), "Heron-7B")
    assert HERON in one.why


def test_it_waits_however_often_the_new_claim_is_restated(desk: Desk) -> None:
    """A reviewer has not looked at it only because its source said something else since."""
    desk.read("h2,Heron-7B,72.5", "2025-06-15")
    desk.read("h2,Heron-7B,71.0", "2025-06-20", name="later.csv")
    assert again(desk) == [claim("h2")]


def test_it_waits_no_longer_once_something_was_decided_about_it(desk: Desk) -> None:
    """That is the look that was asked for."""
    desk.read("h2,Heron-7B,72.5", "2025-06-15")
    desk.correct(claim("h2"), score="70.1")
    assert again(desk) == []


def test_a_claim_that_is_only_restated_has_no_successor(desk: Desk) -> None:
    """A second row of the model is no stand-in while the decided one is still there."""
    desk.read("heron,Heron-7B,72.50;h2,Heron-7B,60", "2025-06-15")
    assert again(desk) == []


def test_a_row_that_comes_back_is_nobodys_successor(desk: Desk) -> None:
    """It was known before the decided one went."""
    desk.read("heron,Heron-7B,72.5;h2,Heron-7B,60", "2025-06-11")
    desk.read("heron,Heron-7B,72.5", "2025-06-12", name="b.csv")
    desk.read("h2,Heron-7B,60", "2025-06-15", name="c.csv")
    assert again(desk) == []


def test_a_successor_of_a_claim_without_decisions_is_not_reviewed(desk: Desk) -> None:
    """There is nothing to carry over."""
    desk.read("heron,Heron-7B,72.5;i2,Ibis-13B,60", "2025-06-15")
    assert again(desk) == []


def test_another_model_split_or_metric_is_no_successor(desk: Desk) -> None:
    """The same key gone and another number come is not yet the same row."""
    desk.read("x,Loon-3B,72.5", "2025-06-15")
    desk.read(
        "y,Heron-7B,72.5,hard", "2025-06-15", header="key,model,score,split", source="elsewhere"
    )
    assert again(desk) == []


def test_a_successor_that_went_too_is_not_reviewed(desk: Desk) -> None:
    """Nothing of it shows any more."""
    desk.read("h2,Heron-7B,72.5", "2025-06-15")
    desk.read("z,Loon-3B,1", "2025-06-16", name="b.csv")
    assert again(desk) == []


def test_a_source_that_moved_on_puts_the_claim_up_and_coming_back_takes_it_down(
    desk: Desk,
) -> None:
    """Neither what was corrected nor what it was corrected to."""
    desk.read("heron,Heron-7B,73", "2025-06-15")
    assert again(desk) == [HERON]
    desk.read("heron,Heron-7B,70.10", "2025-06-16", name="b.csv")
    assert again(desk) == []
    desk.read("heron,Heron-7B,73", "2025-06-17", name="c.csv")
    desk.read("heron,Heron-7B,72.5", "2025-06-18", name="d.csv")
    assert again(desk) == []
    assert desk.scores()["Heron-7B"] == "70.1"


def test_a_delisted_claim_is_not_reviewed(desk: Desk) -> None:
    """It shows nothing that could be wrong."""
    desk.read("ibis,Ibis-13B,60", "2025-06-15")
    assert again(desk) == []
