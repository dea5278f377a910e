"""``make bench``: every size and engine in a process of its own, one table of ratios at the end.

``make bench`` takes minutes and measures the small size, ``make bench-big`` a million facts.
``--engines sqlite`` leaves PostgreSQL out; ``--json FILE`` keeps the figures with what the machine
is.
"""

import argparse
import contextlib
import json
import os
import platform
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import attrs

from benchmarks.aims import Measured, show
from benchmarks.measuring import measure
from tests.postgres import empty_database, running_server

SIZES = (40_000,)
ENGINES = ("sqlite", "postgres")
SPEED = "import, show and seal, facts/s"


def one(size: int, engine: str) -> dict[str, float]:
    """The figures of one size on one engine, in this process."""
    if engine == "sqlite":
        return measure(size, None)
    with contextlib.ExitStack() as stack:
        server = stack.enter_context(running_server())
        ours, others, peers = (stack.enter_context(empty_database(server)) for _ in range(3))
        return measure(size, (ours, others, peers))


def apart(size: int, engine: str) -> Measured:
    """The same in a process of its own, whose memory is nobody else's."""
    print(f"measuring {size:,} facts on {engine} …", file=sys.stderr, flush=True)
    command = [sys.executable, "-m", "benchmarks", "--one", str(size), "--engines", engine]
    done = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True)
    return Measured(engine, json.loads(done.stdout))


def beside_the_smallest(results: Sequence[Measured]) -> list[Measured]:
    """Say of each larger size how many times as long a fact takes as at the smallest."""
    smallest: dict[str, Measured] = {}
    found = []
    for result in results:
        least = smallest.setdefault(result.engine, result)
        figures = dict(result.figures)
        if least is not result:
            ratio = least.figures[SPEED] / figures[SPEED]
            figures["a fact at the smallest size / at this size"] = ratio
        found.append(Measured(result.engine, figures))
    return found


def machine() -> dict[str, Any]:
    """What the figures were measured on."""
    return {
        "python": platform.python_version(),
        "system": platform.system(),
        "machine": platform.machine(),
        "cores": os.cpu_count(),
    }


def main() -> None:
    """Measure the sizes and engines asked for."""
    parser = argparse.ArgumentParser(prog="make bench", description=__doc__)
    parser.add_argument("--sizes", type=int, nargs="+", default=list(SIZES))
    parser.add_argument("--engines", nargs="+", choices=ENGINES, default=list(ENGINES))
    parser.add_argument("--json", type=Path)
    parser.add_argument("--one", type=int, help=argparse.SUPPRESS)
    asked = parser.parse_args()
    if asked.one:
        print(json.dumps(one(asked.one, asked.engines[0])))
        return
    measured = [apart(size, engine) for engine in asked.engines for size in sorted(asked.sizes)]
    results = beside_the_smallest(measured)
    show(results)
    if asked.json:
        kept = {"machine": machine(), "results": [attrs.asdict(one) for one in results]}
        asked.json.write_text(json.dumps(kept, indent=2) + "\n")


if __name__ == "__main__":
    main()
