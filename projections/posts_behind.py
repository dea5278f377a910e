"""The launch posts that a board's chart shows, and the labs that they are of: which streams tell of
them, those that nobody read for the benchmark included."""

from collections.abc import Iterable

from sqlalchemy import select

from projections.asserted import Content, content_of
from projections.keeping.views import Reader

POST = "launch-post"


def posts_behind(reader: Reader, read: Iterable[str], position: int) -> set[str]:
    """The streams of all launch posts of the labs whose posts were ``read`` (streams of sources),
    and of these labs; by a position."""
    known = list(_described_by(reader, position))
    posts = [(stream, facts) for stream, facts in known if facts.get("kind") == POST]
    wanted = set(read)
    labs = {facts["lab"] for stream, facts in posts if stream in wanted and facts.get("lab")}
    found = {stream for stream, facts in posts if facts.get("lab") in labs}
    return found | {f"lab:{lab}" for lab in labs}


def _described_by(reader: Reader, position: int) -> Iterable[tuple[str, Content]]:
    """Whatever was said of sources at any time, as far as the ledger had come."""
    table = reader.tables.assertion_version
    query = select(table.c.stream, table.c.content).where(
        table.c.aspect == "described", table.c.recorded_from <= position
    )
    for stream, text in reader.connection.execute(query):
        if stream.startswith("source:"):
            yield stream, content_of(text)
