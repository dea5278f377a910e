"""Asks for a PDF and waits for it: the printing itself is done by a process of its own.

That process is told nothing of ours but the files, so no setting, time zone, language or folder of
whoever asks can get into the bytes; and what it takes is given back when it ends.
"""

import os
import signal
import subprocess
import sys
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path

from ledger.errors import Refused

PATIENCE = 3600.0
"""Seconds that a paper may take when somebody waits for it."""
LONGEST_REASON = 600
REFUSED = 3
"""The exit status of a refusal, whose words are on standard error."""


class Failed(Refused):
    """The PDF could not be printed: {why}"""


def pdf_of(bundle: bytes, *, patience: float = PATIENCE) -> bytes:
    """The PDF of a bundle: the same bytes for the same bundle, release and fonts, in any process.

    Raises :class:`Failed`, whose words say why.
    """
    with tempfile.TemporaryDirectory(prefix="corrigenda-paper-") as name:
        folder = Path(name)
        (folder / "bundle.json").write_bytes(bundle)
        out = folder / "paper.pdf"
        _run(press_order(folder / "bundle.json", out, folder / "progress.json"), folder, patience)
        return out.read_bytes()


def press_order(bundle: Path, out: Path, progress: Path) -> Sequence[str]:
    """The order that prints a bundle; see :mod:`reports.pdf.press`."""
    paths = [str(path.absolute()) for path in (bundle, out, progress)]
    return [sys.executable, "-m", "reports.pdf.press", *paths]


def press_environment() -> Mapping[str, str]:
    """All that the printing process is told: where programs are, and nobody's habits."""
    kept = {name: os.environ[name] for name in ("PATH", "TMPDIR") if name in os.environ}
    return {**kept, "LC_ALL": "C.UTF-8", "TZ": "UTC", "PYTHONHASHSEED": "0"}


def _run(order: Sequence[str], folder: Path, patience: float) -> None:
    with subprocess.Popen(  # noqa: S603 -- our own module, and the arguments are our own paths
        order,
        cwd=folder,
        env=dict(press_environment()),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        start_new_session=True,
    ) as process:
        try:
            _, said = process.communicate(timeout=patience)
        except BaseException as why:
            # Its pieces are printed by children of its own; all of them end with it.
            os.killpg(process.pid, signal.SIGKILL)
            if isinstance(why, subprocess.TimeoutExpired):
                raise Failed(why=f"it takes longer than {patience:.0f} seconds.") from None
            raise
    if process.returncode != 0:
        raise Failed(why=_reason(process.returncode, said))


def _reason(status: int, said: bytes) -> str:
    """The refusal's own words; of anything else the last line."""
    words = said.decode("utf-8", "replace").strip()
    if status != REFUSED:
        words = words.rpartition("\n")[2] or f"status {status}"
    return words[-LONGEST_REASON:]
