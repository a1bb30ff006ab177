"""The example that programmers copy from plays a whole evening against a real server."""

import importlib.util
from pathlib import Path
from typing import Any

import pytest
from pytest_django.live_server_helper import LiveServer

from clubs.models import Session, SessionState
from scoring.scorebook.models import Hand
from tests.people import PASSWORD, make_cast, make_player

EXAMPLE = Path(__file__).parents[2] / "docs" / "examples" / "play_an_evening.py"


def example() -> Any:
    """The file as a module, as whoever copied it has it."""
    spec = importlib.util.spec_from_file_location("play_an_evening", EXAMPLE)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.mark.django_db(transaction=True)
def test_the_example_plays_an_evening(live_server: LiveServer) -> None:
    cast = make_cast()
    for name in ("Ann", "Ben", "Cy", "Di", "Eve", "Flo"):
        make_player(cast.club, name)
    module = example()
    club = module.Tongbox(live_server.url, cast.club.slug)
    club.sign_in(cast.secretary.email, PASSWORD)
    said = list(module.play_an_evening(club, "2026-12-01"))
    session = Session.objects.get()
    assert (session.state, Hand.objects.filter(state="agreed").count()) == (SessionState.CLOSED, 8)
    assert said[0].endswith(" is checked in.")
    assert sum(line.startswith("Table ") for line in said) == 2
    assert len(said[said.index("") + 1 :]) == 8
    with pytest.raises(module.Refused, match="There is already an evening on 1 December 2026"):
        club.post("evenings/", held_on="2026-12-01")


def test_the_example_is_short_and_needs_nothing_but_python() -> None:
    lines = EXAMPLE.read_text().splitlines()
    assert len(lines) < 150
    modules = {
        line.split()[1].split(".")[0] for line in lines if line.startswith(("import", "from"))
    }
    assert modules <= {"collections", "getpass", "json", "sys", "typing", "urllib", "uuid"}
