"""Checking a ledger, a bundle, a PDF or another Corrigenda, and saying what is wrong and where."""

import secrets
import sys
from pathlib import Path

import attrs
import click

from ledger.errors import BadValue, Refused
from ledger.proof.document import LARGEST
from ledger.proof.errors import Malformed
from ledger.proof.note import VerifierKey, verifier_key
from ledger.verifying.verdict import Verdict
from web.cli.bars import watched
from web.cli.options import json_option
from web.cli.output import print_json, say, visible
from web.cli.session import Session, pass_session
from web.remembering import Memory
from web.verifying.afar import verify_afar
from web.verifying.bundle import verify_bundle
from web.verifying.fetching import parse_address
from web.verifying.home import opened, verify_home
from web.verifying.means import Means
from web.verifying.paper import verify_paper
from web.verifying.watched import Watcher
from web.wiring import utc_now

PDF = b"%PDF-"
LARGEST_PAPER = 1 << 30
STOPPED = 130
"""The exit status of a program that Ctrl-C ended."""


class NothingThere(Refused):
    """{target} cannot be read ({why}); name a home, a file that was exported, or an address."""


@click.command()
@click.argument("target", required=False)
@click.option(
    "--key",
    "given",
    metavar="VKEY",
    help="The log's key as you know it: name+hash+base64 (corrigenda key show prints it).",
)
@click.option("--all", "everything", is_flag=True, help="Of an address: fetch every tile.")
@click.option(
    "--skip-read-model", is_flag=True, help="Of a home: leave out what takes the longest."
)
@json_option
@pass_session
def verify(
    session: Session,
    target: str | None,
    given: str | None,
    everything: bool,
    skip_read_model: bool,
    as_json: bool,
) -> None:
    """Check TARGET: a home (this one, if none is named), a bundle, a PDF, or the address of another
    Corrigenda. Status 1 when anything is wrong."""
    key = None if given is None else _key(given)
    means = Means(
        memory=Memory(session.settings.seen),
        clock=utc_now,
        below=secrets.randbelow,
        everything=everything,
        read_model=not skip_read_model,
    )
    try:
        with watched() as watcher:
            verdict = _verified(session, target, means, key, watcher)
    except KeyboardInterrupt:
        say("Stopped; nothing is known of what was not looked at yet.")
        sys.exit(STOPPED)
    if as_json:
        print_json(verdict.as_json())
    else:
        _print(verdict)
    if not verdict.holds:
        click.get_current_context().exit(1)


def _verified(
    session: Session, target: str | None, means: Means, key: VerifierKey | None, watcher: Watcher
) -> Verdict:
    """What kind of thing a target is, and what came of checking it."""
    if target is not None and "://" in target:
        address = parse_address(target)
        verdict = Verdict(address, "log")
        verify_afar(address, verdict, means, given=key, watcher=watcher)
        return verdict
    if target is None or Path(target).is_dir():
        settings = session.settings
        if target is not None:
            settings = attrs.evolve(settings, home=Path(target))
        with opened(settings) as home:
            verdict = Verdict(home.path, "home")
            verify_home(home, verdict, means, given=key, watcher=watcher)
        return verdict
    data = _read(Path(target))
    is_paper = data.startswith(PDF)
    check = verify_paper if is_paper else verify_bundle
    verdict = Verdict(target, "paper" if is_paper else "bundle")
    check(data, verdict, means, given=key, watcher=watcher)
    return verdict


def _key(text: str) -> VerifierKey:
    try:
        return verifier_key(text)
    except Malformed as why:
        raise BadValue(what="key", shown=repr(text[:200]), why=why) from None


def _read(path: Path) -> bytes:
    try:
        with path.open("rb") as file:
            start = file.read(len(PDF))
            most = LARGEST_PAPER if start == PDF else LARGEST
            data = start + file.read(most)
    except OSError as why:
        raise NothingThere(target=path, why=why.strerror or why) from None
    if len(data) > most:
        raise NothingThere(target=path, why=f"it has more than {most >> 20} MiB")
    return data


# --- telling ----------------------------------------------------------------------------------


def _print(verdict: Verdict) -> None:
    """Each finding on a line of its own; what is good to know goes beside."""
    for one in verdict.findings:
        click.echo(visible(f"{one.kind}: {one.says}. {one.do}"))
    for kind, count in verdict.more.items():
        click.echo(visible(f"{kind}: and {count} more of this kind."))
    for note in verdict.notes:
        say(f"Note: {note}.")
    looked_at = ", ".join(f"{count:,} {what}" for what, count in verdict.checked.items())
    looked_at = f" ({looked_at})" if looked_at else ""
    if verdict.holds:
        click.echo(visible(f"All of {verdict.target} holds{looked_at}."))
    else:
        say(f"{verdict.target} does not hold{looked_at}.")
