"""What is written of the interface is what it does: every address, parameter and answer."""

import re
from collections.abc import Iterator, Mapping
from typing import Any

import orjson
import pytest
from flask import Flask
from jsonschema import Draft202012Validator
from playwright.sync_api import Browser
from werkzeug.test import TestResponse

from tests.shelf import CODES
from tests.web.orchard import BIRCH, Orchard
from tests.web.people import signed_in
from tests.web.served import axe_finds_nothing, served
from tests.web.shelved import GRAFTS, WINDOW, Shelved, paper, paper_once, shelved
from web.access import public
from web.api.describing import Operation, is_for_programs, operations, untold
from web.api.parameters import PLACEHOLDER

__all__ = ["paper", "paper_once", "shelved"]

NAMES: Mapping[str, Mapping[str, str]] = {
    "/benchmarks/": {"slug": "orchard", "name": "orchard"},
    "/claims/": {"claim": BIRCH, "name": BIRCH},
    "/models/": {"slug": "birch", "name": "birch"},
    "/labs/": {"slug": "alder-labs"},
    "/sources/": {"slug": "birch-post", "name": "birch-post"},
    "/corrections/": {"number": "1"},
    "/events/": {"position": "7"},
    "/audit/imports/": {"position": "19"},
    "/papers/": {"name": GRAFTS.rpartition("/")[2]},
    "/samples/": {"name": CODES[0]},
    "/probes/": {"name": WINDOW},
    "/labels/": {"name": f"l{'0' * 23}"},
    "/api/reports/": {"number": "1"},
}
NEEDED = {
    "/proof/inclusion": "?position=7",
    "/corrections.bundle.json": "?from=2025-07-01&to=2025-08-20",
    "/proof/consistency": "?from={size}",
    "/benchmarks/orchard/changes.json": "?from=2025-07-01&to=2025-08-20",
}
"""What some addresses cannot do without."""


def described(app: Flask) -> Any:
    """The description as a program gets it."""
    return orjson.loads(app.test_client().get("/api/openapi.json").data)


def reading(app: Flask) -> list[Operation]:
    """What can be read."""
    return [one for one in operations(app) if one.method == "GET"]


def filled(one: Operation, **more: str) -> str:
    """An address of an operation, with names that there are as far as we have any."""
    names = dict(next((known for begin, known in NAMES.items() if one.rule.startswith(begin)), {}))
    names |= more

    def name(found: re.Match[str]) -> str:
        if found["kind"] == "any":
            return "json" if "json" in found["of"] else found["of"].split(",")[0]
        return names[found["name"]]

    return PLACEHOLDER.sub(name, one.rule)


# --- nothing is left out ----------------------------------------------------------------------


def test_every_address_for_programs_says_what_it_gives(orchard: Orchard) -> None:
    """Whoever adds a ``.json`` or ``/api/`` address describes it beside its mark."""
    assert untold(orchard.app) == []


def test_an_address_that_is_not_told_is_found(orchard: Orchard) -> None:
    """A view that forgets it is named, and nothing else is."""

    @orchard.app.get("/orchards/<slug:slug>.json")
    @public
    def forgotten(slug: str) -> str:
        return slug

    assert untold(orchard.app) == ["/orchards/<slug:slug>.json"]


def test_every_address_for_programs_is_in_the_description(orchard: Orchard) -> None:
    """Each rule once, with each way to ask."""
    paths = described(orchard.app)["paths"]
    rules = [rule for rule in orchard.app.url_map.iter_rules() if is_for_programs(rule)]
    assert len(paths) >= 55
    assert sum(map(len, paths.values())) == len(rules)


def test_the_description_holds_together(orchard: Orchard) -> None:
    """Every shape is JSON Schema, every reference leads somewhere, and every name stands once."""
    document = described(orchard.app)
    schemas = document["components"]["schemas"]
    for schema in schemas.values():
        Draft202012Validator.check_schema(schema)
    referred = set(re.findall(r'"#/components/schemas/(\w+)"', orjson.dumps(document).decode()))
    assert referred <= schemas.keys()
    assert schemas.keys() - referred <= {"Moment"}
    names = [one["operationId"] for path in document["paths"].values() for one in path.values()]
    assert len(names) == len(set(names))


