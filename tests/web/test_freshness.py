"""Pages while the read model cannot keep up, and what the two probes say about it."""

import sqlite3
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import orjson
import pytest

from ledger import events as ev
from ledger.errors import Busy
from ledger.store import NewEvents
from ledger.values import Slug
from tests.web.orchard import BOARD, NOW, Hand, Orchard, correct, fill, open_orchard
from web.access import public
from web.app import create_app
from web.freshness import Freshness
from web.health import MOST_LAG
from web.settings import Settings
from web.wiring import make_home, open_workspace


@pytest.fixture
def impatient(orchard: Orchard) -> Orchard:
    """The orchard, with readers who wait a fifth of a second."""
    freshness_of(orchard).patience = 0.2
    return orchard


def freshness_of(orchard: Orchard) -> Freshness:
    """What keeps the pages fresh."""
    found: Freshness = orchard.app.extensions["corrigenda"].freshness
    return found


@contextmanager
def held(orchard: Orchard) -> Iterator[None]:
    """Keep everybody from writing to the read model, as a rebuild elsewhere would."""
    path = orchard.workspace.settings.views
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        connection.execute("BEGIN IMMEDIATE")
        try:
            yield
        finally:
            connection.execute("ROLLBACK")
            settled(orchard)


def settled(orchard: Orchard) -> None:
    """Wait until the read model has come to the ledger's head."""
    end = time.monotonic() + 30
    while freshness_of(orchard).reached().lag:
        assert time.monotonic() < end


def register(orchard: Orchard, *slugs: str) -> None:
    """Record benchmarks, past the rules and without the read model."""
    orchard.workspace.ledger.store.append(
        [
            NewEvents(
                f"benchmark:{slug}",
                0,
                (ev.BenchmarkRegistered(slug=Slug(slug), name=slug.title(), read_at=NOW),),
            )
            for slug in slugs
        ],
        by="curator",
    )


def test_a_page_shows_what_is_there_and_says_that_it_lags(impatient: Orchard) -> None:
    """It claims no position that it does not show, and nobody keeps it."""
    reached = impatient.head
    with held(impatient):
        register(impatient, "bog")
        begun = time.monotonic()
        page = impatient.page(BOARD)
        assert time.monotonic() - begun < 10
        assert "behind the ledger by 1 position" in page
        assert f"Ledger position {reached}," in page
        moment = impatient.json(f"{BOARD}.json")["recorded_through"]
        assert moment["position"] == reached
    assert "behind the ledger" not in impatient.page(BOARD)
    assert impatient.page("/benchmarks/bog")


def test_a_position_that_is_not_shown_yet_is_not_denied(impatient: Orchard) -> None:
    """It is recorded, so it is no 400; it is 503 until the pages have come to it."""
    with held(impatient):
        register(impatient, "bog")
        head = impatient.head
        for query in (f"recorded_through={head}", f"recorded_through={NOW.date()}"):
            response = impatient.get(f"{BOARD}?{query}")
            assert response.status_code == 503
            assert int(response.headers["Retry-After"]) > 0
            assert f"Position {head} is recorded" in response.text
        assert impatient.get(f"{BOARD}?recorded_through={head + 1}").status_code == 400
        pinned = impatient.get(f"{BOARD}?recorded_through={head - 1}&as_read_on={NOW.date()}")
        assert "immutable" in pinned.headers["Cache-Control"]


def test_a_pinned_page_says_nothing_of_what_lags_behind_it(impatient: Orchard) -> None:
    """All that it asks for is there, and it is kept for ever: it is the same at any other time."""
    through = f"recorded_through={impatient.head}"
    pinned = (
        f"{BOARD}?as_read_on=2025-07-30&{through}",
        f"{BOARD}.bib?as_read_on=2025-07-30&{through}",
        f"{BOARD}/changes?from=2025-07-01&to=2025-07-30&{through}",
        f"/audit/events?{through}",
    )
    with held(impatient):
        register(impatient, "bog")
        lagging = [impatient.get(address) for address in pinned]
    later = create_app(impatient.workspace).test_client()
    for address, found in zip(pinned, lagging, strict=True):
        assert found.status_code == 200, address
        assert "behind the ledger" not in found.text
        assert found.data == later.get(address).data, address


def test_a_page_that_lags_is_not_confirmed_by_the_tag_of_one_that_did_not(
    impatient: Orchard,
) -> None:
    """The notice belongs to the page."""
    tag = impatient.get(BOARD).headers["ETag"]
    with held(impatient):
        register(impatient, "bog")
        assert impatient.get(BOARD, If_None_Match=tag).status_code == 200


