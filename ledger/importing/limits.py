"""The limits of what comes in, checked before anything is parsed.

They stand here alone, so that every format refuses alike. Each check raises a
:class:`~ledger.errors.FileRefused` that names the file and says what is too large and where.
"""

import re
from collections.abc import Iterable

from ledger.errors import FileRefused

MIB = 1024 * 1024

MOST_BYTES = 64 * MIB
MOST_ROWS = 100_000
MOST_COLUMNS = 1_000
MOST_TABLES = 1_000
MOST_METRICS = 1_000
LONGEST_LINE = MIB
LONGEST_CELL = 20_000
DEEPEST = 32
MOST_VALUES = 1_000_000
"""Of one YAML file: whoever has more writes CSV, which is read in a tenth of the time."""
MOST_DIRECTIVES = 32

BOM = b"\xef\xbb\xbf"

# A string, also one that never ends (so that no character is looked at twice), or a bracket.
_TOKEN = re.compile(r'"(?:[^"\\]++|\\.)*+"?|[\[\]{}]', re.DOTALL)
_OPENS = frozenset("[{")
_CLOSES = frozenset("]}")


def check_size(name: str, size: int) -> None:
    """Refuse a file of more than ``MOST_BYTES`` bytes; ask before reading it into memory."""
    if size > MOST_BYTES:
        why = f"it has {size} bytes and at most {MOST_BYTES} are read; split it"
        raise FileRefused(file=name, why=why)


def decode_utf8(name: str, data: bytes) -> str:
    """The text of a file in UTF-8; a byte order mark at its beginning is left out."""
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as why:
        offset = why.start + (len(BOM) if data.startswith(BOM) else 0)
        byte = data[offset]
        text = f"byte {offset} (0x{byte:02x}) is not UTF-8; save the file in that encoding"
        raise FileRefused(file=name, why=text) from None


def check_rows(name: str, count: int, what: str = "rows") -> None:
    """Refuse a file of more than ``MOST_ROWS`` rows (or lines: ``what`` it counts)."""
    if count > MOST_ROWS:
        why = f"it has {count} {what} and at most {MOST_ROWS} are read; split it"
        raise FileRefused(file=name, why=why)


def check_columns(name: str, count: int) -> None:
    """Refuse a table of more than ``MOST_COLUMNS`` columns; ask before looking at any of them."""
    if count > MOST_COLUMNS:
        why = f"it has {count} columns and at most {MOST_COLUMNS} are read; take out some"
        raise FileRefused(file=name, why=why)


def check_tables(name: str, count: int) -> None:
    """Refuse a file of more than ``MOST_TABLES`` tables."""
    if count > MOST_TABLES:
        why = f"it has more than {MOST_TABLES} tables, which are not read; split it"
        raise FileRefused(file=name, why=why)


def check_metrics(name: str, count: int) -> None:
    """Refuse a board of more than ``MOST_METRICS`` metrics: each of them gets a rule of its own,
    and a benchmark never has so many."""
    if count > MOST_METRICS:
        why = f"it has {count} metrics and at most {MOST_METRICS} are read; split it"
        raise FileRefused(file=name, why=why)


def first_twice(names: Iterable[str]) -> str | None:
    """The first name that comes a second time; each is looked at once, however many there are."""
    met: set[str] = set()
    for name in names:
        if name in met:
            return name
        met.add(name)
    return None


def check_line(name: str, number: int, length: int) -> None:
    """Refuse a line of more than ``LONGEST_LINE`` characters."""
    if length > LONGEST_LINE:
        why = f"line {number} has {length} characters and at most {LONGEST_LINE} are read"
        raise FileRefused(file=name, why=why)


def check_depth(name: str, text: str, *, line: int | None = None) -> None:
    """Refuse JSON text that nests arrays and objects more than ``DEEPEST`` deep.

    ``line`` says where the text stands in its file. Text that is not JSON is not judged here.
    """
    if text.count("[") + text.count("{") <= DEEPEST:
        return
    if _depth(text) > DEEPEST:
        where = "it" if line is None else f"line {line}"
        raise FileRefused(file=name, why=f"{where} nests more than {DEEPEST} levels deep")


def _depth(text: str) -> int:
    """How deep JSON text nests; brackets inside strings do not count."""
    depth = deepest = 0
    for token in _TOKEN.finditer(text):
        if token[0] in _OPENS:
            depth += 1
            deepest = max(deepest, depth)
        elif token[0] in _CLOSES:
            depth -= 1
    return deepest
