"""The tools for agents: over standard input and output, or over HTTP beside the pages."""

import click

from web.cli.output import say
from web.cli.serve import check_free
from web.cli.session import Session, pass_session


@click.command()
@click.option("--http", "over_http", is_flag=True, help="Over HTTP, at /mcp, until Ctrl-C.")
@click.option("--port", type=click.IntRange(1, 65_535), default=8001, show_default=True)
@click.option("--host", default="127.0.0.1", show_default=True, help="Which address to listen at.")
@pass_session
def mcp(session: Session, over_http: bool, port: int, host: str) -> None:
    """Give agents their tools (Model Context Protocol), for one program or, with --http, for all
    that can reach the address; only this machine can unless --host says more."""
    # Only whoever serves agents needs the SDK and Flask, which take a second to load.
    from web.agents.asking import Pages  # noqa: PLC0415
    from web.agents.serving import PATH, over_stdio  # noqa: PLC0415
    from web.agents.serving import over_http as serve_http  # noqa: PLC0415
    from web.app import create_app  # noqa: PLC0415

    pages = Pages(create_app(session.caught_up()))
    if not over_http:
        over_stdio(pages)
        return
    check_free(host, port)
    name = f"[{host}]" if ":" in host else host
    said = f"Serving agents at http://{name}:{port}{PATH} (Ctrl-C stops)."
    serve_http(pages, host, port, lambda: say(said))
