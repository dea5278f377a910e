"""The snapshot format: digits as written, rows refused one by one, files refused whole."""

from datetime import UTC, datetime

import pytest

from ledger.errors import FileRefused
from ledger.importing.board import BoardFile, Target
from ledger.importing.formats.snapshot import Metrics, instant_in, read_snapshot
from ledger.importing.limits import DEEPEST, LONGEST_CELL
from ledger.values import Slug, parse_instant

NOW = datetime(2025, 8, 1, 12, tzinfo=UTC)
TARGET = Target(source=Slug("kite-board"), benchmark=Slug("kitebench"))


def read(data: str | bytes, name: str = "board.csv", target: Target = TARGET) -> BoardFile:
    raw = data.encode() if isinstance(data, str) else data
    return read_snapshot(name, raw, target=target, metrics=Metrics(), now=NOW)


def scores(board: BoardFile) -> dict[str, str]:
    return {key: says[0].score.text for key, says in board.statements.items()}


def reasons(board: BoardFile) -> list[str]:
    return [str(refused) for refused in board.refused]


@pytest.mark.parametrize(
    ("name", "data"),
    [
        ("b.csv", "model,score\nHeron-7B,72.50\nIbis-13B,0.1234567890123456789\nLoon-3B,\n"),
        (
            "b.json",
            (
                '[{"model": "Heron-7B", "score": 72.50},'
                ' {"model": "Ibis-13B", "score": 0.1234567890123456789},'
                ' {"model": "Loon-3B", "score": null}]'
            ),
        ),
        (
            "b.yaml",
            (
                "- {model: Heron-7B, score: 72.50}\n"
                "- {model: Ibis-13B, score: 0.1234567890123456789}\n"
                "- {model: Loon-3B, score: ~}\n"
            ),
        ),
    ],
)
def test_the_same_board_in_every_spelling_keeps_its_digits(name: str, data: str) -> None:
    """CSV, JSON and YAML give the digits as written, and an empty score states nothing."""
    board = read(data, name)
    assert scores(board) == {"Heron-7B": "72.50", "Ibis-13B": "0.1234567890123456789"}
    assert board.rows == 3
    assert board.metrics == ("score",)
    assert not board.refused


def test_byte_order_mark_and_carriage_returns_are_no_part_of_the_board() -> None:
    """A file saved by a spreadsheet reads like any other."""
    board = read(b"\xef\xbb\xbfmodel,score\r\nHeron-7B,72.5\r\n")
    assert scores(board) == {"Heron-7B": "72.5"}


@pytest.mark.parametrize(
    ("cells", "field"),
    [
        ("He\u200bron-7B,1,,,", "model"),
        ("gpt-\u202e5,1,,,", "model"),
        ("Heron-7B,NaN,,,", "score"),
        ("Heron-7B,Infinity,,,", "score"),
        ("Heron-7B,1e400,,,", "score"),
        ("Heron-7B,57.1%,,,", "score"),
        ("Heron-7B,1,bananas,,", "unit"),
        ("Heron-7B,1,,2026-01-01,", "date"),
        ("Heron-7B,1,,28/07/2025,", "date"),
        ("Heron-7B,1,,2025-02-30,", "date"),
        ("Heron-7B,1,,,javascript:alert(1)", "url"),
    ],
)
def test_a_bad_row_is_refused_with_its_field_and_the_rest_goes_on(cells: str, field: str) -> None:
    """One row's fate is not the file's; its claim is left as it was."""
    board = read(f"model,score,unit,date,url\n{cells}\nIbis-13B,60,,,\n")
    assert [(one.row, one.field) for one in board.refused] == [(1, field)]
    assert scores(board) == {"Ibis-13B": "60"}
    assert board.unread


def test_two_rows_for_one_claim_are_both_refused() -> None:
    """Which of two numbers is right is not guessed."""
    board = read("model,score\nHeron-7B,70\nHeron-7B,71\nIbis-13B,60\n")
    assert scores(board) == {"Ibis-13B": "60"}
    assert reasons(board) == [
        "row 1 (Heron-7B), key: stands in a later row too",
        "row 2 (Heron-7B), key: stands in row 1 too",
    ]


def test_a_row_that_repeats_another_word_for_word_counts_once() -> None:
    """The same row twice says nothing new, and the receipt says so."""
    board = read("model,score\nHeron-7B,70\nHeron-7B,70\n")
    assert scores(board) == {"Heron-7B": "70"}
    assert reasons(board) == ["row 2 (Heron-7B), key: repeats row 1 word for word"]


def test_one_model_in_two_settings_has_two_keys() -> None:
    """The key tells rows apart, whatever they are called."""
    board = read("key,model,score,setting\na,Heron-7B,70,0-shot\nb,Heron-7B,72,3-shot\n")
    assert scores(board) == {"a": "70", "b": "72"}


