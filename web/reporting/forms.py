"""From what somebody typed to a report: what is to be filed, or a message for each field.

Pure: nothing here reads a store or knows of a request. Lengths are checked before anything else
looks at a text, and no regular expression searches it; nothing that was typed is lost, as a form
that is not taken shows again with all of it.
"""

from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType
from typing import TypeVar

import attrs

from ledger.claim import CORRECTABLE, field_equals, field_text, with_field
from ledger.errors import BadValue
from ledger.events import Change, Statement
from ledger.values import Score, parse_name, parse_text
from ledger.vocabulary import REASONS, UNITS
from web.reporting.filled import Filled, lines_of
from web.reporting.targets import About, Names
from web.reporting.words import (
    BELONGING,
    CAVEAT_DOES,
    FIELD_WORDS,
    MOST_ADDRESSES,
    WISH_WORDS,
    longest,
)
from web.words import web_address

Typed = Mapping[str, str]
Messages = dict[str, str]
Read = TypeVar("Read")


def typed_from(form: Mapping[str, str]) -> Typed:
    """The fields that we know, as they were typed (browsers send their own line ends); what we
    never asked for is left out."""
    return {
        name: form[name].replace("\r\n", "\n").replace("\r", "\n")
        for name in FIELD_WORDS
        if form.get(name)
    }


def blank(about: About) -> Typed:
    """The form as it first shows for a target."""
    typed = {"target": str(about.target), "wish": about.wishes[0]}
    if about.link:
        typed["link-dead"] = about.link
    return typed


def relevant(typed: Typed) -> Typed:
    """What was typed without the fields of other wishes, such as one that we had filled in."""
    mine = BELONGING.get(typed.get("wish", ""), ())
    others = {name for fields in BELONGING.values() for name in fields} - set(mine)
    return {name: text for name, text in typed.items() if name not in others}


def filled(typed: Typed, about: About, names: Names) -> Filled | Messages:
    """The report that was typed, or what has to be said differently, field by field."""
    messages = too_long(typed)
    if messages:
        return messages
    return _Reading(typed, about, names).report()


def too_long(typed: Typed) -> Messages:
    """What is longer than anybody reads."""
    return {
        name: f"At most {limit:,} characters are read; these are {len(text):,}."
        for name, text in typed.items()
        if len(text) > (limit := longest(name))
    }


def readable_addresses(text: str) -> tuple[str, ...]:
    """Addresses, one a line; refused unless each leads to a page and there are few."""
    found = tuple(dict.fromkeys(line.strip() for line in text.splitlines() if line.strip()))
    if len(found) > MOST_ADDRESSES:
        why = f"at most {MOST_ADDRESSES} are taken"
        raise BadValue(what="addresses", shown=f"{len(found)} of them", why=why)
    for one in found:
        _address(one)
    return found


def contact_from(text: str) -> str | None:
    """An e-mail address as far as one can tell; ``None`` for none."""
    address = parse_text(text.strip(), "e-mail address")
    if not address:
        return None
    name, at, host = address.rpartition("@")
    if not (name and at and "." in host) or any(c.isspace() for c in address) or "@" in name:
        why = "it is no e-mail address, such as you@example.org; you may leave it empty"
        raise BadValue(what="e-mail address", shown=ascii(address[:80]), why=why)
    return address


# --- reading the fields -----------------------------------------------------------------------


