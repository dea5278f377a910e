"""The frozen bytes: what events name has to be there, and every file has to be what its name says.

Who calls this reads the files; here are only names and digests.
"""

from collections.abc import Collection, Iterator, Mapping

import attrs

from ledger.values import Digest
from ledger.verifying.finding import Finding, finding


@attrs.frozen
class ArchivedFile:
    """A file of the archive: where it is, the digest it is named by, and the one its bytes give."""

    path: str
    named: str
    found: str


@attrs.define
class ArchiveCheck:
    """``add`` each file, then ``end``; both yield what is wrong.

    ``kept`` are the digests that have to be there, each with the first position that names it;
    ``named`` are others that may be.
    """

    kept: Mapping[Digest, int]
    named: Collection[str] = ()
    files: int = 0
    strangers: list[str] = attrs.field(factory=list)
    """Whole files that no event names: an import that died leaves one, and it does no harm."""
    _seen: set[str] = attrs.field(factory=set, init=False)

    def add(self, file: ArchivedFile) -> Iterator[Finding]:
        """Check one file."""
        self.files += 1
        self._seen.add(file.named)
        if file.named != file.found:
            yield finding(
                "file-changed", {"file": file.path}, expected=file.named, found=file.found
            )
        elif file.named not in self.kept and file.named not in self.named:
            self.strangers.append(file.path)

    def unreadable(self, path: str, named: str, why: str) -> Finding:
        """A file that is there and cannot be read."""
        self.files += 1
        self._seen.add(named)
        return finding("file-unreadable", {"file": path, "why": why})

    def end(self) -> Iterator[Finding]:
        """After the last file: what is missing."""
        for digest, position in self.kept.items():
            if digest not in self._seen:
                yield finding("file-missing", {"digest": digest, "position": position})
