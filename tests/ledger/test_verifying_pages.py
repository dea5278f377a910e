"""What the text of a paper's pages tells when its bytes are not those that its bundle gives."""

from ledger.verifying.pages import compared

DIGEST = "ab" * 32
PRESS = (
    "Printed by Corrigenda 1.0 with WeasyPrint 70.0 and\nfonts of day X. The same release with …"
)
OURS = ["Board\nAlpha 72.5\nBeta 71.0", f"sha256sum bundle.json\n{DIGEST}\n{PRESS}"]


def kinds(theirs: list[str]) -> list[str]:
    """The kinds of what differs."""
    return [one.kind for one in compared(theirs, OURS, DIGEST)]


def test_a_line_that_differs_is_named_with_its_page() -> None:
    """The first of a page; how lines are broken is no difference."""
    (found,) = compared([OURS[0].replace("71.0", "99.0"), OURS[1]], OURS, DIGEST)
    assert (found.kind, dict(found.place)) == ("paper-changed", {"page": 1})
    assert (found.expected, found.found) == ("Beta 71.0", "Beta 99.0")
    assert kinds([" ".join(OURS[0].split()), OURS[1]]) == ["paper-bytes"]


def test_pages_that_are_missing_or_added_are_named() -> None:
    """By their number."""
    assert kinds(OURS[:1]) == ["paper-digest", "paper-uncompared"]
    assert kinds([*OURS, "more"]) == ["paper-page-added"]
    assert kinds([OURS[1]]) == ["paper-changed", "paper-page-missing"]


def test_a_paper_of_another_release_is_not_called_altered() -> None:
    """Nor is it said to hold: its pages are for that release to compare."""
    theirs = [OURS[0].replace("Board", "A board"), OURS[1].replace("1.0 with", "0.9 with")]
    (found,) = compared(theirs, OURS, DIGEST)
    assert found.kind == "paper-uncompared"
    assert "printed by Corrigenda 0.9 with WeasyPrint 70.0 and fonts of day X" in found.says
    assert "here it is Corrigenda 1.0 with WeasyPrint 70.0 and fonts of day X" in found.says


def test_the_digest_of_the_attached_bundle_has_to_be_printed() -> None:
    """It may be broken over lines, and must be this one."""
    broken = DIGEST[:40] + "\n" + DIGEST[40:]
    assert kinds([OURS[0], OURS[1].replace(DIGEST, broken)]) == ["paper-changed"]
    assert kinds([OURS[0], OURS[1].replace(DIGEST, "cd" * 32)]) == ["paper-digest", "paper-changed"]
