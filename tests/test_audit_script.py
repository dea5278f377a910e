"""The audit of ``make check`` finds what it is there for."""

import runpy
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

SCRIPT = Path(__file__).parents[1] / "scripts" / "audit"
HASHED = "kite==1.0 \\\n    --hash=sha256:00\n    # via -r requirements.in\n"


@pytest.fixture(scope="module")
def audit() -> dict[str, Any]:
    """What the script defines."""
    return runpy.run_path(str(SCRIPT))


def test_all_that_is_installed_here_is_locked_and_open() -> None:
    """As it is run, offline."""
    done = subprocess.run(
        [sys.executable, str(SCRIPT)], capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert "all open licences" in done.stdout


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("kite==1.0\n", "has no hash"),
        ("kite>=1.0 \\\n    --hash=sha256:00\n", "pins no version"),
        (f"--index-url https://x.example\n{HASHED}", "pins no version"),
        ("kite @ https://x.example/kite.whl \\\n    --hash=sha256:00\n", "pins no version"),
    ],
)
def test_a_lock_without_hashes_or_with_addresses_is_refused(
    audit: dict[str, Any], tmp_path: Path, text: str, why: str
) -> None:
    """What is installed must be what somebody looked at, wherever it comes from."""
    lock = tmp_path / "lock.txt"
    lock.write_text(HASHED)
    assert audit["locked"](lock) == ({"kite": "1.0"}, [])
    lock.write_text(text)
    assert why in " ".join(audit["locked"](lock)[1])


@pytest.mark.parametrize(
    ("stated", "may"),
    [
        ("MIT", True),
        ("Apache-2.0 OR BSD-3-Clause", True),
        ("BSD License OR GNU General Public License v3 (GPLv3)", True),
        ("GNU Lesser General Public License v3 (LGPLv3)", True),
        ("LGPL-3.0-only", True),
        ("GPL-3.0-or-later", False),
        ("GNU General Public License v2 (GPLv2)", False),
        ("AGPL-3.0", False),
        ("BSD-3-Clause AND GPL-2.0-only", False),
        ("Proprietary", False),
        ("", False),
    ],
)
def test_licences_are_told_apart(audit: dict[str, Any], stated: str, *, may: bool) -> None:
    """One of several that are offered is enough; all that hold together have to be open."""
    assert audit["allowed"](stated) is may
