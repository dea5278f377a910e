"""Many who open a new read model at once, as the workers of a server and a command beside it do."""

from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path
from threading import Barrier

import pytest

from projections.keeping.views import open_views

BOTH = ("sqlite", pytest.param("postgres", marks=pytest.mark.postgres))
MANY = 6


@pytest.mark.parametrize("engine", BOTH)
def test_one_makes_what_is_missing_and_the_others_wait(
    engine: str, request: pytest.FixtureRequest, tmp_path: Path
) -> None:
    """Nobody is refused, and all are at the same tables."""
    on_postgres = engine == "postgres"
    where = request.getfixturevalue("postgres_url") if on_postgres else tmp_path / "views.db"
    together = Barrier(MANY)

    def open_one() -> int:
        together.wait()
        with closing(open_views(where)) as opened, opened.read() as reader:
            return reader.tables.generation

    with ThreadPoolExecutor(MANY) as pool:
        found = [pool.submit(open_one) for _ in range(MANY)]
        assert {one.result() for one in found} == {1}
