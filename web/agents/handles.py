"""The handle under which an agent's report stands in the ledger: it says so, and nothing else."""

import re

from web.private import PrivateStore

BEGINS = "agent-"
_HANDLE = re.compile(rf"{BEGINS}[0-9a-f]{{8}}")


def new_handle(store: PrivateStore) -> str:
    """A handle for one report by an agent."""
    return f"{BEGINS}{store.nonce()[:4].hex()}"


def by_agent(handle: str) -> bool:
    """Whether a report with this handle was filed by an agent."""
    return _HANDLE.fullmatch(handle) is not None
