"""A board as read on any day, and what changed on it between two."""

import attrs

from ledger.values import parse_slug
from web.agents import given as ask
from web.agents.answers import BoardAnswer, ChangesAnswer
from web.agents.asking import Given, Pages
from web.agents.caveats import STATED, frozen, of_board
from web.agents.pinning import pinned


@attrs.frozen
class Boards:
    """The tools about benchmarks."""

    pages: Pages

    def get_board(
        self,
        *,
        slug: ask.Slug,
        view: ask.View = None,
        metric: ask.Metric = None,
        as_read_on: ask.AsReadOn = None,
        corrected: ask.Corrected = None,
        recorded_through: ask.RecordedThrough = None,
        published_by: ask.PublishedBy = None,
        every_claim: ask.EveryClaim = False,
    ) -> BoardAnswer:
        """The board of a benchmark as read on a day: ranked rows with scores as written, their
        sources and claim ids; what does not rank stands apart with its reason."""
        which = {"slug": parse_slug(slug)}
        asked: Given = {
            "view": view,
            "metric": metric,
            "as_read_on": as_read_on,
            "corrected": corrected,
            "recorded_through": recorded_through,
            "published_by": published_by,
            "every_claim": every_claim or None,
        }
        found = self.pages.told("public.board_as_json", which, asked)
        shown = {"view": found["view"], "metric": found["metric"] and found["metric"]["slug"]}
        kept = {**asked, **shown, **pinned(found)}
        return BoardAnswer.model_validate(
            {
                "answer": found,
                "caveats": list(of_board(found)),
                "permalink": self.pages.link("public.board", which, kept),
            }
        )

    def get_changes(
        self,
        *,
        slug: ask.Slug,
        from_day: ask.Day = None,
        to_day: ask.Day = None,
        view: ask.View = None,
        metric: ask.Metric = None,
        recorded_through: ask.RecordedThrough = None,
    ) -> ChangesAnswer:
        """Every change of a benchmark between two days, each with its cause, and the rows that
        moved; without a first day those of the latest day on which anything changed."""
        which = {"slug": parse_slug(slug)}
        asked: Given = {
            "from": from_day,
            "to": to_day,
            "view": view,
            "metric": metric,
            "recorded_through": recorded_through,
        }
        found = self.pages.told("changes.of_board_as_json", which, asked)
        moment = {"as_read_on": found["to"], "recorded_through": found["recorded_through"]}
        kept = {
            **asked,
            "from": found["from"],
            "to": found["to"],
            "recorded_through": found["recorded_through"]["position"],
        }
        above = self.pages.caveats_of(slug, pinned(moment))
        return ChangesAnswer.model_validate(
            {
                "answer": found,
                "caveats": [*above, STATED, frozen(moment)],
                "permalink": self.pages.link("changes.of_board", which, kept),
            }
        )
