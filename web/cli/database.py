"""What an operator of PostgreSQL needs of us: the roles, as SQL to read and to run."""

import click

from web.roles import Roles


@click.group()
def database() -> None:
    """The PostgreSQL database behind a ledger."""


@database.command()
@click.option("--owner", metavar="ROLE", default="corrigenda", show_default=True)
@click.option("--web", metavar="ROLE", default="corrigenda_web", show_default=True)
@click.option("--read", metavar="ROLE", default="corrigenda_read", show_default=True)
def roles(owner: str, web: str, read: str) -> None:
    """Print the SQL that sets up three roles; nothing is run.

    The owner makes and upgrades the ledger, web serves it and cannot change what is recorded, read
    is for replicas and sees nothing private.
    """
    click.echo(Roles(owner, web, read).script(), nl=False)
