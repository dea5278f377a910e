"""The documentation says all that the command can do, and what it shows can be done."""

import re
import shlex
from collections.abc import Iterator
from pathlib import Path

import click
import orjson
import pytest
from click.testing import CliRunner

from tests.ledger.repositories import Commit, repository
from web.cli import main

PAGE = Path(__file__).parents[2] / "docs" / "command-line.md"
FILE = re.compile(
    r"^`(?P<name>[^`]+)`:\n\n```(?:csv|yaml)\n(?P<content>.*?)```", re.DOTALL | re.MULTILINE
)


def commands(command: click.Command, path: str) -> Iterator[tuple[str, click.Command]]:
    """Every command below one, with its full name."""
    yield path, command
    if isinstance(command, click.Group):
        for name, below in command.commands.items():
            yield from commands(below, f"{path} {name}")


COMMANDS = dict(commands(main, "corrigenda"))


def sections() -> dict[str, str]:
    """The parts of the page by their headings."""
    parts = re.split(r"^## (.+)$", PAGE.read_text(encoding="utf-8"), flags=re.MULTILINE)
    return dict(zip(parts[1::2], parts[2::2], strict=True))


def examples(text: str) -> list[str]:
    """The command lines that a part of the page shows."""
    return re.findall(r"^\$ (corrigenda .+)$", text, flags=re.MULTILINE)


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_and_option_is_documented_with_an_example(name: str) -> None:
    """Each command has its own section, and each of its options a line and an example there."""
    section = sections().get(name)
    assert section is not None, f"docs/command-line.md has no section “{name}”"
    shown = " ".join(examples(section)).split()
    for option in COMMANDS[name].params:
        spelled = [one for one in option.opts if one.startswith("--")]
        if isinstance(option, click.Option) and "--help" not in spelled:
            assert any(f"`{one}" in section for one in spelled), f"{spelled} is not documented"
            assert set(spelled) & set(shown), f"{spelled} has no example"


def test_no_command_is_documented_that_is_not_there() -> None:
    """A section about a command that was removed has to go too."""
    assert set(sections()) == set(COMMANDS)


def test_the_examples_run_one_after_the_other(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Every example but those that serve, or ask another server, ends with status 0, and --json
    prints JSON."""
    page = PAGE.read_text(encoding="utf-8")
    for found in FILE.finditer(page):
        file = tmp_path / found["name"]
        file.parent.mkdir(exist_ok=True)
        file.write_text(found["content"], encoding="utf-8", newline="")
    versions = (b"model,score\nAlpha,70\n", b"model,score\nAlpha,70.9\n")
    commits = [
        Commit(at=1_738_000_000 + n, files={"runs.csv": one}) for n, one in enumerate(versions)
    ]
    repository(tmp_path / "boards", commits)
    monkeypatch.chdir(tmp_path)
    for line in examples(page):
        words = shlex.split(line)[1:]
        if {"serve", "mcp", "--port"} & {*words} or words[-1].startswith("https://"):
            continue
        result = CliRunner().invoke(main, words)
        assert (result.exit_code, result.exception) == (0, None), f"{line}\n{result.output}"
        if "--json" in words:
            orjson.loads(result.stdout)
