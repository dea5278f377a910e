"""Packed logs of Inspect made up by tests, also such as no program would write."""

import io
import json
import struct
import zipfile
from collections.abc import Iterable
from typing import Any, Self

Members = Iterable[tuple[str, bytes]]


def members_of(text: str) -> list[tuple[str, bytes]]:
    """What the packed form of a log in JSON holds, in the order in which it is written.

    The header is the log as it stands, digit by digit, but for its samples and reductions.
    """
    whole: dict[str, Any] = json.loads(text, parse_float=Digits)
    samples = whole.pop("samples", None) or []
    reductions = whole.pop("reductions", None)
    start = {name: whole[name] for name in ("version", "eval", "plan") if name in whole}
    found = [("_journal/start.json", written(start))]
    found += [(f"samples/{one['id']}_epoch_{one['epoch']}.json", written(one)) for one in samples]
    found += [("_journal/summaries/1.json", b"[]"), ("summaries.json", b"[]")]
    if reductions is not None:
        found.append(("reductions.json", written(reductions)))
    return [*found, ("header.json", written(whole))]


class Digits(float):
    """A number that is written as it was read."""

    def __new__(cls, text: str) -> Self:
        """Keep its digits."""
        made = super().__new__(cls, text)
        made.text = text
        return made

    text: str

    def __repr__(self) -> str:
        return self.text


def written(content: Any) -> bytes:
    """JSON with the digits as they were read."""
    return "".join(_pieces(content)).encode()


def _pieces(content: Any) -> Iterable[str]:
    match content:
        case Digits():
            yield content.text
        case dict():
            pairs = (f"{json.dumps(name)}:{''.join(_pieces(one))}" for name, one in content.items())
            yield f"{{{','.join(pairs)}}}"
        case list():
            yield f"[{','.join(''.join(_pieces(one)) for one in content)}]"
        case _:
            yield json.dumps(content, ensure_ascii=False)


def packed(members: Members, method: int = zipfile.ZIP_DEFLATED) -> bytes:
    """An archive of these members."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", method) as into:
        for name, content in members:
            into.writestr(name, content)
    return out.getvalue()


def as_packed(text: str) -> bytes:
    """A log in JSON in its packed form."""
    return packed(members_of(text))


def marked(
    data: bytes, *, method: int | None = None, flags: int = 0, size: int | None = None
) -> bytes:
    """The archive with something else said of its last member, here and in its list of members."""
    changed = bytearray(data)
    for begins, at in ((b"PK\x03\x04", 6), (b"PK\x01\x02", 8)):
        where = data.rindex(begins) + at
        before, packing = struct.unpack_from("<HH", data, where)
        struct.pack_into(
            "<HH", changed, where, before | flags, packing if method is None else method
        )
        if size is not None:
            struct.pack_into("<I", changed, where + 16, size)
    return bytes(changed)
