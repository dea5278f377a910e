"""When the server is not ready, why, and that it is again once that is put right."""

from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import orjson
import psycopg
import pytest

from tests.web.orchard import Orchard
from web.app import create_app
from web.settings import Settings
from web.wiring import make_home, make_key, open_workspace

Done = Callable[[], object]


def because(orchard: Orchard) -> list[str]:
    """Why it is not ready; nothing when it is."""
    response = orchard.get("/readyz")
    told = orjson.loads(response.data)
    assert (told["ready"], response.status_code) == (
        not told["because"],
        503 if told["because"] else 200,
    )
    return list(told["because"])


def test_each_obstacle_is_named_until_it_is_gone(orchard: Orchard) -> None:
    """The archive, the key: taken away and put back, with nobody telling the server."""
    orchard.workspace.catch_up()
    settings = orchard.workspace.settings
    key, beside = settings.key_file, settings.home / "elsewhere"
    obstacles: dict[str, tuple[Done, Done]] = {
        "the archive is not there": (
            lambda: settings.archive.rename(beside),
            lambda: beside.rename(settings.archive),
        ),
        "the key that signs checkpoints is not there": (
            lambda: key.rename(beside),
            lambda: beside.rename(key),
        ),
        "the key that signs checkpoints may be read by others": (
            lambda: key.chmod(0o640),
            lambda: key.chmod(0o600),
        ),
    }
    assert because(orchard) == []
    for told, (make, undo) in obstacles.items():
        make()
        assert because(orchard) == [told]
        assert orchard.get("/healthz").status_code == 200
        undo()
        assert because(orchard) == []


def test_a_ledger_that_never_had_a_key_is_ready(tmp_path: Path) -> None:
    """Nothing was signed, so nothing is missing."""
    settings = Settings(home=tmp_path / "home")
    make_home(settings)
    with closing(open_workspace(settings)) as workspace:
        app = create_app(workspace)
        assert app.test_client().get("/readyz").status_code == 200
        make_key(workspace)
        settings.key_file.unlink()
        assert app.test_client().get("/readyz").status_code == 200


def test_a_database_that_is_away_for_a_while_is_no_reason_to_start_anew(
    postgres_url: str, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    """All connections are cut and no new ones taken; when they are, it is ready by itself."""
    settings = Settings(home=tmp_path / "home", database_url=f"{postgres_url}?connect_timeout=1")
    make_home(settings)
    other = postgres_url.rpartition("/")[0] + "/postgres"
    name = postgres_url.rpartition("/")[2]
    with closing(open_workspace(settings)) as workspace:
        client = create_app(workspace).test_client()
        assert client.get("/readyz").status_code == 200
        with psycopg.connect(other, autocommit=True) as connection:
            connection.execute(f"ALTER DATABASE {name} ALLOW_CONNECTIONS false".encode())
            connection.execute(
                "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = %s", [name]
            )
            told = orjson.loads(client.get("/readyz").data)["because"]
            assert told == [
                "the ledger does not answer",
                "the read model does not answer",
                "the private store does not answer",
            ]
            assert client.get("/healthz").status_code == 200
            connection.execute(f"ALTER DATABASE {name} ALLOW_CONNECTIONS true".encode())
        # A pool that was refused waits a little before it tries again; each question waits for it.
        assert any(client.get("/readyz").status_code == 200 for _ in range(20))
    assert "not ready: the ledger does not answer" in caplog.text
