"""A made-up dump in the shape of Papers with Code, of any size, and what it takes to import it.

``python -m benchmarks.dump FILE MEGABYTES`` writes one; the same size gives the same bytes.
``python -m benchmarks.dump --import FILE`` brings it into a fresh home by command and reports the
time and the most memory that was in use.
"""

import json
import os
import random
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

MEGABYTE = 1_000_000
WORDS = (
    *("amber", "birch", "cedar", "delta", "ember", "fjord", "gable", "heron", "islet", "jetty"),
    *("kiln", "larch", "marsh", "north", "otter", "plume", "quartz", "reed", "slate", "thorn"),
)
METRICS = ("Accuracy", "% Top 1", "F1", "Pass@1", "BLEU (%)", "Recall")
TASKS_WITHIN = 3
DATASETS = 4


def write(path: Path, size: int, seed: int = 1) -> int:
    """Write a dump of at least ``size`` bytes, task after task; how many boards it holds."""
    chance = random.Random(seed)
    boards = 0
    with path.open("w", encoding="utf-8") as file:
        file.write("[")
        number = 0
        while file.tell() < size or not number:
            task = _task(chance, str(number))
            boards += sum(1 for _ in _datasets_in(task))
            file.write(",\n" if number else "\n")
            json.dump(task, file, indent=1, sort_keys=True, ensure_ascii=False)
            number += 1
        file.write("\n]\n")
    return boards


def _task(chance: random.Random, number: str, depth: int = 0) -> dict[str, Any]:
    within = chance.randrange(TASKS_WITHIN) if depth < 2 else 0
    return {
        "categories": [_words(chance, 2)],
        "datasets": [_dataset(chance, one) for one in range(chance.randrange(1, DATASETS))],
        "description": _words(chance, 60),
        "source_link": None,
        "subtasks": [_task(chance, f"{number}.{one}", depth + 1) for one in range(within)],
        "synonyms": [],
        "task": f"Task {number} {_words(chance, 2)}",
    }


def _dataset(chance: random.Random, number: int) -> dict[str, Any]:
    metrics = chance.sample(METRICS, chance.randrange(1, 3))
    rows = chance.randrange(5, 120)
    return {
        "dataset": f"Dataset {number} {_words(chance, 1)}",
        "dataset_citations": [],
        "dataset_links": [{"title": _words(chance, 3), "url": "https://data.example/set"}],
        "description": _words(chance, 300),
        "sota": {"metrics": metrics, "rows": [_row(chance, metrics) for _ in range(rows)]},
        "subdatasets": [],
    }


def _row(chance: random.Random, metrics: list[str]) -> dict[str, Any]:
    paper = f"https://papers.example/abs/{chance.randrange(10**9):09d}"
    return {
        "code_links": [
            {"title": _words(chance, 2), "url": f"https://code.example/{_words(chance, 1)}/{one}"}
            for one in range(chance.randrange(24))
        ],
        "metrics": {metric: _written(chance) for metric in metrics},
        "model_links": [],
        "model_name": f"{_words(chance, 1).title()}-{chance.randrange(5_000)}",
        "paper_date": f"20{chance.randrange(12, 25)}-{chance.randrange(1, 13):02d}",
        "paper_title": _words(chance, 60),
        "paper_url": paper,
        "uses_additional_data": chance.random() < 0.1,
    }


def _written(chance: random.Random) -> str:
    """A metric in one of the ways in which people write it."""
    number = f"{chance.randrange(10_000) / 100:.2f}"
    kind = chance.random()
    if kind < 0.02:
        return "-"
    return f"{number}% ± 0.2" if kind < 0.1 else f"{number}%"


def _words(chance: random.Random, count: int) -> str:
    return " ".join(chance.choice(WORDS) for _ in range(count))


def _datasets_in(task: dict[str, Any]) -> Iterator[dict[str, Any]]:
    yield from task["datasets"]
    for one in task["subtasks"]:
        yield from _datasets_in(one)


def bring_in(path: Path, home: Path) -> dict[str, Any]:
    """Import a dump into a fresh home by command: seconds, and the most memory in bytes."""
    environment = {**os.environ, "CORRIGENDA_HOME": str(home)}
    command = Path(sys.executable).with_name("corrigenda")
    subprocess.run([command, "init"], env=environment, check=True, capture_output=True)
    began = time.monotonic()
    done = subprocess.run(
        [command, "import", "--json", "--read-at", "2025-01-01", str(path)],
        env=environment,
        check=True,
        capture_output=True,
    )
    seconds = time.monotonic() - began
    receipts = json.loads(done.stdout)["files"]
    return {
        "bytes": path.stat().st_size,
        "boards": len(receipts),
        "claims": sum(one["recorded"] for one in receipts),
        "refused": sum(len(one["refused"]) for one in receipts),
        "seconds": round(seconds),
        "most_memory": resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss * 1024,
    }


def main(arguments: list[str]) -> None:
    """See the module."""
    if arguments[0] == "--import":
        with tempfile.TemporaryDirectory() as home:
            print(json.dumps(bring_in(Path(arguments[1]), Path(home)), indent=2))
    else:
        print(f"{write(Path(arguments[0]), int(arguments[1]) * MEGABYTE)} boards")


if __name__ == "__main__":
    main(sys.argv[1:])