def test_a_column_that_is_not_known_is_kept_with_the_claim() -> None:
    """Nothing that a file says is lost."""
    board = read("model,score,cost\nHeron-7B,70,0.32\n")
    assert board.statements["Heron-7B"][0].extra == (("cost", "0.32"),)


def test_a_board_without_rows_still_covers_its_metric() -> None:
    """An emptied board takes its rows off; it is not an unreadable file."""
    assert read("model,score\n").metrics == ("score",)


def test_a_metric_may_be_named_as_people_write_it() -> None:
    """Names that are no slug get one that follows from the name alone."""
    board = read("model,metric,score\nHeron-7B,humaneval,70\nHeron-7B,humaneval+,60\n")
    assert [says.metric for says in board.statements["Heron-7B"]] == list(board.metrics)
    assert len(set(board.metrics)) == 2
    assert board.metric_names[board.metrics[1]] == "humaneval+"


def test_a_known_metric_is_found_by_its_name() -> None:
    """A file that writes pass@1 means the metric that is registered under that name."""
    metrics = Metrics(slugs={"pass@1": Slug("pass-1")}, headline=Slug("pass-1"))
    data = b"model,metric,score\nHeron-7B,pass@1,70\nIbis-13B,,60\n"
    board = read_snapshot("b.csv", data, target=TARGET, metrics=metrics, now=NOW)
    assert board.metrics == ("pass-1",)
    assert scores(board) == {"Heron-7B": "70", "Ibis-13B": "60"}


@pytest.mark.parametrize(
    ("name", "data", "why"),
    [
        ("b.csv", b"", "it is empty"),
        ("b.csv", b"name,score\nA,1\n", "it lacks the column model"),
        ("b.csv", b"model,score,score\nA,1,2\n", "two columns are called score"),
        ("b.csv", b'model,score\n"A,1\n', "line 2"),
        ("b.csv", "model,score\né,1\n".encode("latin-1"), "is not UTF-8"),
        ("b.json", b'[{"model": "A", "model": "B"}]', "model stands twice"),
        ("b.json", b'{"model": "A"}', "a list of rows"),
        ("b.json", b'[{"model": "A"', "not JSON"),
        ("b.json", b"[" * (DEEPEST + 1), "levels deep"),
        ("b.yaml", b"- &a {model: A, score: 1}\n- *a\n", "an alias"),
        ("b.yaml", b"- {a: 1, a: 2}\n", "a stands twice"),
        ("b.yaml", b"- [\n", "not YAML"),
        ("b.yaml", b"[" * (DEEPEST + 1) + b"]" * (DEEPEST + 1), "deep"),
        ("b.pdf", b"%PDF", "a snapshot is a .csv"),
    ],
)
def test_a_broken_file_is_refused_whole_with_the_place(name: str, data: bytes, why: str) -> None:
    """Nothing of it is kept, and the message says where to look."""
    with pytest.raises(FileRefused, match=why) as refused:
        read(data, name)
    assert str(refused.value).startswith(name)


def test_a_cell_that_is_too_long_refuses_its_row() -> None:
    """Length is bounded before anything is made of it."""
    board = read(f"model,score,note\nHeron-7B,1,{'a' * (LONGEST_CELL + 1)}\nIbis-13B,2,\n")
    assert scores(board) == {"Ibis-13B": "2"}


def test_a_row_of_which_nothing_can_be_told_leaves_the_others_in_place() -> None:
    """It may have been about any claim, so what the file does not state is not delisted."""
    assert read("[3]", "b.json").unread == ("*",)


@pytest.mark.parametrize(
    ("name", "instant", "order"),
    [
        ("2025-02-07T191510Z_5c4aaa27d.csv", "2025-02-07T19:15:10Z", ""),
        ("2025-02-07T191510Z-002.csv", "2025-02-07T19:15:10Z", "002"),
        ("2025-02-07T191510Z-002-again.csv", "2025-02-07T19:15:10Z", "002"),
        ("2025-02-07T191510.25Z.csv", "2025-02-07T19:15:10.25Z", ""),
    ],
)
def test_the_name_of_a_file_tells_when_it_was_read(name: str, instant: str, order: str) -> None:
    """An instant at the beginning of the name, and an order among files of that instant."""
    assert instant_in(name) == (parse_instant(instant), order)


def test_an_impossible_instant_in_a_name_is_refused() -> None:
    """A name that tries to tell an instant and fails is a mistake, not today."""
    with pytest.raises(FileRefused, match="no instant"):
        instant_in("2025-02-30T191510Z.csv")


def test_a_name_without_an_instant_is_read_now() -> None:
    """Whoever imports may say otherwise."""
    assert instant_in("board.csv") is None
    assert read("model,score\nA,1\n").read_at == NOW
