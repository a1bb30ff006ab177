"""The forms on a page: what each offers, and what it would send as whoever left it open has it."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from html.parser import HTMLParser
from urllib.parse import urljoin, urlsplit


@dataclass
class Form:
    """A form of a page: where it is sent, and each field with what it may say."""

    address: str
    is_of_the_page: bool
    fields: dict[str, list[str]] = field(default_factory=dict)
    files: set[str] = field(default_factory=set)
    hidden_fields: dict[str, str] = field(default_factory=dict)
    as_it_stands: dict[str, list[str]] = field(default_factory=dict)

    def offer(
        self, name: str, values: Sequence[str] = (), *, sent_values: Sequence[str] = ()
    ) -> None:
        """The field may say these values, and a browser would send those as the form stands."""
        self.fields.setdefault(name, []).extend(values)
        if sent_values:
            self.as_it_stands.setdefault(name, []).extend(sent_values)


class _Forms(HTMLParser):
    """Reads the forms that are posted out of a page."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.page = page
        self.forms: list[Form] = []
        self.now: Form | None = None
        self.select = self.area = ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """A form, a field or a choice begins."""
        attributes = {name: value or "" for name, value in attrs}
        if tag == "form":
            address = urlsplit(urljoin(self.page, attributes.get("action", ""))).path
            self.now = Form(address, is_of_the_page=not attributes.get("action"))
            self.forms += [self.now] if attributes.get("method", "").lower() == "post" else []
        elif self.now and tag == "option":
            value = attributes.get("value", "")
            self.now.offer(
                self.select, [value], sent_values=[value] if "selected" in attributes else []
            )
        elif self.now and attributes.get("name"):
            self._add(self.now, tag, attributes)

    def _add(self, form: Form, tag: str, attributes: dict[str, str]) -> None:
        name, kind, value = attributes["name"], attributes.get("type"), attributes.get("value", "")
        is_box = kind in {"radio", "checkbox"}
        if tag == "select":
            self.select = name
            form.offer(name)
        elif kind == "file":
            form.files.add(name)
            form.offer(name)
        elif tag == "textarea":
            self.area = name
            form.offer(name, [""], sent_values=[""])
        elif tag == "input" and (not is_box or "checked" in attributes):
            form.offer(
                name, [value], sent_values=[attributes.get("value", "on") if is_box else value]
            )
        else:
            form.offer(name, [value])
        if kind == "hidden":
            form.hidden_fields[name] = value

    def handle_endtag(self, tag: str) -> None:
        """A form or a text ends."""
        self.now = None if tag == "form" else self.now
        self.area = "" if tag == "textarea" else self.area

    def handle_data(self, data: str) -> None:
        """What stands in a text; its first line break belongs to the markup."""
        if self.now and self.area:
            self.now.as_it_stands[self.area][-1] += data


def forms_in(html: str, page: str = "") -> list[Form]:
    """The forms on the page that are sent by POST, in order."""
    reader = _Forms(page)
    reader.feed(html)
    return reader.forms


def hidden_in(html: str, page: str, form: str) -> dict[str, str]:
    """The hidden fields of the form on the page that is sent there; one must be there."""
    hidden_fields = [
        page_form.hidden_fields for page_form in forms_in(html, page) if page_form.address == form
    ]
    assert hidden_fields, f"no form for {form}"
    return {
        name: value
        for fields in hidden_fields
        for name, value in fields.items()
        if name != "csrfmiddlewaretoken"
    }


def filled_in(html: str, method: str = "") -> dict[str, list[str]]:
    """All fields of the page's own form as they stand, of several the one with that ``method``."""
    forms = [form.as_it_stands for form in forms_in(html) if form.is_of_the_page]
    fields = next(form for form in forms if not method or form.get("way") == [method])
    return {name: [value.removeprefix("\n") for value in values] for name, values in fields.items()}
