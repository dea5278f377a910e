"""Freezing what a source says: addresses, files and WARC files into the archive."""

import mimetypes
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import attrs
import click

from ledger.errors import FileRefused, Refused
from ledger.importing.limits import check_size
from ledger.values import parse_instant, parse_slug, short_instant
from web.cli.exporting import CannotWrite
from web.cli.options import json_option
from web.cli.output import print_json, progress_bar, say, visible
from web.cli.session import Session, pass_session
from web.fetching.addresses import place_of
from web.fetching.agent import agent_of
from web.fetching.failure import NotFetched
from web.fetching.get import fetcher
from web.fetching.manners import Manners
from web.fetching.warc import LeftOut, Response, is_warc, response_record, responses_in
from web.freezing import Capture, Freezer, Frozen, capture_of, media_type_of, parse_media_type
from web.wiring import Workspace

SCHEMES = ("http://", "https://")
MOST_TARGETS = 1_000
PAUSE = 1.0
"""Seconds between two addresses of one host."""


@attrs.define
class Outcomes:
    """What became of each address, file and record of one call."""

    frozen: list[Frozen] = attrs.field(factory=list)
    refused: list[tuple[str, str]] = attrs.field(factory=list)
    left_out: list[tuple[str, LeftOut]] = attrs.field(factory=list)
    responses: list[Response] = attrs.field(factory=list)

    def as_json(self) -> dict[str, Any]:
        """The receipt."""
        refused = [{"target": target, "why": why} for target, why in self.refused]
        left_out = [
            {"file": file, "record": one.number, "address": one.address, "why": one.why}
            for file, one in self.left_out
        ]
        frozen = [_frozen_json(one) for one in self.frozen]
        return {"frozen": frozen, "left_out": left_out, "refused": refused}


@click.command()
@click.argument("targets", metavar="URL|FILE...", nargs=-1, required=True)
@click.option("--source", metavar="SLUG", required=True, help="Which source is read.")
@click.option("--benchmark", metavar="SLUG", help="What it is about; no board changes by it.")
@click.option("--media-type", metavar="T", help="What the bytes are, such as text/csv.")
@click.option("--read-at", metavar="INSTANT", help="When a file was read; else now.")
@click.option("--allow-private", is_flag=True, help="Also ask addresses that are not public.")
@click.option(
    "--warc",
    "to_warc",
    metavar="OUT",
    type=click.Path(dir_okay=False),
    help="Write the answers as WARC; packed where OUT ends in .gz.",
)
@click.option("--dry-run", is_flag=True, help="Fetch and check, but keep and record nothing.")
@json_option
@pass_session
def freeze(
    session: Session,
    /,
    targets: tuple[str, ...],
    source: str,
    benchmark: str | None,
    media_type: str | None,
    read_at: str | None,
    allow_private: bool,
    to_warc: str | None,
    dry_run: bool,
    as_json: bool,
) -> None:
    """Freeze what a source says now: its bytes, headers and SHA-256."""
    _check_usage(targets, read_at, to_warc)
    workspace = session.workspace
    freezer = Freezer(
        ledger=workspace.ledger,
        by=session.by,
        source=parse_slug(source, "source"),
        benchmark=None if benchmark is None else parse_slug(benchmark, "benchmark"),
        dry_run=dry_run,
    )
    freezer.must_be_known()
    asking = fetcher(agent_of(workspace.settings), allow_private=allow_private)
    incoming = Incoming(
        workspace=workspace,
        manners=Manners(fetcher=asking, pause=PAUSE),
        media_type=None if media_type is None else parse_media_type(media_type),
        read_at=read_at,
    )
    outcomes = incoming.take(targets, freezer)
    workspace.catch_up()
    if to_warc is not None:
        _write_warc(to_warc, outcomes.responses)
    _print(outcomes, dry_run=dry_run, as_json=as_json)


def _check_usage(targets: Sequence[str], read_at: str | None, to_warc: str | None) -> None:
    plain = [one for one in targets if not one.startswith(SCHEMES) and not is_warc(one)]
    if len(targets) > MOST_TARGETS:
        raise click.UsageError(f"At most {MOST_TARGETS} at once.")
    if read_at is not None and len(plain) < len(targets):
        raise click.UsageError("--read-at is of files: an answer was read when it was given.")
    if to_warc is not None and plain:
        raise click.UsageError(f"--warc is of answers, and {visible(plain[0])} is a plain file.")


