"""Our own JSON Lines, ``corrigenda-records/1``: one line per thing (``docs/records.md``).

``lines`` takes bytes apart into lines and JSON, ``fields`` checks one field, ``kinds`` says which
fields each kind of record has and which fact it becomes, ``file`` reads a whole file, and
``apply`` records it.
"""

from ledger.importing.records.apply import import_records
from ledger.importing.records.file import RecordsFile, parse_records
from ledger.importing.records.problems import RecordsRefused

__all__ = ["RecordsFile", "RecordsRefused", "import_records", "parse_records"]
