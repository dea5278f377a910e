"""What is wrong with a records file, line by line.

A records file is curated by hand, so one bad line refuses the whole file; all that is wrong is
said at once, so that it can be put right at once.
"""

import attrs

from ledger.errors import FileRefused, Refused
from ledger.importing.receipt import RefusedRow

MOST_SHOWN = 50


class RecordsRefused(FileRefused):
    """{file}: nothing was recorded, because of {why}."""

    def __init__(self, file: str, problems: tuple[RefusedRow, ...], count: int) -> None:
        shown = "; ".join(_shown(problem) for problem in problems)
        more = f"; and {count - len(problems)} more" if count > len(problems) else ""
        what = "1 problem" if count == 1 else f"{count} problems"
        super().__init__(file=file, why=f"{what}: {shown}{more}")
        self.problems = problems


def _shown(problem: RefusedRow) -> str:
    where = f"line {problem.row}"
    return (
        f"{where}, {problem.field}: {problem.why}" if problem.field else f"{where}: {problem.why}"
    )


@attrs.define
class Problems:
    """The problems of one file: all are counted, the first fifty are kept."""

    file: str
    kept: list[RefusedRow] = attrs.field(factory=list)
    count: int = 0

    def add(self, line: int, field: str | None, why: str | Refused) -> None:
        """Note what is wrong with a field of a line."""
        self.count += 1
        if len(self.kept) < MOST_SHOWN:
            text = why if isinstance(why, str) else reason(why)
            # The name of an unknown field is the file's own text: shown, not obeyed.
            name = None if field is None else ascii(field[:60])[1:-1]
            self.kept.append(RefusedRow(row=line, key=None, field=name, why=text))

    def refuse_if_any(self) -> None:
        """Refuse the file when anything is wrong with it."""
        if self.count:
            self.kept.sort(key=lambda problem: problem.row)
            raise RecordsRefused(self.file, tuple(self.kept), self.count)


def reason(refused: Refused) -> str:
    """Why something was refused, without the name of the field, which is said beside it."""
    fields = refused.fields
    if "shown" in fields:
        return f"{fields['shown']}: {fields['why']}"
    return str(fields.get("why") or str(refused)).rstrip(".")
