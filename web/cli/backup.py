"""A copy of a home, while it is in use."""

from pathlib import Path

import click

from web.cli.output import say
from web.cli.session import Session, pass_session
from web.moving.backing_up import back_up


@click.command()
@click.argument("out", type=click.Path(path_type=Path))
@pass_session
def backup(session: Session, out: Path) -> None:
    """Copy the home, stores and archive, to a new folder OUT, while others use it.

    OUT is a home itself, and private: whoever has it can read what people told us. The key that
    signs is not in it.
    """
    settings = session.settings
    if settings.database_url is None:
        session.caught_up()
    made = back_up(settings, out)
    files = f"{made.files:,} archived files"
    say(f"Copied {settings.home} to {out}, through position {made.position}, with {files}.")
    say(f"Check it with corrigenda --home {out} verify; keep {settings.key_file} apart from it.")
