"""Another name is not another row (P010)."""

import pytest

from ledger import events as ev
from ledger.importing.names import KnownNames
from ledger.model import resolve
from ledger.values import (
    Slug,
    parse_instant,
)
from tests.desk import Desk

OLD, NEW = "lab-a/Heron-7B", "corp-b/Heron-7B"


@pytest.fixture(params=[("e8f3104", "e8f3104"), (OLD, NEW)], ids=["by-revision", "by-name"])
def moved(request: pytest.FixtureRequest, desk: Desk) -> Desk:
    """A model moves to another owner; later another model takes the freed name."""
    before, after = request.param
    desk.at("2025-06-10T12:00:00Z").read(f"{before},{OLD},64.2", "2025-06-10T12:00:00Z")
    model = only_model(desk)
    desk.at("2025-06-19T12:00:00Z")
    desk.model(model, ev.ModelRenamed(name=NEW, read_at=desk.clock.now, why="the repository moved"))
    desk.at("2025-06-21T12:00:00Z").read(
        f"{after},{NEW},64.2", "2025-06-21T12:00:00Z", name="after.csv"
    )
    desk.at("2025-07-01T12:00:00Z")
    taken = ev.ModelRegistered(
        slug=Slug("other"), name=OLD, means_from=desk.clock.now, read_at=desk.clock.now
    )
    desk.model("other", taken)
    return desk.at("2025-07-10T12:00:00Z")


def only_model(desk: Desk, day: str | None = None) -> str:
    """The id of the one model on the board."""
    (row,) = desk.board(day).rows
    assert row.model is not None
    return row.model.id


def test_a_renamed_model_keeps_its_one_row(moved: Desk) -> None:
    """P010: the old name before, the new one after, the same model on every day."""
    days = ("2025-06-15", "2025-06-20", "2025-06-22", "2025-07-01", "2025-07-10")
    assert [list(moved.scores(day)) for day in days] == [[OLD], [NEW], [NEW], [NEW], [NEW]]
    assert len({only_model(moved, day) for day in days}) == 1


def test_a_freed_name_has_no_score_of_its_own(moved: Desk) -> None:
    """P010: the model that takes it is on no board, and the old one still leads to its own."""
    assert only_model(moved) != "other"
    moved.read("e8f3104,corp-b/Heron-7B,64.2;n,lab-a/Heron-7B,12.0", "2025-07-05", name="c.csv")
    board = moved.board()
    assert {row.model.id: str(row.score) for row in board.rows if row.model} == {
        only_model(moved, "2025-07-04"): "64.2",
        "other": "12.0",
    }


def test_an_alias_means_a_dated_release_or_nothing(moved: Desk) -> None:
    """P010: never an older row without a date."""
    model = only_model(moved)
    known: KnownNames = moved.workspace.known()
    now = moved.clock.now
    assert resolve(known.names(["heron-latest"]).get("heron-latest", ()), now, now) is None
    moved.model(
        model, ev.AliasAsserted(name="heron-latest", means_from=now, read_at=now, why="its page")
    )
    again: KnownNames = moved.workspace.known()
    meant = again.names(["heron-latest"])["heron-latest"]
    assert resolve(meant, now, now) == model
    assert resolve(meant, parse_instant("2025-06-20"), now) is None
