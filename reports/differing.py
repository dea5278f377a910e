"""Where two JSON documents differ, in words: each place by its path, with both values."""

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

LONGEST = 120
"""Characters of a value that are shown."""

MISSING = object()


def differences(said: Any, found: Any, path: str = "") -> Iterator[str]:
    """What ``said`` has and ``found`` has not, and the other way about, in the order of the
    document; a text, number or list of another length is one difference."""
    if isinstance(said, Mapping) and isinstance(found, Mapping):
        for name in sorted({*said, *found}):
            at = f"{path}.{name}" if path else str(name)
            yield from differences(said.get(name, MISSING), found.get(name, MISSING), at)
    elif _is_list(said) and _is_list(found) and len(said) == len(found):
        for place, (one, other) in enumerate(zip(said, found, strict=True)):
            yield from differences(one, other, f"{path}[{place}]")
    elif said is not found and (said != found or type(said) is not type(found)):
        yield f"{path}: the bundle says {_shown(said)}, its events give {_shown(found)}"


def _is_list(value: Any) -> bool:
    return isinstance(value, Sequence) and not isinstance(value, str | bytes)


def _shown(value: Any) -> str:
    if value is MISSING:
        return "nothing"
    if _is_list(value):
        return f"a list of {len(value)}"
    if isinstance(value, Mapping):
        return "an object"
    text = json.dumps(value)
    return text if len(text) <= LONGEST else f"{text[:LONGEST]}…"
