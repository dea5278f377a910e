"""Cells that were made safe for spreadsheets, as they were before.

Our own CSV, and that of others, has an apostrophe before a cell that a spreadsheet would take for a
formula. It is no part of the name.
"""

import re

_SAFE = re.compile(r"'+[=+\-@\t\r].*", re.DOTALL)


def is_safe(cell: str) -> bool:
    """Whether a cell begins as one that was made safe."""
    return _SAFE.fullmatch(cell) is not None


def given_back(cell: str) -> str:
    """A cell without the apostrophe that keeps it from being a formula."""
    return cell[1:] if is_safe(cell) else cell
