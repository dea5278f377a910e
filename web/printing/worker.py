"""Does one job: makes the bundle, prints it, keeps the PDF. Run as a module: FOLDER.

The two big steps are processes of their own, one after the other, so that what one takes is given
back before the next begins. The lock of the job is open in all of them.
"""

import os
import signal
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import orjson

from reports.pdf import REFUSED, press_environment, press_order
from web.printing.jobs import DONE, FAILED, end
from web.printing.keeping import Exports, Finished, remove_folder

LONGEST_REASON = 600
PATIENCE = 2 * 3600.0
"""Seconds that one step may take."""


class StepFailed(Exception):
    """A step of the job did not come to its end."""


def main() -> None:
    """Do the job in a folder, and say how it ended."""
    folder = Path(sys.argv[1])
    try:
        end(folder, DONE, digest=_done(folder).digest)
    except StepFailed as why:
        end(folder, FAILED, why=str(why))
    except subprocess.TimeoutExpired:
        end(folder, FAILED, why="it took too long")
        # Its pieces are printed by children, which do not know of it; all end together.
        remove_folder(folder / "work")
        os.killpg(0, signal.SIGKILL)
    finally:
        remove_folder(folder / "work")


def _done(folder: Path) -> Finished:
    work, order = folder / "work", orjson.loads((folder / "order.json").read_bytes())
    bundle, out = work / "bundle.json", work / "paper.pdf"
    bundling = [sys.executable, "-m", "web.printing.bundling", str(folder)]
    _step(bundling, dict(os.environ))
    _step(press_order(bundle, out, folder / "progress.json"), dict(press_environment()))
    name = (work / "name.txt").read_text("utf-8")
    return Exports(folder.parents[1]).keep(order["key"], name, out)


def _step(order: Sequence[str], environment: dict[str, str]) -> None:
    """One step; the locks stay open in it, as this process has them from whoever began the job."""
    done = subprocess.run(  # noqa: S603 -- our own modules
        order,
        env=environment,
        stdin=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        close_fds=False,
        timeout=PATIENCE,
        check=False,
    )
    if done.returncode == 0:
        return
    words = done.stderr.decode("utf-8", "replace").strip()
    sys.stderr.write(words)
    # Only a refusal's own words are for people; anything else is in the job's log.
    refused = done.returncode == REFUSED
    raise StepFailed(words[:LONGEST_REASON] if refused else "it could not be printed")


if __name__ == "__main__":
    main()
