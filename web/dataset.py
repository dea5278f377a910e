"""A board in the words of schema.org, for those who look for data sets."""

from collections.abc import Mapping
from typing import Any

import orjson

from ledger.values import instant_text
from projections.board.boards import Board
from reports.contract import Json
from web.showing.board import BoardPage
from web.words import VIEW_NAMES

CATALOG = {"@type": "DataCatalog", "name": "Corrigenda"}


def dataset_json(shown: BoardPage, address: str, forms: Mapping[str, str]) -> Json:
    """A board as schema.org's ``Dataset``; ``forms`` are the addresses of its downloads by media
    type."""
    board = shown.board
    facts = board.benchmark.facts
    found: dict[str, Any] = {
        "@context": "https://schema.org",
        "@type": "Dataset",
        "@id": address,
        "url": address,
        "name": dataset_name(board),
        "description": dataset_words(shown),
        "version": str(board.moment.position),
        "isAccessibleForFree": True,
        "includedInDataCatalog": CATALOG,
        "keywords": [word for word in (board.benchmark.name, facts.get("category")) if word],
        "distribution": [
            {"@type": "DataDownload", "encodingFormat": kind, "contentUrl": url}
            for kind, url in forms.items()
        ],
    }
    if board.moment.recorded_at is not None:
        found["dateModified"] = instant_text(board.moment.recorded_at)
    if board.rule is not None:
        found["variableMeasured"] = {
            "@type": "PropertyValue",
            "name": board.rule.name,
            **({"unitText": board.rule.unit} if board.rule.unit else {}),
        }
    return found


def in_markup(told: Json) -> str:
    """The same for inside of a page: nothing in it ends a ``script`` element or begins a comment,
    whatever somebody called a benchmark."""
    text = orjson.dumps(told).decode()
    for character in "<>&\u2028\u2029":
        text = text.replace(character, f"\\u{ord(character):04x}")
    return text


def dataset_name(board: Board) -> str:
    """What a board is called where its page is not around it."""
    metric = f", {board.rule.name}" if board.rule else ""
    return f"{board.benchmark.name}: {VIEW_NAMES[board.view]}{metric}"


def dataset_words(shown: BoardPage) -> str:
    """What a board says, in a sentence or two."""
    described = shown.board.benchmark.facts.get("description")
    return f"{shown.headline}. {described}" if described else f"{shown.headline}."
