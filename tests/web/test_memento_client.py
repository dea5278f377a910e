"""The Memento project's own client finds its way on our pages, as it does on any other site."""

from datetime import UTC, datetime

import pytest

from tests.web.orchard import BIRCH, BOARD

memento_client = pytest.importorskip(
    "memento_client", reason="requirements-dev.txt does not pin memento-client yet"
)

WHEN = datetime(2025, 7, 29, 3, tzinfo=UTC).replace(tzinfo=None)  # as the client takes it: UTC


@pytest.mark.parametrize("path", [BOARD, f"{BOARD}?view=independent", f"/claims/{BIRCH}"])
def test_it_finds_the_memento_by_the_links_of_the_page(address: str, path: str) -> None:
    """It asks the page for its TimeGate, the TimeGate for a time, and takes the memento for one."""
    with memento_client.MementoClient() as client:
        found = client.get_memento_info(f"{address}{path}", WHEN)
        assert found["original_uri"] == f"{address}{path}"
        closest = found["mementos"]["closest"]
        assert closest["datetime"] == datetime(2025, 7, 29, tzinfo=UTC).replace(tzinfo=None)
        assert closest["http_status_code"] == 200
        (memento,) = closest["uri"]
        assert "as_read_on=2025-07-29T00:00:00Z" in memento
        assert client.is_memento(memento)
        assert client.get_original_uri(memento) == f"{address}{path}"
        assert not client.is_memento(f"{address}{path}")
        assert client.is_timegate(found["timegate_uri"])


def test_it_finds_the_memento_by_the_beginning_of_the_timegate(address: str) -> None:
    """As aggregators do, which put the whole address behind it."""
    gate = f"{address}/timegate/"
    with memento_client.MementoClient(timegate_uri=gate, check_native_timegate=False) as client:
        found = client.get_memento_info(f"{address}{BOARD}", WHEN)
        assert found["timegate_uri"] == f"{gate}{address}{BOARD}"
        ends = [found["mementos"][end]["datetime"].date().isoformat() for end in ("first", "last")]
        assert ends == ["2025-07-20", "2025-08-10"]
