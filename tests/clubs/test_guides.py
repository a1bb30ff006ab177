"""The guides as pages: what little Markdown they are written in, and where their links lead."""

import pytest
from django.test import Client

from clubs.guides import WHO, in_html, read_guide


@pytest.mark.django_db
@pytest.mark.parametrize("who", WHO)
def test_a_guide_is_shown_whole(client: Client, who: str) -> None:
    page = client.get(f"/help/{who}/").content.decode()
    guide = read_guide(who)
    assert [section.title for section in guide.sections if section.title not in page] == []
    assert "**" not in page
    assert "](" not in page


@pytest.mark.django_db
def test_there_is_no_guide_for_nobody(client: Client) -> None:
    assert client.get("/help/nobody/").status_code == 404


def test_steps_go_on_counting_after_a_command() -> None:
    moves_in = next(part for part in read_guide("operator").sections if "moves in" in part.title)
    steps = [block for block in moves_in.blocks if block.kind == "steps"]
    assert [(block.first, len(block.lines)) for block in steps] == [(1, 1), (2, 2)]


def test_what_is_typed_in_a_guide_is_no_markup() -> None:
    assert in_html("**a <b>** `&`") == "<strong>a &lt;b&gt;</strong> <code>&amp;</code>"


def test_another_guide_is_led_to_and_another_file_named() -> None:
    assert in_html("[a player](player.md)") == '<a href="../player/">a player</a>'
    told = in_html("[upgrade](../../deploy/upgrade.md)")
    assert told == "upgrade (<code>deploy/upgrade.md</code>)"
