"""The second person, and many reports at once, through the command."""

import pytest

from ledger.errors import BadValue
from tests.web.corrigenda import Toy
from tests.web.test_cli_reports import ACCEPTED, STATEMENT, decided, filed
from web.settings import Settings

START = ("--applies-from", "start")


def proposed(toy: Toy, *words: str) -> dict[str, object]:
    """What the command says of a removal that boris proposes."""
    number = filed(toy)
    order = ("report", "decide", str(number), *ACCEPTED, *STATEMENT, *words)
    snapshot = ("--snapshot", toy.snapshot())
    found = toy.corrigenda.json(*order, "--retract", *START, *snapshot, by="boris")
    assert isinstance(found, dict)
    return found


def approve(number: object, decision: object) -> tuple[str, ...]:
    """The words that approve a proposal."""
    return ("report", "approve", str(number), "--decision", str(decision))


def test_a_decision_that_became_a_proposal_says_so(toy: Toy) -> None:
    """With why it takes two, and the command that approves it; nothing has changed yet."""
    before = toy.scores()
    found = proposed(toy)
    assert (found["proposed"], found["by"], found["decision"]) == (True, "boris", "1.1")
    assert found["takes_two_because"] == ["it takes a claim off every board"]
    assert toy.scores() == before
    assert toy.corrigenda.json("corrections") == {"corrections": []}
    order = ("report", "decide", str(filed(toy)), *ACCEPTED, *STATEMENT, "--propose")
    change = ("--set", "setting=3-shot", *START, "--snapshot", toy.snapshot())
    text = toy.corrigenda.done(*order, *change, by="boris")
    assert "Decision 2.1 on report 2 is proposed." in text
    assert "corrigenda report approve 2 --decision 2.1" in text


def test_another_person_approves_it(toy: Toy) -> None:
    """The log names both; whoever proposed it, and the reporter, may not."""
    found = proposed(toy)
    words = approve(1, found["decision"])
    assert "takes a second person" in toy.corrigenda.refused(*words, by="boris")
    assert "ask somebody else" in toy.corrigenda.refused(*words, by="ada")
    entry = toy.corrigenda.json(*words, by="clara")
    assert (entry["proposed_by"], entry["decided_by"]) == ("boris", "clara")
    assert "Beta" not in dict(toy.scores())
    assert "by clara (proposed by boris)" in toy.corrigenda.done("corrections")


def test_a_proposal_is_sent_back_with_a_reason(toy: Toy) -> None:
    """The report is open again."""
    found = proposed(toy)
    words = ("report", "return", "1", "--decision", str(found["decision"]))
    assert "say why" in toy.corrigenda.refused(*words, "--why", " ", by="clara")
    assert "sent back" in toy.corrigenda.done(*words, "--why", "Look again.", by="clara")
    assert toy.corrigenda.json("report", "show", "1")["state"] == "open"
    again = toy.corrigenda.refused(*approve(1, found["decision"]), by="clara")
    assert "no proposed decision called 1.1" in again


def test_an_undoing_that_takes_two_is_proposed(toy: Toy) -> None:
    """Beta led; without the correction Beta leads again, so putting it back needs nobody else."""
    number = filed(toy)
    entry = decided(toy, number, *ACCEPTED, "--set", "score=60", *START)
    words = ("report", "reverse", str(number), "--decision", str(entry["decision"]))
    text = toy.corrigenda.done(*words, "--statement", "Misread.", by="boris")
    assert "is proposed (a board gets another number one)" in text
    assert toy.scores()[0][0] == "Alpha"
    toy.corrigenda.done(*approve(number, f"{number}.3"), by="clara")
    assert toy.scores()[0] == ("Beta", "73.1")


def test_the_version_that_was_seen_is_held_to(toy: Toy) -> None:
    """What changed since is said; the same decision again gives the first answer."""
    number = filed(toy)
    order = ("report", "decide", str(number), "--outcome", "declined", "--reason", "other")
    words = (*order, *STATEMENT, "--snapshot", toy.snapshot(), "--seen", "1")
    entry = toy.corrigenda.json(*words, by="boris")
    assert toy.corrigenda.json(*words, by="boris") == entry
    assert "decided, declined" in toy.corrigenda.refused(*words, by="clara")
    assert len(toy.corrigenda.json("corrections")["corrections"]) == 1


def test_a_correction_of_a_correction_names_it(toy: Toy) -> None:
    """By itself, since it does anew what the first did; naming itself is refused."""
    first = decided(toy, filed(toy), *ACCEPTED, "--set", "score=73.9", *START)
    second = decided(toy, filed(toy), *ACCEPTED, "--set", "score=74", *START)
    assert second["replaces"] == first["number"]
    number = filed(toy)
    order = ("report", "decide", str(number), *ACCEPTED, *STATEMENT, "--set", "score=75", *START)
    words = (*order, "--snapshot", toy.snapshot(), "--replaces")
    assert "refer to itself" in toy.corrigenda.refused(*words, f"{number}.1", by="boris")
    out = toy.corrigenda.refused(*words, str(first["decision"]), by="boris")
    assert str(second["decision"]) in out


# --- many at once -----------------------------------------------------------------------------


def test_many_are_turned_down_with_one_reason(toy: Toy) -> None:
    """One decision each, on the latest reading of each claim."""
    numbers = [str(filed(toy)) for _ in range(3)]
    words = ("report", "reject", *numbers, "--reason", "other", *STATEMENT)
    found = toy.corrigenda.json(*words, "--snapshot", "latest", by="boris")
    assert [one["report"] for one in found["decisions"]] == [1, 2, 3]
    assert {one["snapshot"] for one in found["decisions"]} == {toy.snapshot()}
    assert len(toy.corrigenda.json("corrections")["corrections"]) == 3


def test_of_many_the_refused_ones_say_why_and_the_others_stand(toy: Toy) -> None:
    """The exit status is 1; a report that is not there is no reason to stop."""
    filed(toy)
    words = ("report", "reject", "1", "9", "--reason", "other", *STATEMENT)
    result = toy.corrigenda.run(*words, "--snapshot", "latest", by="boris")
    assert result.exit_code == 1
    assert "1 report turned down." in result.stdout
    assert "Report 9: There is no report called 9." in result.stderr
    assert toy.corrigenda.run(*words, by="ada").exit_code == 1
    assert toy.corrigenda.json("report", "show", "1")["state"] == "decided"


# --- the setting ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("value", "is_on"), [(None, True), ("", True), ("on", True), ("off", False)]
)
def test_the_rule_is_on_unless_it_is_switched_off(value: str | None, is_on: bool) -> None:
    """``CORRIGENDA_TWO_PERSON``."""
    environment = {} if value is None else {"CORRIGENDA_TWO_PERSON": value}
    assert Settings.from_environment(environment).two_person is is_on


@pytest.mark.parametrize("value", ["Off", "0", "false", "no"])
def test_a_misspelt_switch_switches_nothing(value: str) -> None:
    """It is refused, and not taken for on or off."""
    with pytest.raises(BadValue, match="it is on or off"):
        Settings.from_environment({"CORRIGENDA_TWO_PERSON": value})


def test_switched_off_one_person_removes_a_claim(toy: Toy, monkeypatch: pytest.MonkeyPatch) -> None:
    """At once."""
    monkeypatch.setenv("CORRIGENDA_TWO_PERSON", "off")
    assert proposed(toy)["outcome"] == "accepted"
    assert "Beta" not in dict(toy.scores())
