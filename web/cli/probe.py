"""Probe windows on the command line: opening one, going through its links, closing it."""

from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import attrs
import click

from ledger import commands as orders
from ledger import events as ev
from ledger.errors import BadValue
from ledger.probe import Window, stream_of
from ledger.values import PartialDate, parse_day, parse_slug
from web.cli.options import json_option
from web.cli.output import print_json, progress_bar, say, visible
from web.cli.session import Session, pass_session
from web.fetching.agent import agent_of
from web.fetching.get import fetcher
from web.fetching.manners import Manners
from web.probe_links import links_in, links_of_benchmark, links_of_paper
from web.probing import (
    PROBE_LIMITS,
    Found,
    Prober,
    links_to_probe,
    must_be_open,
    record,
    unsure,
    window_now,
)
from web.wiring import Workspace

STOPPED = 1


@click.group()
def probe() -> None:
    """Probe links within a window of days: what can be reached, and what cannot."""


# --- open -------------------------------------------------------------------------------------


@probe.command("open")
@click.argument("slug")
@click.option("--paper", metavar="ID", help="The links of this paper and its repositories.")
@click.option("--benchmark", metavar="SLUG", help="The links of this benchmark and its sources.")
@click.option(
    "--links",
    "listed",
    metavar="FILE",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    help="The links of this file, one a line.",
)
@click.option("--subject", metavar="TEXT", help="What is probed, in a few words.")
@click.option("--first-day", metavar="D", help="The first day, in UTC; else today.")
@click.option("--last-day", metavar="D", help="The last day, included; else the first one.")
@click.option("--why", metavar="TEXT", default="links are probed", show_default=True)
@json_option
@pass_session
def open_window(
    session: Session,
    /,
    slug: str,
    subject: str | None,
    first_day: str | None,
    last_day: str | None,
    why: str,
    as_json: bool,
    **over: Any,
) -> None:
    """Open a window over the links of a paper, a benchmark or a list."""
    if sum(one is not None for one in over.values()) != 1:
        raise click.UsageError("Say whose links: one of --paper, --benchmark or --links.")
    by, workspace = session.by, session.caught_up()
    about, links = _links_of(workspace, **over)
    if not links:
        raise BadValue(what="links", shown="none of them", why="there is nothing to probe")
    now = workspace.ledger.clock()
    first = parse_day(first_day, "--first-day") if first_day else now.date()
    last = parse_day(last_day, "--last-day") if last_day else first
    fact = ev.ProbeWindowOpened(
        slug=parse_slug(slug),
        subject=subject or f"links of {about or 'a list'}",
        first_day=PartialDate(first.isoformat()),
        last_day=PartialDate(last.isoformat()),
        about=about,
        links=links,
        read_at=now,
        why=why,
    )
    workspace.ledger.do(orders.Assert(stream=stream_of(slug), fact=fact), by)
    workspace.catch_up()
    if as_json:
        print_json(_window_json(window_now(workspace.ledger, slug)))
    else:
        click.echo(f"Window {slug} is of {first} to {last} (UTC), over {len(links)} links.")


def _links_of(
    workspace: Workspace, paper: str | None, benchmark: str | None, listed: Path | None
) -> tuple[str | None, tuple[str, ...]]:
    """The page that the links belong to, and the links."""
    if listed is not None:
        return None, links_to_probe(links_in(listed))
    moment = workspace.moment()
    with workspace.views.read() as reader:
        if paper is not None:
            found = links_of_paper(reader, workspace.ledger.store, paper, moment)
            return f"papers/{paper}", links_to_probe(found)
        found = links_of_benchmark(reader, str(benchmark), moment)
        return f"benchmarks/{benchmark}", links_to_probe(found)


# --- run --------------------------------------------------------------------------------------


@attrs.define
class Run:
    """What one run did; ``rested`` are links whose host asked for a rest."""

    probed: list[tuple[str, Found]] = attrs.field(factory=list)
    rested: list[str] = attrs.field(factory=list)
    stopped: bool = False

    def add(self, link: str, found: Found | None) -> None:
        """Note one link."""
        if found is None:
            self.rested.append(link)
        else:
            self.probed.append((link, found))


