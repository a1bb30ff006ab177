"""The guides say what is so: each is walked in a real browser, on the sample club.

``make pictures`` (``GUIDES=write``) takes their pictures again.
"""

import re
import secrets
from collections.abc import Iterator
from io import BytesIO
from itertools import count
from typing import Any

import pytest
import time_machine
from playwright.sync_api import Browser, ViewportSize, expect
from pypdf import PdfReader
from pytest_django.live_server_helper import LiveServer

from clubs.house.guides import AUDIENCES, GLOSSARY, GUIDE_FOLDER, GUIDE_NAMES, read_guide
from tests.browser import guided_steps
from tests.browser.at_the_club import ADDRESS, HOST, TONIGHT, launch, page_of
from tests.browser.guided import MOST_BYTES, PICTURES, STEPS, Walk, pictures
from tests.sample import lay_down_sample_club

ROOT = GUIDE_FOLDER.parent.parent
# The others do it themselves, or never.
SIGNS_IN = {"scorer": "scorer", "director": "director", "programmer": "secretary"}
PHONE = ViewportSize(width=390, height=620)
DESK = ViewportSize(width=760, height=620)
LINKED = re.compile(r"\]\((?!https?:)([^)#]+)\)")
COMMAND = re.compile(r"manage\.py (\w+)")
DRAWN = count()  # in place of chance, so that a QR code looks the same when it is taken again
SPOKEN_A_MINUTE = 150  # words that an old reader takes in


@pytest.fixture
def at_the_club(
    browser: Browser, live_server: LiveServer, settings: Any, monkeypatch: pytest.MonkeyPatch
) -> Iterator[Browser]:
    """A browser at the sample club, whose keys and QR codes are the same every time."""
    settings.ALLOWED_HOSTS, settings.SITE_ADDRESS = [HOST, "localhost"], ADDRESS
    settings.SECRET_KEY = "the same in every picture"
    monkeypatch.setattr(secrets, "token_urlsafe", lambda size: f"{next(DRAWN):A>{size * 4 // 3}}")
    launched_browser = launch(browser.browser_type, live_server)
    with time_machine.travel(TONIGHT):
        yield launched_browser
    launched_browser.close()


@pytest.mark.browser
@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("guide_name", AUDIENCES)
def test_a_guide_is_followed_word_for_word(
    at_the_club: Browser, live_server: LiveServer, guide_name: str
) -> None:
    lay_down_sample_club()
    # Without https a phone saves hands offline only where the address is localhost.
    size, server = (PHONE, live_server.url) if guide_name == "player" else (DESK, ADDRESS)
    page = page_of(at_the_club, SIGNS_IN.get(guide_name, ""), size, server)
    assert list(Walk(page, server, guide_name).faults()) == []
    page.context.close()


def test_every_step_is_of_a_guide() -> None:
    guide_sections = {
        (guide_name, section.title)
        for guide_name in AUDIENCES
        for section in read_guide(guide_name).sections
    }
    assert guided_steps
    assert set(STEPS) - guide_sections == set()


def _guide_pictures() -> Iterator[str]:
    for guide_name in AUDIENCES:
        for section in read_guide(guide_name).sections:
            yield from pictures(section)


def test_the_pictures_are_those_of_the_guides_and_small() -> None:
    sizes_by_name = {path.name: path.stat().st_size for path in PICTURES.glob("*.png")}
    assert set(sizes_by_name) == set(_guide_pictures())
    assert {name: size for name, size in sizes_by_name.items() if size > MOST_BYTES} == {}


@pytest.mark.parametrize("guide_name", [*AUDIENCES, GLOSSARY])
def test_what_a_guide_points_to_is_there(guide_name: str) -> None:
    text = (GUIDE_FOLDER / f"{guide_name}.md").read_text(encoding="utf-8")
    links = LINKED.findall(text)
    assert [link for link in links if not (GUIDE_FOLDER / link).exists()] == []
    commands = {path.stem for path in ROOT.glob("*/**/management/commands/*.py")}
    assert set(COMMAND.findall(text)) - commands == set()


@pytest.mark.browser
@pytest.mark.django_db(transaction=True)
def test_the_first_evening_is_printed_on_one_page(
    browser: Browser, live_server: LiveServer
) -> None:
    page = browser.new_page()
    page.goto(f"{live_server.url}/help/quick-start/")
    expect(page.get_by_role("button", name="Print this guide")).to_be_visible()
    assert len(PdfReader(BytesIO(page.pdf(format="A4"))).pages) == 1


@pytest.mark.parametrize("guide_name", sorted(GUIDE_NAMES))
def test_a_guide_is_read_in_five_minutes(guide_name: str) -> None:
    text = (GUIDE_FOLDER / f"{guide_name}.md").read_text(encoding="utf-8")
    assert len(text.split()) < 5 * SPOKEN_A_MINUTE
