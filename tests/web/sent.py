"""A page's form as a browser would send it: every field with what stands in it."""

from html.parser import HTMLParser

import attrs

from tests.web.people import Person

Fields = dict[str, list[str]]


@attrs.define(eq=False)
class FormReader(HTMLParser):
    """Reads the fields of the first form with a class."""

    wanted: str
    fields: Fields = attrs.field(factory=dict)
    _inside: bool = False
    _text: str | None = None
    _select: str | None = None
    _first: str | None = None
    _chosen: bool = False

    def __attrs_pre_init__(self) -> None:
        super().__init__()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """A field, or the beginning of one."""
        had = dict(attrs)
        if tag == "form":
            self._inside = had.get("class") == self.wanted
        if not self._inside:
            return
        name = had.get("name") or ""
        if tag == "input" and name and self._is_sent(had):
            self.fields.setdefault(name, []).append(had.get("value") or "")
        elif tag == "textarea":
            self._text, self.fields[name] = name, [""]
        elif tag == "select":
            self._select, self._first, self._chosen = name, None, False
        elif tag == "option" and self._select is not None:
            self._option(had)

    def _is_sent(self, had: dict[str, str | None]) -> bool:
        return had.get("type") not in ("checkbox", "radio") or "checked" in had

    def _option(self, had: dict[str, str | None]) -> None:
        value = had.get("value") or ""
        if self._first is None:
            self._first = value
        if "selected" in had and self._select is not None:
            self.fields[self._select], self._chosen = [value], True

    def handle_data(self, data: str) -> None:
        """The text of a textarea, after its first line end."""
        if self._text is not None:
            self.fields[self._text][0] += data

    def handle_endtag(self, tag: str) -> None:
        """The end of a field, or of the form."""
        if tag == "form":
            self._inside = False
        elif tag == "textarea" and self._text is not None:
            self.fields[self._text][0] = self.fields[self._text][0].removeprefix("\n")
            self._text = None
        elif tag == "select" and self._select is not None:
            if not self._chosen:
                self.fields[self._select] = [self._first or ""]
            self._select = None


def form_of(html: str, wanted: str = "review") -> Fields:
    """The fields of a page's form."""
    reader = FormReader(wanted)
    reader.feed(html)
    reader.close()
    return reader.fields


def opened(person: Person, address: str, wanted: str = "review") -> Fields:
    """Open a page and give its form."""
    response = person.get(address)
    assert response.status_code == 200, response.text
    return form_of(response.text, wanted)