def test_each_address_knows_the_parameters_that_it_tells(orchard: Orchard) -> None:
    """What it refuses names all that it knows; the description names the same."""
    reviewer = signed_in(orchard.app, orchard.workspace, "ada", "reviewer")
    for one in reading(orchard.app):
        path = filled(one, digest="0" * 64, size="7")
        told = reviewer.get(f"{path}?nonsense=1").get_json()
        assert told.get("kind") == "UnknownParameter", path
        known = told["detail"].partition("it knows ")[2].removesuffix(".")
        assert set(known.split(", ")) == {*one.query} or (known, one.query) == ("none", ()), path


# --- and all of it is so ----------------------------------------------------------------------


def answers(pages: Orchard) -> Iterator[tuple[Operation, str, TestResponse]]:
    """Whatever the pages have, asked for with and without a time."""
    newest = pages.json("/audit.json")["checkpoint"]
    size = "0" if newest is None else str(newest["size"])
    digest = pages.json("/audit/snapshots.json")["readings"][0]["digest"]
    names = {"size": size, "digest": digest}
    for one in reading(pages.app):
        path = filled(one, **names, **(_label(pages) if "<label:" in one.rule else {}))
        whole = path + NEEDED.get(path, "").format(size=size)
        yield one, whole, pages.get(whole)
        if "as_read_on" in one.query:
            whole = f"{path}?as_read_on={pages.clock().date()}"
            yield one, whole, pages.get(whole)


def _label(pages: Orchard) -> dict[str, str]:
    """The name of a label, if the paper has one."""
    repositories = pages.get(f"{GRAFTS}.json").get_json().get("repositories", ())
    labels = [label["id"] for one in repositories for label in one["labels"]]
    return {"name": labels[0]} if labels else {}


@pytest.mark.parametrize("which", ["orchard", "shelved"])
def test_every_answer_has_the_shape_that_is_told(
    which: str, request: pytest.FixtureRequest
) -> None:
    """Boards, claims, corrections, papers, code, the log and its proofs, as far as there are any;
    and what there is not is a problem of the one shape."""
    found = request.getfixturevalue(which)
    pages: Orchard = found.pages if isinstance(found, Shelved) else found
    schemas = described(pages.app)["components"]["schemas"]
    right = set()
    for one, address, response in answers(pages):
        ok = response.status_code == 200
        shape = one.told.shape_at(one.path) if ok else "Problem"
        media = one.told.media if ok else "application/problem+json"
        assert response.mimetype == media, address
        schema = {"$ref": f"#/components/schemas/{shape}", "components": {"schemas": schemas}}
        Draft202012Validator(schema).validate(response.get_json(force=True))
        if ok:
            right.add(shape)
    assert right >= RIGHT[which], RIGHT[which] - right


LOG = {"LogState", "LoggedEvents", "StoredEvent", "InclusionProof", "ConsistencyProof", "Keys"}
RIGHT = {
    "orchard": LOG
    | {"Board", "Claim", "Claims", "Model", "ModelHistory", "Source", "Benchmarks", "Changes"}
    | {"Corrections", "Notice", "Bundle", "Prov", "VegaLite", "Citation", "OpenApi", "JsonSchema"}
    | {"Imports", "ImportReceipt", "Snapshot", "FrozenReadings", "Checkpoints", "Checkpoint"},
    "shelved": {"Paper", "Papers", "Sample", "ProbeWindow", "Label", "Snapshot", "Citation"},
}


# --- the page ---------------------------------------------------------------------------------


def test_the_page_names_every_address(orchard: Orchard) -> None:
    """Whoever reads it finds all that is in the description, without a cookie."""
    response = orchard.get("/api")
    assert response.status_code == 200
    assert "Set-Cookie" not in response.headers
    for path in described(orchard.app)["paths"]:
        assert f"{path}</code>" in response.text, path


@pytest.mark.browser
@pytest.mark.parametrize(("width", "scheme"), [(1280, "light"), (360, "dark")])
def test_the_page_can_be_used_by_everybody(
    orchard: Orchard, browser: Browser, width: int, scheme: str
) -> None:
    """On a small screen, in the dark, and read aloud."""
    with served(orchard.app) as address:
        axe_finds_nothing(browser, address, ["/api"], width=width, scheme=scheme)
