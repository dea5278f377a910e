"""Accounts on the command line: added, changed, and refused with a reason."""

import re
from typing import Any

import pytest
from click.testing import CliRunner

from tests.web.corrigenda import Corrigenda
from tests.web.login import OTHER
from web.cli import main


def one_time_of(corrigenda: Corrigenda, *words: str) -> str:
    password = corrigenda.done("user", *words, "--one-time").strip()
    assert re.fullmatch(r"([a-z2-9]{5}-){4}[a-z2-9]{5}", password)
    return password


def test_accounts_are_managed_on_the_command_line(corrigenda: Corrigenda) -> None:
    """Add, list, change roles, give another password, disable, enable."""
    assert "No account yet" in corrigenda.run("user", "list").stderr
    one_time_of(corrigenda, "add", "root", "--role", "administrator")
    first = one_time_of(corrigenda, "add", "mira", "--role", "reviewer", "--role", "curator")
    assert one_time_of(corrigenda, "passwd", "mira") != first
    corrigenda.done("user", "roles", "mira", "--role", "auditor")
    corrigenda.done("user", "disable", "mira")
    told = {one["handle"]: one for one in corrigenda.json("user", "list")["accounts"]}
    assert (told["mira"]["roles"], told["mira"]["state"]) == (["auditor"], "disabled")
    assert told["root"]["state"] == "one-time password"
    assert "enable it first" in corrigenda.refused("user", "passwd", "mira", "--one-time")
    corrigenda.done("user", "enable", "mira")
    assert "mira" in corrigenda.done("user", "list")


def test_a_password_is_asked_for_and_never_an_argument(corrigenda: Corrigenda) -> None:
    """It is not printed, and one that is easily guessed is refused."""
    add = ("user", "add", "mira", "--role", "reviewer")
    told = run(corrigenda, f"{OTHER}\n{OTHER}\n", *add)
    assert told.exit_code == 0
    assert told.stdout == ""
    assert OTHER not in told.output
    refused = run(corrigenda, "short\nshort\n", "user", "passwd", "mira")
    assert (refused.exit_code, "12 or more" in refused.stderr) == (1, True)


def run(corrigenda: Corrigenda, typed: str, *words: str) -> Any:
    return CliRunner().invoke(main, ["--home", str(corrigenda.home), *words], input=typed)


@pytest.mark.parametrize(
    ("words", "why"),
    [
        (("add", "dana@example.org", "--role", "reviewer"), "choose a handle such as dana"),
        (("add", "mira", "--role", "boss"), "reviewer, curator, auditor, administrator"),
        (("add", "root", "--role", "reviewer"), "an account root already"),
        (("disable", "root"), "the last administrator"),
        (("roles", "root", "--role", "reviewer"), "the last administrator"),
        (("disable", "nobody"), "no account called nobody"),
        (("passwd", "nobody"), "no account called nobody"),
        (("enable", "nobody"), "no account called nobody"),
    ],
)
def test_what_is_refused_on_the_command_line_says_why(
    corrigenda: Corrigenda, words: tuple[str, ...], why: str
) -> None:
    """Before any password is asked for or made."""
    one_time_of(corrigenda, "add", "root", "--role", "administrator")
    assert why in corrigenda.refused("user", *words)
    assert [one["handle"] for one in corrigenda.json("user", "list")["accounts"]] == ["root"]
