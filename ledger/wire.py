"""Events to canonical bytes and back, under lasting names.

The stored bytes are what is hashed: JSON in the form of RFC 8785 (sorted ASCII keys, no floats,
no white space), times in UTC with six digits, decimals as text. A class may move or be renamed;
its name here may not, and from release 1.0 on its golden file may not change either. An older
form is lifted to today's by an upcast before it is read.
"""

import re
import types
from collections.abc import Callable, Mapping
from datetime import datetime
from typing import Any, TypeVar, get_args, get_origin

import orjson
from cattrs import Converter
from cattrs.gen import make_dict_structure_fn, make_dict_unstructure_fn, override

from ledger.errors import BadValue
from ledger.events import Change, Envelope, Event, Recorded, Statement
from ledger.values import PartialDate, Score, instant_text, partial_date

Upcast = Callable[[dict[str, Any]], dict[str, Any]]

LARGEST = 2**53 - 1
"""The largest whole number that every reader of JSON reads exactly (RFC 8785 has only these)."""


def _kebab(name: str) -> str:
    return re.sub(r"(?<!^)(?=[A-Z])", "-", name).lower()


NAMES: Mapping[type, str] = types.MappingProxyType(
    {cls: f"{_kebab(cls.__name__)}/1" for cls in get_args(Event)}
)
CLASSES: Mapping[str, type] = types.MappingProxyType({name: cls for cls, name in NAMES.items()})

# (stored name) -> (today's name, how to lift the stored event to it)
UPCASTS: dict[str, tuple[str, Upcast]] = {}


def _structure_instant(text: Any, _: type) -> datetime:
    return datetime.fromisoformat(text)


def _unstructure_instant(instant: Any) -> str:
    # Without an offset the server's own time zone would decide what is meant.
    if not isinstance(instant, datetime) or instant.tzinfo is None:
        raise TypeError(f"{instant!r} is not an instant with an offset")
    return instant_text(instant)


def _unstructure_text(value: Any) -> str:
    if not isinstance(value, Score | PartialDate):
        raise TypeError(f"{value!r} is neither a score nor a date")
    return value.text


def _structure_mapping(value: Any, _: type) -> Mapping[str, Any]:
    return types.MappingProxyType(dict(value))


def _is_mapping(shape: Any) -> bool:
    return get_origin(shape) is Mapping


def _make_converter() -> Converter:
    converter = Converter(omit_if_default=True, detailed_validation=False)
    converter.register_structure_hook(datetime, _structure_instant)
    converter.register_unstructure_hook(datetime, _unstructure_instant)
    converter.register_structure_hook(Score, lambda text, _: Score(text, is_recorded=True))
    converter.register_unstructure_hook(Score, _unstructure_text)
    converter.register_structure_hook(PartialDate, lambda text, _: partial_date(text))
    converter.register_unstructure_hook(PartialDate, _unstructure_text)
    converter.register_structure_hook_func(_is_mapping, _structure_mapping)
    converter.register_unstructure_hook_func(_is_mapping, dict)
    renamed = override(rename="from")
    converter.register_structure_hook(
        Change, make_dict_structure_fn(Change, converter, from_=renamed)
    )
    converter.register_unstructure_hook(
        Change, make_dict_unstructure_fn(Change, converter, from_=renamed)
    )
    return converter


_CONVERTER = _make_converter()
_STRUCTURE = {name: _CONVERTER.get_structure_hook(cls) for name, cls in CLASSES.items()}
_UNSTRUCTURE = {cls: _CONVERTER.get_unstructure_hook(cls) for cls in NAMES}


def name_of(event: Event) -> str:
    """The lasting name of an event, such as ``claim-recorded/1``."""
    return NAMES[type(event)]


def plain(event: Event) -> dict[str, Any]:
    """An event as plain JSON values."""
    return dict(_UNSTRUCTURE[type(event)](event))


def plain_statement(says: Statement) -> dict[str, Any]:
    """What a source says as plain JSON values; what it does not state is left out."""
    return dict(_CONVERTER.unstructure(says))


EventT = TypeVar("EventT")


def structure(cls: type[EventT], content: Mapping[str, Any]) -> EventT:
    """The inverse of :func:`plain`, for an event whose class is known."""
    event: EventT = _STRUCTURE[NAMES[cls]](content, cls)
    return event


def encode(envelope: Envelope, event: Event) -> bytes:
    """The bytes that are stored and hashed. Raises ``BadValue`` for what would not keep its value:
    a float, a whole number beyond 2^53, text that is not Unicode, an instant without an offset.
    """
    try:
        content = _UNSTRUCTURE[type(event)](event)
        _check_exact(content)
        return orjson.dumps(
            {
                "stream": envelope.stream,
                "version": envelope.version,
                "type": envelope.type,
                "recorded_at": instant_text(envelope.recorded_at),
                "recorded_by": envelope.recorded_by,
                "cause": envelope.cause,
                "salt": envelope.salt,
                "event": content,
            },
            option=orjson.OPT_SORT_KEYS,
        )
    except TypeError as why:
        raise BadValue(what="event", shown=envelope.type, why=str(why)) from why


def _check_exact(whole: Any) -> None:
    """Refuse what orjson would write though it is not exact (it writes NaN as null)."""
    if type(whole) is dict:
        for key in whole:
            # Keys of other scripts are sorted by bytes here and by UTF-16 in RFC 8785.
            if type(key) is not str or not key.isascii():
                raise TypeError(f"{key!r} is not a key in ASCII")
        whole = whole.values()
    for part in whole:
        kind = type(part)
        if kind is str or part is None or kind is bool:
            continue
        if kind is int:
            if not -LARGEST <= part <= LARGEST:
                raise TypeError(f"{part} is too large to be read exactly")
        elif kind is dict or kind is list or kind is tuple:
            _check_exact(part)
        else:
            raise TypeError(f"{part!r} is not text, a whole number or a truth value")


def decode(position: int, stored: bytes) -> Recorded:
    """The event in these bytes, lifted to today's form; ``stored`` stays as it was.

    Raises ``BadValue`` for an event of a later release, and for bytes that no release wrote.
    """
    try:
        return _decoded(position, stored)
    except (ValueError, TypeError, KeyError, AttributeError) as why:
        said = f"it has no {why}" if isinstance(why, KeyError) else str(why)
        said = f"its stored bytes cannot be read: {said}"
        raise BadValue(what="event", shown=f"at position {position}", why=said) from why


def _decoded(position: int, stored: bytes) -> Recorded:
    record = orjson.loads(stored)
    name, content = lift(record["type"], record["event"])
    structure = _STRUCTURE.get(name)
    if structure is None:
        raise BadValue(what="event", shown=name, why="this version does not know it; upgrade first")
    envelope = Envelope(
        stream=record["stream"],
        version=record["version"],
        type=record["type"],
        recorded_at=datetime.fromisoformat(record["recorded_at"]),
        recorded_by=record["recorded_by"],
        cause=record["cause"],
        salt=record["salt"],
    )
    return Recorded(position, envelope, structure(content, CLASSES[name]), stored)


def lift(name: str, content: dict[str, Any]) -> tuple[str, dict[str, Any]]:
    """Apply upcasts until the name is one of today's."""
    while name in UPCASTS:
        name, upcast = UPCASTS[name]
        content = upcast(content)
    return name, content
