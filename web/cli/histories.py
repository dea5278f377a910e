"""Every version of one file in a git repository, brought in as readings of one source."""

from collections.abc import Iterator, Sequence
from pathlib import Path

import attrs

from ledger.errors import FileRefused, Refused
from ledger.importing.formats.every import Choice, chosen
from ledger.importing.formats.format import LOOKED_AT, Candidate
from ledger.importing.formats.snapshot import SNAPSHOT
from ledger.importing.git_history import Repository, Version
from web.cli.incoming import Incoming, Outcome, RefusedFile
from web.cli.output import progress_bar

GIT_HISTORY = "git-history"


def every_version(
    incoming: Incoming, folders: Sequence[Path], path: str, instead: Choice | None
) -> Iterator[Outcome]:
    """What becomes of each version, oldest first, with a progress bar on a terminal.

    A version that cannot be read is listed and skipped, and the next one goes on from what was read
    before it; only where no version can be read the import is refused.
    """
    for folder in folders:
        repository = Repository(folder)
        versions = repository.versions(path)
        with progress_bar() as bar:
            task = bar.add_task("Importing", total=len(versions))
            outcomes = []
            for version in versions:
                if incoming.stopping.asked:
                    break
                outcomes += _one_version(incoming, repository, version, instead)
                bar.advance(task)
        read = any(not isinstance(one, RefusedFile) for one in outcomes)
        yield from (_skipped(one) if read else one for one in outcomes)


def _one_version(
    incoming: Incoming, repository: Repository, version: Version, instead: Choice | None
) -> list[Outcome]:
    try:
        data = repository.data(version)
        file = Candidate(
            name=version.name, folders=version.folders, held=data, start=data[:LOOKED_AT]
        )
        choice = instead or chosen(file)
        asked = incoming.asked
        if choice.format is SNAPSHOT and (asked.source is None or asked.benchmark is None):
            why = "a snapshot needs --source SLUG and --benchmark SLUG"
            raise FileRefused(file=version.file, why=why)
    except Refused as why:
        return [RefusedFile(version.file, why)]
    late = "its commit's clock had gone back: it counts from the version before it"
    return [
        attrs.evolve(one, notes=(*one.notes, late))
        if version.is_late and not isinstance(one, RefusedFile)
        else one
        for one in incoming.boards(file, choice, version)
    ]


def _skipped(one: Outcome) -> Outcome:
    return attrs.evolve(one, is_skipped=True) if isinstance(one, RefusedFile) else one
