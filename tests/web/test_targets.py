"""What a report is about, and which model a name means today."""

from datetime import timedelta

import pytest

from ledger import commands as orders
from ledger import events as ev
from ledger.errors import NotFound
from ledger.model import stream_of
from ledger.values import Slug
from tests.web.orchard import BIRCH, Orchard
from web.reporting.targets import About, KnownNames, about, parse_target


def known(orchard: Orchard, target: str) -> About:
    """What is known of a target now."""
    workspace = orchard.workspace
    workspace.follower.catch_up()
    with workspace.views.read() as reader:
        moment = workspace.moment()
        return about(reader, workspace.ledger.store, moment, parse_target(target))


def names(orchard: Orchard) -> KnownNames:
    """The names that are known now."""
    workspace = orchard.workspace
    return KnownNames(workspace.known(), workspace.ledger.store, orchard.clock.now)


def test_a_claim_is_known_with_all_that_an_answer_is_measured_against(orchard: Orchard) -> None:
    """What its source says, what shows, its unit or its metric's, and what the board uses."""
    found = known(orchard, f"claims/{BIRCH}")
    assert found.says is not None
    assert (str(found.says.score), found.unit, found.model) == ("69", "%", "birch")
    assert found.metrics == {"grown": "share grown", "hours": "hours needed"}
    assert (found.splits, found.settings) == (frozenset({"spring"}), frozenset({"best of 3"}))


def test_a_model_is_meant_by_its_slug_its_page_or_its_name(orchard: Orchard) -> None:
    """A name as anybody writes it; a name that nobody has means nobody."""
    found = names(orchard)
    for text in ("birch", "Birch", "/models/birch", "https://ours.example/models/birch", " Birch "):
        assert found.model(text) == "birch", text
    for text in ("Birch 2", "birch/..", "models/", "", "B\u0456rch"):
        assert found.model(text) is None, text
    assert found.looks_like("B\u0456rch") == ["Birch"]


def test_a_freed_name_means_its_new_bearer_and_the_old_target_the_old_model(
    orchard: Orchard,
) -> None:
    """A model that moved to another owner keeps its page and its claims; a name that is given to
    another model takes nothing along, and an alias that nobody asserted means nobody (P010)."""
    ledger, clock = orchard.workspace.ledger, orchard.clock

    def say(slug: str, fact: ev.ModelEvent) -> None:
        clock.now += timedelta(days=1)
        ledger.do(orders.Assert(stream=stream_of(slug), fact=fact), "curator")

    say("heron", ev.ModelRegistered(slug=Slug("heron"), name="lab-a/Heron-7B", read_at=clock.now))
    assert names(orchard).model("lab-a/Heron-7B") == "heron"
    moved = ev.ModelRenamed(name="corp-b/Heron-7B", read_at=clock.now, why="another owner")
    say("heron", moved)
    other = ev.ModelRegistered(
        slug=Slug("heron-2"), name="lab-a/Heron-7B", means_from=clock.now, read_at=clock.now
    )
    say("heron-2", other)
    assert known(orchard, "models/heron").title == "corp-b/Heron-7B"
    assert names(orchard).model("corp-b/Heron-7B") == "heron"
    assert names(orchard).model("lab-a/Heron-7B") == "heron-2"
    assert names(orchard).model("/models/heron") == "heron"
    assert names(orchard).model("heron-latest") is None


def test_what_the_ledger_never_heard_of_is_no_target(orchard: Orchard) -> None:
    """Whatever its kind."""
    for text in (
        "claims/c" + "0" * 23,
        "benchmarks/none",
        "benchmarks/orchard#caveat-none",
        "sources/none",
        "models/none",
        "snapshots/" + "0" * 64,
        "corrections/99",
    ):
        with pytest.raises(NotFound):
            known(orchard, text)
