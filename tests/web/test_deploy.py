"""The files in ``deploy/``: as far as they can be looked at without being deployed."""

import os
import re
import shlex
import shutil
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import click
import psycopg
import pytest
import yaml

from ledger.store.looking import look_at
from tests.postgres import _newest_binaries
from tests.web.following import own_server
from web.cli import main
from web.settings import Settings
from web.wiring import open_workspace

PROJECT = Path(__file__).parents[2]
DEPLOY = PROJECT / "deploy"
FILES = sorted(path for path in DEPLOY.iterdir() if path.is_file())
UNITS = [path for path in FILES if path.suffix in {".service", ".timer"}]
INSTALLED = "/opt/corrigenda/.venv/bin/corrigenda"
HERE = Path(sys.executable).parent / "corrigenda"
SETTING = re.compile(r"\bCORRIGENDA_[A-Z_]+")
COMMAND = re.compile(r"(?<![-/\w.])(?:/opt/corrigenda/\.venv/bin/)?corrigenda ([a-z]+[^\n|'\"]*)")


@pytest.mark.parametrize("file", FILES, ids=lambda path: path.name)
def test_every_setting_in_them_is_one(file: Path) -> None:
    """A setting that was renamed would do nothing there, and nobody would notice."""
    known = set(SETTING.findall(Settings.from_environment.__doc__ or ""))
    assert "CORRIGENDA_DATABASE_URL" in known
    assert set(SETTING.findall(file.read_text(encoding="utf-8"))) <= known


@pytest.mark.parametrize("file", [DEPLOY / "prepare", *UNITS], ids=lambda path: path.name)
def test_every_command_in_them_is_one(file: Path) -> None:
    """With its options."""
    lines = [line for line in file.read_text().splitlines() if not line.startswith("#")]
    for found in COMMAND.findall("\n".join(lines)):
        command: click.Command = main
        for word in shlex.split(found):
            if isinstance(command, click.Group):
                command = command.commands[word]
            elif word.startswith("--"):
                assert any(word in option.opts for option in command.params), found


def test_the_example_of_the_settings_can_be_read() -> None:
    """With all that is commented out, as an operator would use it."""
    lines = (DEPLOY / "corrigenda.env").read_text(encoding="utf-8").splitlines()
    given = [line.removeprefix("#") for line in lines if "=" in line and " " not in line]
    environment = dict(line.split("=", 1) for line in given)
    settings = Settings.from_environment(environment)
    assert settings.proxies == 1
    assert settings.read_url is not None


@pytest.mark.parametrize("unit", UNITS, ids=lambda path: path.name)
def test_systemd_understands_the_units(unit: Path, tmp_path: Path) -> None:
    """Not a word of complaint; and what a service may do is little."""
    if shutil.which("systemd-analyze") is None:
        pytest.skip("systemd is not installed")
    for path in UNITS:
        text = path.read_text(encoding="utf-8").replace(INSTALLED, str(HERE))
        (tmp_path / path.name).write_text(text, encoding="utf-8")
    looked_at = str(tmp_path / unit.name)
    verified = analyzed("verify", "--man=no", looked_at)
    assert (verified.returncode, verified.stdout + verified.stderr) == (0, "")
    if unit.suffix == ".service":
        rated = analyzed("security", "--offline=true", "--threshold=20", looked_at)
        assert rated.returncode == 0, rated.stdout


def analyzed(*words: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        ["systemd-analyze", "--no-pager", *words],
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )


def test_the_compose_file_names_what_is_there() -> None:
    """It parses; its services, volumes, networks and files are there; nothing runs as an owner."""
    file = DEPLOY / "compose.yaml"
    told = yaml.safe_load(file.read_text(encoding="utf-8"))
    services = told["services"]
    for service in services.values():
        assert set(service.get("depends_on", {})) <= set(services)
        assert set(service["networks"]) <= set(told["networks"])
        assert {name.partition(":")[0] for name in service["volumes"]} <= set(told["volumes"])
    build = services["prepare"]["build"]
    assert (DEPLOY / build["context"] / build["dockerfile"]).is_file()
    assert "corrigenda_web:" in services["web"]["environment"]["CORRIGENDA_DATABASE_URL"]
    assert not any("PASSWORD" in name for name in services["web"]["environment"])
    published = services["web"]["ports"]
    assert published
    assert all(port.startswith("127.0.0.1:") for port in published)


def test_the_container_file_copies_what_is_there() -> None:
    """And installs the very packages of Debian that set-up does, for paper."""
    text = (DEPLOY / "Containerfile").read_text(encoding="utf-8")
    for names in re.findall(r"^COPY (.+) \S+$", text, flags=re.MULTILINE):
        for name in names.split():
            assert (PROJECT / name).exists(), name
    wanted = (PROJECT / "scripts" / "set-up").read_text(encoding="utf-8")
    for package in re.findall(r"^    ((?:libpango|libharfbuzz|fonts-)\S+)", wanted, re.MULTILINE):
        assert package in text


@pytest.mark.postgres
def test_prepare_makes_a_database_that_the_web_role_serves(tmp_path: Path) -> None:
    """On an empty server; then the ledger opens, and is sealed, with the web role alone."""
    home = tmp_path / "home"
    with own_server() as own:
        environment = {
            "PATH": f"{HERE.parent}:{_newest_binaries()}:{os.defpath}",
            "LC_ALL": "C.UTF-8",
            "CORRIGENDA_HOME": str(home),
            "XDG_STATE_HOME": str(tmp_path / "state"),
            "PGHOST": "127.0.0.1",
            "PGPORT": str(own.server.port),
            "PGUSER": "postgres",
            "PGPASSWORD": own.password,
            "OWNER_PASSWORD": "0a",
            "WEB_PASSWORD": "0b",
            "READ_PASSWORD": "0c",
        }
        ran([str(DEPLOY / "prepare")], environment)
        url = f"postgresql://corrigenda_web:0b@127.0.0.1:{own.server.port}/corrigenda"
        with closing(open_workspace(Settings(home=home, database_url=url))) as workspace:
            workspace.catch_up()
            assert workspace.seals.latest() is not None
        assert look_at(url).may_write
        with (
            psycopg.connect(url) as connection,
            pytest.raises(psycopg.errors.InsufficientPrivilege),
        ):
            connection.execute("DELETE FROM ledger.events")


def ran(words: list[str], environment: dict[str, str]) -> str:
    done = subprocess.run(
        words, env=environment, capture_output=True, text=True, timeout=120, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout
