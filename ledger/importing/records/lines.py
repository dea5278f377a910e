"""Bytes to lines to JSON objects, strictly and with the digits of numbers as written.

The limits of :mod:`ledger.importing.limits` are checked before any JSON is parsed.
"""

import json
from collections.abc import Iterator

from ledger.importing.board import RowProblem
from ledger.importing.limits import check_depth, check_line, check_rows, check_size, decode_utf8

Json = object
"""What JSON holds: ``None``, ``bool``, ``str``, :class:`Number`, ``list`` or ``dict``."""


class Number(str):
    """A JSON number as its digits are written; ``53.30`` is not ``53.3``."""

    __slots__ = ()


def split_lines(file: str, data: bytes) -> Iterator[tuple[int, str]]:
    """The lines that say something, each with its number (from 1) and without its end.

    Raises ``FileRefused`` for a file that is too large, not UTF-8, or of too many or too long
    lines, or one that nests too deep.
    """
    check_size(file, len(data))
    check_rows(file, data.count(b"\n") + 1, "lines")
    for number, line in enumerate(decode_utf8(file, data).split("\n"), 1):
        check_line(file, number, len(line))
        check_depth(file, line, line=number)
        if line.strip():
            yield number, line.removesuffix("\r")


def parse_object(line: str) -> dict[str, Json]:
    """The JSON object on a line; refused when it is anything else, or says a key twice."""
    try:
        value = json.loads(
            line,
            parse_int=Number,
            parse_float=Number,
            parse_constant=_refuse_constant,
            object_pairs_hook=_object,
        )
    except json.JSONDecodeError as why:
        raise RowProblem(None, f"not JSON: {why.msg} at column {why.colno}") from None
    if not isinstance(value, dict):
        raise RowProblem(None, "a line holds one JSON object, in curly brackets")
    return value


def _refuse_constant(word: str) -> Json:
    raise RowProblem(None, f"{word} is not a number")


def _object(pairs: list[tuple[str, Json]]) -> dict[str, Json]:
    record: dict[str, Json] = {}
    for key, value in pairs:
        if key in record:
            raise RowProblem(key, "it is said twice")
        record[key] = value
    return record
