"""Makes the bundle of a job in a process of its own. Run as a module: FOLDER.

The settings are those of the pages, handed over in the environment.
"""

import sys
from pathlib import Path

import orjson

from ledger.errors import Refused
from reports.bundle.asked import asked_in
from reports.bundle.making import made
from reports.pdf import REFUSED
from web.exports import file_name, records_of
from web.settings import Settings
from web.wiring import open_workspace


def main() -> None:
    """Write the bundle that the order in a folder asks for, and what its file is called."""
    folder = Path(sys.argv[1])
    order = orjson.loads((folder / "order.json").read_bytes())
    workspace = open_workspace(Settings.from_environment())
    try:
        workspace.catch_up()
        bundle = made(records_of(workspace), asked_in(order["subject"]))
    except Refused as no:
        sys.stderr.write(str(no))
        sys.exit(REFUSED)
    finally:
        workspace.close()
    (folder / "work" / "bundle.json").write_bytes(bundle.data)
    (folder / "work" / "name.txt").write_text(f"{file_name(bundle.document)}.pdf", "utf-8")


if __name__ == "__main__":
    main()
