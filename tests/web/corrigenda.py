"""The command as tests run it: in a home of its own, with nothing of the developer's around it."""

import shutil
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

import attrs
import orjson
import pytest
from click.testing import CliRunner, Result

from web.cli import main
from web.settings import Settings
from web.wiring import Workspace, open_workspace


@attrs.frozen
class Corrigenda:
    """A home, and who is at the keyboard."""

    home: Path
    by: str = "ada"

    def run(self, *words: str, by: str | None = None) -> Result:
        """Run a command, whatever comes of it."""
        given = ["--home", str(self.home), "--by", by or self.by, *words]
        # What was seen of logs is remembered outside of every home; tests share no memory.
        return CliRunner(env={"XDG_STATE_HOME": str(self.state)}).invoke(main, given)

    @property
    def state(self) -> Path:
        """Where this user's programs remember things."""
        return self.home.parent / "state"

    def done(self, *words: str, by: str | None = None) -> str:
        """Run a command that has to work; what it printed on standard output."""
        result = self.run(*words, by=by)
        assert (result.exit_code, result.exception) == (0, None), result.output
        return result.stdout

    def json(self, *words: str, by: str | None = None) -> Any:
        """The one JSON document of a command that has to work and has no message."""
        result = self.run(*words, "--json", by=by)
        assert (result.exit_code, result.stderr) == (0, "")
        return orjson.loads(result.stdout)

    def refused(self, *words: str, by: str | None = None) -> str:
        """Run a command that has to be refused: the reason, and not a word beside it."""
        result = self.run(*words, by=by)
        assert (result.exit_code, result.stdout) == (1, "")
        assert "Traceback" not in result.stderr
        return result.stderr.strip()


JANUARY = """model,score,metric,date,lab
Alpha,72.50,accuracy,2025-01,Lab A
Beta,71.0,accuracy,2025-01-20,Lab B
Gamma,72.5,accuracy,2025-01-05,Lab B
=SUM(A1),-3,accuracy,2025-01,@lab
"""
FEBRUARY = """model,score,metric,date,lab
Alpha,72.50,accuracy,2025-01,Lab A
Beta,73.1,accuracy,2025-01-20,Lab B
Delta,12,accuracy,2025-02,Lab B
"""


@contextmanager
def opened(corrigenda: Corrigenda) -> Iterator[Workspace]:
    """The ledger in a home, as a program of ours opens it."""
    settings = attrs.evolve(Settings.from_environment(), home=corrigenda.home)
    with closing(open_workspace(settings)) as workspace:
        yield workspace


@attrs.frozen
class Toy:
    """A ledger with two readings of one small board."""

    corrigenda: Corrigenda
    january: Path
    february: Path

    def claim(self, model: str, *options: str) -> str:
        """The id of a model's claim on the board."""
        board = self.corrigenda.json("board", "toy", "--every-claim", *options)
        rows = [*board["rows"], *board["unranked"]]
        return next(str(row["claim_id"]) for row in rows if row["as_written"] == model)

    def snapshot(self) -> str:
        """The digest of the latest reading."""
        return str(self.corrigenda.json("source", "toy-board")["readings"][-1]["digest"])

    def scores(self, *options: str) -> list[tuple[str, str]]:
        """What ranks, best first."""
        rows = self.corrigenda.json("board", "toy", *options)["rows"]
        return [(row["as_written"], row["score"]) for row in rows]


ABOUT = ("--source", "toy-board", "--benchmark", "toy", "--benchmark-name", "Toy", "--unit", "%")


@pytest.fixture
def corrigenda(tmp_path: Path) -> Corrigenda:
    """A new, empty ledger."""
    made = Corrigenda(tmp_path / "home")
    made.done("init")
    return made


@pytest.fixture(scope="session")
def toy_once(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the toy's files and its ledger, made once."""
    folder = tmp_path_factory.mktemp("toy")
    readings = folder / "readings"
    readings.mkdir()
    (readings / "2025-02-07T191510Z.csv").write_text(JANUARY, encoding="utf-8")
    (readings / "2025-02-15T200039Z.csv").write_text(FEBRUARY, encoding="utf-8")
    corrigenda = Corrigenda(folder / "home")
    corrigenda.done("init")
    corrigenda.done("import", *ABOUT, str(readings))
    return folder


@pytest.fixture
def toy(toy_once: Path, tmp_path: Path) -> Toy:
    """Two readings, of 7 and of 15 February 2025, in a ledger of the test's own."""
    folder = tmp_path / "toy"
    shutil.copytree(toy_once, folder)
    january, february = sorted((folder / "readings").iterdir())
    return Toy(Corrigenda(folder / "home"), january, february)
