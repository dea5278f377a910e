"""All the tools there are, and what each does to the world."""

from collections.abc import Callable, Iterator
from typing import Any

import attrs

from web.agents.asking import Pages
from web.agents.boards import Boards
from web.agents.claims import Claims
from web.agents.code import Code
from web.agents.finding import Finding
from web.agents.reporting import Reporting


@attrs.frozen(kw_only=True)
class Tool:
    """A tool: its function (whose docstring tells what it does), a title, and whether it reads
    alone."""

    run: Callable[..., Any]
    title: str
    reads: bool = True

    @property
    def name(self) -> str:
        """What agents call it by."""
        return self.run.__name__

    @property
    def does(self) -> str:
        """What it does, as one line of text."""
        return " ".join((self.run.__doc__ or "").split())


def tools_on(pages: Pages) -> Iterator[Tool]:
    """The tools on these pages."""
    boards, claims, code = Boards(pages), Claims(pages), Code(pages)
    yield Tool(run=boards.get_board, title="A board as read on a day")
    yield Tool(run=boards.get_changes, title="What changed between two days")
    yield Tool(run=claims.get_claim, title="A claim with its chain")
    yield Tool(run=Finding(pages).search, title="Find by name")
    yield Tool(run=claims.get_corrections, title="The public log of decisions")
    yield Tool(run=claims.get_correction, title="One decision")
    yield Tool(run=code.get_harvested_code_for_paper, title="The harvested code of a paper")
    yield Tool(run=code.get_code, title="One piece of code")
    yield Tool(run=Reporting(pages).file_report, title="Report a problem", reads=False)