@attrs.frozen(kw_only=True)
class Incoming:
    """Where captures come from: the web, WARC files, plain files."""

    workspace: Workspace
    manners: Manners
    media_type: str | None
    read_at: str | None

    def take(self, targets: Sequence[str], freezer: Freezer) -> Outcomes:
        """Freeze each in turn; what is refused is noted, and the others go on."""
        outcomes = Outcomes()
        with progress_bar(show=len(targets) > 1) as bar:
            task = bar.add_task("Freezing", total=len(targets))
            for target in targets:
                try:
                    for capture in self._captures(target, outcomes):
                        outcomes.frozen.append(freezer.freeze(capture))
                except Refused as why:
                    outcomes.refused.append((_shown(target), str(why)))
                bar.advance(task)
        return outcomes

    def _captures(self, target: str, outcomes: Outcomes) -> Iterator[Capture]:
        if target.startswith(SCHEMES):
            place = place_of(target)
            self.manners.pause_before(place)
            fetched = self.manners.fetcher.get(target)
            self.manners.answered(place)
            yield self._answered(Response(fetched, self.workspace.ledger.clock()), outcomes)
        elif is_warc(target):
            yield from self._recorded(target, outcomes)
        else:
            yield self._file(target)

    def _answered(self, one: Response, outcomes: Outcomes) -> Capture:
        capture = capture_of(one, self.media_type)
        outcomes.responses.append(one)
        return capture

    def _recorded(self, target: str, outcomes: Outcomes) -> Iterator[Capture]:
        """The answers in a WARC; it is read to its end before any of them is frozen."""
        captures: list[Capture] = []
        for one in responses_in(target, _bytes_of(target)):
            if isinstance(one, LeftOut):
                outcomes.left_out.append((target, one))
                continue
            try:
                captures.append(self._answered(one, outcomes))
            except NotFetched as no:
                why = str(no.fields["why"])
                outcomes.left_out.append((target, LeftOut(one.number, one.fetched.asked, why)))
        if not captures:
            raise FileRefused(file=target, why="it holds no answer that can be frozen")
        yield from captures

    def _file(self, target: str) -> Capture:
        now = self.workspace.ledger.clock()
        guessed = mimetypes.guess_type(target)[0]
        return Capture(
            data=_bytes_of(target),
            media_type=self.media_type or media_type_of(guessed),
            read_at=now if self.read_at is None else parse_instant(self.read_at, "--read-at"),
            name=Path(target).name,
        )


def _shown(target: str) -> str:
    """A target without what may be a password."""
    return f"{target[:8]}…{target.rpartition('@')[2]}" if "@" in target else target


def _bytes_of(target: str) -> bytes:
    file = Path(target)
    try:
        check_size(target, file.stat().st_size)
        return file.read_bytes()
    except (OSError, ValueError) as why:
        said = getattr(why, "strerror", None) or "it cannot be read"
        raise FileRefused(file=target, why=said) from None


# --- what is said of it -----------------------------------------------------------------------


def _write_warc(out: str, responses: Sequence[Response]) -> None:
    """Write a WARC that is complete from the moment it has its name; what is frozen is frozen."""
    path = Path(out)
    partial = path.with_name(f".{path.name}.partial")
    try:
        with partial.open("wb") as file:
            for one in responses:
                file.write(response_record(one, packed=path.suffix == ".gz"))
        partial.replace(path)
    except OSError as why:
        partial.unlink(missing_ok=True)
        raise CannotWrite(file=out, why=why.strerror) from None


def _frozen_json(one: Frozen) -> dict[str, Any]:
    capture = one.capture
    return {
        "from": capture.name,
        "sha256": capture.digest,
        "size": len(capture.data),
        "media_type": capture.media_type,
        "read_at": short_instant(capture.read_at),
        "order": one.order,
        "headers": dict(capture.headers),
        "warc_sha256": capture.warc_digest,
        "known_already": one.known_already,
    }


def _print(outcomes: Outcomes, *, dry_run: bool, as_json: bool) -> None:
    """The receipt; status 1 when anything was refused."""
    if as_json:
        print_json(outcomes.as_json())
    elif dry_run:
        say("Nothing was recorded; this is what would be.")
    for one in () if as_json else outcomes.frozen:
        capture, known = one.capture, "; known already" if one.known_already else ""
        about = f"{len(capture.data):,} bytes of {capture.media_type}"
        read = f"read at {short_instant(capture.read_at)}"
        click.echo(visible(f"{capture.digest}  {capture.name} ({about}, {read}{known})"))
    for file, left in () if as_json else outcomes.left_out:
        say(f"{file}, record {left.number} ({left.address}) was left out: {left.why}.")
    for target, why in outcomes.refused:
        say(why if target in why else f"{target}: {why}")
    if outcomes.refused:
        click.get_current_context().exit(1)
