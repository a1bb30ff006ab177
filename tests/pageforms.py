"""What a form on a page would send: its hidden fields, as whoever left the page open has them."""

from html.parser import HTMLParser


class _Forms(HTMLParser):
    """The hidden fields of each form that is sent by POST, by where it is sent."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.page, self.inside = page, ""
        self.found: dict[str, dict[str, str]] = {}

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """A form begins, or something hidden stands in it."""
        told = dict(attrs)
        if tag == "form":
            self.inside = (told.get("action") or self.page) if told.get("method") == "post" else ""
            self.found.setdefault(self.inside, {})
        elif tag == "input" and self.inside and told.get("type") == "hidden":
            self.found[self.inside][told.get("name") or ""] = told.get("value") or ""

    def handle_endtag(self, tag: str) -> None:
        """A form ends."""
        self.inside = "" if tag == "form" else self.inside


def hidden_in(html: str, page: str, form: str) -> dict[str, str]:
    """The hidden fields of the form on the page that is sent there; ``KeyError`` without one."""
    reader = _Forms(page)
    reader.feed(html)
    fields = reader.found[form]
    return {name: value for name, value in fields.items() if name != "csrfmiddlewaretoken"}


class _Fields(HTMLParser):
    """What a browser would send with each form of a page that goes to the page itself."""

    def __init__(self) -> None:
        super().__init__()
        self.forms: list[dict[str, list[str]]] = []
        self.is_open = False
        self.area = self.choice = ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """A form, an input, a text or a choice begins."""
        given = {key: value or "" for key, value in attrs}
        name = given.get("name", "")
        if tag == "form":
            self.is_open = given.get("method") == "post" and not given.get("action")
            self.forms += [{}] if self.is_open else []
        elif not self.is_open:
            return
        elif tag == "input":
            is_box = given.get("type") in {"radio", "checkbox"}
            if name and (not is_box or "checked" in given):
                self._add(name, given.get("value", "on" if is_box else ""))
        elif tag == "textarea":
            self.area = name
            self._add(name, "")
        elif tag == "select":
            self.choice = name
        elif tag == "option" and "selected" in given:
            self._add(self.choice, given.get("value", ""))

    def handle_endtag(self, tag: str) -> None:
        """A form or a text ends."""
        self.is_open = self.is_open and tag != "form"
        self.area = "" if tag == "textarea" else self.area

    def handle_data(self, data: str) -> None:
        """What stands in a text; its first line break belongs to the markup."""
        if self.area:
            self.forms[-1][self.area][0] += data

    def _add(self, name: str, value: str) -> None:
        self.forms[-1].setdefault(name, []).append(value)


def filled_in(html: str, way: str = "") -> dict[str, list[str]]:
    """All fields of the page's own form as they stand, of several the one with that ``way``."""
    reader = _Fields()
    reader.feed(html)
    forms = [form for form in reader.forms if not way or form.get("way") == [way]]
    return {name: [one.removeprefix("\n") for one in sent] for name, sent in forms[0].items()}
