"""What is done while a process is killed: one act for each kind of work, and its commit points.

An act says what has to be there before, and the one deed that is repeated after the death, as a
person or a supervisor would repeat it: by the same command, with the same words.
"""

import hashlib
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import attrs

from ledger import events as ev
from ledger.claim import claim_id
from ledger.store import NewEvents
from ledger.values import Slug
from web.app import create_app
from web.cli import main
from web.private.suspected import suspects
from web.reporting.filing import Posted, sent_before
from web.reporting.filled import Filled
from web.reporting.screening import rescue, same_report, take_in
from web.settings import Settings
from web.wiring import Workspace, make_home, make_key, open_workspace

Step = Callable[[Settings], None]

DEMO = Path(__file__).parents[1] / "web" / "demo"
JANUARY = b"model,score,metric,date\nAlpha,72.50,accuracy,2025-01\nBeta,71.0,accuracy,2025-01-20\n"
FEBRUARY = b"model,score,metric,date\nAlpha,72.50,accuracy,2025-01\nBeta,73.1,accuracy,2025-01-20\n"
READINGS = {"2025-02-07T191510Z.csv": JANUARY, "2025-02-15T200039Z.csv": FEBRUARY}
ABOUT = ("--source", "toy-board", "--benchmark", "toy", "--benchmark-name", "Toy", "--unit", "%")
ALPHA = claim_id("toy-board", "toy", "Alpha", "accuracy", None)

RECORDING = ("append:written", "append:committed")
SHOWING = ("follow:applied", "follow:committed", "seal:signed", "seal:committed")
MANY = 5_000
"""Events that take more than one transaction to seal."""


@attrs.frozen
class Act:
    """One kind of work, what comes before it, and the points to die at."""

    name: str
    before: tuple[Step, ...]
    deed: Step
    points: tuple[str, ...]


def command(*words: str, by: str = "ada") -> Step:
    """A command as somebody types it."""

    def run(settings: Settings) -> None:
        if main(["--home", str(settings.home), "--by", by, *words], standalone_mode=False):
            raise AssertionError(f"{' '.join(words)} was refused")

    return run


def opened(work: Callable[[Workspace], object]) -> Step:
    """Something that is done to an open ledger, as the pages do it."""

    def run(settings: Settings) -> None:
        with closing(open_workspace(settings)) as workspace:
            work(workspace)

    return run


# --- deeds ------------------------------------------------------------------------------------


def made(settings: Settings) -> None:
    """A home with a key, and the files that are brought in."""
    make_home(settings)
    with closing(open_workspace(settings)) as workspace:
        make_key(workspace)
    folder = settings.home / "readings"
    folder.mkdir()
    for name, data in READINGS.items():
        (folder / name).write_bytes(data)


def imported(settings: Settings) -> None:
    """Two readings of a small board."""
    command("import", *ABOUT, str(settings.home / "readings"))(settings)


def frozen(settings: Settings) -> None:
    """A document of the source, kept as it is."""
    file = settings.home / "document.txt"
    file.write_bytes(b"The table says 72.9.\n")
    command("freeze", str(file), "--source", "toy-board", "--read-at", "2025-02-21")(settings)


def exported(settings: Settings) -> None:
    """The board's bundle, in a file."""
    out = settings.home / "toy.json"
    command("export", "board", "toy", "--bundle", str(out))(settings)


def sent(workspace: Workspace, by: str, filled: Filled) -> None:
    """A form that somebody without an account was given once comes in, as the pages take it in:
    where an open report says the same, it joins that."""
    typed = {
        "target": filled.target,
        "reason": filled.reason,
        "wish": "remark",
        "words": filled.words,
        "addresses": "\n".join(filled.addresses),
        "contact": filled.contact or "",
    }
    now = workspace.ledger.clock()
    form = Posted(typed=typed, sender=by, once="form", received_at=now)
    if sent_before(workspace, form) is None:
        workspace.catch_up()
        take_in(workspace, form, filled, join_to=same_report(workspace, filled))


def said(words: str, contact: str) -> Filled:
    """What is wrong with a score, and where that can be seen."""
    return Filled(
        target=f"claims/{ALPHA}",
        reason="wrong-value",
        words=words,
        addresses=("https://example.org/table",),
        contact=contact,
    )


def posted(workspace: Workspace) -> None:
    """A report."""
    sent(workspace, "browser", said("It says 72.9.", "ada@x.org"))


