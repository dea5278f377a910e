"""What came of an order, as JSON for the interface and the command line."""

from ledger.values import instant_text
from reports.contract import Json, correction_json
from web.reviewing.deciding import Decision


def decision_json(decision: Decision) -> Json:
    """What came of an order: an entry of the log; or what is proposed, or sent back, and in no log
    yet."""
    if decision.entry is not None and not decision.returned:
        return correction_json(decision.entry)
    return {
        "report": decision.number,
        "decision": decision.name,
        "proposed": decision.proposed,
        "returned": decision.returned,
        "by": decision.by,
        "at": instant_text(decision.at),
        "takes_two_because": list(decision.why),
    }
