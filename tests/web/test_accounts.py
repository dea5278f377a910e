"""Accounts, sessions and counters in the private store, on both engines."""

import random
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path
from threading import Barrier

import psycopg
import pytest

from ledger.errors import BadValue, NotFound, Refused
from tests.web.orchard import Hand
from web import passwords
from web.private import PrivateStore, open_private
from web.private import accounts as acc
from web.private.keys import day_salt, form_key
from web.private.limits import TooMany, count_try, forget_tries
from web.private.sessions import end_session, session_handle, start_session

NOON = datetime(2025, 7, 28, 12, tzinfo=UTC)
SECRET = "c2Vzc2lvbiBzZWNyZXQgb2YgMjU2IHJhbmRvbSBiaXRz"


@pytest.fixture
def clock() -> Hand:
    """A clock that the test moves."""
    return Hand(NOON)


@pytest.fixture
def store(where: str, clock: Hand) -> Iterator[PrivateStore]:
    """An open, empty store."""
    chance = random.Random(1)
    with closing(open_private(where, clock=clock, nonce=lambda: chance.randbytes(16))) as opened:
        yield opened


def add(store: PrivateStore, handle: str, *roles: str) -> None:
    acc.add_account(store, handle, roles or ("reviewer",), f"hash of {handle}", one_time=False)


def roles_in(store: PrivateStore, handle: str) -> frozenset[str]:
    found = acc.account_named(store, handle)
    assert found is not None
    return found.roles


def everything_in(where: str) -> bytes:
    """Every byte that the store keeps: its files, or all rows of its schema."""
    if not where.startswith("postgresql"):
        return b"".join(one.read_bytes() for one in Path(where).parent.glob("private.db*"))
    with psycopg.connect(where) as connection:
        names = connection.execute(
            "SELECT table_name FROM information_schema.tables WHERE table_schema = 'private'"
        ).fetchall()
        rows = [
            connection.execute(f"SELECT row_to_json(t)::text FROM private.{name} t").fetchall()
            for (name,) in names
        ]
    return str(rows).encode()


def at_once(*jobs: Callable[[], object]) -> list[object]:
    """Run all jobs at the same instant; what each gave, or its refusal."""
    barrier = Barrier(len(jobs))

    def run(job: Callable[[], object]) -> object:
        barrier.wait()
        try:
            return job()
        except Refused as no:
            return no

    with ThreadPoolExecutor(len(jobs)) as pool:
        return list(pool.map(run, jobs))


# --- handles ----------------------------------------------------------------------------------


def test_a_handle_is_no_address_and_the_refusal_says_why() -> None:
    """Events keep a handle for good, where nothing can be erased; another one is proposed."""
    with pytest.raises(acc.AddressAsHandle) as no:
        acc.handle_of("Dana.Q@example.org")
    assert "nothing can be erased" in str(no.value)
    assert "such as danaq" in str(no.value)


@pytest.mark.parametrize(
    "text", ["", "Ada", "a b", "-a", "\u0430da", "a" * 129, "ada\n", "ada/../b"]
)
def test_a_handle_is_a_slug(text: str) -> None:
    """Lower-case letters, digits, dot, hyphen and underscore, and nothing that looks like them."""
    with pytest.raises(BadValue, match="handle"):
        acc.handle_of(text)


def test_nobody_gets_the_handle_of_those_who_report_without_an_account() -> None:
    """Else somebody could be taken for a reporter, or a reporter for them."""
    with pytest.raises(BadValue, match="without an account"):
        acc.handle_of("reporter-0a1b2c3d")


def test_a_handle_is_never_given_to_somebody_else(store: PrivateStore) -> None:
    """Not even when its account is disabled: what stands in the ledger means one person."""
    add(store, "root", "administrator")
    add(store, "ada")
    acc.disable_account(store, "ada")
    with pytest.raises(acc.HandleTaken, match="choose another"):
        add(store, "ada")


@pytest.mark.parametrize("roles", [(), ("boss",), ("reviewer", "root")])
def test_an_account_has_roles_that_there_are(store: PrivateStore, roles: tuple[str, ...]) -> None:
    """One at least; anything else is refused with the list of them."""
    with pytest.raises(BadValue, match="reviewer, curator, auditor, administrator"):
        acc.add_account(store, "ada", roles, "hash", one_time=False)
    assert acc.account_named(store, "ada") is None


# --- what administrators may not do -----------------------------------------------------------


def test_an_administrator_cannot_disable_the_last_administrator(store: PrivateStore) -> None:
    """Others do not count when they are no administrators, or disabled."""
    add(store, "root", "administrator")
    add(store, "ada")
    add(store, "old", "administrator")
    acc.disable_account(store, "old")
    with pytest.raises(acc.LastAdministrator, match="root"):
        acc.disable_account(store, "root")
    acc.enable_account(store, "old")
    acc.disable_account(store, "root")


