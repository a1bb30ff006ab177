"""The guides say what is so: each is walked in a real browser, on the sample club.

``GUIDES=write`` takes their pictures again.
"""

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, ViewportSize
from pytest_django.live_server_helper import LiveServer

from clubs.guides import FOLDER, WHO, read_guide
from tests.browser import guided_director, guided_others, guided_player, guided_secretary
from tests.browser.guided import MOST_BYTES, PICTURES, STEPS, Walk, pictures
from tests.browser.tour import visit
from tests.sample import lay_down_sample_club

ROOT = FOLDER.parent.parent
WALKS = (guided_player, guided_secretary, guided_director, guided_others)
SIGNS_IN = {
    "director": "director",
    "programmer": "secretary",
}  # the others do it themselves, or never
PHONE = ViewportSize(width=390, height=640)
DESK = ViewportSize(width=760, height=620)
LINKED = re.compile(r"\]\((?!https?:)([^)#]+)\)")
COMMAND = re.compile(r"manage\.py (\w+)")
SPOKEN_A_MINUTE = 150  # words that an old reader takes in


@pytest.mark.browser
@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("who", WHO)
def test_a_guide_is_followed_word_for_word(
    browser: Browser, live_server: LiveServer, who: str
) -> None:
    lay_down_sample_club()
    size = PHONE if who == "player" else DESK
    page = visit(
        browser,
        live_server.url,
        SIGNS_IN.get(who, ""),
        viewport=size,
        reduced_motion="reduce",
    )
    assert list(Walk(page, live_server.url, who).faults()) == []
    page.context.close()


def test_every_step_is_of_a_guide() -> None:
    told = {(who, section.title) for who in WHO for section in read_guide(who).sections}
    assert WALKS
    assert set(STEPS) - told == set()


def _shown() -> Iterator[str]:
    for who in WHO:
        for section in read_guide(who).sections:
            yield from pictures(section)


def test_the_pictures_are_those_of_the_guides_and_small() -> None:
    there = {path.name: path.stat().st_size for path in PICTURES.glob("*.png")}
    assert set(there) == set(_shown())
    assert {name: size for name, size in there.items() if size > MOST_BYTES} == {}


@pytest.mark.parametrize("who", WHO)
def test_what_a_guide_points_to_is_there(who: str) -> None:
    text = (FOLDER / f"{who}.md").read_text(encoding="utf-8")
    links = LINKED.findall(text)
    assert [to for to in links if not (FOLDER / to).exists()] == []
    commands = {path.stem for path in ROOT.glob("*/**/management/commands/*.py")}
    assert set(COMMAND.findall(text)) - commands == set()


@pytest.mark.parametrize("who", WHO)
def test_a_guide_is_read_in_five_minutes(who: str) -> None:
    text = (FOLDER / f"{who}.md").read_text(encoding="utf-8")
    assert len(text.split()) < 5 * SPOKEN_A_MINUTE
