"""Probing: what each way of failing says of a link, manners, and stopping without a loss."""

import signal
import subprocess
import sys
import threading
from collections.abc import Sequence
from pathlib import Path
from urllib.parse import urlsplit

import attrs
import orjson
import pytest

from tests.web.corrigenda import Corrigenda, Toy
from tests.web.failing_server import FailingServer, failing_server, nobodys_port, own_certificate
from web.fetching.failure import NotFetched
from web.fetching.get import fetcher
from web.fetching.manners import Manners
from web.probing import PROBE_LIMITS, Found, found_instead

QUICK = attrs.evolve(PROBE_LIMITS, seconds=0.4)
DEMO = Path(__file__).parents[2] / "web" / "demo"
RUN = ("--allow-private", "--pause", "0")


def opened(corrigenda: Corrigenda, links: Sequence[str], slug: str = "window") -> None:
    """A window of today over these links."""
    file = corrigenda.home.parent / "links.txt"
    file.write_text("# what to look at\n\n" + "\n".join(links), encoding="utf-8")
    # It has many days, so that no midnight comes between a test and its window.
    corrigenda.done("probe", "open", slug, "--links", str(file), "--last-day", "2999-12-31")


def probed(corrigenda: Corrigenda, *options: str) -> dict[str, tuple[str, str | None, int | None]]:
    """Run the window; what was found of each link, by the end of its address."""
    ran = corrigenda.json("probe", "run", "window", *RUN, *options)
    return {
        one["link"].rpartition("/")[2]: (one["result"], one["cause"], one["status"])
        for one in ran["probed"]
    }


# --- what is found ----------------------------------------------------------------------------


OUTCOMES: dict[str, tuple[str, str | None, int | None]] = {
    "fine": ("reachable", None, 200),
    "moved": ("reachable", None, 200),
    "gzip": ("reachable", None, 200),
    "bomb": ("reachable", None, 200),
    "endless": ("reachable", None, 200),
    "404": ("unreachable", "not-found", 404),
    "410": ("unreachable", "gone", 410),
    "loop": ("unreachable", "redirect-loop", None),
    "further": ("unreachable", "too-many-redirects", None),
    "401": ("could-not-tell", "login-needed", 401),
    "403": ("could-not-tell", "forbidden", 403),
    "418": ("could-not-tell", "status-418", 418),
    "451": ("could-not-tell", "legal-reasons", 451),
    "500": ("could-not-tell", "server-error", 500),
    "truncated": ("could-not-tell", "truncated", None),
    "half-chunk": ("could-not-tell", "truncated", None),
    "hangs-up": ("could-not-tell", "hung-up", None),
    "noise": ("could-not-tell", "not-http", None),
    "paper.pdf": ("could-not-tell", "wrong-type", 200),
}


def test_each_way_of_failing_says_what_it_can_of_a_link(
    corrigenda: Corrigenda, server: FailingServer
) -> None:
    """Gone where that is known; where it may pass or keeps us out, the probe could not tell."""
    opened(corrigenda, [server.url(path) for path in OUTCOMES])
    assert probed(corrigenda) == OUTCOMES
    assert server.methods == {"GET"}
    (agent,) = server.agents
    assert agent.startswith("Corrigenda/")


def test_where_nobody_listens_and_where_nobody_vouches(
    corrigenda: Corrigenda, tmp_path: Path
) -> None:
    """A refused connection and a certificate that is nobody's are unreachable."""
    with failing_server(chain=own_certificate(tmp_path / "own.pem")) as safe:
        refused = f"http://127.0.0.1:{nobodys_port()}/refused"
        opened(corrigenda, [refused, safe.url("tls").replace("http:", "https:")])
        assert probed(corrigenda) == {
            "refused": ("unreachable", "refused", None),
            "tls": ("unreachable", "tls", None),
        }


def test_a_redirect_is_recorded_with_the_address_it_led_to(
    corrigenda: Corrigenda, server: FailingServer
) -> None:
    """Where a link leads today is part of what was found."""
    opened(corrigenda, [server.url("moved")])
    ran = corrigenda.json("probe", "run", "window", *RUN)
    assert ran["probed"][0]["found_at"] == server.url("fine")


def test_an_address_that_is_not_public_is_not_asked(
    corrigenda: Corrigenda, server: FailingServer
) -> None:
    """The probe could not tell, since it may not look."""
    opened(corrigenda, [server.url("fine")])
    ran = corrigenda.json("probe", "run", "window")
    assert (ran["probed"][0]["cause"], server.asked) == ("private-address", [])


