"""Why an address gave nothing, in one word that is recorded and in a sentence for people."""

from ledger.errors import Refused


class NotFetched(Refused):
    """{address} cannot be fetched: {why}."""

    def __init__(self, address: str, cause: str, why: str, *, status: int | None = None) -> None:
        """``cause`` is a slug; ``status`` that of an answer which came, and will not do."""
        super().__init__(address=address[:200], why=why)
        self.address = address
        self.cause = cause
        self.status = status
