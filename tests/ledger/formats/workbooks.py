"""Excel workbooks made up by tests, also such as no program would write."""

import io
import zipfile
from collections.abc import Callable, Sequence
from typing import Any

from openpyxl import Workbook


def workbook(*rows: Sequence[Any], more: Callable[[Any], object] | None = None) -> bytes:
    """A workbook with one sheet of these rows; ``more`` does something to the sheet."""
    book = Workbook()
    sheet: Any = book.active
    for row in rows:
        sheet.append(list(row))
    if more is not None:
        more(sheet)
    out = io.BytesIO()
    book.save(out)
    return out.getvalue()


def with_part(data: bytes, name: str, change: Callable[[bytes], bytes]) -> bytes:
    """The workbook with one of its parts changed."""
    out = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(data)) as old, zipfile.ZipFile(out, "w") as new:
        for part in old.infolist():
            content = old.read(part)
            new.writestr(part.filename, change(content) if part.filename == name else content)
    return out.getvalue()


def bomb(size: int) -> bytes:
    """A few kilobytes that unpack to ``size`` bytes of a sheet."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as packed:
        packed.writestr("[Content_Types].xml", "<Types/>")
        with packed.open("xl/worksheets/sheet1.xml", "w", force_zip64=True) as part:
            for _ in range(size >> 20):
                part.write(b" " * (1 << 20))
    return out.getvalue()
