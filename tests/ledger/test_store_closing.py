"""A store that is closed while others use it: on both engines nobody is cut off in the middle."""

import subprocess
import sys
import textwrap
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import NoReturn

import pytest

from ledger.events import ReportAssigned
from ledger.store import NewEvents, Store, Unavailable
from tests.ledger.engines import Place


def ask_for_ever(store: Store) -> NoReturn:
    """Look again and again, until that is refused."""
    while True:
        store.head()


def test_who_is_reading_comes_to_an_end_first(place: Place) -> None:
    """A look that began before the store was closed is finished; a later one is refused."""
    store = place.open(patience=30)
    store.append([NewEvents("report:1", 0, (ReportAssigned(to="ann"),))], by="mira")
    with ThreadPoolExecutor(1) as threads:
        with store.whole() as whole:
            closing = threads.submit(store.close)
            with pytest.raises(Unavailable):
                ask_for_ever(store)
            assert whole.head() == 1
        closing.result(30)
    with pytest.raises(Unavailable):
        store.head()
    assert place.open().head() == 1


READ_AND_CLOSE = """
    import sys
    from concurrent.futures import ThreadPoolExecutor
    from contextlib import suppress
    from datetime import UTC, datetime

    from ledger.events import ReportAssigned
    from ledger.store import NewEvents, Unavailable, open_store

    def reading(store):
        with suppress(Unavailable):
            while True:
                store.after(0, 10_000)

    for turn in range(5):
        now = datetime(2025, 7, 28, tzinfo=UTC)
        store = open_store(sys.argv[1], clock=lambda: now, salt=lambda: "0" * 32)
        if not turn:
            words = (ReportAssigned(to=str(number)) for number in range(2_000))
            store.append([NewEvents("report:1", 0, tuple(words))], by="mira")
        with ThreadPoolExecutor(4) as threads:
            readers = [threads.submit(reading, store) for _ in range(4)]
            while not any(reader.running() for reader in readers):
                pass
            store.close()
            print([reader.result(30) for reader in readers])
"""


def test_closing_while_others_read_ends_well(tmp_path: Path) -> None:
    """SQLite takes the whole process down when it is closed in the middle of a statement."""
    command = [sys.executable, "-c", textwrap.dedent(READ_AND_CLOSE), str(tmp_path / "a.sqlite")]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.splitlines() == ["[None, None, None, None]"] * 5
