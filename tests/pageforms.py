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
