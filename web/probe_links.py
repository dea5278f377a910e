"""Which links a window is to probe: those of a paper, of a benchmark, or of a list."""

from collections.abc import Iterator
from pathlib import Path

from ledger.errors import FileRefused
from ledger.importing.limits import LONGEST_LINE, decode_utf8
from ledger.source import stream_of as source_stream
from ledger.store import Store
from projections.asserted import described
from projections.board.benchmarks import benchmark_at
from projections.board.boards import board_at
from projections.code.papers import paper_at
from projections.keeping.views import Reader
from projections.moment import Moment
from web.words import web_address

LARGEST_LIST = 4 * LONGEST_LINE


def links_of_paper(reader: Reader, store: Store, slug: str, moment: Moment) -> list[str | None]:
    """The address of a paper, and those of the repositories that are linked with it."""
    found = paper_at(reader, store, slug, moment)
    stated = [str(value) for value in (found.facts.get("address"),) if value]
    return [*stated, *(one.address for one in found.repositories)]


def links_of_benchmark(reader: Reader, slug: str, moment: Moment) -> list[str | None]:
    """The addresses that are stated of a benchmark, and those of the sources on its boards."""
    benchmark = benchmark_at(reader, slug, moment)
    stated = [web_address(one) for one in benchmark.facts.values() if isinstance(one, str)]
    sources: dict[str, None] = {}
    for metric in benchmark.rules:
        board = board_at(reader, slug, moment, view="all", metric=metric, every_claim=True)
        sources.update({row.source.slug: None for row in (*board.rows, *board.unranked)})
    known = described(reader, (source_stream(one) for one in sources), moment)
    addresses = (known.get(source_stream(one), {}).get("address") for one in sources)
    return [*stated, *(web_address(one) for one in addresses)]


def links_in(file: Path) -> Iterator[str]:
    """The links of a list: one a line; empty lines, and those that begin with #, are passed over.

    Raises ``FileRefused`` for a file that cannot be read.
    """
    try:
        if file.stat().st_size > LARGEST_LIST:
            raise FileRefused(file=file.name, why=f"it has more than {LARGEST_LIST:,} bytes")
        text = decode_utf8(file.name, file.read_bytes())
    except OSError as why:
        raise FileRefused(file=file.name, why=why.strerror or "it cannot be read") from None
    for line in text.splitlines():
        if line.strip() and not line.lstrip().startswith("#"):
            yield line.strip()
