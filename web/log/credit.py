"""Who asked for a correction: shown while they want to be named, and gone once they are erased."""

from projections.decisions.corrections import filed_by
from projections.decisions.withdrawn import WITHOUT_ACCOUNT
from web.private.reporters import credit_of, letters_about
from web.wiring import Workspace

ERASED = "[erased]"


def credit_of_notice(workspace: Workspace, number: int) -> str:
    """The name by which the reporter behind a notice wants to be thanked; empty for none.

    Says that it was erased where all that the reporter told us was (case P018).
    """
    with workspace.views.read() as reader:
        found = filed_by(reader, number)
    if found is None:
        return ""
    report, handle = found
    name = credit_of(workspace.private, report)
    if name is None and handle.startswith(WITHOUT_ACCOUNT):
        return "" if letters_about(workspace.private, report) else ERASED
    return name or ""