def test_one_thread_catches_up_for_all(impatient: Orchard) -> None:
    """Readers do not queue for the write lock one behind the other."""
    with held(impatient):
        register(impatient, "bog")
        begun = time.monotonic()
        for _ in range(3):
            impatient.page("/")
        assert time.monotonic() - begun < 10


def test_a_process_that_is_up_says_so_whatever_else_is_wrong(orchard: Orchard) -> None:
    """Liveness asks nothing of any store."""
    orchard.workspace.settings.archive.rename(orchard.workspace.settings.home / "elsewhere")
    with closing(sqlite3.connect(orchard.workspace.settings.private)) as connection:
        connection.execute("DROP TABLE words")
    assert orchard.get("/healthz").text == "ok\n"
    ready = orchard.get("/readyz")
    assert ready.status_code == 503
    assert orjson.loads(ready.data) == {
        "ready": False,
        "because": ["the private store does not answer", "the archive is not there"],
    }


def test_readiness_ends_where_the_lag_grows_too_long(impatient: Orchard) -> None:
    """A little lag is no reason, much of it is."""
    assert orjson.loads(impatient.get("/readyz").data) == {"ready": True, "because": []}
    with held(impatient):
        register(impatient, "bog")
        assert impatient.get("/readyz").status_code == 200
        register(impatient, *(f"b{number}" for number in range(MOST_LAG)))
        response = impatient.get("/readyz")
        assert response.status_code == 503
        assert f"the read model is {MOST_LAG + 1} positions behind" in response.text
    assert impatient.get("/readyz").status_code == 200


def test_an_unknown_failure_is_a_plain_page(
    orchard: Orchard, caplog: pytest.LogCaptureFixture
) -> None:
    """No trace and no path; all of that is in the log."""

    @public
    def fail() -> str:
        raise RuntimeError("anvil7 at /var/lib broke")

    orchard.app.add_url_rule("/broken", view_func=fail)
    response = orchard.get("/broken")
    assert response.status_code == 500
    for word in ("Traceback", "anvil7", "/var"):
        assert word not in response.text
    assert "anvil7 at /var/lib broke" in caplog.text


def test_a_broken_read_model_is_a_plain_page(
    orchard: Orchard, caplog: pytest.LogCaptureFixture
) -> None:
    """No trace, no name of a table, no path; all of that is in the log."""
    with closing(sqlite3.connect(orchard.workspace.settings.views)) as connection:
        connection.execute("DROP TABLE g1_claim_version")
    for address in (BOARD, f"{BOARD}.json"):
        response = orchard.get(address)
        assert response.status_code == 503
        for word in ("Traceback", "sqlite", "g1_", "claim_version", "views.db"):
            assert word not in response.text
    assert "g1_claim_version" in caplog.text


def test_a_busy_ledger_asks_to_come_back(orchard: Orchard) -> None:
    """503 with a time to wait, and the words of the refusal."""

    @public
    def refuse() -> str:
        raise Busy

    orchard.app.add_url_rule("/busy", view_func=refuse)
    response = orchard.get("/busy")
    assert (response.status_code, response.headers["Retry-After"]) == (503, "2")
    assert "try again in a moment" in response.text


def test_pages_on_postgresql_say_the_same(postgres_url: str, tmp_path: Path) -> None:
    """The same orchard in both engines: the same JSON, but for the instants of recording."""
    told = []
    for database in (None, postgres_url):
        settings = Settings(home=tmp_path / ("p" if database else "s"), database_url=database)
        make_home(settings)
        clock = Hand()
        workspace = open_workspace(settings, clock=clock)
        fill(workspace, clock)
        pages = Orchard(workspace, clock, create_app(workspace))
        assert pages.get("/").status_code == 200
        assert orjson.loads(pages.get("/readyz").data)["ready"]
        documents = [pages.json(f"{BOARD}.json"), pages.json("/corrections.json")]
        documents[0]["recorded_through"] = None
        told.append(documents)
        workspace.close()
    assert told[0] == told[1]


def test_a_fresh_process_shows_the_same_page(orchard: Orchard) -> None:
    """What is pinned depends on nothing that a process remembers."""
    correct(orchard.workspace, 2, orchard.json(f"{BOARD}.json")["rows"][0]["claim_id"], "12")
    address = f"{BOARD}?as_read_on={NOW.date()}&recorded_through={orchard.head}"
    before = orchard.get(address).data
    with open_orchard(orchard.workspace.settings.home) as other:
        assert other.get(address).data == before