def joined(workspace: Workspace) -> None:
    """Somebody else says the same."""
    sent(workspace, "another browser", said("It says 72.9!", "eve@x.org"))


def set_apart(workspace: Workspace) -> None:
    """A post that says nothing but a link."""
    sent(workspace, "a third browser", said("https://casino.example/win", "bot@x.org"))


def rescued(workspace: Workspace) -> None:
    """A reviewer makes reports of all that waits apart."""
    for one in suspects(workspace.private):
        rescue(workspace, one.key, "boris")


def many(workspace: Workspace) -> None:
    """More events than one transaction seals."""
    now = workspace.ledger.clock()
    facts = (
        NewEvents(f"lab:{n}", 0, (ev.LabRegistered(slug=Slug(f"l{n}"), name=f"L{n}", read_at=now),))
        for n in range(MANY)
    )
    workspace.ledger.store.append(facts, by="ada")


def printed(settings: Settings) -> None:
    """The board on paper, as a page of ours prints it."""
    with closing(open_workspace(settings)) as workspace:
        answer = create_app(workspace).test_client().get("/benchmarks/toy.pdf")
        if answer.status_code != 200:
            raise AssertionError(answer.get_data(as_text=True))


FILED = command(
    *("report", "file", "--target", f"claims/{ALPHA}", "--reason", "wrong-value"),
    *("--words", "It says 72.9."),
)
DECIDED = command(
    *("report", "decide", "1", "--outcome", "accepted", "--type", "correction"),
    *("--reason", "wrong-value", "--statement", "It says 72.9.", "--applies-from", "start"),
    *("--set", "score=72.9", "--snapshot", hashlib.sha256(FEBRUARY).hexdigest(), "--seen", "1"),
    by="boris",
)

ACTS = (
    Act(
        "importing",
        (made,),
        imported,
        (
            *("archive:written", "archive:named", "import:archived", "import:archived@2"),
            *(*RECORDING, "append:written@2", "append:committed@2", *SHOWING),
        ),
    ),
    Act(
        "importing records",
        (made,),
        command("import", str(DEMO / "code-interpreter.jsonl")),
        ("import:facts", "append:committed@3", *SHOWING),
    ),
    Act(
        "importing a paper",
        (made,),
        command("import", str(DEMO / "opencodeinterpreter.jsonl")),
        ("import:facts", "import:paper-archived"),
    ),
    Act("freezing", (made, imported), frozen, ("freeze:archived", *RECORDING)),
    Act(
        "reporting",
        (made, imported),
        opened(posted),
        (
            *("file:opened", "file:words", *RECORDING, "file:recorded"),
            *("append:committed@2", "evidence:recorded"),
        ),
    ),
    Act(
        "joining",
        (made, imported, opened(posted)),
        opened(joined),
        (
            *("join:opened", *RECORDING, "evidence:recorded"),
            *("append:written@2", "append:committed@2", "evidence:recorded@2"),
        ),
    ),
    Act("setting apart", (made, imported), opened(set_apart), ("apart:kept",)),
    Act(
        "rescuing",
        (made, imported, opened(set_apart)),
        opened(rescued),
        (
            *("rescue:taken", "file:words", *RECORDING, "file:recorded"),
            *("append:written@2", "append:committed@2", "evidence:recorded", "rescue:filed"),
            *("append:written@3", "append:committed@3", "rescue:said"),
        ),
    ),
    Act("deciding", (made, imported, FILED), DECIDED, (*RECORDING, "decide:recorded", *SHOWING)),
    Act(
        "following",
        (made, imported, FILED),
        command("rebuild"),
        ("fill:committed", "rebuild:switching", "rebuild:switched"),
    ),
    Act(
        "sealing",
        (made, opened(many)),
        command("checkpoint"),
        ("seal:bundles", "seal:committed", "seal:signed", "seal:committed@2"),
    ),
    Act(
        "changing the key",
        (made, imported),
        command("key", "rotate"),
        ("key:prepared", "key:handed-on"),
    ),
    Act("exporting", (made, imported), exported, ("export:written", "export:named")),
    Act("printing", (made, imported), printed, ("print:kept", "print:told")),
    Act(
        "erasing",
        (made, imported, FILED),
        command("private", "erase", "1"),
        ("erase:removed",),
    ),
)
