"""The tree is the one of RFC 6962, and its proofs show what is so and nothing else."""

import base64
import json
from collections.abc import Callable, Sequence
from hashlib import sha256
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ledger.proof.errors import Unproven
from ledger.proof.merkle import (
    EMPTY_ROOT,
    Growing,
    Subtree,
    check_consistency,
    check_inclusion,
    consistency_proof,
    inclusion_proof,
    leaf_hash,
    root_at,
    root_of,
)
from tests.ledger import rfc6962

VECTORS = Path(__file__).parents[3] / "shared" / "vectors"
MOST = 40
ENTRIES = [sha256(b"%d" % number).digest() for number in range(MOST)]
LEAVES = [leaf_hash(entry) for entry in ENTRIES]


def hash_at(subtree: Subtree) -> bytes:
    """The hash of a full subtree of the forty leaves, by the RFC's own words."""
    start, end = subtree.index << subtree.level, (subtree.index + 1) << subtree.level
    assert end <= MOST
    return rfc6962.root(ENTRIES[start:end])


def vectors(kind: str) -> list[dict[str, Any]]:
    """The published cases of a kind; none where they are not laid beside the project."""
    path = VECTORS / f"merkle-{kind}.json"
    found = json.loads(path.read_text(encoding="utf-8")) if path.exists() else []
    assert isinstance(found, list)
    return found


def named(case: dict[str, Any]) -> str:
    """The name of a case."""
    return str(case["name"])


def decoded(hashes: Sequence[str] | None) -> list[bytes]:
    """Hashes of a case."""
    return [base64.b64decode(one) for one in hashes or ()]


# --- published cases --------------------------------------------------------------------------


def test_the_published_cases_are_there() -> None:
    """98 of each kind; a project without them beside it has only the cases made up below."""
    if not VECTORS.exists():
        pytest.skip(f"the vectors are not at {VECTORS}: only our own cases are tested")
    assert (len(vectors("inclusion")), len(vectors("consistency"))) == (98, 98)


@pytest.mark.parametrize("case", vectors("inclusion"), ids=named)
def test_published_inclusion_proofs_hold_or_are_refused(case: dict[str, Any]) -> None:
    """The test data of another implementation; most of it has to be refused."""
    root, leaf = decoded([case["root"], case["leafHash"]])

    def check() -> None:
        check_inclusion(
            leaf,
            index=case["leafIdx"],
            size=case["treeSize"],
            proof=decoded(case["proof"]),
            root=root,
        )

    holds_unless(check, refused=case["wantErr"])


@pytest.mark.parametrize("case", vectors("consistency"), ids=named)
def test_published_consistency_proofs_hold_or_are_refused(case: dict[str, Any]) -> None:
    """The same for proofs that one tree begins another."""
    old, new = decoded([case["root1"], case["root2"]])

    def check() -> None:
        check_consistency(
            old_size=case["size1"],
            old_root=old,
            new_size=case["size2"],
            new_root=new,
            proof=decoded(case["proof"]),
        )

    holds_unless(check, refused=case["wantErr"])


def holds_unless(check: Callable[[], None], *, refused: bool) -> None:
    """A check passes, or says that something is not proved."""
    if refused:
        with pytest.raises(Unproven):
            check()
    else:
        check()


# --- our own, against the text of the RFC -----------------------------------------------------


@pytest.mark.parametrize("size", range(MOST + 1))
def test_every_way_to_a_root_gives_the_root_of_the_rfc(size: int) -> None:
    """In one pass, leaf by leaf, and from full subtrees."""
    expected = rfc6962.root(ENTRIES[:size])
    assert root_of(LEAVES[:size]) == expected
    assert root_at(size, hash_at) == expected
    growing = Growing()
    for leaf in LEAVES[:size]:
        growing.add(leaf)
    assert (growing.size, growing.root()) == (size, expected)


def test_the_tree_without_leaves_has_the_hash_of_nothing_for_a_root() -> None:
    """As the RFC says, and not thirty-two zeros."""
    assert sha256(b"").digest() == EMPTY_ROOT == root_of([])


