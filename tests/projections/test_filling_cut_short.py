"""A filling that was cut short, and whoever still fills for it."""

from pathlib import Path

import pytest
from sqlalchemy.exc import ProgrammingError

from projections.keeping.filling import fill
from projections.keeping.pointer import generations, live_generation
from projections.keeping.refusals import ViewsUnavailable
from projections.keeping.shares import Share
from projections.keeping.views import create_generation
from tests.desk import open_desk

BOTH = ("sqlite", pytest.param("postgres", marks=pytest.mark.postgres))


@pytest.mark.parametrize("engine", BOTH)
def test_who_still_fills_for_a_dead_one_finds_the_tables_gone(
    engine: str, request: pytest.FixtureRequest, tmp_path: Path
) -> None:
    """What they would write is not among the rows of whoever begins anew, and nothing is left."""
    address = request.getfixturevalue("postgres_url") if engine == "postgres" else None
    desk = open_desk(tmp_path, address).at("2025-06-10T12:00:00Z")
    desk.read("a,Heron-7B,70;b,Ibis,60", "2025-06-01")
    workspace = desk.workspace
    with workspace.views.write() as connection:
        cut_short = create_generation(connection, live_generation(connection) + 1)
    head = workspace.ledger.store.head()
    late = fill(workspace.ledger.store, workspace.views, cut_short, Share(), head)
    assert workspace.follower.rebuild() == head
    with pytest.raises((ViewsUnavailable, ProgrammingError)):
        next(late)
    assert workspace.follower.check() == []
    workspace.follower.rebuild()
    with workspace.views.read() as reader:
        assert len(generations(reader.connection)) == 2
    workspace.close()
