"""A token does what its account may and what it was made for, and no more."""

import hashlib
from datetime import timedelta
from typing import Any

import pytest
from sqlalchemy import insert
from werkzeug.test import TestResponse

from ledger.values import micros
from tests.web.corrigenda import Corrigenda
from tests.web.desk import Office
from tests.web.orchard import Orchard
from tests.web.programs import Program, nobody, program, token_of
from web.access import TOKENS, by_token, door_of
from web.private import PrivateStore, accounts, answered, tokens
from web.private.limits import tries
from web.private.tokens import PREFIX, SCOPES


def declining(office: Office) -> dict[str, Any]:
    """A decision that leaves everything as it is."""
    return {
        "outcome": "declined",
        "reason": "wrong-value",
        "statement": "The table says 72.5.",
        "snapshot": office.desk.snapshot(),
        "version": 1,
    }


@pytest.fixture
def number(office: Office) -> int:
    """A report that waits."""
    return office.desk.file()


def decline(office: Office, who: Program, number: int) -> TestResponse:
    """Decline a report as it stands."""
    return who.post(f"/api/reports/{number}/decisions", declining(office))


# --- what it lets in --------------------------------------------------------------------------


def test_a_program_reviews_with_a_token(office: Office, number: int) -> None:
    """It looks through the queue, at one report, and decides it, without cookie or form."""
    boris = program(office.app, office.desk.workspace, "boris")
    (listed,) = boris.get("/api/reports?state=open").get_json()["reports"]
    assert listed["number"] == number
    told = boris.get(f"/api/reports/{number}")
    assert told.get_json()["csrf"] is None
    made = decline(office, boris, number)
    assert (made.status_code, made.get_json()["decided_by"]) == (201, "boris")
    for response in (told, made):
        assert "Set-Cookie" not in response.headers
        assert response.headers["Cache-Control"] == "no-store"
    assert boris.get("/api/reports?state=open").get_json()["reports"] == []


@pytest.mark.parametrize("scope", SCOPES)
def test_a_token_opens_what_its_scope_says_alone(office: Office, number: int, scope: str) -> None:
    """Reading, filing and deciding are three things; a refusal names the scope that it takes."""
    boris = program(office.app, office.desk.workspace, "boris", scope)
    report = {"target": "site", "reason": "other", "words": "The search finds nothing."}
    tried = {
        "read": boris.get(f"/api/reports/{number}"),
        "report": boris.post("/api/reports", report),
        "decide": decline(office, boris, number),
    }
    for name, response in tried.items():
        if name == scope:
            assert response.status_code in (200, 201), name
        else:
            assert response.status_code == 403, name
            assert response.get_json()["kind"] == "NotInScope"
            assert f"--scope {name}" in response.get_json()["detail"]


@pytest.mark.parametrize("role", ["curator", "auditor", "administrator"])
def test_a_token_never_does_more_than_its_account_may(
    office: Office, number: int, role: str
) -> None:
    """With every scope there is, it still takes the reviewer's role: reports are not there."""
    other = program(office.app, office.desk.workspace, "noor", roles=(role,))
    assert other.get(f"/api/reports/{number}").status_code == 404
    assert other.get("/api/reports").status_code == 404
    refused = decline(office, other, number)
    assert (refused.status_code, refused.get_json()["kind"]) == (403, "NotYourRole")
    assert office.desk.events(number) == ["report-filed"]


def test_roles_that_are_taken_away_are_taken_from_its_tokens(office: Office, number: int) -> None:
    """At once."""
    boris = program(office.app, office.desk.workspace, "boris")
    assert boris.get(f"/api/reports/{number}").status_code == 200
    accounts.set_roles(office.desk.workspace.private, "boris", ["curator"])
    assert boris.get(f"/api/reports/{number}").status_code == 404


def test_nobody_decides_their_own_report_by_a_token_either(office: Office) -> None:
    """The rules of deciding are the same however somebody comes in."""
    boris = program(office.app, office.desk.workspace, "boris")
    number = office.desk.file(by="boris")
    refused = decline(office, boris, number)
    assert (refused.status_code, refused.get_json()["kind"]) == (403, "SelfReview")


# --- what it does not let in ------------------------------------------------------------------


