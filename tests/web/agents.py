"""Agents at the tools: real clients of the SDK, over standard input and output and over HTTP."""

import os
import signal
import subprocess
import sys
from collections.abc import Awaitable, Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from typing import Any, TypeVar

import anyio
import attrs
from flask import Flask
from mcp import Client
from mcp.client.stdio import StdioServerParameters, stdio_client
from mcp_types import CallToolResult, TextContent, Tool

from tests.web.receivers import free_port
from web.agents.asking import Pages
from web.agents.server import server_on

T = TypeVar("T")

COMMAND = str(Path(sys.executable).parent / "corrigenda")


@attrs.frozen
class Answered:
    """What a call came to: what is in it, and whether it is an error."""

    told: Any
    text: str
    refused: bool


@attrs.frozen
class Agent:
    """Somebody's program; each call is a connection of its own."""

    connect: Callable[[], Client]

    def call(self, *calls: tuple[str, dict[str, Any]]) -> list[Answered]:
        """Call tools, one after the other, over one connection."""

        async def all_of_them() -> list[Answered]:
            async with self.connect() as client:
                return [_answered(await client.call_tool(name, given)) for name, given in calls]

        return _run(all_of_them)

    def told(self, name: str, **given: Any) -> Any:
        """What one call answers, which has to be an answer."""
        answered = self.call((name, given))[0]
        assert not answered.refused, answered.text
        return answered.told

    def refused(self, name: str, **given: Any) -> str:
        """What one call is refused with."""
        answered = self.call((name, given))[0]
        assert answered.refused, answered.text
        assert answered.told is None
        return answered.text

    def tools(self) -> list[Tool]:
        """All tools that there are."""

        async def ask() -> list[Tool]:
            async with self.connect() as client:
                return (await client.list_tools()).tools

        return _run(ask)


def _run(work: Callable[[], Awaitable[T]]) -> T:
    """What the work comes to, in a thread that has no loop of events yet: while a browser is open,
    this one has."""
    with ThreadPoolExecutor(1) as thread:
        return thread.submit(anyio.run, work).result()


def agent_of(app: Flask) -> Agent:
    """An agent at the tools on an app, in this process."""
    return Agent(lambda: Client(server_on(Pages(app))))


def agent_over_stdio(home: Path) -> Agent:
    """An agent that starts the tools of a home itself."""
    started = StdioServerParameters(command=COMMAND, args=["--home", str(home), "mcp"])
    return Agent(lambda: Client(stdio_client(started)))


def agent_over_http(address: str) -> Agent:
    """An agent that connects to an address."""
    return Agent(lambda: Client(address))


def _answered(result: CallToolResult) -> Answered:
    text = "".join(one.text for one in result.content if isinstance(one, TextContent))
    return Answered(result.structured_content, text, bool(result.is_error))


@contextmanager
def served_agents(home: Path, **environment: str) -> Iterator[str]:
    """The tools over HTTP, in a process of their own; the address to connect to."""
    port = free_port()
    process = subprocess.Popen(
        [COMMAND, "--home", str(home), "mcp", "--http", "--port", str(port)],
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, **environment},
        start_new_session=True,
    )
    try:
        assert process.stderr is not None
        said = process.stderr.readline()
        assert said == f"Serving agents at http://127.0.0.1:{port}/mcp (Ctrl-C stops).\n"
        yield f"http://127.0.0.1:{port}/mcp"
    finally:
        os.killpg(process.pid, signal.SIGTERM)
        _, rest = process.communicate(timeout=60)
    assert (process.returncode, "Traceback" in rest) == (0, False), rest
