"""``make faults``: kill a real process at every commit point, start again, and see what is lost.

For each act (:mod:`benchmarks.dying`) and each point of it: a fresh ledger, a process that does the
deed and is killed there (``kill -9``), a look at what it left, the same deed again, and then every
check there is: what was acknowledged before is there byte for byte, the events are those of a run
that nobody disturbed (none lost, none twice) and so is what people told us, ``verify`` holds and a
rebuild gives the same rows.
"""

import argparse
import multiprocessing
import os
import secrets
import shutil
import signal
import sys
import tempfile
import traceback
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from contextlib import ExitStack, closing, contextmanager
from pathlib import Path
from typing import Protocol

import attrs
from psycopg import sql

from benchmarks.dying import ACTS, Act, Step
from benchmarks.kept import Thing, kept_in
from ledger.faults import VARIABLE
from ledger.verifying.verdict import Verdict
from tests.postgres import Server, running_server
from web.remembering import Memory
from web.settings import Settings
from web.verifying.home import opened, verify_home
from web.verifying.means import Means
from web.wiring import open_workspace, utc_now

START = multiprocessing.get_context("forkserver")
START.set_forkserver_preload(["benchmarks.dying", "psycopg"])
PATIENCE = 120
"""Seconds after which a process that neither ended nor died is an error of ours."""
BEFORE, DEED = "before", "deed"


class Engine(Protocol):
    """Where ledgers are made and copied."""

    name: str

    def fresh(self) -> Settings:
        """An empty place."""

    def copied(self, settings: Settings) -> Settings:
        """The same ledger once more."""


@attrs.define
class Files:
    """Ledgers in SQLite files, each in a folder of its own."""

    folder: Path
    name: str = "sqlite"
    made: int = 0

    def fresh(self) -> Settings:
        """An empty place."""
        self.made += 1
        return Settings(home=self.folder / f"{self.made}" / "home")

    def copied(self, settings: Settings) -> Settings:
        """The same ledger once more."""
        copy = self.fresh()
        shutil.copytree(settings.home, copy.home)
        return copy


@attrs.define
class Databases:
    """Ledgers in databases of one PostgreSQL, with their archives in folders."""

    files: Files
    server: Server
    name: str = "postgres"

    def fresh(self) -> Settings:
        """An empty place."""
        return attrs.evolve(self.files.fresh(), database_url=self._made("template0"))

    def copied(self, settings: Settings) -> Settings:
        """The same ledger once more."""
        name = str(settings.database_url).rpartition("/")[2]
        return attrs.evolve(self.files.copied(settings), database_url=self._made(name))

    def _made(self, template: str) -> str:
        name = f"faults_{secrets.token_hex(8)}"
        making = sql.SQL("CREATE DATABASE {} OWNER corrigenda TEMPLATE {}")
        with self.server.as_owner() as connection:
            connection.execute(making.format(sql.Identifier(name), sql.Identifier(template)))
        return self.server.url(name)


# --- a process of its own ---------------------------------------------------------------------


def _live(settings: Settings, name: str, part: str, die_at: str | None, said: Path) -> None:
    """In the process: do a part of an act, and die where it was told."""
    with said.open("ab", buffering=0) as file:
        os.dup2(file.fileno(), 1)
        os.dup2(file.fileno(), 2)
    os.environ["XDG_STATE_HOME"] = str(settings.home.parent / "state")
    os.environ.pop("CORRIGENDA_DATABASE_URL", None)
    if settings.database_url is not None:
        os.environ["CORRIGENDA_DATABASE_URL"] = settings.database_url
    if die_at is not None:
        os.environ[VARIABLE] = die_at
    try:
        for step in _steps(name, part):
            step(settings)
    except BaseException:
        traceback.print_exc()
        raise


def _steps(name: str, part: str) -> Sequence[Step]:
    act = next(act for act in ACTS if act.name == name)
    return act.before if part == BEFORE else (act.deed,)


def live(settings: Settings, act: Act, part: str, *, die_at: str | None = None) -> int:
    """Let a process do a part of an act; how it ended, negative for the signal that killed it."""
    said = settings.home.parent / "said.txt"
    said.parent.mkdir(parents=True, exist_ok=True)
    process = START.Process(target=_live, args=(settings, act.name, part, die_at, said))
    process.start()
    process.join(PATIENCE)
    code = process.exitcode
    if code is None:
        process.kill()
        process.join()
    process.close()
    if code not in (0, -signal.SIGKILL):
        raise AssertionError(f"a process ended with {code}:\n{said.read_text('utf-8')}")
    return code


# --- what there is ----------------------------------------------------------------------------

Stored = tuple[int, bytes]


def stored(settings: Settings) -> tuple[list[Stored], Counter[Thing]]:
    """Every event as its bytes lie there; and each as what it is, whenever it was recorded, with
    what people told us."""
    with closing(open_workspace(settings)) as workspace:
        store = workspace.ledger.store
        head = store.head()
        bytes_of = store.stored_after(0, head)
        events = [one.envelope for one in store.after(0, max(head, 1))]
        kept = kept_in(workspace.private)
    return bytes_of, kept + Counter[Thing]((one.stream, one.version, one.type) for one in events)


