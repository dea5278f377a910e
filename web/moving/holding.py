"""Whether a ledger holds: looked at before it is taken along, and before it is committed."""

from pathlib import Path

from ledger.archive import Archive
from ledger.errors import Refused
from ledger.store.whole import Whole
from ledger.verifying.finding import finding
from ledger.verifying.verdict import Verdict
from web.sealing_key import KeyFile
from web.verifying.log import LogState, verify_whole
from web.verifying.watched import Watcher


class DoesNotHold(Refused):
    """{what} does not hold, so nothing was {done}: {first}. {do}"""


def holding(
    whole: Whole,
    archive: Archive,
    *,
    home: Path,
    keys: KeyFile | None,
    done: str,
    watcher: Watcher,
) -> LogState:
    """All events with what seals them, and that every frozen file that they name is there.

    ``done`` says what is not done where something is wrong; then this raises ``DoesNotHold``. With
    ``keys`` the key at hand has to be the log's, if there is one.
    """
    verdict = Verdict(str(home), "home")
    state = verify_whole(whole, keys, verdict, watcher=watcher)
    verdict.add(
        finding("file-missing", {"digest": digest, "position": position})
        for digest, position in state.events.kept.items()
        if not archive.has(digest)
    )
    if not verdict.holds:
        first = verdict.findings[0]
        raise DoesNotHold(what=home, done=done, first=first.says, do=first.do)
    return state
