"""The guides as pages: what little Markdown they are written in, and where their links lead."""

import re

import pytest
from django.test import Client

from clubs.house.guides import (
    AUDIENCES,
    GLOSSARY,
    GUIDE_NAMES,
    LEAFLETS,
    TROUBLE_HEADING,
    GuidePoint,
    in_html,
    read_guide,
)


@pytest.mark.django_db
@pytest.mark.parametrize("guide_name", sorted(GUIDE_NAMES))
def test_a_guide_is_shown_whole(client: Client, guide_name: str) -> None:
    page = client.get(f"/help/{guide_name}/").content.decode()
    guide = read_guide(guide_name)
    assert [section.title for section in guide.sections if section.title not in page] == []
    assert "**" not in page
    assert "](" not in page


@pytest.mark.django_db
def test_there_is_no_guide_for_nobody(client: Client) -> None:
    assert client.get("/help/nobody/").status_code == 404


@pytest.mark.django_db
@pytest.mark.parametrize("guide_name", sorted(GUIDE_NAMES))
def test_every_place_of_a_guide_has_a_name_of_its_own(client: Client, guide_name: str) -> None:
    places = re.findall(r' id="([^"]+)"', client.get(f"/help/{guide_name}/").content.decode())
    assert sorted(set(places)) == sorted(places)


@pytest.mark.parametrize("guide_name", AUDIENCES)
def test_every_guide_goes_from_what_one_needs_to_the_next_guide(guide_name: str) -> None:
    titles = [section.title for section in read_guide(guide_name).sections]
    assert titles[0] == "Before you start"
    assert titles[-3:] == [TROUBLE_HEADING, "Words used here", "Next guide"]


@pytest.mark.django_db
@pytest.mark.parametrize("guide_name", AUDIENCES)
def test_what_can_go_wrong_is_linked_at_the_top(client: Client, guide_name: str) -> None:
    page = client.get(f"/help/{guide_name}/").content.decode()
    top = page.partition('<div class="guide">')[0]
    troubles = read_guide(guide_name).troubles
    assert troubles
    assert [point.title for point in troubles if f'href="#{point.anchor}"' not in top] == []


BOLD = re.compile(r"\*\*(.+?)\*\*(?!:)")
# What a leaflet names that no guide presses.
ELSEWHERE = {
    "Seat": "Seat 12 people",
    "Only who went Mah-Jong": "a choice of the club rules",
    "People and roles": "in the settings",
    "What the public sees": "in the settings",
}


def lines_of(guide_name: str) -> list[str]:
    """Every line of a guide, headings left out."""
    blocks = [block for section in read_guide(guide_name).sections for block in section.blocks]
    return [line for block in blocks for line in block.lines]


def labels(guide_name: str) -> set[str]:
    """The words of a guide that are said to stand on a page: bold, but no point's opening."""
    bold = {label for line in lines_of(guide_name) for label in BOLD.findall(line)}
    return {label for label in bold if label[-1] not in ":?."}


@pytest.mark.parametrize("guide_name", LEAFLETS)
def test_a_leaflet_names_what_a_guide_presses(guide_name: str) -> None:
    guide_labels = set().union(*map(labels, AUDIENCES), ELSEWHERE)
    assert labels(guide_name) - guide_labels == set()


@pytest.mark.parametrize("guide_name", LEAFLETS)
def test_a_leaflet_leads_to_guides_that_are_there(guide_name: str) -> None:
    names = {name for line in lines_of(guide_name) for name in re.findall(r"\(([\w-]+)\.md", line)}
    assert names <= GUIDE_NAMES


@pytest.mark.parametrize("guide_name", AUDIENCES)
def test_every_word_that_is_linked_is_on_the_list(guide_name: str) -> None:
    used = read_guide(guide_name).sections[-2]
    linked_anchors = re.findall(r"\(words\.md#([\w-]+)\)", used.blocks[0].text)
    anchors = {
        point.anchor
        for section in read_guide(GLOSSARY).sections
        for block in section.blocks
        for point in block.points
    }
    assert linked_anchors
    assert set(linked_anchors) - anchors == set()


@pytest.mark.django_db
def test_the_index_says_who_each_guide_is_for(client: Client) -> None:
    page = client.get("/help/").content.decode()
    assert [description for description in AUDIENCES.values() if description not in page] == []
    assert "Word list" in page


def test_steps_go_on_counting_after_a_command() -> None:
    set_up = next(part for part in read_guide("operator").sections if "Set up" in part.title)
    steps = [block for block in set_up.blocks if block.kind == "steps"]
    assert [(block.first, len(block.lines)) for block in steps] == [(1, 1), (2, 2)]


def test_what_is_typed_in_a_guide_is_no_markup() -> None:
    assert in_html("**a <b>** `&`") == "<strong>a &lt;b&gt;</strong> <code>&amp;</code>"


def test_a_point_that_is_a_link_alone_is_pressed_as_one() -> None:
    section = next(part for part in read_guide("committee").sections if part.title == "Read more")
    assert all(point.is_link for point in section.blocks[0].points)
    assert not GuidePoint("See [a player](player.md) and [words](words.md)").is_link
    assert not GuidePoint("[a player](player.md), [words](words.md)").is_link


def test_another_guide_is_led_to_and_another_file_named() -> None:
    assert in_html("[a player](player.md)") == '<a href="../player/">a player</a>'
    assert in_html("[card](words.md#table-card)") == '<a href="../words/#table-card">card</a>'
    html = in_html("[upgrade](../../deploy/upgrade.md)")
    assert html == "upgrade (<code>deploy/upgrade.md</code>)"
