"""The sealed log on the command line: its newest checkpoint, proofs, and its keys."""

import click

from ledger.errors import BadValue, Refused
from ledger.seal import NoCheckpoint, NoKey, NotSealed, Sealed, Seals
from reports.sealed import (
    checkpoint_json,
    consistency_json,
    consistency_text,
    inclusion_json,
    keys_json,
)
from web.cli.options import json_option
from web.cli.output import print_json, say
from web.cli.session import Session, pass_session
from web.wiring import random_secret

size_option = click.option(
    "--size",
    metavar="N",
    type=click.IntRange(min=0),
    help="Under the checkpoint of so many leaves, not the newest.",
)


@click.command()
@json_option
@pass_session
def checkpoint(session: Session, as_json: bool) -> None:
    """Seal all that is recorded, and print the newest checkpoint."""
    sealed = sealed_now(session.workspace.seals)
    if as_json:
        print_json(checkpoint_json(sealed))
    else:
        click.echo(sealed.note, nl=False)


@click.command()
@click.argument("position", required=False, type=click.IntRange(min=1))
@size_option
@click.option(
    "--since",
    metavar="N",
    type=click.IntRange(min=0),
    help="Prove that the checkpoint goes on from the one of so many leaves.",
)
@json_option
@pass_session
def prove(
    session: Session, position: int | None, size: int | None, since: int | None, as_json: bool
) -> None:
    """Prove that the event at POSITION is in the log, or that the log only grew: print the receipt
    that verifies it, or the proof with its checkpoint."""
    if (position is None) == (since is None):
        raise BadValue(what="proof", shown="of what", why="give a POSITION or --since N")
    seals = session.workspace.seals
    sealed = sealed_now(seals) if size is None else seals.at(size)
    if position is not None:
        _prove_event(seals, position, sealed, as_json=as_json)
    elif since is not None:
        _prove_growth(seals, seals.at(since), sealed, as_json=as_json)


def sealed_now(seals: Seals) -> Sealed:
    """The newest checkpoint, of all that is recorded where there is a key to sign with."""
    try:
        return seals.seal()
    except NoKey:
        found = seals.latest()
        if found is None:
            raise
        say("There is no key here to sign with; this is the newest checkpoint that is stored.")
        return found


def _prove_event(seals: Seals, position: int, sealed: Sealed, *, as_json: bool) -> None:
    index = seals.index_of(position)
    if index is None or index >= sealed.size:
        raise NotSealed(name=position)
    if as_json:
        print_json(inclusion_json(seals, index, sealed))
    else:
        click.echo(str(seals.receipt(position, sealed.size)), nl=False)


def _prove_growth(seals: Seals, old: Sealed, new: Sealed, *, as_json: bool) -> None:
    if as_json:
        print_json(consistency_json(seals, old, new))
    else:
        click.echo(consistency_text(seals, old, new), nl=False)


# --- keys -------------------------------------------------------------------------------------


@click.group()
def key() -> None:
    """The key that signs checkpoints, and those before it."""


@key.command()
@json_option
@pass_session
def show(session: Session, as_json: bool) -> None:
    """Print the keys that checkpoints are verified with, the newest first; none of it is secret."""
    seals = session.workspace.seals
    try:
        shown = keys_json(seals)
    except NoKey:
        # Nothing was sealed yet: the key that will sign the first checkpoint.
        coming = seals.signer()
        shown = {"origin": coming.name, "keys": [str(coming)], "ties": []}
    if as_json:
        print_json(shown)
        return
    for verifier in shown["keys"]:
        click.echo(verifier)


@key.command()
@pass_session
def rotate(session: Session) -> None:
    """Go on with a new key: the old one signs that it takes over, and is removed from the home."""
    seals = session.workspace.seals
    new = seals.rotate(random_secret())
    at = seals.latest()
    if at is None:
        raise NoCheckpoint(name="any number")
    click.echo(str(new))
    say(
        f"From {at.size} leaves on the log {new.name} is signed by this key. The old key signed"
        f" that, and its secret half is gone from {session.settings.key_file}; who trusts the old"
        " key reaches the new one by that tie."
    )


class NotSealedYet(Refused):
    """The log is sealed through position {reached} of {head}; corrigenda checkpoint seals the
    rest."""


def log_of(session: Session) -> str:
    """What the doctor says of the log. Raises a refusal when it is not well."""
    workspace = session.workspace
    signer = workspace.seals.signer()
    head, latest = workspace.ledger.store.head(), workspace.seals.latest()
    reached = latest.position if latest else 0
    if reached < head:
        raise NotSealedYet(reached=reached, head=head)
    wanted = session.settings.log_name
    other = ""
    if wanted is not None and wanted != signer.name:
        other = f" (its first key named it; CORRIGENDA_LOG_NAME, {wanted}, is for a new log)"
    return f"{signer.name} is sealed through position {reached}{other}"
