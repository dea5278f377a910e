"""``make bench``: every size in a process of its own, one table of ratios at the end.

``--sizes 40000`` measures the small one alone; ``--json FILE`` keeps the figures with what the
machine is.
"""

import argparse
import json
import os
import platform
import resource
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.table import Table

from benchmarks import reading, verifying, writing
from benchmarks.boards import MODELS, VERSIONS
from benchmarks.home import fresh

SIZES = (40_000, 1_000_000)
A_BOARD = MODELS * VERSIONS


def measure(facts: int) -> dict[str, Any]:
    """All figures of one size, in this process."""
    benchmarks = facts // A_BOARD
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        workspace = fresh(folder / "home")
        imported = writing.importing(workspace, benchmarks)
        memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
        raw = writing.raw_insert(workspace, folder)
        appended = writing.appending(workspace, fresh(folder / "other"))
        decoded = writing.decoding(workspace)
        rebuilt = writing.rebuilding(workspace)
        verifying.seal(workspace)
        verified = verifying.verifying(workspace)
        ours = reading.as_read(workspace, benchmarks)
        plain = reading.plain(workspace, benchmarks, folder)
        workspace.close()
    return {
        "facts": imported.facts,
        "raw insert, facts/s": raw.per_second,
        "append, facts/s": appended.per_second,
        "import, facts/s": imported.per_second,
        "read and decode, events/s": decoded.per_second,
        "rebuild, events/s": rebuilt.per_second,
        "peak memory of the import, MB": memory,
        "read and hash, events/s": verified.hashing,
        "verify the log, events/s": verified.log,
        "verify the read model, events/s": verified.read_model,
        "memory that verifying the log took, MB": verified.memory,
        "board p50, ms": ours.p50,
        "board p99, ms": ours.p99,
        "plain table p50, ms": plain.p50,
        "plain table p99, ms": plain.p99,
        "append / raw insert": appended.per_second / raw.per_second,
        "import / raw insert": imported.per_second / raw.per_second,
        "rebuild / read and decode": rebuilt.per_second / decoded.per_second,
        "verify the log / read and hash": verified.ratio,
        "verify the log / hash bare bytes": verified.bare_ratio,
        "board p50 / plain p50": ours.p50 / plain.p50,
        "board p99 / plain p99": ours.p99 / plain.p99,
    }


# figure -> (whether more is better, the aim)
AIMS: dict[str, tuple[bool, float]] = {
    "import / raw insert": (True, 0.10),
    "board p50 / plain p50": (False, 2.0),
    "verify the log / read and hash": (True, 0.3),
    "peak memory of the import, MB": (False, 500.0),
}


def show(results: list[dict[str, Any]]) -> None:
    """One table; what has an aim says whether it was met."""
    table = Table(title="Ratios of one run (absolute figures are this machine's)")
    table.add_column("figure")
    for result in results:
        table.add_column(f"{result['facts']:,} facts", justify="right")
    table.add_column("aim")
    for figure in results[0]:
        if figure != "facts":
            cells = [_cell(figure, result[figure]) for result in results]
            table.add_row(figure, *cells, _aim(figure))
    Console(width=110).print(table)


def _cell(figure: str, value: float) -> str:
    shown = f"{value:,.0f}" if value >= 100 else f"{value:.3g}"
    if figure not in AIMS:
        return shown
    more, aim = AIMS[figure]
    met = value >= aim if more else value <= aim
    return f"{shown} {'met' if met else 'NOT MET'}"


def _aim(figure: str) -> str:
    if figure not in AIMS:
        return ""
    more, aim = AIMS[figure]
    return f"{'≥' if more else '≤'} {aim:g}"


def machine() -> dict[str, Any]:
    """What the figures were measured on."""
    return {
        "python": platform.python_version(),
        "system": platform.system(),
        "machine": platform.machine(),
        "cores": os.cpu_count(),
    }


def main() -> None:
    """Measure the sizes asked for."""
    parser = argparse.ArgumentParser(prog="make bench", description=__doc__)
    parser.add_argument("--sizes", type=int, nargs="+", default=list(SIZES))
    parser.add_argument("--json", type=Path)
    parser.add_argument("--one", type=int, help=argparse.SUPPRESS)
    asked = parser.parse_args()
    if asked.one:
        print(json.dumps(measure(asked.one)))
        return
    results = []
    for size in asked.sizes:
        print(f"measuring {size:,} facts …", file=sys.stderr, flush=True)
        command = [sys.executable, "-m", "benchmarks", "--one", str(size)]
        done = subprocess.run(command, check=True, capture_output=True, text=True)
        results.append(json.loads(done.stdout))
    show(results)
    if asked.json:
        asked.json.write_text(json.dumps({"machine": machine(), "results": results}, indent=2))


if __name__ == "__main__":
    main()
