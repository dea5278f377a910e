"""``python -m ledger.proof``: what it needs, what it says, and how it ends."""

import shutil
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import orjson
import pytest

from ledger.proof.note import SigningKey
from tests.ledger.handed import Given, change_score

ROOT = Path(__file__).parents[2]
APART = """
import runpy, sys
sys.path.insert(0, sys.argv.pop(1))
sys.argv[0] = "ledger.proof"
runpy.run_module("ledger.proof", run_name="__main__")
"""


@pytest.fixture(scope="module")
def apart(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder in which nothing can be imported but this package and ``cryptography`` with what
    that needs."""
    folder = tmp_path_factory.mktemp("apart")
    (folder / "ledger").mkdir()
    shutil.copy(ROOT / "ledger" / "__init__.py", folder / "ledger")
    shutil.copytree(ROOT / "ledger" / "proof", folder / "ledger" / "proof")
    for name in ("cryptography", "cffi", "_cffi_backend", "pycparser"):
        spec = find_spec(name)
        if spec is None or spec.origin is None:
            continue  # not every release of cryptography needs it
        origin = Path(spec.origin)
        whole = origin.parent if origin.name == "__init__.py" else origin
        (folder / whole.name).symlink_to(whole)
    return folder


def run(apart: Path, *words: str, given: bytes = b"") -> subprocess.CompletedProcess[bytes]:
    """Check something with nothing else around: no site packages, no environment."""
    command = [sys.executable, "-I", "-S", "-c", APART, str(apart), *words]
    return subprocess.run(command, input=given, capture_output=True, check=False, env={})


@pytest.fixture(scope="module")
def file(given: Given, apart: Path) -> Path:
    """The bundle as a file."""
    path = apart / "a.bundle.json"
    path.write_bytes(given.data)
    return path


def test_the_command_needs_nothing_else(given: Given, apart: Path, file: Path) -> None:
    """With the key it proves all of it, says what it did not look at, and ends with 0."""
    found = run(apart, str(file), "--key", str(given.key))
    told = found.stdout.decode()
    assert (found.returncode, found.stderr) == (0, b"")
    assert "It says that it is the board of code-interpreter, labs" in told
    assert f"Signed by {given.key}." in told
    assert "Proved: its " in told
    assert "Not looked at here" in told
    assert "WARNING" not in told


def test_the_command_warns_of_a_key_that_nobody_vouches_for(apart: Path, given: Given) -> None:
    """The bundle's own key proves nothing about who made it."""
    found = run(apart, "-", given=given.data)
    assert found.returncode == 0
    assert b"WARNING: trusting the key in the bundle itself" in found.stdout


def test_the_command_names_what_is_wrong_and_ends_with_1(
    given: Given, apart: Path, file: Path
) -> None:
    """An altered bundle, another key, and what is no bundle at all."""
    altered = run(apart, "-", "--key", str(given.key), given=given.spoiled(change_score))
    assert altered.returncode == 1
    assert b"Proved" not in altered.stdout
    assert b"Not proved: the event at position" in altered.stderr
    other = SigningKey(given.key.name, b"o" * 32).verifier
    assert run(apart, str(file), "--key", str(other)).returncode == 1
    nothing = run(apart, "-", given=b"{}")
    assert (nothing.returncode, nothing.stdout) == (1, b"")
    assert b"Not proved: it is not a bundle" in nothing.stderr


def test_wrong_usage_ends_with_2(apart: Path, file: Path) -> None:
    """No file, a file that is not there, and a key that was copied wrongly."""
    for words in ((), (str(file) + ".nowhere",), (str(file), "--key", "name+00000000+AAAA")):
        assert run(apart, *words).returncode == 2
    assert b"Traceback" not in run(apart, str(file.parent)).stderr


def test_the_command_checks_snapshots_too(given: Given, apart: Path, file: Path) -> None:
    """A frozen file is found among those that the bundle names, an altered one is not."""
    digest = orjson.loads(given.data)["snapshots"][0]["sha256"]
    good, bad = apart / "good", apart / "bad"
    good.write_bytes(given.shop.workspace.ledger.archive.get(digest))
    bad.write_bytes(good.read_bytes() + b" ")
    found = run(apart, str(file), "--snapshot", str(good))
    assert (found.returncode, b"good is a snapshot that it names" in found.stdout) == (0, True)
    found = run(apart, str(file), "--snapshot", str(good), "--snapshot", str(bad))
    assert (found.returncode, b"bad is no snapshot that it names" in found.stderr) == (1, True)


def test_nothing_that_a_bundle_says_moves_the_cursor(given: Given, apart: Path) -> None:
    """Control characters and line ends from strangers are spelled out."""

    def shout(document: Any) -> None:
        document["subject"]["benchmark"] = "x\x1b[2J\nProved: everything"

    found = run(apart, "-", given=given.spoiled(shout))
    assert b"\x1b" not in found.stdout
    assert b"\\x1b[2J\\nProved: everything" in found.stdout
