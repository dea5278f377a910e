"""One size on one engine, measured in this process: every figure beside its floor in one run."""

import resource
import tempfile
from pathlib import Path

import attrs

from benchmarks import deciding, reading, serving, verifying, writing
from benchmarks.boards import MODELS, VERSIONS, long_history
from benchmarks.home import fresh, import_boards
from benchmarks.peers import git_files, periods, replay
from benchmarks.writing import Rate
from web.wiring import Workspace, make_key

A_BOARD = MODELS * VERSIONS
REPLAYED = 20
"""So many boards are enough for a peer whose answers do not depend on how many there are."""

CORRECTED = 20
"""One claim in so many is corrected before the boards are read."""

Figures = dict[str, float]


@attrs.frozen
class Bench:
    """What is measured: a size, in a folder of its own, on SQLite or at the addresses of three
    empty databases (ours, another ledger's, a peer's)."""

    facts: int
    folder: Path
    addresses: tuple[str, str, str] | None = None

    @property
    def benchmarks(self) -> int:
        """How many boards make so many facts."""
        return max(1, self.facts // A_BOARD)

    def measure(self) -> Figures:
        """All figures, those of the peers too."""
        ours, others, _ = self.addresses or (None, None, None)
        workspace = fresh(self.folder / "home", ours)
        try:
            figures = self._written(workspace, others)
            figures |= self._decided(workspace)
            figures |= self._read(workspace)
        finally:
            workspace.close()
        return figures | self._peers() | ({} if ours else serving.served())

    def _written(self, workspace: Workspace, others: str | None) -> Figures:
        recorded = writing.recording(workspace, self.benchmarks)
        memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
        followed = writing.following(workspace)
        make_key(workspace)
        sealed = writing.sealing(workspace)
        seconds = recorded.seconds + followed.seconds + sealed.seconds
        whole = Rate(recorded.facts, seconds)
        raw = writing.raw_insert(workspace, self.folder)
        other = fresh(self.folder / "other", others)
        appended = writing.appending(workspace, other)
        other.close()
        decoded = writing.decoding(workspace)
        rebuilt = writing.rebuilding(workspace)
        figures: Figures = {
            "facts": recorded.facts,
            "raw insert, facts/s": raw.per_second,
            "append, facts/s": appended.per_second,
            "import to durable events, facts/s": recorded.per_second,
            "follow, events/s": followed.per_second,
            "seal, events/s": sealed.per_second,
            "import, show and seal, facts/s": whole.per_second,
            "read and decode, events/s": decoded.per_second,
            "rebuild, events/s": rebuilt.per_second,
            "peak memory of the import, MB": memory,
            "append / raw insert": appended.per_second / raw.per_second,
            "import to durable events / raw insert": recorded.per_second / raw.per_second,
            "import, show and seal / raw insert": whole.per_second / raw.per_second,
            "rebuild / read and decode": rebuilt.per_second / decoded.per_second,
        }
        return figures | (self._verified(workspace) if others is None else {})

    def _verified(self, workspace: Workspace) -> Figures:
        verified = verifying.verifying(workspace)
        return {
            "read and hash, events/s": verified.hashing,
            "verify the log, events/s": verified.log,
            "verify the read model, events/s": verified.read_model,
            "memory that verifying the log took, MB": verified.memory,
            "verify the log / read and hash": verified.ratio,
            "verify the log / hash bare bytes": verified.bare_ratio,
        }

    def _decided(self, workspace: Workspace) -> Figures:
        inserted = deciding.inserted(workspace)
        claims = self.benchmarks * MODELS
        decided = deciding.decided(workspace, self.benchmarks, max(50, claims // CORRECTED))
        workspace.follower.catch_up()
        return {
            "single inserts, events/s": inserted.per_second,
            "decisions, decisions/s": decided.per_second,
            "decision / single insert": decided.per_second / inserted.per_second,
        }

    def _read(self, workspace: Workspace) -> Figures:
        import_boards(workspace, long_history())
        workspace.follower.catch_up()
        read = reading.apart(workspace, self.benchmarks, self.folder)
        ours, deep, plain = read.ours, read.deep, read.plain
        return {
            "board p50, ms": ours.p50,
            "board p99, ms": ours.p99,
            "board with ten times the history p50, ms": deep.p50,
            "plain table p50, ms": plain.p50,
            "plain table p99, ms": plain.p99,
            "board p50 / plain p50": ours.p50 / plain.p50,
            "board p99 / board p50": ours.p99 / ours.p50,
            "ten times the history / usual history": deep.p50 / ours.p50,
        }

    def _peers(self) -> Figures:
        if self.addresses is not None:
            rows = periods.on_postgres(self.addresses[2], self.benchmarks)
            return {"period table, facts/s": rows.facts / rows.seconds} | _peer(
                "period table", rows.board.p50
            )
        some = min(self.benchmarks, REPLAYED)
        rows = periods.on_sqlite(self.folder, self.benchmarks)
        return (
            {"period table, facts/s": rows.facts / rows.seconds}
            | _peer("period table", rows.board.p50)
            | _peer("JSON in git", git_files.in_git(self.folder, self.benchmarks).p50)
            | _peer("naive replay", replay.replayed(self.folder, some).p50)
        )


def _peer(name: str, p50: float) -> Figures:
    return {f"{name} p50, ms": p50}


def measure(facts: int, addresses: tuple[str, str, str] | None) -> Figures:
    """All figures of one size on one engine."""
    with tempfile.TemporaryDirectory() as name:
        figures = Bench(facts, Path(name), addresses).measure()
    ours = figures["board p50, ms"]
    slowest = {
        f"board p50 / {peer.removesuffix(' p50, ms')} p50": ours / figures[peer]
        for peer in ("period table p50, ms", "JSON in git p50, ms", "naive replay p50, ms")
        if peer in figures
    }
    return figures | slowest