def test_a_token_that_is_none_is_refused(office: Office, number: int) -> None:
    """With 401 and how to ask, whatever the address; nothing is recorded."""
    for shown in (" ", "x", PREFIX, f"{PREFIX}{'x' * 43}", "x" * 500):
        who = Program(office.app.test_client(use_cookies=False), shown)
        for response in (
            who.get(f"/api/reports/{number}"),
            who.get("/api/reports/999"),
            decline(office, who, number),
            who.post("/api/reports", {"target": "site", "reason": "other", "words": "Hm, no."}),
        ):
            assert response.status_code == 401
            assert response.get_json()["kind"] == "BadToken"
            assert response.headers["WWW-Authenticate"].startswith("Bearer ")
    assert office.desk.events(number) == ["report-filed"]


def test_a_token_ends(orchard: Orchard) -> None:
    """When its days are over, when it is revoked, and when its account is disabled."""
    private = orchard.workspace.private
    ada, bea, cleo = (
        Program(orchard.app.test_client(), token_of(orchard.workspace, name, days=2))
        for name in ("ada", "bea", "cleo")
    )
    (mine,) = (one.id for one in tokens.all_tokens(private) if one.handle == "ada")
    tokens.revoke_tokens(private, ids=[mine])
    accounts.disable_account(private, "bea")
    assert ada.get("/api/reports").status_code == 401
    assert bea.get("/api/reports").status_code == 401
    accounts.enable_account(private, "bea")
    assert bea.get("/api/reports").status_code == 401
    assert cleo.get("/api/reports").status_code == 200
    orchard.clock.now += timedelta(days=2)
    assert cleo.get("/api/reports").status_code == 401


def test_a_token_opens_no_page(orchard: Orchard) -> None:
    """A view takes tokens when it says so; nothing that a person has a page for does."""
    ada = program(orchard.app, orchard.workspace, roles=("reviewer", "administrator"))
    assert ada.get("/review").status_code == 303
    assert ada.get("/review/1").status_code == 404
    assert ada.post("/review/1", {}).status_code == 403
    taking = {
        rule.rule
        for rule in orchard.app.url_map.iter_rules()
        if hasattr(orchard.app.view_functions[rule.endpoint], TOKENS)
    }
    assert taking == {
        "/api/reports",
        "/api/reports/<number:number>",
        "/api/reports/<number:number>/decisions",
    }


def test_who_shows_a_token_is_not_who_is_logged_in(office: Office, number: int) -> None:
    """A token counts before a session; a browser that sends both is who the token says."""
    boris = office.reviewer("boris")
    token = token_of(office.desk.workspace, "noor", roles=("curator",))
    found = boris.get(f"/api/reports/{number}", headers={"Authorization": f"Bearer {token}"})
    assert found.status_code == 404


def test_a_session_still_needs_a_form_of_ours(office: Office, number: int) -> None:
    """Tokens open no way around that: without one, a decision takes the form's token."""
    boris = office.reviewer("boris")
    address = f"/api/reports/{number}/decisions"
    refused = boris.client.post(address, json=declining(office))
    assert (refused.status_code, refused.get_json()["kind"]) == (403, "FormTooOld")
    other = {"Authorization": "Basic Ym9yaXM6cGFzcw=="}
    refused = boris.client.post(address, json=declining(office), headers=other)
    assert refused.get_json()["kind"] == "FormTooOld"


def test_strangers_find_no_reports(office: Office, number: int) -> None:
    """As before: without token or session there is nothing, and no page to log in at."""
    for address in ("/api/reports", f"/api/reports/{number}", "/api/reports/77"):
        told = nobody(office.app).get(address)
        assert (told.status_code, told.get_json()["kind"]) == (404, "NotFound")


def test_a_scope_that_is_none_cannot_be_asked_for() -> None:
    """A view that misspells one fails where it is written."""
    with pytest.raises(ValueError, match="decides"):
        by_token("decides")
    assert door_of(by_token("decide")(lambda: "")) is None


# --- how often --------------------------------------------------------------------------------


