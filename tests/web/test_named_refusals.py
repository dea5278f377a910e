"""A refused day or instant is named as whoever asked calls it: the parameter, the option, the
header."""

import pytest

from tests.web.corrigenda import ABOUT, Toy
from tests.web.orchard import BIRCH, BOARD, Orchard

BOARD_TIME = ("as_read_on", "recorded_through", "published_by")
ASKED = (
    *((BOARD, name) for name in BOARD_TIME),
    (f"/claims/{BIRCH}", "as_read_on"),
    (f"{BOARD}/changes", "from"),
    (f"{BOARD}/changes", "to"),
    (f"{BOARD}/changes", "recorded_through"),
    ("/corrections", "from"),
    ("/corrections", "to"),
    ("/audit/events", "day"),
)
WRONG = ("yesterday", "2025-02-30", "2025-7-28")


@pytest.mark.parametrize("wrong", WRONG)
@pytest.mark.parametrize(("path", "name"), ASKED)
def test_a_refused_day_is_named_as_its_parameter(
    orchard: Orchard, path: str, name: str, wrong: str
) -> None:
    """On the page, first of all that it says of what is wrong."""
    response = orchard.get(f"{path}?{name}={wrong}")
    assert response.status_code == 400
    assert f"{name} &#39;{wrong}&#39;: " in response.text


@pytest.mark.parametrize(("path", "name"), ASKED[:7])
def test_programs_are_told_which_parameter_it_was(orchard: Orchard, path: str, name: str) -> None:
    """The same words in JSON; also of a day that has not come."""
    for wrong in (*WRONG, "2999-01-01"):
        problem = orchard.get(f"{path}.json?{name}={wrong}")
        assert problem.status_code == 400
        assert problem.get_json(force=True)["detail"].startswith(f"{name} "), wrong


def test_a_time_that_is_negotiated_is_named_as_its_header(orchard: Orchard) -> None:
    """RFC 7089."""
    response = orchard.get(f"/timegate{BOARD}", Accept_Datetime="yesterday")
    assert response.status_code == 400
    assert "Accept-Datetime &#39;yesterday&#39;: " in response.text


@pytest.mark.parametrize(
    ("option", "words"),
    [
        ("as_read_on", ("board", "toy", "--as-read-on")),
        ("published_by", ("board", "toy", "--published-by")),
        ("recorded_through", ("board", "toy", "--recorded-through")),
        ("--from", ("changes", "toy", "--to", "2025-03-01", "--from")),
        ("--to", ("changes", "toy", "--from", "2025-01-01", "--to")),
        ("--from", ("export", "changes", "toy", "--to", "2025-03-01", "--csv", "-", "--from")),
        ("--to", ("export", "changes", "toy", "--from", "2025-01-01", "--csv", "-", "--to")),
        ("--to", ("export", "corrections", "--from", "2025-01-01", "--csv", "-", "--to")),
    ],
)
def test_a_refused_day_is_named_as_its_option(
    toy: Toy, option: str, words: tuple[str, ...]
) -> None:
    """As typed, or as the address of the same page has it."""
    for wrong in WRONG:
        assert f"{option} {wrong!r}: " in toy.corrigenda.refused(*words, wrong)


def test_a_day_that_a_file_is_said_to_be_of_is_named_too(toy: Toy) -> None:
    """As its option."""
    words = ("import", *ABOUT, str(toy.january), "--read-at")
    assert "--read-at 'yesterday': " in toy.corrigenda.refused(*words, "yesterday")
