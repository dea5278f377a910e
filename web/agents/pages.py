"""The page that tells agents, and whoever sets them up, how to connect and what there is."""

import inspect
from collections.abc import Iterator
from typing import Any, get_type_hints

import attrs
from flask import Blueprint, Response, current_app
from pydantic.fields import FieldInfo

from web import access
from web.agents.asking import Pages
from web.agents.tools import Tool, tools_on
from web.public import page
from web.site import Look, site

agents = Blueprint("agents", __name__)


@attrs.frozen
class Parameter:
    """One parameter of a tool; ``needed`` says that it cannot be left out."""

    name: str
    means: str
    needed: bool


@attrs.frozen
class Described:
    """A tool as the page tells it."""

    name: str
    title: str
    does: str
    reads: bool
    parameters: tuple[Parameter, ...]


def described(tool: Tool) -> Described:
    """A tool with its parameters and their meaning, from its own signature."""
    return Described(tool.name, tool.title, tool.does, tool.reads, tuple(_parameters(tool)))


def _parameters(tool: Tool) -> Iterator[Parameter]:
    hints = get_type_hints(tool.run, include_extras=True)
    for name, one in inspect.signature(tool.run).parameters.items():
        yield Parameter(name, _means(hints[name]), one.default is inspect.Parameter.empty)


def _means(hint: Any) -> str:
    told = (one for one in getattr(hint, "__metadata__", ()) if isinstance(one, FieldInfo))
    return next((one.description for one in told if one.description), "")


@agents.get("/agents")
@access.public
def connecting() -> Response:
    """How to connect, and each tool with its parameters."""

    def make(look: Look) -> Response:
        tools = [described(tool) for tool in tools_on(Pages(current_app))]
        return page(look, "agents.html", tools=tools)

    return site().answer(make, ())
