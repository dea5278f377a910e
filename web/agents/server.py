"""The tools as an MCP server: one of the official SDK, which speaks the protocol (the door to it).

A refusal is a tool error with its own sentence. A parameter that a tool does not know is refused,
as a misspelt date must never show today's board.
"""

import functools
from collections.abc import Callable
from importlib.metadata import version
from typing import Any

import anyio
import orjson
from mcp.server.context import CallNext, HandlerResult, ServerRequestContext
from mcp.server.mcpserver import Context, MCPServer
from mcp.server.mcpserver.exceptions import ToolError, UnexpectedToolError
from mcp_types import CallToolResult, InputRequiredResult, TextContent, ToolAnnotations
from mcp_types import Tool as ListedTool
from starlette.requests import Request

from ledger.errors import Refused
from web.agents.asking import CALLER, Pages
from web.agents.tools import Tool, tools_on
from web.errors import problem_of

NAME = "corrigenda"
MOST_CALLS = 8
"""Calls that are answered at once, as many as the pages answer; others wait for their turn."""
INSTRUCTIONS = (
    "Boards of benchmarks as read on any day, where each number comes from, and what was corrected."
    " Scores are text, with the digits as their sources write them. Pass an answer's caveats on"
    " with it, and its permalink as the source. Nothing changes by any tool: file_report asks a"
    " person to look."
)


class Server(MCPServer[Any]):
    """The SDK's server, which ignores parameters that it does not know; ours refuses them."""

    async def list_tools(self) -> list[ListedTool]:
        """The tools, which say as well that they take no other parameters."""
        listed = await super().list_tools()
        for tool in listed:
            tool.input_schema = {**tool.input_schema, "additionalProperties": False}
        return listed

    async def call_tool(
        self, name: str, arguments: dict[str, Any], context: Context[Any, Any] | None = None
    ) -> CallToolResult | InputRequiredResult:
        """Call a tool; what a refusal says is passed on as it is."""
        await self._refuse_unknown(name, arguments)
        try:
            result = await super().call_tool(name, arguments, context)
        except UnexpectedToolError:
            raise
        except ToolError as why:
            if isinstance(why.__cause__, ToolError):
                raise why.__cause__ from why
            raise
        if isinstance(result, CallToolResult) and result.structured_content is not None:
            # The same as text for clients that know no other, without the SDK's spaces in it.
            told = orjson.dumps(result.structured_content).decode()
            result.content = [TextContent(type="text", text=told)]
        return result

    async def _refuse_unknown(self, name: str, arguments: dict[str, Any]) -> None:
        for tool in await self.list_tools():
            known = tool.input_schema["properties"]
            unknown = [one for one in arguments if tool.name == name and one not in known]
            if unknown:
                listed = ", ".join(known)
                raise ToolError(f"{name} has no parameter {unknown[0][:40]!r}; it knows {listed}.")


def server_on(pages: Pages, proxies: int = 0) -> Server:
    """A server with all tools on these pages, behind so many proxies of our own."""
    turns = anyio.CapacityLimiter(MOST_CALLS)
    server = Server(
        NAME,
        title="Corrigenda",
        instructions=INSTRUCTIONS,
        website_url=pages.link("agents.connecting", {}, {}) if pages.origin else None,
        version=version("corrigenda"),
        log_level="WARNING",
        subscriptions=False,
        middleware=[functools.partial(_in_turn, turns, proxies)],
    )
    for tool in tools_on(pages):
        server.add_tool(
            _refusing(tool.run),
            name=tool.name,
            title=tool.title,
            description=tool.does,
            annotations=_annotations(tool),
            structured_output=True,
        )
    return server


def _refusing(run: Callable[..., Any]) -> Callable[..., Any]:
    """A tool whose refusals the SDK knows as such; what is our own fault tells no details."""

    @functools.wraps(run)
    def answer(**given: Any) -> Any:
        try:
            return run(**given)
        except Refused as no:
            raise ToolError(problem_of(no).detail) from no

    return answer


def _annotations(tool: Tool) -> ToolAnnotations:
    return ToolAnnotations(
        title=tool.title,
        read_only_hint=tool.reads,
        destructive_hint=False,
        idempotent_hint=tool.reads,
        open_world_hint=False,
    )


async def _in_turn(
    turns: anyio.CapacityLimiter,
    proxies: int,
    context: ServerRequestContext[Any, Any],
    call_next: CallNext,
) -> HandlerResult:
    """Answer so many at once, and let tools know who calls, as far as the network says so."""
    async with turns:
        held = CALLER.set(address_of_caller(context.request, proxies))
        try:
            return await call_next(context)
        finally:
            CALLER.reset(held)


def address_of_caller(asking: Request | None, proxies: int) -> str:
    """The network address of a request, as far as so many proxies of our own pass it on."""
    if asking is None:
        return ""
    told = asking.headers.get("x-forwarded-for", "").split(",")
    if proxies and len(told) >= proxies:
        return told[-proxies].strip()
    return asking.client.host if asking.client else ""
