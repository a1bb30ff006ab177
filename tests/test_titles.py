"""A page's title begins with its heading."""

import re
from html import unescape
from typing import Final

import pytest
from django.test import Client

from clubs.models import User
from tests.browser.tour import stops
from tests.sample import lay_down_sample_club

OTHERWISE: Final = {
    "club": "its heading is the evening that comes next",
    "ready": "its heading says whether hands can be recorded",
}


def said(html: str, tag: str) -> str:
    """What the first element of that name says."""
    found = re.search(rf"<{tag}\b[^>]*>(.*?)</{tag}>", html, re.DOTALL)
    return " ".join(unescape(re.sub(r"<[^>]+>", "", found[1])).split()) if found else ""


@pytest.fixture
def pages(db: None) -> dict[str, str]:
    """Every page of the tour, as its visitor reads it."""
    lay_down_sample_club()
    read = {}
    for stop in stops():
        client = Client()
        if stop.who:
            user = User.objects.get(email=f"{stop.who}@example.org")
            client.force_login(user, backend="django.contrib.auth.backends.ModelBackend")
        answer = client.get(stop.address, follow=True)
        if answer["Content-Type"].startswith("text/html"):
            read[stop.name] = answer.content.decode()
    return read


@pytest.mark.sampled(law="long plays")
def test_titles_begin_with_their_headings(pages: dict[str, str]) -> None:
    titles = {name: (said(page, "title"), said(page, "h1")) for name, page in pages.items()}
    astray = {
        name: both
        for name, both in titles.items()
        if name not in OTHERWISE and not (both[1] and both[0].startswith(both[1]))
    }
    assert astray == {}
    assert len(titles) > 150