def means(memory: Path) -> Means:
    """A check that remembers nothing of others."""
    return Means(memory=Memory(memory), clock=utc_now, below=secrets.randbelow)


def wrong_in(settings: Settings) -> list[str]:
    """What ``verify`` and ``rebuild --check`` find; empty is good."""
    verdict = Verdict(str(settings.home), "home")
    with tempfile.TemporaryDirectory() as memory, opened(settings) as home:
        verify_home(home, verdict, means(Path(memory)))
    with closing(open_workspace(settings)) as workspace:
        differing = workspace.follower.check()
        behind = workspace.ledger.store.head() - workspace.follower.position()
    found = [str(one) for one in verdict.findings] + differing
    return [*found, f"the read model is {behind} behind"] if behind else found


# --- rounds -----------------------------------------------------------------------------------


@attrs.frozen
class Round:
    """What became of one death."""

    act: str
    point: str
    engine: str
    died: bool
    found: int
    """Events that the dead process had recorded."""
    after: int
    """Events that the same deed added, done again."""
    lost: int
    twice: int
    wrong: tuple[str, ...]

    @property
    def holds(self) -> bool:
        """Whether it died there, and nothing is wrong."""
        return self.died and not (self.lost or self.twice or self.wrong)


@attrs.frozen
class Stage:
    """An act's ledger as it is before the deed, and what there is after an undisturbed one."""

    act: Act
    before: Settings
    undisturbed: Counter[Thing]

    @classmethod
    def of(cls, act: Act, engine: Engine) -> "Stage":
        """Prepare it."""
        before = engine.fresh()
        live(before, act, BEFORE)
        whole = engine.copied(before)
        live(whole, act, DEED)
        return cls(act, before, stored(whole)[1])

    def die(self, engine: Engine, point: str) -> Round:
        """One death and what came of it."""
        settings = engine.copied(self.before)
        acknowledged, _ = stored(settings)
        died = live(settings, self.act, DEED, die_at=point) == -signal.SIGKILL
        left, _ = stored(settings)
        live(settings, self.act, DEED)
        now, events = stored(settings)
        kept = left[: len(acknowledged)] == acknowledged and now[: len(left)] == left
        wrong = wrong_in(settings)
        if not kept:
            wrong.append("what was acknowledged before is not there any more")
        return Round(
            act=self.act.name,
            point=point,
            engine=engine.name,
            died=died,
            found=len(left) - len(acknowledged),
            after=len(now) - len(left),
            lost=(self.undisturbed - events).total(),
            twice=(events - self.undisturbed).total(),
            wrong=tuple(wrong),
        )


def rounds(engine: Engine, acts: Iterable[Act] = ACTS) -> Iterator[Round]:
    """Every point of every act, one death after the other."""
    for act in acts:
        stage = Stage.of(act, engine)
        for point in act.points:
            yield stage.die(engine, point)


@contextmanager
def engines(names: Sequence[str]) -> Iterator[list[Engine]]:
    """The engines asked for, in a folder that goes at the end."""
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="corrigenda-faults-")))
        found: list[Engine] = []
        if "sqlite" in names:
            found.append(Files(folder / "sqlite"))
        if "postgres" in names:
            server = stack.enter_context(running_server())
            found.append(Databases(Files(folder / "postgres"), server))
        yield found


LINE = "{:18} {:20} {:9} {:>8} {:>6} {:>5} {:>6}  {}"


def told(one: Round) -> str:
    """A round as a line of the table."""
    what = "as it should be" if one.holds else "; ".join(one.wrong) or "WRONG"
    if not one.died:
        what = "never came there"
    return LINE.format(
        one.act, one.point, one.engine, one.found, one.after, one.lost, one.twice, what
    )


def main() -> None:
    """Die at every point on both engines, and print what was done and what was lost."""
    parser = argparse.ArgumentParser(prog="make faults", description=__doc__)
    known = ("sqlite", "postgres")
    parser.add_argument("--engines", nargs="+", choices=known, default=list(known))
    parser.add_argument("--acts", nargs="+", choices=[act.name for act in ACTS])
    asked = parser.parse_args()
    acts = [act for act in ACTS if not asked.acts or act.name in asked.acts]
    head = ("act", "killed at", "engine", "recorded", "again", "lost", "twice", "checks")
    print(LINE.format(*head), flush=True)
    done = []
    with engines(asked.engines) as places:
        for engine in places:
            for one in rounds(engine, acts):
                done.append(one)
                print(told(one), flush=True)
    lost, twice = sum(one.lost for one in done), sum(one.twice for one in done)
    bad = sum(not one.holds for one in done)
    print(
        f"{len(done)} deaths: {lost} things lost, {twice} twice, {bad} rounds not as they should."
    )
    sys.exit(1 if bad else 0)


if __name__ == "__main__":
    main()
