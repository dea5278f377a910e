"""Frozen bytes as a download, also when there are too many to hold."""

from pathlib import Path

import pytest

from ledger.archive import Archive, Damaged
from ledger.values import Digest
from web.frozen import downloads
from web.frozen.downloads import frozen_bytes

DATA = b"model,score\nHeron-7B,72.50\n" * 100


@pytest.mark.parametrize("held", [len(DATA), 10])
def test_a_download_holds_the_frozen_bytes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, held: int
) -> None:
    """Whether they are held or go out piece by piece: the same bytes, and how many there are."""
    monkeypatch.setattr(downloads, "TOO_LARGE_TO_HOLD", held)
    archive = Archive(tmp_path)
    digest = archive.put(DATA)
    response = frozen_bytes(archive, digest)
    assert response.is_streamed is (held == 10)
    assert b"".join(response.iter_encoded()) == DATA
    assert response.content_length == len(DATA)
    assert digest in response.headers["Content-Disposition"]
    response.close()


def test_no_byte_of_a_damaged_file_goes_out(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is looked through before the first piece."""
    monkeypatch.setattr(downloads, "TOO_LARGE_TO_HOLD", 10)
    archive = Archive(tmp_path)
    digest: Digest = archive.put(DATA)
    path = tmp_path / digest[:2] / digest[2:4] / digest
    path.chmod(0o644)
    path.write_bytes(DATA + b"more")
    with pytest.raises(Damaged):
        frozen_bytes(archive, digest)
