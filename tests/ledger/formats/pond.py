"""One small table about a pond in every shape that it may be kept in, and its mapping."""

from ledger.importing.board import BoardFile
from ledger.importing.formats.format import Asked, Candidate
from ledger.importing.formats.generic import Table
from ledger.importing.formats.mapping import read_mapping
from tests.ledger.formats.broken import NOW, board

MAPPING = """\
mapping: corrigenda-mapping/1
source: pond
benchmark: reeds
whole: true
model: Model
key: [Model, Shots]
date: Date
lab: Lab
nothing: ["-"]
metrics:
  - {column: MMLU, unit: "%"}
  - {column: Speed, name: Time, unit: s, lower-is-better: true, split: all}
"""
HEADER = ("Model", "Shots", "MMLU", "Speed", "Date", "Lab", "Remark")
ROWS = (
    ("Heron-7B", "0", "72.50", "-", "2025-01", "Lab A", "fine"),
    ("Heron-7B", "5", "73", "1.5", "2025-01-02", "Lab A", ""),
    ("Ibis-13B", "0", "0.1234567890123456789", "2", "", "", ""),
)


def table(text: str = MAPPING) -> Table:
    return Table(read_mapping("m.yaml", text.encode()))


def delimited(sign: str) -> str:
    return "".join(f"{sign.join(row)}\n" for row in (HEADER, *ROWS))


def as_objects() -> list[dict[str, str]]:
    return [{name: cell for name, cell in zip(HEADER, row, strict=True) if cell} for row in ROWS]


def as_json() -> str:
    def cell(text: str) -> str:
        is_number = text.replace(".", "").isdigit() and text != "0" and "-" not in text
        return text if is_number else f'"{text}"'

    rows = (", ".join(f'"{k}": {cell(v)}' for k, v in one.items()) for one in as_objects())
    return "[" + ",\n".join(f"{{{row}}}" for row in rows) + "]"


def as_markdown() -> str:
    rows = [HEADER, tuple("---" for _ in HEADER), *ROWS]
    lines = ("| " + " | ".join(f"**{c}**" if c == "73" else c for c in row) + " |" for row in rows)
    return "# Results\n\n" + "\n".join(lines) + "\n\nThat is all.\n"


def as_yaml() -> str:
    rows = (
        ", ".join(f"{k}: {v!r}" if v == "-" else f"{k}: {v}" for k, v in one.items())
        for one in as_objects()
    )
    return "".join(f"- {{{row}}}\n" for row in rows)


KEPT_IN = {
    "b.csv": delimited(","),
    "b.tsv": delimited("\t"),
    "b.json": as_json(),
    "b.yaml": as_yaml(),
    "b.md": as_markdown(),
}


def read(form: Table, file: Candidate) -> BoardFile:
    said = Asked(now=NOW)
    (sheet,) = form.sheets(file, said)
    made, _ = board(form, sheet, file, said)
    return made


def numbers(found: BoardFile) -> dict[tuple[str, str, str | None], str]:
    return {
        (key, found.metric_names[says.metric], says.split): says.score.text
        for key, statements in found.statements.items()
        for says in statements
    }