def test_the_last_administrator_cannot_be_made_something_else(store: PrivateStore) -> None:
    """Roles are taken away only while somebody else can give them back."""
    add(store, "root", "administrator", "reviewer")
    with pytest.raises(acc.LastAdministrator):
        acc.set_roles(store, "root", ["reviewer"])
    acc.set_roles(store, "root", ["administrator", "auditor"])
    assert roles_in(store, "root") == {"administrator", "auditor"}
    add(store, "ada", "administrator")
    acc.set_roles(store, "root", ["reviewer"])
    assert roles_in(store, "root") == {"reviewer"}


def test_two_administrators_cannot_disable_each_other_at_once(store: PrivateStore) -> None:
    """One of them stays, however their requests meet."""
    for number in range(10):
        left, right = f"left-{number}", f"right-{number}"
        add(store, left, "administrator")
        add(store, right, "administrator")
        for one in acc.all_accounts(store):
            if one.disabled_at is None and one.handle not in (left, right):
                acc.disable_account(store, one.handle)
        told = at_once(
            lambda left=left: acc.disable_account(store, left),  # type: ignore[misc]
            lambda right=right: acc.disable_account(store, right),  # type: ignore[misc]
        )
        assert sorted(type(one).__name__ for one in told) == ["LastAdministrator", "NoneType"]


def test_what_is_not_there_cannot_be_changed(store: PrivateStore) -> None:
    """No account is made by the way."""
    with pytest.raises(NotFound):
        acc.disable_account(store, "ada")
    with pytest.raises(NotFound):
        acc.set_roles(store, "ada", ["reviewer"])
    with pytest.raises(NotFound):
        acc.set_password(store, "ada", "hash", one_time=False)
    assert acc.all_accounts(store) == []


# --- sessions ---------------------------------------------------------------------------------


def test_what_a_browser_holds_is_not_in_the_store(store: PrivateStore, where: str) -> None:
    """Whoever reads the store can log in as nobody."""
    add(store, "ada")
    start_session(store, SECRET, "ada")
    assert session_handle(store, SECRET) == "ada"
    assert SECRET.encode() not in everything_in(where)


def test_a_session_ends_after_twelve_idle_hours(store: PrivateStore, clock: Hand) -> None:
    """A request within them starts the hours anew."""
    start_session(store, SECRET, "ada")
    for _ in range(3):
        clock.now += timedelta(hours=11, minutes=59)
        assert session_handle(store, SECRET) == "ada"
    clock.now += timedelta(hours=12)
    assert session_handle(store, SECRET) is None


def test_a_session_ends_after_seven_days_in_any_case(store: PrivateStore, clock: Hand) -> None:
    """However busy it is; and it is not to be had back."""
    start_session(store, SECRET, "ada")
    while clock.now < NOON + timedelta(days=7) - timedelta(hours=6):
        clock.now += timedelta(hours=6)
        assert session_handle(store, SECRET) == "ada"
    clock.now = NOON + timedelta(days=7)
    assert session_handle(store, SECRET) is None


def test_old_sessions_are_removed(store: PrivateStore, clock: Hand) -> None:
    """The next login takes away all that have ended."""
    start_session(store, SECRET, "old-timer")
    clock.now += timedelta(hours=13)
    start_session(store, f"{SECRET}2", "ada")
    with store.read() as connection:
        assert connection.exec_driver_sql("SELECT handle FROM sessions").all() == [("ada",)]


def test_another_password_and_disabling_end_every_session(store: PrivateStore) -> None:
    """At once, and nobody else's."""
    add(store, "root", "administrator")
    add(store, "ada")
    changes: tuple[Callable[[], None], ...] = (
        lambda: acc.set_password(store, "ada", "other hash", one_time=False),
        lambda: acc.disable_account(store, "ada"),
    )
    for change in changes:
        start_session(store, f"{SECRET}1", "ada")
        start_session(store, f"{SECRET}2", "ada")
        start_session(store, f"{SECRET}3", "root")
        change()
        assert [session_handle(store, f"{SECRET}{n}") for n in (1, 2, 3)] == [None, None, "root"]
        end_session(store, f"{SECRET}3")


def test_a_disabled_account_gets_no_password(store: PrivateStore) -> None:
    """It would look as if it could be used."""
    add(store, "ada")
    acc.disable_account(store, "ada")
    with pytest.raises(acc.AccountDisabled, match="enable"):
        acc.set_password(store, "ada", "hash", one_time=False)


def test_a_hash_is_replaced_only_while_it_is_the_same_password(store: PrivateStore) -> None:
    """A login with the old password must not undo a change that happened meanwhile."""
    add(store, "ada")
    acc.replace_hash(store, "ada", "hash of ada", "stronger")
    acc.replace_hash(store, "ada", "hash of ada", "late")
    found = acc.account_named(store, "ada")
    assert found is not None
    assert found.password == "stronger"
    assert "stronger" not in repr(found)


# --- counting ---------------------------------------------------------------------------------


