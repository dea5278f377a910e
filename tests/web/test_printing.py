"""PDFs at the addresses of pages: small ones at once, large ones as jobs, finished ones kept."""

import hashlib
import os
import re
import signal
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from werkzeug.test import TestResponse

from reports.pdf import pdf_of
from tests.web.desk import HERON, IBIS, Office
from tests.web.people import Person, signed_in, stranger
from web.printing import jobs as jobs_of
from web.printing import pages, wanted
from web.printing.jobs import Job, Jobs
from web.printing.keeping import Exports
from web.wiring import make_key

BOARD = "/benchmarks/kitebench.pdf"
CLAIM = f"/claims/{HERON}.pdf"
JOB = re.compile(r"/exports/jobs/([0-9a-f]{32})$")
PDF = re.compile(r"/exports/([0-9a-f]{64})\.pdf")


@pytest.fixture
def press(office: Office) -> Iterator[Office]:
    """The pages of a desk whose log has a key; jobs that a test leaves behind are ended."""
    make_key(office.desk.workspace, lambda: bytes(range(32)))
    office.desk.workspace.seal()
    yield office
    jobs = jobs_in(office)
    for folder in jobs.folder.glob("*/lock"):
        jobs.cancel(folder.parent.name)


@pytest.fixture
def visitor(press: Office) -> Person:
    """Somebody without an account."""
    return stranger(press.app, press.desk.workspace)


