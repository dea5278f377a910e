"""Which frozen bytes are named by what is recorded."""

from sqlalchemy import select

from ledger.values import Digest
from projections.keeping.views import Reader


def frozen_digests(reader: Reader) -> list[Digest]:
    """The digests of all readings, in order; also of those that were taken back."""
    table = reader.tables.reading
    return [Digest(one) for one in reader.connection.scalars(select(table.c.digest).distinct())]
