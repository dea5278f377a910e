"""An outside implementation reads a running server: Go's own, which the mirror of Go is checked by.

The program is ``tests/go/sumdb``; it stands on Debian's ``golang-golang-x-mod-dev`` and is built
offline. What it verifies, it verifies twice: with proofs that it makes from our tiles, and with
those that we give.
"""

import os
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from ledger import events as ev
from ledger.store import NewEvents
from ledger.values import Slug
from tests.web.corrigenda import Corrigenda
from tests.web.served import served_home
from web.settings import Settings
from web.wiring import open_workspace

HERE = Path(__file__).parents[1] / "go" / "sumdb"
GOPATH = Path("/usr/share/gocode")
MODULE = GOPATH / "src" / "golang.org" / "x" / "mod" / "sumdb" / "tlog"


@pytest.fixture(scope="session")
def sumdb(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The program, built from what is installed and nothing else."""
    go = shutil.which("go")
    if go is None or not MODULE.is_dir():
        pytest.skip("Go's own implementation is not here: install golang-go and x/mod's sources")
    folder = tmp_path_factory.mktemp("go")
    program = folder / "sumdb"
    done = subprocess.run(
        [go, "build", "-o", str(program), "."],
        cwd=HERE,
        env={
            "PATH": os.environ["PATH"],
            "HOME": str(folder),
            "GOCACHE": str(folder / "cache"),
            "GOPATH": str(GOPATH),
            "GO111MODULE": "off",
            "GOPROXY": "off",
            "GOTOOLCHAIN": "local",
            "CGO_ENABLED": "0",
        },
        capture_output=True,
        text=True,
        timeout=240,
        check=False,
    )
    assert not done.returncode, done.stderr
    return program


def record(corrigenda: Corrigenda, start: int, count: int) -> None:
    """Record so many benchmarks, as an import would: in one go, and without sealing."""
    with closing(open_workspace(Settings(home=corrigenda.home))) as workspace:
        now = workspace.ledger.clock()
        workspace.ledger.store.append(
            (
                NewEvents(
                    f"benchmark:b{number}",
                    0,
                    (
                        ev.BenchmarkRegistered(
                            slug=Slug(f"b{number}"), name=f"B{number}", read_at=now
                        ),
                    ),
                )
                for number in range(start, start + count)
            ),
            by="curator",
        )


@pytest.fixture
def address(corrigenda: Corrigenda) -> Iterator[str]:
    """A real server on a ledger of 600 events, and its address."""
    record(corrigenda, 0, 600)
    with served_home(corrigenda.home) as address:
        yield address


def verified(sumdb: Path, *words: str) -> subprocess.CompletedProcess[str]:
    """What the program says."""
    return subprocess.run(
        [str(sumdb), *words],
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
        # Whatever proxy is set where the tests run, this goes to loopback.
        env={"NO_PROXY": "127.0.0.1"},
    )


def test_go_verifies_our_checkpoints_tiles_and_proofs(
    sumdb: Path, corrigenda: Corrigenda, address: str
) -> None:
    """From a running server, before and after the log grew; with our key and no other."""
    (key,) = corrigenda.done("key", "show").split()
    name = key.partition("+")[0]
    first = verified(sumdb, address, key, "600")
    assert (first.stderr, first.stdout) == ("", f"{name}: 600 leaves verify, and go on from 600\n")
    record(corrigenda, 600, 177)
    second = verified(sumdb, address, key, "600")
    expected = f"{name}: 777 leaves verify, and go on from 600\n"
    assert (second.stderr, second.stdout) == ("", expected)
    corrigenda.done("key", "rotate")
    record(corrigenda, 777, 3)
    new = corrigenda.done("key", "show").split()[0]
    assert verified(sumdb, address, new, "777").stdout.startswith(f"{name}: 780 leaves verify")
    old = verified(sumdb, address, key, "600")
    assert (old.returncode, old.stdout) == (1, "")
    assert "no verifiable signatures" in old.stderr