# --- manners ----------------------------------------------------------------------------------


def test_what_robots_do_not_allow_is_not_asked(
    corrigenda: Corrigenda, server: FailingServer
) -> None:
    """Nothing is known of such a link; robots.txt itself is asked once."""
    server.robots = b"User-agent: *\nDisallow: /\n\nUser-agent: corrigenda\nDisallow: /fine\n"
    opened(corrigenda, [server.url("fine"), server.url("404"), server.url("moved")])
    found = probed(corrigenda)
    assert found["fine"] == found["moved"] == ("could-not-tell", "robots", None)
    assert found["404"] == ("unreachable", "not-found", 404)
    assert sorted(server.asked) == ["/404", "/moved", "/robots.txt"]


def test_robots_that_cannot_be_had_allow_nothing(
    corrigenda: Corrigenda, server: FailingServer
) -> None:
    """A server in trouble is left alone (RFC 9309, 2.3.1.4)."""
    server.robots = 500
    opened(corrigenda, [server.url("fine")])
    assert probed(corrigenda) == {"fine": ("could-not-tell", "robots", None)}
    assert server.links == []


@pytest.mark.parametrize(("path", "cause"), [("429", "too-many-requests"), ("503", "server-error")])
def test_a_host_that_asks_for_a_rest_is_asked_no_more_in_this_run(
    corrigenda: Corrigenda, server: FailingServer, path: str, cause: str
) -> None:
    """Its other links stay as they were, and the next run goes on with them."""
    opened(corrigenda, [server.url(path), server.url("fine"), server.url("gzip")])
    ran = corrigenda.json("probe", "run", "window", *RUN)
    assert [one["cause"] for one in ran["probed"]] == [cause]
    assert ran["rested"] == [server.url("fine"), server.url("gzip")]
    assert (ran["window"]["left"], server.links) == (2, [f"/{path}"])
    assert set(probed(corrigenda)) == {"fine", "gzip"}


def test_two_requests_to_one_host_have_a_pause_between_them(server: FailingServer) -> None:
    """Also the one for robots.txt, and each hop of a redirect."""
    now, waits = [0.0], list[float]()

    def wait(seconds: float) -> None:
        waits.append(seconds)
        now[0] += seconds

    asking = fetcher("Corrigenda/test", allow_private=True, limits=PROBE_LIMITS)
    manners = Manners(fetcher=asking, pause=5.0, clock=lambda: now[0], wait=wait)
    asking.get(server.url("moved"), manners.pass_by)
    assert server.asked == ["/robots.txt", "/moved", "/fine"]
    assert waits == [5.0, 5.0]


def test_a_slow_server_is_given_up_and_could_not_be_told(server: FailingServer) -> None:
    """Whether it says nothing or drips."""
    for path in ("silent", "drips", "drips-headers"):
        manners = Manners(
            fetcher=fetcher("Corrigenda/test", allow_private=True, limits=QUICK), pause=0.0
        )
        with pytest.raises(NotFetched) as caught:
            manners.fetcher.get(server.url(path), manners.pass_by)
        assert found_instead(caught.value) == Found("could-not-tell", "timeout")


# --- a window ---------------------------------------------------------------------------------


def test_a_run_goes_on_where_the_last_one_ended(
    corrigenda: Corrigenda, server: FailingServer
) -> None:
    """Nothing is asked twice, unless it could not be told and that is asked for."""
    opened(corrigenda, [server.url(path) for path in ("fine", "404", "500")])
    assert list(probed(corrigenda, "--most", "2")) == ["fine", "404"]
    assert list(probed(corrigenda)) == ["500"]
    assert list(probed(corrigenda)) == []
    assert list(probed(corrigenda, "--again")) == ["500"]


def test_a_closed_window_takes_no_more_probes(
    corrigenda: Corrigenda, server: FailingServer
) -> None:
    """Nothing is asked, and it cannot be closed twice."""
    opened(corrigenda, [server.url("fine")])
    closed = corrigenda.json("probe", "close", "window", "--why", "enough")
    assert (closed["state"], closed["left"]) == ("closed", 1)
    assert "takes no more probes" in corrigenda.refused("probe", "run", "window", *RUN)
    assert "takes no more probes" in corrigenda.refused("probe", "close", "window")
    assert server.asked == []


