"""JSON that parsers die of is only looked at as far as it is harmless."""

from io import BytesIO

import pytest

from ledger.errors import FileRefused
from ledger.importing.formats.json_stream import LONGEST_NUMBER, PIECE, JsonStream
from ledger.importing.formats.opening import opening_of

ENDLESS = b"9" * (LONGEST_NUMBER + 1)


def test_an_endless_number_ends_the_look_at_a_file() -> None:
    """What stands before it is seen; the library itself would end the whole process."""
    found = opening_of(b'{"model":"a","score":' + ENDLESS + b',"b":1}')
    assert found.says("model") == "a"
    assert not found.has("b")


def test_deep_nesting_ends_the_look_at_a_file() -> None:
    """Each event bears its path, so all of them together would fill any memory."""
    assert opening_of(b"[" * 200_000).paths


@pytest.mark.parametrize("before", [0, PIECE - 100], ids=["in one piece", "over two pieces"])
def test_an_endless_number_in_a_large_file_is_refused(before: int) -> None:
    """With the byte near which it stands, wherever the pieces begin."""
    stream = JsonStream.of("a.json", BytesIO(b" " * before + b"[" + ENDLESS + b"]"))
    with pytest.raises(FileRefused, match="a number has more than"):
        list(stream.events)