def test_a_token_asks_only_so_often_and_is_told(office: Office, number: int) -> None:
    """Each answer says what is left; who asks more waits, and other accounts do not."""
    boris = program(office.app, office.desk.workspace, "boris")
    first = boris.get(f"/api/reports/{number}")
    assert first.headers["RateLimit-Policy"] == '"token";q=600;w=900'
    assert first.headers["RateLimit"].startswith('"token";r=599;t=')
    private = office.desk.workspace.private
    key = hashlib.sha256(b"account boris").hexdigest()
    until = micros(office.desk.clock.now + timedelta(minutes=14))
    with private.write() as connection:
        connection.execute(insert(tries), [{"name": "token", "key": key, "until": until}] * 599)
    late = boris.get(f"/api/reports/{number}")
    assert (late.status_code, late.get_json()["kind"]) == (429, "TooMany")
    assert late.headers["RateLimit"].startswith('"token";r=0;t=')
    assert 0 < int(late.headers["Retry-After"]) <= 900
    clara = program(office.app, office.desk.workspace, "clara")
    assert clara.get(f"/api/reports/{number}").status_code == 200


# --- what is kept -----------------------------------------------------------------------------


def test_nothing_that_is_kept_gives_a_token(orchard: Orchard) -> None:
    """The private store holds digests; whoever reads its files cannot act for anybody."""
    token = token_of(orchard.workspace, "ada")
    home = orchard.workspace.settings.home
    kept = b"".join(path.read_bytes() for path in home.rglob("*") if path.is_file())
    assert b"ada" in kept
    assert token.encode() not in kept
    assert token.removeprefix(PREFIX).encode() not in kept


def test_tokens_and_answers_are_kept_on_each_engine(store: PrivateStore) -> None:
    """Made, found, ended; and an answer given again, or not to somebody else's document."""
    made = tokens.add_token(store, "ada", ["read"], secret="x" * 43)
    assert tokens.token_of(store, f"{PREFIX}{'x' * 43}") == made
    assert tokens.token_of(store, f"{PREFIX}{'y' * 43}") is None
    assert tokens.revoke_tokens(store, of="ada") == 1
    assert tokens.all_tokens(store) == []
    assert answered.begin(store, "a key", b"one", "ada") is None
    assert answered.begin(store, "a key", b"one", "ada") is None
    answered.keep(store, "a key", 201, b"done")
    assert answered.begin(store, "a key", b"one", "ada") == answered.Answer(
        status=201, content=b"done"
    )
    with pytest.raises(answered.KeyOfAnother):
        answered.begin(store, "a key", b"two", "ada")


# --- the command line -------------------------------------------------------------------------


@pytest.fixture
def home(corrigenda: Corrigenda) -> Corrigenda:
    """A home with two accounts."""
    for handle in ("mira", "noor"):
        corrigenda.done("user", "add", handle, "--role", "reviewer", "--one-time")
    return corrigenda


def test_a_token_is_made_listed_and_revoked(home: Corrigenda) -> None:
    """It is printed once; the list says what it is called, whose it is and what it may do."""
    made = home.run("token", "add", "mira", "--scope", "read", "--scope", "decide", "--days", "30")
    token = made.stdout.strip()
    assert token.startswith(PREFIX)
    assert token not in made.stderr
    home.done("token", "add", "noor", "--scope", "report")
    first, second = home.json("token", "list")["tokens"]
    assert (first["handle"], first["scopes"]) == ("mira", ["decide", "read"])
    assert first["token"] in made.stderr
    home.done("token", "revoke", first["token"])
    assert home.json("token", "list")["tokens"] == [second]
    home.done("token", "revoke", "--of", "noor")
    assert home.json("token", "list")["tokens"] == []


NONSENSE = (
    (("add", "nobody", "--scope", "read"), "no account called nobody"),
    (("add", "mira", "--scope", "everything"), "it is one of read, report, decide"),
    (("add", "mira", "--scope", "read", "--days", "0"), "from 1 to 366"),
    (("add", "mira", "--scope", "read", "--days", "367"), "from 1 to 366"),
    (("revoke", "0123456789ab"), "no token called 0123456789ab"),
    (("revoke", "%"), "no token called %"),
    (("revoke", "--of", "nobody"), "no account called nobody"),
)


def test_what_makes_no_sense_is_refused(home: Corrigenda) -> None:
    """An account that is not there, a scope that is none, days without end."""
    home.done("token", "add", "noor", "--scope", "read")
    for arguments, says in NONSENSE:
        assert says in home.refused("token", *arguments)
    assert len(home.json("token", "list")["tokens"]) == 1