def test_tries_are_counted_for_as_long_as_they_are_said_to(
    store: PrivateStore, clock: Hand
) -> None:
    """Exactly so many in any stretch of that length; the wait that is told is enough."""
    for _ in range(3):
        count_try(store, "report", "k", 3, 900)
        clock.now += timedelta(seconds=100)
    with pytest.raises(TooMany) as no:
        count_try(store, "report", "k", 3, 900)
    assert no.value.fields["seconds"] == 600
    clock.now += timedelta(seconds=599)
    with pytest.raises(TooMany, match="wait 1 seconds"):
        count_try(store, "report", "k", 3, 900)
    clock.now += timedelta(seconds=1)
    count_try(store, "report", "k", 3, 900)
    with pytest.raises(TooMany):
        count_try(store, "report", "k", 3, 900)


def test_others_are_counted_for_themselves(store: PrivateStore) -> None:
    """Another client, or another thing, has its own tries; forgetting starts one anew."""
    count_try(store, "report", "k", 1, 900)
    count_try(store, "report", "other", 1, 900)
    count_try(store, "login", "k", 1, 900)
    forget_tries(store, "report", "k")
    count_try(store, "report", "k", 1, 900)
    with pytest.raises(TooMany):
        count_try(store, "report", "other", 1, 900)


def test_many_at_once_are_counted_right(store: PrivateStore) -> None:
    """Of twenty at the same instant exactly seven pass."""
    told = at_once(*[lambda: count_try(store, "report", "k", 7, 900)] * 20)
    assert [type(one).__name__ for one in told].count("TooMany") == 13


def test_what_no_longer_counts_is_removed(store: PrivateStore, clock: Hand) -> None:
    """The counters hold no history of who did what when."""
    for number in range(5):
        count_try(store, "report", f"k{number}", 3, 900)
    clock.now += timedelta(seconds=900)
    count_try(store, "login", "k", 3, 60)
    with store.read() as connection:
        assert connection.exec_driver_sql("SELECT name FROM tries").all() == [("login",)]


def test_the_keys_of_a_day_go_with_it(store: PrivateStore, clock: Hand) -> None:
    """The form key stays; the day's salt is another one tomorrow, and yesterday's is gone."""
    key, today = form_key(store), day_salt(store)
    assert day_salt(store) == today
    clock.now += timedelta(days=1)
    tomorrow = day_salt(store)
    assert tomorrow != today
    assert (form_key(store), len(key), len(today)) == (key, 32, 32)
    with store.read() as connection:
        names = connection.exec_driver_sql("SELECT name FROM server_keys ORDER BY name").all()
    assert names == [("day:2025-07-29",), ("forms",)]


def test_processes_that_start_together_agree_on_the_key(store: PrivateStore) -> None:
    """Whoever comes second takes the key of the first."""
    keys = at_once(*[lambda: form_key(store)] * 8)
    assert len(set(keys)) == 1


# --- passwords --------------------------------------------------------------------------------


def test_passwords_are_hashed_with_argon2id_as_rfc_9106_says() -> None:
    """64 MiB, three passes, four lanes; salted, so the same password hashes differently."""
    one, two = passwords.hashed("four words do well"), passwords.hashed("four words do well")
    assert one.startswith("$argon2id$v=19$m=65536,t=3,p=4$")
    assert one != two
    assert passwords.matches(one, "four words do well")
    assert not passwords.matches(one, "four words do wel")
    assert not passwords.is_outdated(one)


def test_the_decoy_costs_what_a_real_hash_costs() -> None:
    """Where there is no account a check is as long, and never fits."""
    assert not passwords.is_outdated(passwords.DECOY)
    assert not passwords.matches(None, "four words do well")


def test_a_hash_that_cannot_be_read_fits_nothing() -> None:
    """Neither a damaged one nor none at all lets anybody in."""
    for kept in ("", "*", "$argon2id$v=19$m=1"):
        assert not passwords.matches(kept, "")


def test_a_password_is_the_same_however_it_was_typed() -> None:
    """A composed letter and its parts, a full-width digit and a plain one."""
    kept = passwords.hashed("caf\u00e9 sept chevaux 7")
    assert passwords.matches(kept, "cafe\u0301 sept chevaux \uff17")


@pytest.mark.parametrize(
    ("password", "why"),
    [
        ("short", "12 or more"),
        ("my name is ADA you know", "leave the handle out"),
        ("abababababababab", "use more different"),
        ("a long one " * 100, "1024 at most"),
    ],
)
def test_a_password_that_is_easily_guessed_is_refused(password: str, why: str) -> None:
    """With what to do instead, and never with the password itself."""
    with pytest.raises(BadValue, match=why) as no:
        passwords.check_new(password, "ada")
    assert password not in str(no.value)


def test_one_time_passwords_are_long_and_all_different() -> None:
    """125 random bits, of letters that cannot be mistaken for each other."""
    made = {passwords.one_time() for _ in range(200)}
    assert len(made) == 200
    for one in made:
        assert len(one) == 29
        assert not set(one) & set("l1o0")
        # "ada" would stand in one of them every tenth time.
        passwords.check_new(one, "lola")
