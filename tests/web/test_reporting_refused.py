"""What a report may not hold: too much, or what nobody could look at; and how many one may send."""

import io
from datetime import timedelta

import pytest

from projections.review.queue import reports
from tests.web.flat_page import Page
from tests.web.orchard import ATTRIBUTE, HOSTILE, Orchard
from tests.web.people import Person, stranger
from tests.web.reports_sent import GOOD, WORDS, sent
from web.private import uploads
from web.reporting.pages import LARGEST_FIELDS, LARGEST_POST, REPORTS

# --- what is not taken ------------------------------------------------------------------------


def test_what_does_not_fit_comes_back_with_all_that_was_typed(
    orchard: Orchard, dana: Person
) -> None:
    """The message stands beside the field and at the top, and nothing was recorded."""
    head = orchard.head
    typed = {**GOOD, "set-score": "7O.1", "words": WORDS, "contact": "dana", "credit": "Dana Q."}
    response = dana.post("/report", typed)
    assert response.status_code == 400
    page = Page.of(response.text)
    assert "not a plain decimal number" in page.text
    assert "it is no e-mail address" in page.text
    for text in ("7O.1", "dana", "Dana Q."):
        assert text in page.values("value")
    assert WORDS in page.text
    assert "<title>Error: " in response.text
    assert page.values("aria-invalid") == ["true", "true"]
    assert orchard.head == head


@pytest.mark.parametrize(
    ("files", "said"),
    [
        ([(b"\x7fELF" + b"\x00" * 9, "run.me")], "send a PDF"),
        ([(b"PK\x03\x04\xff\xfe", "many.zip")], "send a PDF"),
        ([(bytes([97 + n]), f"{n}.txt") for n in range(4)], "more than 3"),
    ],
)
def test_files_that_nobody_could_look_at_are_refused(
    orchard: Orchard, dana: Person, files: list[tuple[bytes, str]], said: str
) -> None:
    """Too many, or of a kind that a machine would run."""
    chosen = [(io.BytesIO(content), name) for content, name in files]
    response = dana.post("/report", {**GOOD, "words": WORDS, "files": chosen})
    assert response.status_code == 400
    assert said in response.text
    assert WORDS in response.text
    with orchard.workspace.views.read() as reader:
        assert [one.number for one in reports(reader)] == [1]


def test_a_large_file_is_refused_and_its_form_comes_back(orchard: Orchard, dana: Person) -> None:
    """The message says how large it may be."""
    file = b'Content-Disposition: form-data; name="files"; filename="a.txt"\r\n\r\n'
    words = b'Content-Disposition: form-data; name="words"\r\n\r\n'
    body, kind = multipart(dana, file + b"x" * 1_000_001, words + WORDS.encode())
    response = dana.client.post("/report", data=body, content_type=kind)
    assert response.status_code == 400
    assert "1,000,000" in response.text
    assert WORDS in response.text
    assert uploads.kept_bytes(orchard.workspace.private) == 0


def multipart(person: Person, *parts: bytes) -> tuple[bytes, str]:
    """A body made by hand, with its token, and its content type."""
    token = (
        b'Content-Disposition: form-data; name="csrf"\r\n\r\n' + person.token("/report").encode()
    )
    body = b"".join(b"--line\r\n" + part + b"\r\n" for part in (token, *parts))
    return body + b"--line--\r\n", "multipart/form-data; boundary=line"


def test_size_limits_come_before_anything_else(orchard: Orchard, dana: Person) -> None:
    """Too large a body, too large a field, too many fields: 413, at once, and nothing kept."""
    head = orchard.head
    field = b'Content-Disposition: form-data; name="words"\r\n\r\n'
    file = b'Content-Disposition: form-data; name="files"; filename="a.txt"\r\n\r\n'
    for parts in (
        [field + b"x" * (LARGEST_FIELDS + 1)],
        [file + b"x" * LARGEST_POST],
        [field + b"x"] * 200,
    ):
        body, kind = multipart(dana, *parts)
        response = dana.client.post("/report", data=body, content_type=kind)
        assert response.status_code == 413
    assert orchard.head == head


