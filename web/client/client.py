"""A client of the interface: boards, changes, claims, corrections, papers, reports, decisions.

Times are given as the interface takes them (``as_read_on="2025-07-28"``). What is refused is
:class:`ServerRefused`, with the server's own words. A client waits as long as it is told before it
asks again, a few times, where nothing was done: for too many requests, or a busy server.
"""

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from types import TracebackType
from typing import Any, Self
from uuid import uuid4

import attrs
import httpx2

from ledger.errors import Refused
from web.client import answers
from web.client.answers import (
    Board,
    Change,
    Claim,
    Correction,
    Decided,
    Filed,
    ListedPaper,
    Paper,
    Report,
)

PATIENCE = 30.0
TRIES = 3
LONGEST_WAIT = 60
WAIT = (429, 503)
TIME = ("as_read_on", "corrected", "recorded_through", "published_by")


class ServerRefused(Refused):
    """The server refused ({status}): {detail}"""

    @property
    def kind(self) -> str:
        """The lasting name of the refusal."""
        return str(self.fields["kind"])

    @property
    def retry_after(self) -> int | None:
        """In how many seconds the same may be asked again; ``None`` where nothing is said."""
        seconds: int | None = self.fields["retry_after"]
        return seconds


@attrs.frozen
class Client:
    """A server at an address, asked with a token or without one."""

    http: httpx2.Client
    pause: Callable[[float], None] = time.sleep

    @classmethod
    def at(cls, address: str, token: str | None = None) -> Self:
        """A client of the server at an address; close it when done, or use it in a ``with``."""
        headers = {"Accept": "application/json"}
        if token is not None:
            headers["Authorization"] = f"Bearer {token}"
        return cls(httpx2.Client(base_url=address, headers=headers, timeout=PATIENCE))

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        why: BaseException | None,
        where: TracebackType | None,
    ) -> None:
        self.close()

    def close(self) -> None:
        """Give the connections back."""
        self.http.close()

    # --- what anybody may ask for -------------------------------------------------------------

    def board(
        self, benchmark: str, *, view: str | None = None, metric: str | None = None, **when: str
    ) -> Board:
        """A benchmark's board; ``when`` are the time parameters."""
        asked = {"view": view, "metric": metric, **_time(when)}
        return answers.board_of(self._get(f"/benchmarks/{benchmark}.json", asked))

    def changes(self, benchmark: str, start: str, end: str) -> tuple[Change, ...]:
        """What changed on a benchmark from one day to another."""
        asked = {"from": start, "to": end}
        found = self._get(f"/benchmarks/{benchmark}/changes.json", asked)
        return tuple(map(answers.change_of, found["changes"]))

    def claim(self, claim_id: str, **when: str) -> Claim:
        """One number and its story."""
        return answers.claim_of(self._get(f"/claims/{claim_id}.json", _time(when)))

    def corrections(self, *, limit: int = 100, **narrowed: str) -> Iterator[Correction]:
        """The public log, newest first, all of it: part by part, of the moment of the first part.
        ``narrowed`` are its filters and the time parameters."""
        asked = {"limit": str(limit), **narrowed}
        for part in self._parts("/corrections.json", asked):
            yield from map(answers.correction_of, part["corrections"])

    def papers(self, **when: str) -> Iterator[ListedPaper]:
        """Every paper of which anything was read."""
        for part in self._parts("/papers.json", _time(when)):
            for one in part["papers"]:
                yield ListedPaper(id=one["id"], title=one["title"])

    def paper(self, name: str, **when: str) -> Paper:
        """What could be found, reached and run of a paper."""
        return answers.paper_of(self._get(f"/papers/{name}.json", _time(when)))

    # --- reporting and reviewing --------------------------------------------------------------

    def file_report(
        self,
        target: str,
        reason: str,
        *,
        addresses: Sequence[str] = (),
        key: str | None = None,
        **fields: str,
    ) -> Filed:
        """File a report; ``fields`` are those of the form, with ``_`` for ``-``. The same ``key``
        with the same report files it once."""
        written = {name.replace("_", "-"): text for name, text in fields.items()}
        if "said-already" in written:
            written["said_already"] = written.pop("said-already")
        document = {"target": target, "reason": reason, **written}
        if addresses:
            document["addresses"] = list(addresses)  # type: ignore[assignment]
        told = self._post("/api/reports", document, key)
        return Filed(letter=told["letter"], target=told["target"], received_at=told["received_at"])

    def report(self, number: int) -> Report:
        """A report as it stands, for deciding it; it takes a token with ``read``."""
        return answers.report_of(self._get(f"/api/reports/{number}", {}))

    def decide(self, number: int, order: Mapping[str, Any], *, key: str | None = None) -> Decided:
        """Decide a report, approve, return or reverse; it takes a token with ``decide``."""
        return answers.decided_of(self._post(f"/api/reports/{number}/decisions", order, key))

    # --- asking -------------------------------------------------------------------------------

    def _parts(self, path: str, asked: Mapping[str, str | None]) -> Iterator[Mapping[str, Any]]:
        found = self._get(path, asked)
        while True:
            yield found
            if found["next"] is None:
                return
            found = self._get(found["next"], {})

    def _get(self, path: str, asked: Mapping[str, str | None]) -> Any:
        given = {name: text for name, text in asked.items() if text is not None}
        return self._said(lambda: self.http.get(path, params=given or None))

    def _post(self, path: str, document: Mapping[str, Any], key: str | None) -> Any:
        headers = {"Idempotency-Key": key or str(uuid4())}
        return self._said(lambda: self.http.post(path, json=dict(document), headers=headers))

    def _said(self, ask: Callable[[], httpx2.Response]) -> Any:
        """The document that is answered; waits and asks again where it is told to, a few times."""
        response = ask()
        for _ in range(TRIES - 1):
            wait = _wait(response)
            if wait is None:
                break
            self.pause(wait)
            response = ask()
        if not response.is_success:
            raise _refusal(response)
        return response.json()


def _wait(response: httpx2.Response) -> float | None:
    """How many seconds to wait before asking again; ``None`` where that would not help."""
    told = _retry_after(response)
    if response.status_code not in WAIT or told is None or told > LONGEST_WAIT:
        return None
    return float(told)


def _retry_after(response: httpx2.Response) -> int | None:
    told = response.headers.get("Retry-After", "")
    return int(told) if told.isascii() and told.isdecimal() else None


def _refusal(response: httpx2.Response) -> ServerRefused:
    try:
        told = response.json()
        kind, detail = str(told["kind"]), str(told["detail"])
    except (ValueError, KeyError, TypeError):
        kind, detail = "Unknown", "it gave no reason"
    return ServerRefused(
        status=response.status_code,
        kind=kind,
        detail=detail,
        retry_after=_retry_after(response),
    )


def _time(when: Mapping[str, str]) -> dict[str, str]:
    """The time parameters that were given; a misspelt one must never show today's board."""
    unknown = set(when) - set(TIME)
    if unknown:
        raise TypeError(f"no such time: {', '.join(sorted(unknown))}")
    return dict(when)
