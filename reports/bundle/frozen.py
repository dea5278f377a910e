"""The snapshots that a bundle rests on: what its claims and facts were read from, and what was
checked."""

from collections.abc import Iterable, Mapping, Sequence

from ledger.archive import Archive
from ledger.values import Digest, from_micros, instant_text, short_instant
from projections.decisions.corrections import Correction
from projections.keeping.views import Reader
from projections.moment import Moment
from projections.standing import readings_with
from reports.bundle.chains import Chain
from reports.bundle.records import Json

Cited = frozenset[tuple[str, str]]
"""Readings that facts were read from: the source, and the digest of what was frozen."""


def snapshots_of(
    reader: Reader,
    chains: Sequence[Chain],
    decided: Iterable[Correction],
    moment: Moment,
    cited: Cited = frozenset(),
) -> list[Json]:
    """Every reading that a shown claim was read from by the moment, every other one that is
    ``cited``, and every one of the bytes that a decision checked; oldest first."""
    read = {
        (chain.history.source, reading.digest)
        for chain in chains
        for reading in chain.history.readings_by(moment.instant)
    } | cited
    checked = {entry.snapshot for entry in decided if entry.snapshot is not None}
    digests = {digest for _, digest in read} | checked
    return [
        _snapshot_json(row, moment)
        for row in readings_with(reader, digests, moment.position)
        if row["digest"] in checked or (row["source"], row["digest"]) in read
    ]


def _snapshot_json(row: Mapping[str, object], moment: Moment) -> Json:
    return {
        "sha256": row["digest"],
        "media_type": row["media_type"],
        "size": row["size"],
        "source": row["source"],
        "read_at": short_instant(from_micros(int(str(row["read_at"])))),
        "recorded_at": instant_text(from_micros(int(str(row["recorded_at"])))),
        "recorded_by": row["recorded_by"],
        "position": row["position"],
        "transcribed": row["transcribed"],
        "taken_back": int(str(row["withdrawn"])) <= moment.position,
    }


def with_names(snapshots: Iterable[Json], names: Mapping[str, str], archive: Archive) -> list[Json]:
    """The same, with the names of the sources and whether the bytes are kept here."""
    return [
        {
            **one,
            "source_name": names.get(f"source:{one['source']}", one["source"]),
            "kept": archive.has(Digest(one["sha256"])),
        }
        for one in snapshots
    ]
