"""Printed PDFs and jobs while others are at the same ones."""

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Barrier

import orjson

from web.printing.jobs import DONE, Jobs, end
from web.printing.keeping import Exports

MANY = 4
TURNS = 60


def test_many_may_have_printed_the_same_page(tmp_path: Path) -> None:
    """Each has it in the end, and nothing else is left."""
    exports, together = Exports(tmp_path / "exports"), Barrier(MANY)

    def keep(turn: int, who: int) -> str:
        pdf = tmp_path / f"{who}.pdf"
        pdf.write_bytes(b"%PDF")
        together.wait()
        return exports.keep(f"key-{turn}", "a.pdf", pdf).digest

    with ThreadPoolExecutor(MANY) as pool:
        for turn in range(TURNS):
            kept = [pool.submit(keep, turn, who) for who in range(MANY)]
            assert len({one.result() for one in kept}) == 1
    assert len(list((exports.folder / "keys").iterdir())) == TURNS


class JustEnding(Jobs):
    """Jobs that end between the two looks of one who asks."""

    def runs(self, name: str) -> bool:
        """Not any more."""
        end(self.folder / name, DONE, digest="0" * 64)
        return super().runs(name)


def test_a_job_that_ends_while_it_is_looked_at_has_not_failed(tmp_path: Path) -> None:
    """A job says how it ended before its lock falls."""
    folder = tmp_path / "one"
    folder.mkdir()
    order = {"key": "key", "title": "A board", "back": "/benchmarks/wrens"}
    (folder / "order.json").write_bytes(orjson.dumps(order))
    found = JustEnding(tmp_path).job("one")
    assert found is not None
    assert (found.state, found.digest) == (DONE, "0" * 64)
