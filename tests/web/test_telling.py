"""The operator is told of what happens to reports: by signed webhooks, and by real servers."""

import base64
import hashlib
import hmac

import attrs
import orjson

from ledger import commands as orders
from tests.web.kites import HERON
from tests.web.receivers import free_port
from tests.web.telling import World, states
from web.private import outbox
from web.telling import posting
from web.telling.outgoing import MOST_ATTEMPTS, tell, work


def test_the_operator_is_told_of_each_step(world: World) -> None:
    """Received, in review, decided, undone: with the ledger's position and a link, in turn."""
    number = world.file()
    world.kites.workspace.ledger.do(orders.StartReview(number=number), "boris")
    name = world.decide(number)
    world.kites.reverse(name)
    tell(world.kites.workspace, number, "reversed")
    world.work()
    assert world.types == [
        "report.received",
        "report.in-review",
        "report.decided",
        "report.reversed",
    ]
    received, _, decided, undone = (orjson.loads(body) for _, body in world.hook.came)
    assert received["data"]["address"] == f"https://kites.example/review/{number}"
    assert received["data"]["correction"] is None
    assert decided["timestamp"] == "2025-07-01T08:00:00.000000Z"
    assert decided["data"]["address"] == "https://kites.example/corrections/1"
    assert decided["data"]["correction"]["number"] == 1
    assert decided["data"]["correction"]["claims"] == [HERON]
    assert undone["data"]["correction"]["replaces"] == 1
    positions = [orjson.loads(body)["data"]["position"] for _, body in world.hook.came]
    assert positions == sorted(set(positions))


def test_a_request_is_signed_over_id_time_and_body(world: World) -> None:
    """HMAC-SHA256 as Standard Webhooks has it, which any receiver can check."""
    world.file()
    world.work()
    ((headers, body),) = world.hook.came
    signed = f"{headers['webhook-id']}.{headers['webhook-timestamp']}.".encode() + body
    expected = hmac.new(b"twenty-four secret bytes", signed, hashlib.sha256).digest()
    assert headers["webhook-signature"] == f"v1,{base64.b64encode(expected).decode()}"
    now = int(world.kites.clock().timestamp())
    assert headers["webhook-timestamp"] == str(now)
    assert headers["content-type"] == "application/json"


def test_the_example_of_the_specification_is_signed_as_it_says() -> None:
    """Standard Webhooks' own example, so that its libraries take what we send."""
    made = posting.signature(
        "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw",
        "msg_p5jXN8AQM9LWM0D4loKWxJek",
        1614265330,
        b'{"test": 2432232314}',
    )
    assert made == "g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE="


def test_what_is_not_taken_is_tried_again_under_the_same_id(world: World) -> None:
    """Later and later, and never within the pause."""
    world.hook.answers = [500, 302, 429]
    world.file()
    pauses = []
    for _ in range(4):
        world.work()
        assert world.work() == 0
        pauses.append(len(world.hook.came))
        world.kites.wait(minutes=31)
    assert pauses == [1, 2, 3, 4]
    assert len(set(world.hook.ids)) == 1
    assert len({body for _, body in world.hook.came}) == 1
    assert states(world) == {"sent": 1}


def test_trying_ends(world: World) -> None:
    """After the last pause it is given up; a person may ask for it once more."""
    world.hook.answers = [503] * MOST_ATTEMPTS
    world.file()
    for _ in range(MOST_ATTEMPTS + 3):
        world.work()
        world.kites.wait(days=2)
    assert len(world.hook.came) == MOST_ATTEMPTS
    assert states(world) == {"failed": 1}
    assert outbox.send_again(world.private) == 1
    world.work()
    assert states(world) == {"sent": 1}
    assert len(set(world.hook.ids)) == 1


def test_no_redirect_is_followed(world: World) -> None:
    """What is signed for one receiver goes to no other."""
    world.hook.answers = [307]
    world.file()
    world.work()
    assert len(world.hook.came) == 1
    assert states(world) == {"waiting": 1}


def test_a_receiver_that_is_not_there_costs_nothing(world: World) -> None:
    """It is tried again later; the decision stands."""
    settings = attrs.evolve(
        world.kites.workspace.settings, webhook_url=f"http://127.0.0.1:{free_port()}/"
    )
    away = attrs.evolve(world.kites.workspace, settings=settings)
    world.file()
    work(away)
    assert states(world) == {"waiting": 1}
    world.kites.wait(minutes=2)
    world.work()
    assert states(world) == {"sent": 1}
