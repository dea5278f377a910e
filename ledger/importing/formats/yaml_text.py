"""YAML text as lists, objects and texts, bounded while it is parsed (the door to libyaml).

The parser's events are folded as they come, so that a file is refused at the very value that is one
too many, and nothing is ever built of the rest. What could unfold to more than the file holds is
refused too: an alias, a second document, a mapping as a key. Tags mean nothing here: a value is the
text that stands there, and a plain ``null`` is nothing.
"""

from collections.abc import Iterator
from typing import Any, NoReturn

import attrs
import yaml

from ledger.errors import FileRefused
from ledger.importing.limits import DEEPEST, MOST_COLUMNS, MOST_DIRECTIVES, MOST_ROWS, MOST_VALUES

NULLS = frozenset({"", "null", "Null", "NULL", "~"})


@attrs.define
class YamlText:
    """A text that is being read, and in which line each part of it begins.

    ``most_fields``: how many keys with plain values an object may have. A table has so many
    columns; what stands beside the results in a model card may have as many as a list.
    """

    file: str
    most_fields: int = MOST_COLUMNS
    most_values: int = MOST_VALUES
    lines: dict[str, int] = attrs.field(factory=dict, repr=False)
    values: int = 0

    def content(self, text: str) -> Any:
        """What the text holds; ``None`` when it holds nothing.

        Raises :class:`~ledger.errors.FileRefused` for what is no YAML, too much or too deep, bears
        an alias, or names a key twice.
        """
        self._check_directives(text)
        try:
            return self._documents(yaml.parse(text, Loader=yaml.CBaseLoader))
        except yaml.YAMLError as why:
            raise FileRefused(file=self.file, why=f"not YAML: {_place(why)}") from None

    def _check_directives(self, text: str) -> None:
        """The parser compares each of them with all others, before its first event."""
        if text.count("%TAG") > MOST_DIRECTIVES:
            why = f"it says %TAG more than {MOST_DIRECTIVES} times; write the values without tags"
            raise FileRefused(file=self.file, why=why)

    def _documents(self, events: Iterator[yaml.Event]) -> Any:
        content, met = None, False
        for event in events:
            if not isinstance(event, yaml.DocumentStartEvent):
                continue
            if met:
                self._refuse(event, "", "another document begins here; a file holds one")
            met = True
            content = self._value(next(events), events, "", 0)
        return content

    def _value(self, event: yaml.Event, events: Iterator[yaml.Event], path: str, depth: int) -> Any:
        """The value that begins with an event, and all events up to its end."""
        self.lines[path] = self._line(event)
        self.values += 1
        if self.values > self.most_values:
            self._refuse(event, "", f"it has more than {self.most_values} values; split it")
        if isinstance(event, yaml.ScalarEvent):
            return None if not event.style and event.value in NULLS else str(event.value)
        if isinstance(event, yaml.AliasEvent):
            self._refuse(event, "", "an alias; write the value out")
        if depth == DEEPEST:
            self._refuse(event, "", f"nested more than {DEEPEST} deep")
        if isinstance(event, yaml.SequenceStartEvent):
            return self._list(events, path, depth + 1)
        return self._object(event, events, path, depth + 1)

    def _list(self, events: Iterator[yaml.Event], path: str, depth: int) -> list[Any]:
        found: list[Any] = []
        for event in events:
            if isinstance(event, yaml.SequenceEndEvent):
                break
            if len(found) == MOST_ROWS:
                self._refuse(event, path, f"it has more than {MOST_ROWS} rows; split it")
            found.append(self._value(event, events, f"{path}[{len(found)}]", depth))
        return found

    def _object(
        self, start: yaml.Event, events: Iterator[yaml.Event], path: str, depth: int
    ) -> dict[str, Any]:
        found: dict[str, Any] = {}
        plain = 0
        for key in events:
            if isinstance(key, yaml.MappingEndEvent):
                break
            name = self._key(key, start, path)
            if name in found:
                self._refuse(start, path, f"{name} stands twice in one object")
            if len(found) == MOST_ROWS:
                self._refuse(key, path, f"it has more than {MOST_ROWS} keys; split it")
            below = f"{path}.{name}" if path else name
            value = found[name] = self._value(next(events), events, below, depth)
            self.lines[below] = self._line(key)
            plain += not isinstance(value, list | dict)
            if plain > self.most_fields:
                self._refuse(key, path, _too_wide(self.most_fields))
        return found

    def _key(self, event: yaml.Event, start: yaml.Event, path: str) -> str:
        if isinstance(event, yaml.AliasEvent):
            self._refuse(event, "", "an alias; write the value out")
        if not isinstance(event, yaml.ScalarEvent):
            self._refuse(start, path, "a key that is not a word")
        return str(event.value)

    def _line(self, event: yaml.Event) -> int:
        return 1 + (event.start_mark.line if event.start_mark else 0)

    def _refuse(self, event: yaml.Event, path: str, why: str) -> NoReturn:
        where = f"line {self._line(event)}{', ' if path else ''}{path}"
        raise FileRefused(file=self.file, why=f"{where}: {why}")


def _too_wide(most: int) -> str:
    return f"it has more than {most} columns and at most {most} are read; take out some"


def _place(why: yaml.YAMLError) -> str:
    mark = getattr(why, "problem_mark", None)
    problem = getattr(why, "problem", None) or str(why)
    return f"line {mark.line + 1}: {problem}" if mark else str(problem)
