"""Visiting a club's pages as one of the cast."""

from html.parser import HTMLParser
from typing import Any

from django.test import Client

from clubs.models import User
from tests.people import PASSWORD


class Visitor(Client):
    """A browser without JavaScript in which someone is signed in."""

    def __init__(self, user: User) -> None:
        super().__init__()
        assert self.login(email=user.email, password=PASSWORD)

    def messages_after(self, address: str, **fields: Any) -> list[str]:
        """Send a form, follow it to where it leads, and return the messages shown there."""
        response = self.post(address, fields, follow=True)
        return [str(message) for message in response.context["messages"]]

    def read(self, address: str, **query: Any) -> str:
        """The page at that address."""
        return self.get(address, query).content.decode()


def confirmed_visitor(user: User) -> Visitor:
    """Someone who has just typed their password again."""
    visitor = Visitor(user)
    visitor.post("/accounts/reauthenticate/", {"password": PASSWORD})
    return visitor


class _Actions(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.names: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        attributes = dict(attrs)
        if tag == "form" and attributes.get("method") == "post":
            self.names.append((attributes.get("action") or "").rstrip("/").rsplit("/", 1)[-1])


def actions(page: Any) -> list[str]:
    """The last words of the addresses of a page's forms, without signing out."""
    parser = _Actions()
    parser.feed(page.content.decode())
    return [name for name in parser.names if name != "logout"]


def errors(page: Any) -> dict[str, list[str]]:
    """What a page's form says is wrong, by field."""
    form_errors = page.context["form"].errors
    return {name: [str(error) for error in messages] for name, messages in form_errors.items()}


class _Inputs(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.values: dict[str, list[str]] = {}
        self.is_inside = False
        self.select = self.textarea = ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        attributes = {name: value or "" for name, value in attrs}
        if tag == "form":
            self.is_inside = attributes.get("class") == "form"
        if not self.is_inside:
            return
        name, kind = attributes.get("name", ""), attributes.get("type", "")
        if tag == "input" and (kind not in {"checkbox", "radio"} or "checked" in attributes):
            self.values.setdefault(name, []).append(attributes.get("value", ""))
        elif tag == "select":
            self.select = name
        elif tag == "textarea":
            self.textarea = name
        elif tag == "option" and "selected" in attributes:
            self.values.setdefault(self.select, []).append(attributes.get("value", ""))

    def handle_endtag(self, tag: str) -> None:
        if tag == "form":
            self.is_inside = False
        if tag == "textarea":
            self.textarea = ""

    def handle_data(self, data: str) -> None:
        if self.textarea:
            self.values.setdefault(self.textarea, []).append(data.removeprefix("\n"))


def inputs(page: Any) -> dict[str, list[str]]:
    """What a browser would send of a page's form as it stands, hidden inputs too."""
    parser = _Inputs()
    parser.feed(page.content.decode())
    return parser.values
