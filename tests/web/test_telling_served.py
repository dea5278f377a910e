"""The command and the server tell, whatever happens, and say what is not set up."""

import os
import signal
import subprocess
import time
from pathlib import Path

import attrs
import orjson
import pytest

from ledger.errors import BadValue
from tests.web.receivers import free_port
from tests.web.telling import CORRIGENDA, DANA, SENDER, World, environment, run
from web.settings import Settings
from web.telling import mailing
from web.telling.outgoing import Teller, channels_of, tell


def test_the_command_sends_what_waits_and_says_so(world: World) -> None:
    """With a count for each state."""
    number = world.file()
    world.decide(number)
    world.hook.answers = [500]
    done = run(world, "--json")
    assert (done.returncode, done.stderr) == (0, "")
    assert orjson.loads(done.stdout) == {"tried": 3, "messages": {"sent": 2, "waiting": 1}}
    said = run(world, "--again")
    assert said.stdout.splitlines() == [
        "0 messages were tried; 2 are sent in all.",
        "1 to be tried again later.",
    ]


def test_the_server_tells_after_each_decision(world: World) -> None:
    """Beside the pages, without anybody asking for it, and it stops when it is told to."""
    number = world.file()
    world.kites.correct("70.1", number=number)
    server = subprocess.Popen(
        [CORRIGENDA, "serve", "--port", str(free_port())],
        env=environment(world),
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    try:
        end = time.monotonic() + 30
        while (len(world.hook.came), len(world.mail.came)) != (2, 1):
            assert time.monotonic() < end
            time.sleep(0.05)
    finally:
        os.killpg(server.pid, signal.SIGTERM)
        _, said = server.communicate(timeout=30)
    assert server.returncode == 0
    assert "Traceback" not in said
    assert DANA not in said


def test_the_teller_survives_whatever_happens(
    world: World, caplog: pytest.LogCaptureFixture
) -> None:
    """A round that fails is logged, and the next one goes on."""
    teller = Teller(world.kites.workspace, every=0.02)
    world.file()
    world.private.close()
    path = Path(world.kites.workspace.settings.private)
    path.rename(path.with_suffix(".away"))
    path.mkdir()
    teller.start()
    end = time.monotonic() + 20
    while "nothing could be told" not in caplog.text:
        assert time.monotonic() < end
        time.sleep(0.02)
    path.rmdir()
    path.with_suffix(".away").rename(path)
    while not world.hook.came:
        assert time.monotonic() < end
        time.sleep(0.02)
    teller.stop(5)


@pytest.mark.parametrize(
    ("given", "named"),
    [
        ({"webhook_url": "https://hooks.example/x"}, "CORRIGENDA_WEBHOOK_SECRET"),
        ({"webhook_url": "ftp://hooks.example/", "webhook_secret": "s3cret"}, "https://name/path"),
        ({"webhook_url": "https://a:s3cret@hooks.example/", "webhook_secret": "x"}, "password"),
        ({"smtp_url": "smtp://u:s3cret@mail.example"}, "CORRIGENDA_MAIL_FROM"),
        (
            {"smtp_url": "smtp://u:s3cret@mail.example", "mail_from": "nobody"},
            "CORRIGENDA_MAIL_FROM",
        ),
        ({"smtp_url": "imap://u:s3cret@mail.example", "mail_from": SENDER}, "scheme://host:port"),
        ({"smtp_url": "smtp://u:s3cret@mail.example:x", "mail_from": SENDER}, "scheme://host:port"),
    ],
)
def test_a_channel_that_is_half_set_up_is_refused(
    tmp_path: Path, given: dict[str, str], named: str
) -> None:
    """With what is missing, and without repeating a secret."""
    settings = Settings(home=tmp_path, **given)  # type: ignore[arg-type]  # names and texts
    with pytest.raises(BadValue, match=named) as refused:
        channels_of(settings)
    assert "s3cret" not in str(refused.value)
    assert "s3cret" not in repr(settings).replace(str(given.get("webhook_url")), "")


def test_a_decision_never_fails_since_nobody_can_be_told(world: World) -> None:
    """A channel that is half set up is the operator's trouble, not the reviewer's."""
    number = world.file()
    settings = attrs.evolve(world.kites.workspace.settings, webhook_secret=None)
    tell(attrs.evolve(world.kites.workspace, settings=settings), number, "decided")


def test_a_password_is_not_sent_where_anybody_could_read_it() -> None:
    """Only under TLS, or where nobody is in between."""
    for url, local in (
        ("smtp://u:p@127.0.0.1", True),
        ("smtp://u:p@[::1]:25", True),
        ("smtp://u:p@localhost", True),
        ("smtp://u:p@mail.example", False),
        ("smtp://u:p@192.0.2.1", False),
    ):
        assert mailing.Relay.of(url).is_local is local
