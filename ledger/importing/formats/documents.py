"""JSON and YAML files as documents: what they hold, and where a part of it stands.

Texts stay texts and numbers become the text of their digits; a JSON ``true`` stays a truth value,
since it is no number. Whoever refuses a part says its path, and in YAML its line.
"""

import json
import re
from collections.abc import Mapping
from typing import Any, NoReturn

import attrs

from ledger.errors import BadValue, FileRefused
from ledger.importing.formats.tables import json_content
from ledger.importing.formats.yaml_text import YamlText
from ledger.importing.limits import MOST_COLUMNS
from ledger.values import parse_name

_HALF = re.compile(r"\\u[dD][89a-fA-F]")


@attrs.frozen
class Document:
    """What a file holds, and in which line each part of it begins, where that is known."""

    file: str
    content: Any = attrs.field(repr=False)
    lines: Mapping[str, int] = attrs.field(factory=dict, repr=False)

    def where(self, path: str) -> str:
        """A place for people: its line, where that is known, and its path."""
        line = self.line(path)
        named = path or "the whole of it"
        return named if line is None else f"line {line}, {named}"

    def line(self, path: str) -> int | None:
        """The line of a part, or of the nearest part around it that is there."""
        while path not in self.lines and path:
            path = path[: max(path.rfind("."), path.rfind("["), 0)]
        return self.lines.get(path)

    def refuse(self, path: str, why: str) -> NoReturn:
        """Refuse the file for what is wrong with a part of it."""
        raise FileRefused(file=self.file, why=f"{self.where(path)}: {why}")

    def objects(self, content: object, path: str) -> dict[str, Any]:
        """A part that has to be an object."""
        if not isinstance(content, dict):
            self.refuse(path, f"{kind_of(content)} where an object belongs")
        return content

    def listed(self, content: object, path: str) -> list[Any]:
        """A part that has to be a list."""
        if not isinstance(content, list):
            self.refuse(path, f"{kind_of(content)} where a list belongs")
        return content

    def name(self, within: Mapping[str, Any], name: str, path: str) -> str:
        """A name that an object has to have."""
        value = within.get(name)
        if not isinstance(value, str) or not value.strip():
            found = f"it has no {name}" if value is None else f"{name} is {kind_of(value)}"
            self.refuse(path, f"{found}; it has to be text")
        try:
            return parse_name(value, name)
        except BadValue as why:
            self.refuse(f"{path}.{name}", str(why))


def kind_of(content: object) -> str:
    """What a part is, for people."""
    match content:
        case None:
            return "nothing"
        case bool():
            return "true" if content else "false"
        case str():
            return f"the text {content[:40]!r}"
        case list():
            return "a list"
        case _:
            return "an object"


def json_document(name: str, text: str) -> Document:
    """The document in JSON text. Raises :class:`~ledger.errors.FileRefused` for anything else."""
    content = json_content(name, text)
    if _HALF.search(text):
        try:
            json.dumps(content, ensure_ascii=False).encode()
        except UnicodeEncodeError:
            why = "it holds half of a character (a surrogate by itself)"
            raise FileRefused(file=name, why=why) from None
    return Document(name, content)


def yaml_document(name: str, text: str, *, most_fields: int = MOST_COLUMNS) -> Document:
    """The document in YAML text, which begins at the first line of its file."""
    read = YamlText(name, most_fields)
    return Document(name, read.content(text), read.lines)