@pytest.mark.parametrize("size", range(1, MOST + 1))
def test_every_leaf_of_every_tree_can_be_proved(size: int) -> None:
    """The proof is the RFC's, and it holds."""
    root = rfc6962.root(ENTRIES[:size])
    for index in range(size):
        proof = inclusion_proof(index, size, hash_at)
        assert proof == rfc6962.path(index, ENTRIES[:size])
        check_inclusion(LEAVES[index], index=index, size=size, proof=proof, root=root)


@pytest.mark.parametrize("new", range(1, MOST + 1))
def test_every_tree_is_proved_to_begin_with_every_smaller_one(new: int) -> None:
    """The proof is the RFC's, and it holds."""
    new_root = rfc6962.root(ENTRIES[:new])
    for old in range(1, new + 1):
        proof = consistency_proof(old, new, hash_at)
        assert proof == rfc6962.proof(old, ENTRIES[:new])
        check_consistency(
            old_size=old,
            old_root=rfc6962.root(ENTRIES[:old]),
            new_size=new,
            new_root=new_root,
            proof=proof,
        )


def test_what_cannot_be_proved_is_not_asked_for() -> None:
    """A leaf beyond the tree, or a tree that is to begin a smaller one."""
    for index, size in ((-1, 4), (4, 4), (0, 0)):
        with pytest.raises(ValueError, match="there is no leaf"):
            inclusion_proof(index, size, hash_at)
    for old, new in ((5, 4), (-1, 4)):
        with pytest.raises(ValueError, match="do not come before"):
            consistency_proof(old, new, hash_at)


def test_of_nothing_there_is_nothing_to_prove() -> None:
    """The empty tree begins every other, and a tree itself."""
    assert consistency_proof(0, 9, hash_at) == []
    assert consistency_proof(9, 9, hash_at) == []


sizes = st.integers(1, MOST)


@settings(max_examples=200)
@given(sizes, st.data())
def test_a_proof_of_one_leaf_proves_no_other(size: int, data: st.DataObject) -> None:
    """Another leaf, index or size, a hash altered, left out or put in: none of it is proved."""
    index = data.draw(st.integers(0, size - 1))
    root, proof = rfc6962.root(ENTRIES[:size]), inclusion_proof(index, size, hash_at)
    other = data.draw(st.integers(0, MOST - 1).filter(lambda n: n != index))
    wrong = [
        (LEAVES[other], index, size, proof),
        (LEAVES[index], index, size, altered(data, proof)),
        (LEAVES[index], other, size, proof),
    ]
    for leaf, at, of, shown in wrong:
        with pytest.raises(Unproven):
            check_inclusion(leaf, index=at, size=of, proof=shown, root=root)


@settings(max_examples=200)
@given(sizes, st.data())
def test_a_history_that_was_altered_is_not_consistent(new: int, data: st.DataObject) -> None:
    """One leaf of the old tree changed, two swapped, or the proof altered."""
    old = data.draw(st.integers(1, new))
    before = list(ENTRIES[:old])
    at = data.draw(st.integers(0, old - 1))
    before[at] = b"something else"
    proof = consistency_proof(old, new, hash_at)
    for old_root, shown in (
        (rfc6962.root(before), proof),
        (rfc6962.root(ENTRIES[:old]), altered(data, proof)),
    ):
        with pytest.raises(Unproven):
            check_consistency(
                old_size=old,
                old_root=old_root,
                new_size=new,
                new_root=rfc6962.root(ENTRIES[:new]),
                proof=shown,
            )


def altered(data: st.DataObject, proof: Sequence[bytes]) -> list[bytes]:
    """A proof with a hash changed, left out, put in or cut short, or two swapped."""
    found = list(proof)
    ways = ["added"] + (["changed", "left out", "cut"] if found else [])
    ways += ["swapped"] if any(one != two for one, two in pairwise(found)) else []
    at = data.draw(st.integers(0, max(0, len(found) - 1)))
    match data.draw(st.sampled_from(ways)):
        case "added":
            found.insert(at, sha256(b"put in").digest())
        case "changed":
            found[at] = bytes([found[at][0] ^ 1]) + found[at][1:]
        case "left out":
            del found[at]
        case "cut":
            found[at] = found[at][:-1]
        case _:
            found = found[1:2] + found[:1] + found[2:]
    return found
