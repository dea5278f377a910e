"""The description of the interface (OpenAPI 3.1), put together from what each view tells.

Nothing is written here that a view could forget: the addresses are those of the app, parameters
and shapes those that its views name. Which addresses have to be told is in :func:`is_for_programs`.
"""

from collections.abc import Iterator
from functools import partial
from http import HTTPStatus

import attrs
from flask import Flask
from werkzeug.routing import Rule

from web.api import shapes_boards, shapes_code, shapes_log, shapes_reviewing
from web.api.parameters import path_of, path_parameters, query_parameter
from web.api.shapes import Schema, named
from web.api.told import JSON, Told, told_by

SHAPES: dict[str, Schema] = {
    **shapes_boards.SHAPES,
    **shapes_log.SHAPES,
    **shapes_code.SHAPES,
    **shapes_reviewing.SHAPES,
}
PROBLEM_MEDIA = "application/problem+json"
READING = ("GET",)
CHANGING = ("POST",)
TAGS = {
    "benchmarks": "Boards",
    "claims": "Claims",
    "models": "Models",
    "labs": "Models",
    "sources": "Sources",
    "corrections": "Corrections",
    "papers": "Papers and code",
    "samples": "Papers and code",
    "labels": "Papers and code",
    "probes": "Papers and code",
    "api": "Reporting and reviewing",
}
LOG = "The log and its proofs"


@attrs.frozen(kw_only=True)
class Operation:
    """One thing that a program can ask for: how, where, and what its view tells of it."""

    method: str
    rule: str
    endpoint: str
    told: Told

    @property
    def path(self) -> str:
        """The address as OpenAPI writes it."""
        return path_of(self.rule)

    @property
    def query(self) -> tuple[str, ...]:
        """The parameters that it knows."""
        return self.told.query_at(self.rule)

    @property
    def tag(self) -> str:
        """Under which heading it stands."""
        first = self.rule.split("/")[1].partition(".")[0]
        return TAGS.get(first, LOG)


def is_for_programs(rule: Rule) -> bool:
    """Whether an address answers programs, and so has to be told: all of ``/api/`` and
    ``/proof/``, and whatever ends with ``.json``."""
    text = rule.rule
    return text.startswith(("/api/", "/proof/")) or path_of(text).endswith(".json")


def operations(app: Flask) -> list[Operation]:
    """What programs can ask for, by address."""
    found = [one for rule in app.url_map.iter_rules() for one in _operations(app, rule)]
    return sorted(found, key=lambda one: (one.tag, one.path, one.method))


def _operations(app: Flask, rule: Rule) -> Iterator[Operation]:
    told = told_by(app.view_functions[rule.endpoint])
    if told is None or not is_for_programs(rule) or told.shape_at(path_of(rule.rule)) is None:
        return
    for method in sorted((rule.methods or set()) & {*READING, *CHANGING}):
        yield Operation(method=method, rule=rule.rule, endpoint=rule.endpoint, told=told)


def untold(app: Flask) -> list[str]:
    """Addresses for programs whose views do not tell what they give."""
    told = {(one.rule, one.endpoint) for one in operations(app)}
    rules = (rule for rule in app.url_map.iter_rules() if is_for_programs(rule))
    return sorted(rule.rule for rule in rules if (rule.rule, rule.endpoint) not in told)


# --- the document -----------------------------------------------------------------------------


def description(app: Flask, address: str, version: str) -> Schema:
    """The whole description, for the server at an address."""
    paths: dict[str, Schema] = {}
    for one in operations(app):
        paths.setdefault(one.path, {})[one.method.lower()] = _operation(one)
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "Corrigenda",
            "version": version,
            "description": ABOUT,
        },
        "servers": [{"url": address}],
        "paths": paths,
        "components": {
            "schemas": SHAPES,
            "securitySchemes": {"token": {"type": "http", "scheme": "bearer"}},
            "headers": HEADERS,
        },
    }


ABOUT = (
    "Boards as read on any day, what changed, and why. What is asked for with `recorded_through` "
    "and `as_read_on` is the same for ever. Scores are text, with their digits as written. "
    "Lists go on at the address under `next`, which the `Link` header says too."
)
HEADERS: Schema = {
    "Link": {"description": "Where a list goes on.", "schema": {"type": "string"}},
    "RateLimit-Policy": {
        "description": "How often this may be asked for: name, quota (q), seconds (w).",
        "schema": {"type": "string"},
    },
    "RateLimit": {
        "description": "What is left (r), and seconds until there is more (t).",
        "schema": {"type": "string"},
    },
    "Retry-After": {"description": "Seconds to wait.", "schema": {"type": "string"}},
}


def _operation(one: Operation) -> Schema:
    told = one.told
    shape = told.shape_at(one.path)
    query = partial(query_parameter, shape=shape)
    found: Schema = {
        "operationId": one.endpoint.replace(".", "_") + _suffix(one),
        "summary": told.about,
        "tags": [one.tag],
        "parameters": [*path_parameters(one.rule), *map(query, one.query)],
        "responses": dict(_responses(one, shape)),
    }
    if told.body is not None:
        found["requestBody"] = {
            "required": True,
            "content": {JSON: {"schema": named(told.body)}},
        }
        found["parameters"].append(KEY)
    if told.scope is not None:
        found["security"] = [{"token": []}, *([{}] if told.open_to_all else [])]
        found["description"] = f"A token needs the scope `{told.scope}`."
    return found


KEY: Schema = {
    "name": "Idempotency-Key",
    "in": "header",
    "description": "The same key with the same body gives the same answer again, for 24 hours.",
    "schema": {"type": "string", "pattern": "^[A-Za-z0-9_-]{16,64}$"},
}


def _suffix(one: Operation) -> str:
    """What tells several addresses of one view apart."""
    parts = one.path.replace("{", "").replace("}", "").split("/")
    return "_" + "_".join(parts[1:]).replace(".", "_").replace("-", "_")


def _responses(one: Operation, shape: str | None) -> Iterator[tuple[str, Schema]]:
    told = one.told
    headers = {}
    if one.told.scope is not None:
        names = ("RateLimit-Policy", "RateLimit")
        headers = {name: {"$ref": f"#/components/headers/{name}"} for name in names}
    for status, name in {told.status: shape, **told.also}.items():
        content = {told.media: {"schema": named(str(name))}}
        yield (
            str(status),
            {"description": HTTPStatus(status).phrase, "content": content, "headers": headers},
        )
    for status in sorted({*_refusals(one), *told.refuses}):
        yield str(status), _problem(status)


def _refusals(one: Operation) -> tuple[int, ...]:
    usual = (400, 404, 405, 414, 500, 503)
    sent = (401, 403, 409, 413, 422, 429) if one.told.scope is not None else ()
    return usual + sent


def _problem(status: int) -> Schema:
    content = {PROBLEM_MEDIA: {"schema": named("Problem")}}
    return {"description": HTTPStatus(status).phrase, "content": content}