@pytest.fixture
def large(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the board's three rows count as many."""
    monkeypatch.setattr(wanted, "LARGE", 2)


def get(person: Person, address: str, **options: Any) -> TestResponse:
    """Ask, and read the answer to its end: files are sent piece by piece."""
    return person.get(address, buffered=True, **options)


def jobs_in(press: Office) -> Jobs:
    """The jobs of an office."""
    return Jobs(press.desk.workspace.settings.home / "exports" / "jobs")


def begun(response: TestResponse) -> str:
    """The id of the job that an answer leads to."""
    assert response.status_code == 303, response.text
    found = JOB.search(response.headers["Location"])
    assert found
    return found[1]


def over(press: Office, name: str) -> Job:
    """A job, once nothing more happens to it; a hang is the hang guard's."""
    while True:
        job = jobs_in(press).job(name)
        assert job is not None
        if job.is_over and not jobs_in(press).runs(name):
            return job
        time.sleep(0.1)


# --- small ones -------------------------------------------------------------------------------


def test_a_page_has_its_pdf_and_the_bundle_at_the_same_address_is_in_it(visitor: Person) -> None:
    """The PDF is what anybody can print anew from the bundle that the same address gives."""
    response = get(visitor, BOARD)
    assert (response.status_code, response.mimetype) == (200, "application/pdf")
    assert response.headers["Content-Disposition"].startswith("inline; filename=board_kitebench")
    bundle = get(visitor, "/benchmarks/kitebench.bundle.json")
    assert response.data == pdf_of(bundle.data)


def test_what_was_printed_once_is_served_from_disk(
    visitor: Person, press: Office, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Asking again costs nothing, and counts for nothing; one more print would be too many."""
    monkeypatch.setattr(pages, "PRINTED", 1)
    first = get(visitor, CLAIM)
    assert first.status_code == 200
    assert get(visitor, CLAIM).data == first.data
    other = get(visitor, f"/claims/{IBIS}.pdf")
    assert (other.status_code, "Retry-After" in other.headers) == (429, True)
    reviewer = signed_in(press.app, press.desk.workspace, "rae")
    assert get(reviewer, f"/claims/{IBIS}.pdf").status_code == 200


def test_a_finished_pdf_never_changes(visitor: Person, press: Office) -> None:
    """Its address bears the digest of its bytes, and any cache may keep it for good."""
    printed = get(visitor, CLAIM).data
    response = get(visitor, f"/exports/{hashlib.sha256(printed).hexdigest()}.pdf")
    assert response.data == printed
    assert "immutable" in response.headers["Cache-Control"]
    again = get(visitor, response.request.path, headers={"If-None-Match": response.headers["ETag"]})
    assert again.status_code == 304
    assert get(visitor, f"/exports/{'0' * 64}.pdf").status_code == 404
    assert jobs_in(press).folder.exists() is False


@pytest.mark.parametrize(
    ("address", "status"),
    [
        (f"{BOARD}?as_read_on=2025-02-30", 400),
        (f"{BOARD}?view=none", 400),
        (f"{BOARD}?page=2", 400),
        ("/benchmarks/nothing.pdf", 404),
        ("/claims/c00000000000000000000000.pdf", 404),
        ("/corrections/99.pdf", 404),
        ("/corrections.pdf", 400),
        ("/corrections.pdf?from=2025-12-31&to=2025-13-01", 400),
        ("/exports/jobs/nothing", 404),
        (f"/exports/jobs/{'0' * 32}", 404),
        (f"/exports/jobs/{'0' * 32}?page=1", 400),
    ],
)
def test_what_is_not_there_is_not_printed(visitor: Person, address: str, status: int) -> None:
    """A wrong address is told so, and nothing is printed for it."""
    assert get(visitor, address).status_code == status


# --- large ones -------------------------------------------------------------------------------


@pytest.mark.usefixtures("large")
def test_a_link_never_begins_a_job(visitor: Person, press: Office) -> None:
    """Whoever follows a link to a large PDF gets a button, whatever comes along with it."""
    response = get(visitor, BOARD)
    assert (response.status_code, response.mimetype) == (200, "text/html")
    assert "Print it" in response.text
    assert visitor.post(BOARD, forged=True).status_code == 403
    assert jobs_in(press).folder.exists() is False


@pytest.mark.usefixtures("large")
def test_a_job_prints_what_waiting_would_have(visitor: Person, press: Office) -> None:
    """Its page leads to the finished PDF, which then stands at the board's own address too."""
    name = begun(visitor.post(BOARD))
    at_first = get(visitor, f"/exports/jobs/{name}")
    assert at_first.status_code == 200
    job = over(press, name)
    assert (job.state, job.why) == ("done", None)
    page = get(visitor, f"/exports/jobs/{name}")
    assert "Refresh" not in page.headers
    address = PDF.search(page.text)
    assert address
    printed = get(visitor, address[0]).data
    assert hashlib.sha256(printed).hexdigest() == address[1] == job.digest
    assert get(visitor, BOARD).data == printed
    assert printed == pdf_of(get(visitor, "/benchmarks/kitebench.bundle.json").data)
    assert list((jobs_in(press).folder / name).glob("work")) == []


@pytest.mark.usefixtures("large")
def test_one_job_at_a_time_for_whoever_asks(visitor: Person, press: Office) -> None:
    """The same again leads to the job that runs; another is refused, of an account it is not."""
    name = begun(visitor.post(BOARD))
    running = get(visitor, f"/exports/jobs/{name}")
    assert "Cancel" in running.text
    assert running.headers["Refresh"]
    assert begun(visitor.post(BOARD)) == name
    refused = visitor.post(f"{BOARD}?view=all&every_claim=yes")
    assert (refused.status_code, name in refused.text) == (409, True)
    reviewer = signed_in(press.app, press.desk.workspace, "rae")
    other = begun(reviewer.post(f"{BOARD}?view=all&every_claim=yes"))
    third = signed_in(press.app, press.desk.workspace, "tove")
    assert third.post(f"{BOARD}?every_claim=yes").status_code == 503
    assert {over(press, one).state for one in (name, other)} == {"done"}


@pytest.mark.usefixtures("large")
def test_a_job_can_be_cancelled(visitor: Person, press: Office) -> None:
    """Its processes end, nothing is kept, and it can be begun again."""
    name = begun(visitor.post(BOARD))
    address = f"/exports/jobs/{name}"
    assert visitor.post(f"{address}/cancel", forged=True).status_code == 403
    assert visitor.post(f"{address}/cancel").status_code == 303
    assert over(press, name).state == "cancelled"
    assert "was cancelled" in get(visitor, address).text
    assert Exports(jobs_in(press).folder.parent).finished("0" * 64) is None
    assert begun(visitor.post(BOARD)) != name


@pytest.mark.usefixtures("large")
def test_a_job_that_died_is_told_as_failed(visitor: Person, press: Office) -> None:
    """Nobody waits for a process that is gone, and its owner may begin another."""
    name = begun(visitor.post(BOARD))
    os.killpg(int((jobs_in(press).folder / name / "pid").read_text("ascii")), signal.SIGKILL)
    assert over(press, name).state == "failed"
    assert "could not be printed" in get(visitor, f"/exports/jobs/{name}").text
    assert over(press, begun(visitor.post(BOARD))).state == "done"


@pytest.mark.usefixtures("large")
def test_jobs_are_limited(visitor: Person, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever begins and cancels all the time has to wait as well."""
    monkeypatch.setattr(pages, "BEGUN", 1)
    name = begun(visitor.post(BOARD))
    visitor.post(f"/exports/jobs/{name}/cancel")
    assert visitor.post(BOARD).status_code == 429


# --- what is kept -----------------------------------------------------------------------------


def test_the_longest_unused_make_room(tmp_path: Path) -> None:
    """The newest always stays, however large it is."""
    exports = Exports(tmp_path / "exports", most=250)
    digests = []
    for number in range(3):
        pdf = tmp_path / "made.pdf"
        pdf.write_bytes(bytes([number]) * 100)
        digests.append(exports.keep(f"key-{number}", "a.pdf", pdf).digest)
        os.utime(exports.folder / "files" / f"{digests[-1]}.pdf", (number, number))
    assert [exports.finished(one) is not None for one in digests] == [False, True, True]
    assert exports.asked("key-0") is None
    found = exports.asked("key-2")
    assert found is not None
    assert (found.digest, found.name) == (digests[2], "a.pdf")


def test_a_job_ends_in_one_way(tmp_path: Path) -> None:
    """Whoever comes second, the canceller or the worker, changes nothing."""
    jobs_of.end(tmp_path, "cancelled")
    jobs_of.end(tmp_path, "done", digest="0" * 64)
    assert (tmp_path / "ended.json").read_bytes() == b'{"state":"cancelled"}'
    assert sorted(path.name for path in tmp_path.iterdir()) == ["ended.json"]