@probe.command("run")
@click.argument("slug")
@click.option("--most", metavar="N", type=click.IntRange(min=1), help="At most so many links.")
@click.option("--again", is_flag=True, help="Also those of which the last probe could not tell.")
@click.option(
    "--pause",
    metavar="SECONDS",
    type=click.FloatRange(0, 3600),
    default=2.0,
    show_default=True,
    help="Between two requests to one host.",
)
@click.option("--allow-private", is_flag=True, help="Also ask addresses that are not public.")
@json_option
@pass_session
def run_window(
    session: Session,
    /,
    slug: str,
    most: int | None,
    again: bool,
    pause: float,
    allow_private: bool,
    as_json: bool,
) -> None:
    """Probe what a window did not probe yet; stop it at any time and run it again to go on."""
    workspace = session.workspace
    window = window_now(workspace.ledger, slug)
    must_be_open(window, workspace.ledger.clock())
    agent = agent_of(workspace.settings)
    asking = fetcher(agent, allow_private=allow_private, limits=PROBE_LIMITS)
    manners = Manners(fetcher=asking, pause=pause)
    prober = Prober(ledger=workspace.ledger, by=session.by, slug=slug, manners=manners)
    links = [*window.not_probed, *(unsure(window) if again else ())][:most]
    run = Run()
    try:
        _go_through(prober, links, run)
    finally:
        workspace.catch_up()
    _print_run(run, window_now(workspace.ledger, slug), as_json=as_json)


def _go_through(prober: Prober, links: list[str], run: Run) -> None:
    """Probe links until all are, or somebody stops it; each is recorded before the next."""
    with _stoppable(run), progress_bar() as bar:
        task = bar.add_task("Probing", total=len(links))
        for link, found in prober.run(links):
            run.add(link, found)
            bar.advance(task)


@contextmanager
def _stoppable(run: Run) -> Iterator[None]:
    """Ctrl-C ends a run, and nothing that was recorded goes with it."""
    try:
        yield
    except KeyboardInterrupt:
        run.stopped = True


def _print_run(run: Run, window: Window, *, as_json: bool) -> None:
    """What was found; status 1 when somebody stopped it."""
    if as_json:
        fields = attrs.filters.exclude("leave_alone")
        probed = [{"link": link, **attrs.asdict(one, filter=fields)} for link, one in run.probed]
        ran = {"probed": probed, "rested": run.rested, "stopped": run.stopped}
        print_json({"window": _window_json(window), **ran})
    else:
        for link, one in run.probed:
            said = [one.cause, None if one.status is None else str(one.status)]
            about = ", ".join(word for word in said if word)
            click.echo(visible(f"{one.result}{f' ({about})' if about else ''}  {link}"))
        for link in run.rested:
            say(f"{link} was left for another run: its host asked to be left alone.")
        click.echo(_coverage(window))
    if run.stopped:
        say("Stopped; all that was probed is recorded. Run it again to go on.")
        click.get_current_context().exit(STOPPED)


# --- close ------------------------------------------------------------------------------------


@probe.command("close")
@click.argument("slug")
@click.option("--why", metavar="TEXT", help="Why, where there is anything to say.")
@json_option
@pass_session
def close_window(session: Session, /, slug: str, why: str | None, as_json: bool) -> None:
    """Close a window: it takes no more probes."""
    by, workspace = session.by, session.workspace
    window_now(workspace.ledger, slug)
    fact = ev.ProbeWindowClosed(read_at=workspace.ledger.clock(), why=why)
    record(workspace.ledger, by, slug, fact)
    workspace.catch_up()
    window = window_now(workspace.ledger, slug)
    if as_json:
        print_json(_window_json(window))
    else:
        click.echo(f"Window {slug} is closed. {_coverage(window)}")


# --- what is said of a window -----------------------------------------------------------------


def _results(window: Window) -> dict[str, int]:
    return dict(Counter(one.fact.result for one in window.found.values()))


def _coverage(window: Window) -> str:
    results = _results(window)
    said = "".join(f", {count} {result}" for result, count in sorted(results.items()))
    left = len(window.not_probed)
    return f"{len(window.found)} of {window.links} links are probed{said}; {left} are left."


def _window_json(window: Window) -> dict[str, Any]:
    opened = window.opened
    return {
        "window": opened.slug,
        "subject": opened.subject,
        "about": opened.about,
        "first_day": opened.first_day.text,
        "last_day": opened.last_day.text,
        "state": window.state,
        "links": window.links,
        "probed": len(window.found),
        "results": _results(window),
        "left": len(window.not_probed),
    }
