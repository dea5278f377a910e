"""Every kind of finding: the sentence that is said of it, and what to do.

``docs/verifying.md`` lists them all. A sentence has the names of the finding's place in it, and
``expected`` and ``found``.
"""

from typing import NamedTuple


class Kind(NamedTuple):
    """What is said of all findings of one kind; the sentence has the names of the place in it."""

    says: str
    do: str


FROM_BACKUP = (
    "Compare with a backup or another copy of the ledger, and find out who could write to this one."
)
REBUILD = "Run corrigenda rebuild: the read model is worked out anew from the events."
FROM_MIRROR = (
    "The signed checkpoints bear the events out; bring the tile back from a backup or a mirror."
)

ASK_BOTH = (
    "Keep both checkpoints: together they prove it. Ask whoever keeps the log, and tell others who "
    "rely on it."
)
ASK_KEEPER = "Try again later; if it stays so, tell whoever keeps the log."

MADE_AGAIN = "Do not rely on it; get it again from where it was made."

KINDS: dict[str, Kind] = {
    # --- the events of a ledger ---
    "event-unreadable": Kind(
        "the bytes at position {position} cannot be read as an event: {why}", FROM_BACKUP
    ),
    "event-not-canonical": Kind(
        "the bytes at position {position} ({stream} v{version}) are not in the one form in which "
        "events are stored",
        FROM_BACKUP,
    ),
    "event-misfiled": Kind(
        "the row at position {position} says {column} {found}, its bytes say {expected}",
        FROM_BACKUP,
    ),
    "version-out-of-turn": Kind(
        "the event at position {position} is version {found} of {stream}; {expected} is due",
        FROM_BACKUP,
    ),
    "clock-fell": Kind(
        "the event at position {position} was recorded at {found}, before the one before it "
        "({expected})",
        FROM_BACKUP,
    ),
    "position-fell": Kind(
        "position {position} comes after position {expected}; positions only grow", FROM_BACKUP
    ),
    "event-changed": Kind(
        "the event at position {position} ({stream} v{version}) is not the one that was sealed as "
        "leaf {index}",
        FROM_BACKUP,
    ),
    "events-swapped": Kind(
        "the events at positions {position} and {other_position} are swapped: they were sealed as "
        "leaves {other_index} and {index}",
        FROM_BACKUP,
    ),
    "event-moved": Kind(
        "the event at position {position} ({stream} v{version}) was sealed as leaf {index}, and is "
        "not there any more",
        FROM_BACKUP,
    ),
    "event-inserted": Kind(
        "the event at position {position} ({stream} v{version}) was never sealed, and stands "
        "before events that were: it was slipped in before leaf {index}",
        FROM_BACKUP,
    ),
    "event-removed": Kind(
        "the event that was sealed as leaf {index} is gone; it stood before position {position}",
        FROM_BACKUP,
    ),
    "events-cut-off": Kind(
        "the ledger ends too early: {expected} events are sealed and it holds {found}; leaf "
        "{index} and all after it are gone",
        FROM_BACKUP,
    ),
    "events-unfit": Kind(
        "one or more of the events behind position {after} up to position {upto} (leaves {index} "
        "to {last_index}) are not those that the checkpoint of {size} leaves was signed over",
        FROM_BACKUP,
    ),
    "position-changed": Kind(
        "the event that was sealed as leaf {index} ({stream} v{version}) stood at position "
        "{expected} and now stands at {found}",
        FROM_BACKUP,
    ),
    # --- what seals them ---
    "tile-changed": Kind(
        "entry {entry} of {tile} is not what the events below it give", FROM_MIRROR
    ),
    "tile-missing": Kind("{tile} is not there, or not all of it", FROM_MIRROR),
    "tile-misfiled": Kind(
        "the row of {tile} says {column} {found}, its bytes say {expected}", FROM_MIRROR
    ),
    "checkpoint-forked": Kind(
        "the checkpoint of {size} leaves is signed over the root {found}, and the events and tiles "
        "give {expected}: since leaf {since} the log shows two histories",
        "Keep the checkpoint: it proves it. Compare with other copies of the log, and tell whoever "
        "relies on it.",
    ),
    "checkpoint-unsigned": Kind(
        "the checkpoint of {size} leaves is not signed as it has to be: {why}", FROM_BACKUP
    ),
    "checkpoint-misfiled": Kind(
        "the row of the checkpoint of {size} leaves says {column} {found}; {expected} is right",
        FROM_BACKUP,
    ),
    "checkpoint-missing": Kind(
        "a checkpoint of {size} leaves was made and is not there any more", FROM_BACKUP
    ),
    "key-unreadable": Kind("the log's key {key} cannot be read: {why}", FROM_BACKUP),
    "key-renamed": Kind("the key {key} is of {found}, and the log is {expected}", FROM_BACKUP),
    "seal-missing": Kind(
        "{events} events are recorded, and no checkpoint seals any of them",
        "If none was ever made here, make one with corrigenda checkpoint; else bring the "
        "checkpoints back from a backup.",
    ),
    "key-unknown": Kind(
        "the log is not that of the key to be trusted, {expected}; its keys are: {found}",
        "Ask whoever gave you the key; if the key is right, this is another log.",
    ),
    "key-unusable": Kind(
        "the key that signs cannot be used: {why}", "Mend it, or bring it back from a copy."
    ),
    "key-unfit": Kind(
        "the key at hand is {found}, and the newest key of the log is {expected}",
        "Bring the right key back; nobody will trust a checkpoint that this one signs.",
    ),
    "tie-broken": Kind(
        "nothing ties the key {key} to the one before it: {why}",
        "Bring the note of that rotation back from a backup; without it nobody need believe that "
        "the newer key is the log's.",
    ),
    # --- another log, afar ---
    "log-unsigned": Kind(
        "its checkpoint cannot be believed: {why}",
        "Ask whoever keeps the log for its keys, another way than from its pages.",
    ),
    "log-renamed": Kind(
        "the log at this address was {expected}, and is {found} now",
        "Ask whoever keeps it; what was seen of the old one is still remembered.",
    ),
    "log-shrank": Kind(
        "the log has {found} leaves, and had {expected} when it was seen last", ASK_BOTH
    ),
    "log-forked": Kind(
        "the log has another history: its first {size} leaves give the root {found}, and gave "
        "{expected} when they were seen last",
        ASK_BOTH,
    ),
    "proof-broken": Kind("its proof of {of} does not hold: {why}", ASK_KEEPER),
    "entry-unfit": Kind(
        "the event that it gives at position {position} is not the one under leaf {index}",
        ASK_KEEPER,
    ),
    "entries-unfit": Kind("its {size} entries do not lead to the root that is signed", ASK_KEEPER),
    "tile-differs": Kind(
        "entry {entry} of {tile} is not what the signed root needs it to be", ASK_KEEPER
    ),
    "tile-unserved": Kind("{tile} cannot be had: {why}", ASK_KEEPER),
    "tiles-unfit": Kind("its tiles are of no use: {why}", ASK_KEEPER),
    # --- a bundle, and the paper that it is attached to ---
    "bundle-malformed": Kind("it is no provenance bundle: {why}", MADE_AGAIN),
    "bundle-unproved": Kind("{what}", MADE_AGAIN),
    "bundle-unfit": Kind("{what}", MADE_AGAIN),
    "paper-unread": Kind("it cannot be read as a PDF: {why}", MADE_AGAIN),
    "paper-without-bundle": Kind(
        "no bundle is attached to it, so nothing of it can be checked", MADE_AGAIN
    ),
    "paper-digest": Kind(
        "it does not print the digest of the attached bundle, {expected}", MADE_AGAIN
    ),
    "paper-changed": Kind(
        "page {page} says “{found}”; printed from the attached bundle it says “{expected}”",
        MADE_AGAIN,
    ),
    "paper-page-missing": Kind("page {page} of what the attached bundle gives is gone", MADE_AGAIN),
    "paper-page-added": Kind("page {page} does not follow from the attached bundle", MADE_AGAIN),
    "paper-bytes": Kind(
        "its pages read as they have to, but its bytes are others: pictures, attached files or "
        "what is not seen were changed",
        MADE_AGAIN,
    ),
    "paper-uncompared": Kind(
        "its pages cannot be compared: {why}; here it is {found}",
        "What is attached was checked; for the pages verify it with the release and the fonts that "
        "printed it, or export it again and compare.",
    ),
    # --- the archive ---
    "file-missing": Kind(
        "the frozen bytes {digest} are not in the archive; position {position} names them",
        "Bring the file back from a copy of the archive.",
    ),
    "file-unreadable": Kind(
        "the archived file {file} cannot be read ({why})",
        "Let whoever verifies read it, or bring it back from a copy of the archive.",
    ),
    "file-changed": Kind(
        "the archived file {file} no longer gives the SHA-256 that it is named by",
        "Bring the file back from a copy of the archive.",
    ),
    # --- the read model ---
    "row-changed": Kind(
        "the read model's table {table} says {column} {found} in the row {key}, the events say "
        "{expected}",
        REBUILD,
    ),
    "row-missing": Kind("the read model's table {table} lacks the row {key}", REBUILD),
    "row-stranger": Kind(
        "the read model's table {table} has a row {key} that follows from no event", REBUILD
    ),
    "views-ahead": Kind(
        "the read model says that it has reached position {found}, and the ledger ends at "
        "{expected}",
        REBUILD,
    ),
    "views-unfit": Kind("the read model cannot be compared with the events: {why}", REBUILD),
}
