"""Killed at any moment, forty times over: never two roots for one size, and nothing is lost."""

import multiprocessing
import os
import signal
import time
from multiprocessing.connection import Connection
from pathlib import Path
from random import Random

import pytest

from ledger.proof.merkle import Growing, check_consistency, leaf_hash
from ledger.proof.note import VerifierKey, opened_checkpoint
from ledger.proof.trust import trusted_by
from ledger.seal import Seals
from ledger.store import open_store
from tests.ledger.engines import Clock, Place
from tests.ledger.sealed import Log, new_log, small
from web.sealing_key import KeyFile

ROUNDS = 40
START = multiprocessing.get_context("forkserver")
START.set_forkserver_preload(["tests.ledger.sealed", "psycopg", "ledger.seal"])


def live(where: str, key: Path, seed: int, tells: Connection) -> None:
    """Record, seal and change keys for ever, as fast as it goes, and tell of each round."""
    random = Random(seed)
    store = open_store(where, clock=Clock(), salt=lambda: f"{random.getrandbits(128):032x}")
    seals = Seals(store, KeyFile(key))
    number = seed * 1_000_000
    while True:
        tells.send(number)
        count = random.choice([1, 1, 1, 3, 30, 300, 5_000])
        store.append(small(number, count), by="mira")
        number += count
        seals.seal()
        if not random.randrange(8):
            seals.rotate(random.randbytes(32))


def live_and_be_killed(log: Log, seed: int, rounds: int, after: float) -> None:
    """Let a process live for so many rounds and some seconds, and kill it."""
    hears, tells = START.Pipe(duplex=False)
    process = START.Process(target=live, args=(log.place.where, log.keys.path, seed, tells))
    process.start()
    tells.close()
    assert process.pid is not None
    try:
        for _ in range(rounds + 1):
            hears.recv()
        time.sleep(after)
    finally:
        os.kill(process.pid, signal.SIGKILL)
        process.join()
        hears.close()
    # Whoever ended by itself had something to say.
    assert process.exitcode == -signal.SIGKILL
    process.close()


@pytest.mark.timeout(600)
def test_a_process_killed_at_any_moment_leaves_one_history(place: Place, tmp_path: Path) -> None:
    """After every kill all that was signed before is there and unchanged, whoever comes next goes
    on from it, and in the end every root, signature and tie is verified anew."""
    log, random = new_log(place, tmp_path), Random(40)
    first_key = KeyFile(log.keys.path).key(None).verifier
    signed: dict[int, bytes] = {}
    for seed in range(ROUNDS):
        live_and_be_killed(log, seed, random.randrange(4), random.uniform(0, 0.05))
        found = {size: root for size, root, _ in log.checkpoints()}
        assert signed.items() <= found.items()
        signed = found
    log.seals.seal()
    verify(log, [first_key])
    assert len(signed) > ROUNDS


def verify(log: Log, trusted: list[VerifierKey]) -> None:
    """Every checkpoint, from the stored bytes up, by the first key and what it leads to."""
    keys = trusted_by(trusted, log.seals.ties())
    assert set(keys) == set(log.seals.keys())
    roots, growing = {0: Growing().root()}, Growing()
    for entry in log.entries():
        growing.add(leaf_hash(entry))
        roots[growing.size] = growing.root()
    before = None
    for size, root, note in log.checkpoints():
        checkpoint = opened_checkpoint(note, keys)
        assert (checkpoint.size, checkpoint.root, roots[size]) == (size, root, root)
        if before:
            proof = log.seals.consistency(before, size)
            check_consistency(
                old_size=before,
                old_root=roots[before],
                new_size=size,
                new_root=root,
                proof=proof,
            )
        before = size
    assert before == growing.size
