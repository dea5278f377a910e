"""A dump of a ledger, what is stored in one, and a home where there is nothing yet."""

from contextlib import closing
from pathlib import Path
from typing import Any

import attrs
import pytest

from ledger.dumping.carried import FromStore, LogLine
from ledger.store import open_store
from ledger.store.whole import WholeRow
from tests.web.corrigenda import Corrigenda
from tests.web.tampered import Tampered
from web.wiring import random_salt, utc_now

QUICK = "--skip-read-model"


@attrs.frozen
class Stored:
    """Everything that a ledger's database holds."""

    rows: list[WholeRow]
    log: list[LogLine]
    tiles: list[Any]


def stored_in(where: str | Path) -> Stored:
    """Everything, column by column."""
    with (
        closing(open_store(where, clock=utc_now, salt=random_salt)) as store,
        store.whole() as whole,
    ):
        carried = FromStore(whole)
        rows = [tuple(row) for some in carried.events() for row in some]
        numbers = range(len(rows) // 256 + 1)
        tiles = [(whole.bundle(number), whole.subtree(1, number)) for number in numbers]
        return Stored(rows, list(carried.log()), tiles)  # type: ignore[arg-type]


@pytest.fixture
def dumped(tampered: Tampered) -> Path:
    """The dump of a ledger of 308 events."""
    file = tampered.home.parent / "wrens.tar.gz"
    tampered.corrigenda.done("dump", str(file))
    return file


@pytest.fixture
def new(tmp_path: Path) -> Corrigenda:
    """A home where there is nothing yet."""
    return Corrigenda(tmp_path / "new" / "home")
