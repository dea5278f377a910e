"""The description of the interface: as OpenAPI for programs, as a page for who writes them."""

from collections.abc import Mapping
from itertools import groupby

from flask import Blueprint, Response, current_app, render_template, request

from web import access
from web.addresses import absolute
from web.api.describing import Operation, description, operations
from web.api.parameters import query_parameter
from web.api.told import told
from web.asked import asked
from web.headers import kept, tag_of, unchanged
from web.public import document
from web.site import site

api = Blueprint("api", __name__)

VERSION = "1"
"""Of the interface: names are added under it, and none go."""


@api.get("/api/openapi.json")
@access.public
@told("This description.", "OpenApi")
def openapi() -> Response:
    """The description as OpenAPI 3.1."""
    asked(request.args, ())
    address = absolute("")
    tag = tag_of(site().release, address)
    response = unchanged(tag)
    if response is None:
        response = document(description(current_app, address, VERSION))
    return kept(response, tag, for_ever=False)


@api.get("/api")
@access.public
def page() -> Response:
    """The same for people, with how to ask."""
    asked(request.args, ())
    grouped = groupby(operations(current_app), key=lambda one: one.tag)
    groups = {tag: [*some] for tag, some in grouped}
    html = render_template("api.html", groups=groups, known=_known(groups), root=absolute(""))
    return Response(html, mimetype="text/html")


def _known(groups: Mapping[str, list[Operation]]) -> dict[str, str]:
    """The parameters that addresses know, each with what it asks for."""
    names = {name for some in groups.values() for one in some for name in one.query}
    return {name: query_parameter(name, None)["description"] for name in sorted(names)}
