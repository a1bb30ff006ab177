"""A client that openapi-python-client generates plays an evening."""

import sys
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from typing import Any, Self
from uuid import uuid4

import pytest
from openapi_python_client import generate
from openapi_python_client.config import Config, ConfigFile, MetaType
from pytest_django.live_server_helper import LiveServer

from tests.clients.evening import DAY, SCORES, Line, check_evening
from tests.people import PASSWORD, Cast

pytestmark = pytest.mark.sampled(law="long plays")

# Its documentation names this for files, which it does not read otherwise.
AS_FILES = dict.fromkeys(("application/pdf", "application/zip"), "application/octet-stream")


@pytest.fixture
def package(description: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """The name of the generated package; every operation is in it, without a warning."""
    folder = tmp_path / "tongbox_client"
    config_file = ConfigFile(post_hooks=[], content_type_overrides=AS_FILES)
    config = Config.from_sources(
        config_file,
        MetaType.NONE,
        document_source=description,
        file_encoding="utf-8",
        overwrite=False,
        output_path=folder,
    )
    assert [f"{fault.header} {fault.detail}" for fault in generate(config=config)] == []
    monkeypatch.syspath_prepend(str(tmp_path))
    yield folder.name
    for name in [name for name in sys.modules if name.partition(".")[0] == folder.name]:
        del sys.modules[name]


class Program:
    """What somebody writes who has the package: its calls, by their names."""

    def __init__(self, package: str, server: str, key: str = "") -> None:
        self.package, self.tag = package, ""
        self.models = import_module(f"{package}.models")
        clients = import_module(package)
        self.client = (
            clients.AuthenticatedClient(base_url=server, token=key)
            if key
            else clients.Client(base_url=server)
        )

    def call(self, operation: str, *path: Any, body: Any = None, tag: str = "") -> Any:
        """The answer of an operation, as the object that the package makes of it.

        Its ETag is kept; ``tag`` is that of what was read before.
        """
        kwargs = {} if body is None else {"body": body}
        kwargs |= {"if_match": tag} if tag else {}
        module = import_module(f"{self.package}.api.{operation}")
        answer = module.sync_detailed(*path, client=self.client, **kwargs)
        assert answer.status_code < 300, answer.content
        self.tag = answer.headers.get("ETag", "")
        return answer.parsed

    def __enter__(self) -> Self:
        self.client.__enter__()
        return self

    def __exit__(self, *error: object) -> None:
        self.client.__exit__(*error)


def key_of(cast: Cast, package: str, server: str) -> str:
    """The secretary signs in, for a day."""
    sign_in_data: dict[str, Any] = {
        "email": cast.secretary.email,
        "password": PASSWORD,
        "club": cast.club.slug,
    }
    sign_in_data |= {"days": 1, "scopes": ["read", "people", "evenings", "hands"]}
    with Program(package, server) as program:
        body = program.models.SignIn.from_dict(sign_in_data)
        return str(program.call("signing_in.token_create", body=body).token)


def play(program: Program, game: int) -> None:
    """Each hand is sent twice, as a phone does on a bad line; then everyone agrees."""
    models = program.models
    for scores in SCORES:
        deal = program.call("games.games_retrieve", game).next_hand
        hand = models.HandIn.from_dict(
            {
                "submission_id": str(uuid4()),
                "number": deal.number,
                "winner": scores.index(max(scores)) + 1,
                "scores": {str(seat): score for seat, score in enumerate(scores, start=1)},
            }
        )
        first, repeat = (program.call("games.games_hands_create", game, body=hand) for _ in "12")
        assert repeat.id == first.id
        program.call("games.games_hands_retrieve", game, first.id)
        agree, tag = "games.games_hands_agree_create", program.tag
        program.call(agree, game, first.id, body=models.AgreeIn(), tag=tag)


def play_evening(program: Program, slug: str) -> list[Line]:
    """Open, check in, seat, play and finish; the result."""
    models = program.models
    evening_data = models.EveningIn.from_dict({"held_on": DAY})
    evening = program.call("evenings.clubs_evenings_create", slug, body=evening_data).id
    members = program.call("members_and_guests.clubs_players_list", slug).results
    for member in [member for member in members if member.is_active][:8]:
        tick = models.CheckInIn(player=member.player_id, is_here=True)
        program.call("evenings.clubs_evenings_check_in_create", slug, evening, body=tick)
    program.call("evenings.clubs_evenings_seat_create", slug, evening, body=models.SeatIn())
    for table in program.call("evenings.clubs_evenings_retrieve", slug, evening).tables:
        play(program, table.game_id)
    program.call("evenings.clubs_evenings_close_create", slug, evening)
    rows = program.call("evenings.clubs_evenings_result_list", slug, evening).results
    return [Line(row.name, row.points) for row in rows]


def test_a_generated_client_plays_an_evening(
    package: str, club: Cast, live_server: LiveServer
) -> None:
    key = key_of(club, package, live_server.url)
    with Program(package, live_server.url, key) as program:
        result = play_evening(program, club.club.slug)
    check_evening(result)