def test_a_window_whose_days_have_not_come_is_not_run(
    corrigenda: Corrigenda, server: FailingServer, tmp_path: Path
) -> None:
    """A probe lies within the days of its window, so nothing is asked outside of them."""
    file = tmp_path / "links.txt"
    file.write_text(server.url("fine"), encoding="utf-8")
    corrigenda.done("probe", "open", "window", "--links", str(file), "--first-day", "2999-01-01")
    assert "outside of probe window" in corrigenda.refused("probe", "run", "window", *RUN)
    assert server.asked == []


@pytest.mark.parametrize(
    "text",
    ["", "# nothing\n", "ftp://kites.example/\n", "http://ada:hunter2@kites.example/\n", "kites\n"],
)
def test_a_list_that_cannot_be_probed_opens_no_window(
    corrigenda: Corrigenda, tmp_path: Path, text: str
) -> None:
    """It is refused with its reason, and no password is repeated."""
    file = tmp_path / "links.txt"
    file.write_text(text, encoding="utf-8")
    assert "hunter2" not in corrigenda.refused("probe", "open", "window", "--links", str(file))
    assert "no probe window" in corrigenda.refused("probe", "run", "window").lower()


def test_a_list_has_an_end(corrigenda: Corrigenda, tmp_path: Path) -> None:
    """More links than one window takes are refused before any is asked."""
    file = tmp_path / "links.txt"
    file.write_text("\n".join(f"http://kites.example/{n}" for n in range(2_001)), encoding="utf-8")
    assert "at most 2000" in corrigenda.refused("probe", "open", "window", "--links", str(file))


def test_a_link_that_is_listed_twice_is_probed_once(
    corrigenda: Corrigenda, server: FailingServer
) -> None:
    """By its address, not by how it is spelled."""
    opened(corrigenda, [server.url("fine"), server.url("fine/"), server.url("fine#part")])
    assert list(probed(corrigenda)) == ["fine"]
    assert server.links == ["/fine"]


@pytest.mark.parametrize(
    ("option", "name", "about", "hosts"),
    [
        ("--paper", "2402.14658", "papers/2402.14658", ["arxiv.org", "github.com"]),
        (
            "--benchmark",
            "humaneval-mbpp-average",
            "benchmarks/humaneval-mbpp-average",
            ["arxiv.org"],
        ),
    ],
)
def test_the_links_of_a_page_are_those_that_it_shows(
    corrigenda: Corrigenda, option: str, name: str, about: str, hosts: list[str]
) -> None:
    """A paper's own and its repositories'; those of the sources on a benchmark's boards."""
    corrigenda.done("import", str(DEMO / "opencodeinterpreter.jsonl"))
    window = corrigenda.json("probe", "open", "window", option, name)
    assert (window["about"], window["links"], window["left"]) == (about, len(hosts), len(hosts))
    opening = corrigenda.json("events")["events"][-1]["event"]
    assert [urlsplit(link).hostname for link in opening["links"]] == hosts


def test_a_benchmark_without_links_opens_no_window(toy: Toy) -> None:
    """Nobody stated an address, so there is nothing to probe."""
    said = toy.corrigenda.refused("probe", "open", "window", "--benchmark", "toy")
    assert "nothing to probe" in said


def test_what_was_probed_is_kept_when_somebody_stops_it(
    corrigenda: Corrigenda, server: FailingServer
) -> None:
    """Ctrl-C in the middle of a request: what was found before stands, and the rest is left."""
    reached = threading.Event()

    def hold() -> None:
        reached.set()
        server.over.wait()

    server.on_gate = hold
    opened(corrigenda, [server.url(path) for path in ("fine", "404", "gate", "gzip")])
    words = ["--home", str(corrigenda.home), "--by", "ada", "probe", "run", "window", *RUN]
    command = [sys.executable, "-c", "from web.cli import main; main()", *words, "--json"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as running:
        assert reached.wait(120)
        running.send_signal(signal.SIGINT)
        out, err = running.communicate()
    assert running.returncode == 1
    assert b"Stopped" in err
    ran = orjson.loads(out)
    assert [one["link"] for one in ran["probed"]] == [server.url("fine"), server.url("404")]
    assert (ran["stopped"], ran["window"]["left"]) == (True, 2)
    server.on_gate = None
    assert set(probed(corrigenda)) == {"gate", "gzip"}
    assert corrigenda.json("verify")["holds"] is True
