"""Visiting a club's pages as one of the cast."""

from html.parser import HTMLParser
from typing import Any

from django.test import Client

from clubs.models import User
from tests.people import PASSWORD


class Visitor(Client):
    """A browser without JavaScript in which somebody is signed in."""

    def __init__(self, user: User) -> None:
        super().__init__()
        assert self.login(email=user.email, password=PASSWORD)

    def told(self, address: str, **fields: Any) -> list[str]:
        """Send a form, follow it to where it leads, and return the messages shown there."""
        response = self.post(address, fields, follow=True)
        return [str(message) for message in response.context["messages"]]


class _Actions(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.found: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = dict(attrs)
        if tag == "form" and given.get("method") == "post":
            self.found.append((given.get("action") or "").rstrip("/").rsplit("/", 1)[-1])


def actions(page: Any) -> list[str]:
    """The last words of the addresses of a page's forms, without signing out."""
    parser = _Actions()
    parser.feed(page.content.decode())
    return [name for name in parser.found if name != "logout"]


def errors(page: Any) -> dict[str, list[str]]:
    """What a page's form says is wrong, by field."""
    found = page.context["form"].errors
    return {name: [str(error) for error in said] for name, said in found.items()}
