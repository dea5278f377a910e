"""The kites with both ways of telling set up: a receiver of webhooks and a mailbox, both real."""

import base64
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import attrs
import orjson
import pytest

from tests.web.kites import Kites, open_kites
from tests.web.receivers import Mailbox, Receiver, mailbox, receiver
from web.private import outbox
from web.private.reporters import open_letter
from web.private.store import PrivateStore
from web.settings import Settings
from web.telling.outgoing import tell, work_off

SECRET = "whsec_" + base64.b64encode(b"twenty-four secret bytes").decode()
DANA = "dana@example.org"
SENDER = "Corrigenda <corrections@kites.example>"
CORRIGENDA = str(Path(sys.executable).parent / "corrigenda")


@attrs.frozen
class World:
    """The kites, with both ways of telling set up."""

    kites: Kites
    mail: Mailbox
    hook: Receiver

    def file(self, contact: str | None = DANA) -> int:
        """A report by somebody without an account who left a contact."""
        number = self.kites.file(by="reporter-0a1b2c3d")
        open_letter(self.private, number, contact)
        tell(self.kites.workspace, number, "received")
        return number

    def decide(self, number: int, **said: Any) -> str:
        """Accept what a report asks for."""
        name = self.kites.correct("70.1", number=number, **said)
        tell(self.kites.workspace, number, "decided")
        return name

    def work(self) -> int:
        """Send what is due."""
        return work_off(self.kites.workspace)

    @property
    def private(self) -> PrivateStore:
        """Where the outbox is."""
        return self.kites.workspace.private

    @property
    def types(self) -> list[str]:
        """What the receiver was told, in turn."""
        return [orjson.loads(body)["type"] for _, body in self.hook.came]


def settings_of(home: Path, mail: Mailbox, hook: Receiver) -> Settings:
    """A home where both ways are set up."""
    return Settings(
        home=home,
        two_person=False,
        address="https://kites.example",
        webhook_url=hook.url,
        webhook_secret=SECRET,
        smtp_url=mail.url,
        mail_from=SENDER,
    )


@pytest.fixture
def world(kites_once: Path, tmp_path: Path) -> Iterator[World]:
    """Everything, running."""
    shutil.copytree(kites_once, tmp_path / "home")
    with ExitStack() as stack:
        mail, hook = stack.enter_context(mailbox()), stack.enter_context(receiver())
        kites = stack.enter_context(open_kites(settings_of(tmp_path / "home", mail, hook)))
        yield World(kites, mail, hook)


def states(world: World) -> dict[str, int]:
    """How many messages are in which state."""
    return dict(outbox.counts(world.private))


def environment(world: World) -> dict[str, str]:
    """The environment of a command that tells."""
    settings = world.kites.workspace.settings
    return {
        **os.environ,
        "CORRIGENDA_HOME": str(settings.home),
        "CORRIGENDA_WEBHOOK_URL": settings.webhook_url or "",
        "CORRIGENDA_WEBHOOK_SECRET": SECRET,
        "CORRIGENDA_SMTP_URL": world.mail.url,
        "CORRIGENDA_MAIL_FROM": SENDER,
        "CORRIGENDA_ADDRESS": "https://kites.example",
    }


def run(world: World, *words: str) -> subprocess.CompletedProcess[str]:
    """Run the command in a process of its own."""
    return subprocess.run(
        [CORRIGENDA, "tell", *words],
        env=environment(world),
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