@pytest.mark.timeout(60)
@pytest.mark.parametrize(
    "text",
    ["a-" * 50_000, "a" * 40 + "!", "[[" + " " * 200 + "|" + " " * 200 + "]", "(a+)+$" * 3_000],
    ids=["long", "almost", "brackets", "pattern"],
)
@pytest.mark.parametrize("field", ["words", "set-model", "set-score", "addresses", "contact"])
def test_hostile_text_is_answered_at_once(dana: Person, field: str, text: str) -> None:
    """A form with it is taken or refused like any other (P044), and no pattern hangs on it."""
    dana.post("/report", GOOD | {"do": "save"})  # what is made once is made
    response = dana.post("/report", {**GOOD, field: text})
    assert response.status_code in (303, 400)
    if len(text) > 20_000:
        assert "At most" in response.text
        assert text in response.text


def test_what_would_be_markup_is_text_on_every_page(dana: Person) -> None:
    """Stored scripts, attributes that break out, and javascript: links."""
    bad = f"{HOSTILE} {ATTRIBUTE} javascript:alert(1)"
    refused = dana.post("/report", {**GOOD, "set-score": bad, "words": bad, "credit": bad})
    secret = sent(dana, words=bad, credit=bad, set__setting=bad)
    for html in (refused.text, dana.get(f"/reports/{secret}").text):
        page = Page.of(html)
        assert page.tags["script"] == 0
        assert not [name for _, name, _ in page.attributes if name.startswith("on")]
        assert not [one for one in page.values("href") if one.startswith("javascript")]
        assert HOSTILE in page.text or HOSTILE in "".join(page.values("value"))
    html = dana.get(f"/reports/{secret}/amend").text
    assert Page.of(html).tags["script"] == 0
    policy = dana.get(f"/reports/{secret}").headers["Content-Security-Policy"]
    assert "script" not in policy
    assert "default-src 'none'" in policy


def test_bidirectional_tricks_in_words_are_shown_as_what_they_are(dana: Person) -> None:
    """Nobody reads 72.5 where 5.27 is written (P042)."""
    secret = sent(dana, words="It is \u202e5.27\u202c.")
    assert "It is <U+202E>5.27<U+202C>." in Page.of(dana.get(f"/reports/{secret}").text).text
    name = dana.post("/report", {**GOOD, "credit": "Da\u202ena"})
    assert name.status_code == 400
    assert "U+202E" in name.text


# --- limits -----------------------------------------------------------------------------------


def test_one_client_files_only_so_many_in_a_while(orchard: Orchard) -> None:
    """The eleventh within a quarter of an hour is told when to come back, with its text."""
    for count in range(REPORTS):
        person = stranger(orchard.app, orchard.workspace)
        sent(person, words=f"Row {count} is another matter.", do="anyway")
    last = stranger(orchard.app, orchard.workspace)
    refused = last.post("/report", {**GOOD, "words": WORDS, "do": "anyway"})
    assert refused.status_code == 429
    assert int(refused.headers["Retry-After"]) > 0
    assert WORDS in refused.text
    elsewhere = {"REMOTE_ADDR": "192.0.2.7"}
    other = last.post("/report", {**GOOD, "do": "anyway"}, environ_base=elsewhere)
    assert other.status_code == 303
    orchard.clock.now += timedelta(minutes=16)
    assert last.post("/report", {**GOOD, "words": WORDS, "do": "anyway"}).status_code == 303


def test_one_form_files_only_so_many_wherever_it_comes_from(dana: Person) -> None:
    """A program with many addresses and one cookie is bounded too."""
    codes = []
    for count in range(REPORTS + 1):
        base = {"REMOTE_ADDR": f"192.0.2.{count}"}
        fields = {**GOOD, "words": f"{count}", "do": "anyway"}
        codes.append(dana.post("/report", fields, environ_base=base).status_code)
    assert codes == [303] * REPORTS + [429]
