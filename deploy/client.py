"""Somebody with a browser, or a program, that asks an installation."""

import http.client
import json
import re
import ssl
from collections.abc import Mapping
from dataclasses import dataclass
from http.cookies import SimpleCookie
from pathlib import Path
from typing import Any, Protocol
from urllib.parse import urlencode, urljoin, urlsplit

SECONDS_TO_ANSWER = 60
FORM = "application/x-www-form-urlencoded"
Headers = Mapping[str, str]
LOST = (OSError, http.client.HTTPException)


class Place(Protocol):
    """Where to ask: an address, and the certificate to trust where it is of HTTPS."""

    @property
    def url(self) -> str:
        """Without a slash at the end."""

    @property
    def certificate(self) -> Path | None:
        """A PEM file."""


@dataclass(frozen=True, slots=True)
class Answer:
    """What came back; ``status`` 0: nothing did."""

    status: int
    body: bytes = b""
    headers: Mapping[str, str] | None = None
    path: str = ""

    def header(self, name: str) -> str:
        """A header by its name in small letters; empty where there is none."""
        return (self.headers or {}).get(name, "")

    @property
    def json(self) -> Any:
        return json.loads(self.body)


class Client:
    """One connection that is kept open, with its cookies; a lost one is status 0, not an error."""

    def __init__(self, place: Place) -> None:
        self.url = place.url
        self.cookies: dict[str, str] = {}
        where = urlsplit(place.url).netloc
        self.connection = http.client.HTTPConnection(where, timeout=SECONDS_TO_ANSWER)
        if place.certificate:
            trusted = ssl.create_default_context(cafile=str(place.certificate))
            self.connection = http.client.HTTPSConnection(
                where, timeout=SECONDS_TO_ANSWER, context=trusted
            )

    def ask(
        self, method: str, path: str, body: bytes | None = None, headers: Headers | None = None
    ) -> Answer:
        """One request, sent once and no more."""
        fields = {"Accept-Encoding": "gzip", "Referer": f"{self.url}/", **(headers or {})}
        if self.cookies:
            fields["Cookie"] = "; ".join(f"{name}={value}" for name, value in self.cookies.items())
        try:
            self.connection.request(method, path, body, fields)
            answer = self.connection.getresponse()
            result = answer.read()
        except LOST:
            self.connection.close()
            return Answer(0)
        kept = {name.lower(): value for name, value in answer.getheaders()}
        for line in answer.headers.get_all("Set-Cookie", []):
            self.cookies |= {name: morsel.value for name, morsel in SimpleCookie(line).items()}
        return Answer(answer.status, result, kept, path)

    def get(self, path: str, **headers: str) -> Answer:
        """A page, not compressed, its redirects followed."""
        answer = self._page(path, headers)
        while answer.status in (301, 302):
            path = urljoin(path, answer.header("location").removeprefix(self.url))
            answer = self._page(path, {})
        return answer

    def _page(self, path: str, headers: Mapping[str, str]) -> Answer:
        """As a browser does: over a new connection where the kept one was closed meanwhile."""
        plain = {"Accept-Encoding": "identity", **headers}
        answer = self.ask("GET", path, headers=plain)
        return answer if answer.status else self.ask("GET", path, headers=plain)

    def post_json(self, path: str, value: object, **headers: str) -> Answer:
        sent = json.dumps(value).encode()
        return self.ask("POST", path, sent, {"Content-Type": "application/json", **headers})

    def submit(self, form_on: str, path: str, **fields: str) -> Answer:
        """Send the form on a page; returns the page it leads to."""
        page = self.get(form_on).body.decode()
        (token, *_) = re.findall(r'name="csrfmiddlewaretoken" value="(\w+)"', page) or [""]
        sent = urlencode({"csrfmiddlewaretoken": token, **fields}).encode()
        answer = self.ask("POST", path, sent, {"Content-Type": FORM})
        if answer.status in (302, 303):
            return self.get(urljoin(path, answer.header("location").removeprefix(self.url)))
        return answer
