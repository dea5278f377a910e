"""One claim with its chain, and the decisions of the public log."""

from typing import Any

import attrs

from reports.contract import Json
from web.agents import given as ask
from web.agents.answers import ClaimAnswer, CorrectionAnswer, LogAnswer
from web.agents.asking import Given, Pages
from web.agents.caveats import FILED_ONLY, OVERLAY, of_claim, of_correction
from web.agents.pinning import pinned
from web.reporting.targets import NAMES

MOST_LEAVES = 50
"""Events of a claim of which an answer says where they stand in the log; the newest."""


@attrs.frozen
class Claims:
    """The tools about claims and decisions."""

    pages: Pages

    def get_claim(
        self,
        *,
        claim_id: ask.ClaimId,
        as_read_on: ask.AsReadOn = None,
        corrected: ask.Corrected = None,
        recorded_through: ask.RecordedThrough = None,
    ) -> ClaimAnswer:
        """One number with its chain: what its source says and what shows, every reading of the
        source, every decision, and where each of its events stands in the sealed log."""
        NAMES["claims"](claim_id)
        which = {"claim": claim_id}
        asked: Given = {
            "as_read_on": as_read_on,
            "corrected": corrected,
            "recorded_through": recorded_through,
        }
        found = self.pages.told("public.claim_as_json", which, asked)
        above = self.pages.caveats_of(found["benchmark"]["slug"], pinned(found))
        return ClaimAnswer.model_validate(
            {
                "answer": found,
                "log": self._leaves(found),
                "caveats": list(of_claim(found, above)),
                "permalink": self.pages.link("public.claim", which, pinned(found)),
            }
        )

    def get_corrections(
        self,
        *,
        q: ask.Q = None,
        about: ask.About = None,
        benchmark: ask.Benchmark = None,
        paper: ask.Paper = None,
        outcome: ask.Outcome = None,
        type: ask.Type = None,  # noqa: A002 -- the page's own name for it
        reason: ask.Reason = None,
        decided_by: ask.Handle = None,
        year: ask.Year = None,
        from_day: ask.Day = None,
        to_day: ask.Day = None,
        before: ask.Before = None,
        after: ask.After = None,
        count: ask.Count = 50,
        as_read_on: ask.AsReadOn = None,
        recorded_through: ask.RecordedThrough = None,
    ) -> LogAnswer:
        """The public log of decisions, newest first, narrowed by words (q), benchmark, paper,
        outcome, type, reason or year; the number given as before is where it goes on."""
        asked = self._pinned(
            {
                "q": q,
                "about": about,
                "benchmark": benchmark,
                "paper": paper,
                "outcome": outcome,
                "type": type,
                "reason": reason,
                "decided_by": decided_by,
                "year": year,
                "from": from_day,
                "to": to_day,
                "before": before,
                "after": after,
                "count": count,
                "as_read_on": as_read_on,
                "recorded_through": recorded_through,
            }
        )
        return LogAnswer.model_validate(
            {
                "answer": self.pages.told("corrections.log_as_json", {}, asked),
                "caveats": [FILED_ONLY, OVERLAY],
                "permalink": self.pages.link("corrections.log", {}, asked),
            }
        )

    def get_correction(
        self,
        *,
        number: ask.Number,
        as_read_on: ask.AsReadOn = None,
        recorded_through: ask.RecordedThrough = None,
    ) -> CorrectionAnswer:
        """One decision: what it changed from what to what, why, who took it, which frozen snapshot
        was checked, and which boards it moved."""
        which = {"number": number}
        asked = self._pinned({"as_read_on": as_read_on, "recorded_through": recorded_through})
        found = self.pages.told("corrections.notice_as_json", which, asked)
        return CorrectionAnswer.model_validate(
            {
                "answer": found,
                "caveats": list(of_correction(found)),
                "permalink": self.pages.link("corrections.notice", which, asked),
            }
        )

    # --- what all of them need ----------------------------------------------------------------

    def _pinned(self, asked: Given) -> Given:
        """The same, of a moment that stays: these answers do not say of which they are."""
        with self.pages.looking({name: asked.get(name) for name in CLOCKS}) as look:
            return {
                **asked,
                "as_read_on": look.moment.as_read_on,
                "recorded_through": look.moment.position,
            }

    def _leaves(self, claim: Json) -> list[dict[str, Any]]:
        """Where the events of a claim stand in the log, the newest of them."""
        told = [*claim["readings"], *claim["history"]]
        positions = sorted({one["position"] for one in told if one["position"]})
        return [self._leaf(one) for one in positions[-MOST_LEAVES:]]

    def _leaf(self, position: int) -> dict[str, Any]:
        seals = self.pages.site.workspace.seals
        index = seals.index_of(position)
        proof = self.pages.link("tiles.receipt", {"position": position}, {})
        return {
            "position": position,
            "index": index,
            "entry": None if index is None else seals.entry(index).hex(),
            "proof": None if index is None else proof,
        }


CLOCKS = ("as_read_on", "recorded_through")