@attrs.define
class _Reading:
    """One form being read; what does not make sense is noted, and the rest is read all the same."""

    typed: Typed
    about: About
    names: Names
    messages: Messages = attrs.field(factory=dict)
    proposes: list[Change] = attrs.field(factory=list)
    asked: list[tuple[str, str]] = attrs.field(factory=list)

    def report(self) -> Filled | Messages:
        """Everything, or what is wrong."""
        reason, wish = self.get("reason"), self.get("wish")
        if reason not in REASONS:
            self.messages["reason"] = "Choose what is wrong; the last one fits anything."
        if wish not in self.about.wishes:
            self.messages["wish"] = "Choose what should happen."
        else:
            self._check_stray(wish)
            WISHES[wish](self)
        words = lines_of(self.get("words"))
        addresses = self._read("addresses", readable_addresses) or ()
        contact = self._read("contact", contact_from)
        credit = self._read("credit", _name_or_none)
        self._check_said(reason, wish, words, addresses)
        if self.messages:
            return self.messages
        return Filled(
            target=str(self.about.target),
            reason=reason,
            proposes=tuple(self.proposes),
            asked=tuple(self.asked),
            words=words,
            addresses=addresses,
            contact=contact,
            credit=credit,
        )

    def get(self, name: str) -> str:
        """A field without the space around it."""
        return self.typed.get(name, "").strip()

    def _read(self, name: str, parse: Callable[[str], Read]) -> Read | None:
        try:
            return parse(self.typed.get(name, ""))
        except BadValue as why:
            self.messages[name] = sentence(why)
            return None

    def text(self, name: str) -> str | None:
        """A line of text in which everything can be seen; ``None`` when empty or refused."""
        line = self._read(name, lambda text: parse_text(text.strip(), FIELD_WORDS[name]))
        return line or None

    # --- what should happen -------------------------------------------------------------------

    def change(self) -> None:
        """Fields of a claim, or something else said in words."""
        if self.about.says is None:
            what, should = self.text("what"), self.text("should")
            if should:
                self.asked.append((what or "it should say", should))
            elif not self.messages:
                self.messages["should"] = "Say what it should say."
            return
        self._change_model()
        for field in CORRECTABLE:
            self._change_field(field, self.about.says)
        if not (self.proposes or self.asked or self.messages):
            self.messages["set-score"] = "Fill in what should be different, in one field at least."

    def _change_model(self) -> None:
        name = self._name("set-model")
        if name is None:
            return
        found = self.names.model(name)
        if found is not None and found == self.about.model:
            self.messages["set-model"] = "It is about that model already."
        elif found is not None:
            self.proposes.append(Change("model", self.about.model, found))
        else:
            self._unknown_name("model", name)

    def _change_field(self, field: str, says: Statement) -> None:
        name = f"set-{field}"
        text = self.text(name)
        if text is None:
            return
        if field == "metric":
            text = self._metric(text)
        try:
            with_field(says, field, text)
        except BadValue as why:
            self.messages[name] = sentence(why)
            return
        shows = self.about.shows or says
        if field_equals(field, field_text(shows, field), text):
            self.messages[name] = "That is what it says already."
        elif field == "url":
            self._ask_address(name, field)
        elif self._is_known(field, text):
            self.proposes.append(Change(field, field_text(says, field), text))
        else:
            self.asked.append((field, text))

    def _is_known(self, field: str, text: str) -> bool:
        """Whether a value is strictly formed or known already, so that the event may hold it."""
        known = {
            "unit": UNITS,
            "metric": self.about.metrics,
            "split": self.about.splits,
            "setting": self.about.settings,
        }
        return field not in known or text in known[field]

    def _metric(self, text: str) -> str:
        """The slug of a metric that was named in words."""
        named = [slug for slug, name in self.about.metrics.items() if name == text]
        return named[0] if len(named) == 1 else text

    def missing(self) -> None:
        """A number that is not here."""
        name = self._name("missing-model")
        found = None if name is None else self.names.model(name)
        if found is not None:
            self.proposes.append(Change("model", None, found))
        elif name is not None:
            self._unknown_name("model", name)
        score = self.text("missing-score")
        if score is not None and self._read("missing-score", _score) is not None:
            self.proposes.append(Change("score", None, score))
        metric = self._metric(self.text("missing-metric") or "")
        if metric in self.about.metrics:
            self.proposes.append(Change("metric", None, metric))
        elif metric:
            self.asked.append(("metric", metric))
        for field in ("split", "setting"):
            text = self.text(f"missing-{field}")
            if text is not None and self._is_known(field, text):
                self.proposes.append(Change(field, None, text))
            elif text is not None:
                self.asked.append((field, text))
        self._ask_address("missing-url", "stated at")
        if not (self.proposes or self.asked or self.messages):
            self.messages["missing-model"] = "Say which number is missing, or where it is stated."

    def retract(self) -> None:
        """Off the boards."""
        self.proposes.append(Change("standing", "stated", "retracted"))

    def merge(self) -> None:
        """Two models are one."""
        name = self._name("same-as")
        if name is None:
            self.messages.setdefault("same-as", "Name the other model.")
            return
        found = self.names.model(name)
        if found is not None and found == self.about.model:
            self.messages["same-as"] = "That is this very model; name the other one."
        elif found is not None:
            self.proposes.append(Change("model", self.about.model, found))
        else:
            self._unknown_name("same model as", name)

    def caveat(self) -> None:
        """What readers should beware of."""
        does = self.get("caveat-do") or ("add" if self.about.caveat is None else "change")
        text = self._read(
            "caveat-text", lambda typed: parse_text(" ".join(typed.split()), "caveat")
        )
        known = self.about.caveat is not None
        if does not in CAVEAT_DOES or (does != "add" and not known):
            self.messages["caveat-do"] = (
                "Follow “Report” beside the caveat that you mean; from here one can only be added."
            )
        elif does == "drop":
            part = self.about.target.part.removeprefix("caveat-")
            self.proposes.append(Change(f"caveat/{part}", "stated", None))
        elif text:
            self.asked.append((f"{does} caveat", text))
        else:
            self.messages.setdefault("caveat-text", "Say what the caveat should say.")

    def link(self) -> None:
        """A link that leads nowhere, and where it should lead."""
        self._ask_address("link-dead", "dead link")
        self._ask_address("link-now", "works at")
        if not (self.asked or self.messages):
            self.messages["link-dead"] = "Say which link is dead."

    def remark(self) -> None:
        """Nothing in particular."""

    # --- parts --------------------------------------------------------------------------------

    def _name(self, name: str) -> str | None:
        return self._read(name, _name_or_none)

    def _unknown_name(self, what: str, name: str) -> None:
        """A name that no model has; the reviewer sees what it could be mistaken for."""
        self.asked.append((what, name))
        alike = self.names.looks_like(name)
        if alike:
            note = f"{name} looks like {', '.join(alike)} and is written differently"
            points = code_points(name)
            self.asked.append(("note", note + (f" ({points})" if points else "")))

    def _ask_address(self, name: str, what: str) -> None:
        address = self.text(name)
        if address is not None and self._read(name, _address) is not None:
            self.asked.append((what, address))

    def _check_stray(self, wish: str) -> None:
        """What was filled in for another wish would be lost; so say it."""
        for other, fields in BELONGING.items():
            stray = [name for name in fields if self._is_stray(name)]
            if other != wish and other in self.about.wishes and stray:
                self.messages["wish"] = (
                    f"You filled in “{FIELD_WORDS[stray[0]]}”: choose “{WISH_WORDS[other]}”, "
                    "or empty that field."
                )

    def _is_stray(self, name: str) -> bool:
        return bool(self.get(name)) and self.get(name) != blank(self.about).get(name)

    def _check_said(self, reason: str, wish: str, words: str, addresses: Sequence[str]) -> None:
        if words or self.messages:
            return
        if wish == "remark" or reason == "other":
            self.messages["words"] = "Say in your words what is wrong."
        elif wish == "retract" and not addresses:
            self.messages["words"] = "Say why, or give an address that says so."


WISHES: Mapping[str, Callable[[_Reading], None]] = MappingProxyType(
    {
        "change": _Reading.change,
        "missing": _Reading.missing,
        "retract": _Reading.retract,
        "merge": _Reading.merge,
        "caveat": _Reading.caveat,
        "link": _Reading.link,
        "remark": _Reading.remark,
    }
)


# --- texts ------------------------------------------------------------------------------------


def sentence(why: BadValue) -> str:
    """A refusal as a message beside its field."""
    text = str(why)
    return text[:1].upper() + text[1:]


def code_points(text: str) -> str:
    """The letters of a name that are not plain ASCII, so that nobody has to trust their eyes."""
    return ", ".join(dict.fromkeys(f"U+{ord(one):04X}" for one in text if not one.isascii()))


def _name_or_none(text: str) -> str | None:
    return parse_name(text) if text.strip() else None


def _score(text: str) -> Score:
    return Score(text)


def _address(text: str) -> str:
    address = parse_text(text.strip(), "address")
    if web_address(address) is None or any(character.isspace() for character in address):
        why = "an address begins with https:// or http:// and has no spaces"
        raise BadValue(what="address", shown=ascii(address[:80]), why=why)
    return address
