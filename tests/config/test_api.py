"""The API's own description, its pages, the guide for programmers and its example."""

import importlib.util
import json
import re
import subprocess
from collections import Counter
from io import StringIO
from pathlib import Path
from typing import Any
from unittest.mock import patch

import pytest
from django.core.management import call_command
from django.test import Client
from django.urls import reverse
from drf_spectacular.views import SpectacularAPIView
from pytest_django.live_server_helper import LiveServer
from rest_framework.settings import api_settings

from clubs.core.versioned_cache import clear_caches
from clubs.models import Membership, Role, Session, SessionState, User
from config.apidocs import areas, operations
from scoring.scorebook.models import Hand
from tests.clubs.api.test_api import DAY
from tests.clubs.nights import make_players, night
from tests.people import PASSWORD, make_cast, make_club, make_player

GUIDE = Path(__file__).parents[2] / "docs" / "guide" / "api.md"


@pytest.fixture(scope="module")
def description() -> Any:
    """The OpenAPI document."""
    return json.loads(written_by_the_command())


def written_by_the_command(**options: bool) -> str:
    output = StringIO()
    call_command("spectacular", format="openapi-json", stdout=output, **options)
    return output.getvalue()


@pytest.mark.sampled(law="long plays")
def test_the_description_is_whole_and_of_the_shape_that_openapi_has() -> None:
    """The command fails on any warning, and on a document of another shape."""
    document = written_by_the_command(validate=True, fail_on_warn=True)
    assert json.loads(document)["openapi"] == "3.1.0"


@pytest.mark.parametrize("form", ["openapi-json", "openapi"])
def test_the_description_is_put_together_once(
    client: Client, db: None, form: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It costs a second of processor, and anybody may ask for it."""
    clear_caches()
    kinds = {"openapi-json": "application/vnd.oai.openapi+json", "openapi": "*/*"}
    first = client.get("/api/schema/", headers={"Accept": kinds[form]})
    output = StringIO()
    call_command("spectacular", format=form, stdout=output)
    assert first.content.decode().strip() == output.getvalue().strip()
    monkeypatch.setattr(SpectacularAPIView, "get", None)
    second_response = client.get("/api/schema/", headers={"Accept": kinds[form]})
    assert (second_response.status_code, second_response.content) == (200, first.content)
    assert second_response["Content-Type"] == first["Content-Type"]


def test_the_description_is_asked_for_within_limits(client: Client, db: None) -> None:
    rates = api_settings.DEFAULT_THROTTLE_RATES
    with patch.dict(rates, {"address": "3/min"}):
        clear_caches()
        codes = [client.get("/api/schema/").status_code for _ in range(5)]
    assert codes == [200, 200, 200, 429, 429]


def test_every_operation_tells_how_problems_look(description: Any) -> None:
    operations = [
        operation for path in description["paths"].values() for operation in path.values()
    ]
    assert len(operations) > 23
    shapes = {
        operation["responses"]["default"]["content"]["application/problem+json"]["schema"]["$ref"]
        for operation in operations
    }
    assert shapes == {"#/components/schemas/Problems"}


def test_operations_are_grouped_by_what_they_are_about(description: Any) -> None:
    tags = [tag["name"] for tag in description["tags"]]
    assert tags == sorted(set(tags))
    assert {"Members and guests", "Seasons", "Evenings", "Games"} < set(tags)
    used = [
        operation["tags"] for path in description["paths"].values() for operation in path.values()
    ]
    assert {len(group) for group in used} == {1}
    assert {tag for (tag,) in used} == set(tags)


def test_every_operation_has_a_summary_an_example_and_says_what_a_key_needs(
    description: Any,
) -> None:
    wanting = [
        (method, path)
        for path, operations in description["paths"].items()
        for method, operation in operations.items()
        if not operation["summary"] or not all(map(is_exampled, told_in(operation)))
    ]
    assert (description["openapi"], wanting) == ("3.1.0", [])
    requirement = description["paths"]["/api/v1/clubs/{club}/players/"]["post"]["security"][0]
    assert requirement == {"key": ["people"]}
    assert description["components"]["securitySchemes"]["key"]["scheme"] == "bearer"


def told_in(operation: Any) -> list[Any]:
    """Everything in JSON that the operation is sent or answers."""
    bodies = [operation.get("requestBody", {}), *operation["responses"].values()]
    contents = [body.get("content", {}).get("application/json") for body in bodies]
    return [media for media in contents if media is not None]


def is_exampled(media: Any) -> bool:
    return bool(media.get("examples") or media.get("example"))


CLOSED = {
    *("wind", "prevailing_wind", "entered_as", "role", "agreement", "record_by", "shown_as"),
    *("at_the_bell", "sitting_out_counts"),
}
IN_WORDS = {"HallLine"}  # what a wall says, in the words of its columns


def test_a_field_of_a_few_words_lists_them(description: Any) -> None:
    open_fields = [
        f"{name}.{field}"
        for name, shape in description["components"]["schemas"].items()
        for field, schema in shape.get("properties", {}).items()
        if field in CLOSED and name not in IN_WORDS and "enum" not in schema
    ]
    assert open_fields == []


ADDRESS = re.compile(r"`(?:[A-Z]+ )?(?:…/|/api/v1/)?((?:[\w{}-]+/)+)(?:\?[^`]*)?`")
NUMBER_OR_NAME = re.compile(r"\d+|[A-Z]+|\{\w+\}")


def of_any_row(address: str) -> str:
    """The address with the same sign for every number and name: ``games/*/hands/*/``."""
    parts = (NUMBER_OR_NAME.fullmatch(part) for part in address.split("/"))
    return "/".join(
        "*" if sign else part for sign, part in zip(parts, address.split("/"), strict=True)
    )


def test_every_address_that_is_named_is_there(description: Any) -> None:
    """In what an operation says of itself, and in the guide; of a page the whole is named."""
    paths = [of_any_row(path) for path in description["paths"]]
    descriptions = [
        operation["description"]
        for methods in description["paths"].values()
        for operation in methods.values()
    ]
    addresses = set(ADDRESS.findall("\n".join([*descriptions, GUIDE.read_text("utf-8")])))
    assert "seating/explanation/" in addresses
    assert [
        address
        for address in sorted(addresses)
        if not any(f"/{path}".endswith(f"/{of_any_row(address)}") for path in paths)
    ] == []


def test_a_hand_is_described_with_examples(description: Any) -> None:
    posting = description["paths"]["/api/v1/games/{game}/hands/"]["post"]
    examples = posting["requestBody"]["content"]["application/json"]["examples"]
    assert set(examples) == {"FourScoresAndAWinner", "ADrawnHand"}
    assert sorted(posting["responses"]) == ["200", "201", "400", "409", "422", "default"]


def pages_of_the_api() -> list[str]:
    """The page that tells what there is, and that of each area."""
    area_pages = [reverse("docs-area", args=[area.slug]) for area in areas()]
    return [reverse("api-docs"), *area_pages]


def test_the_pages_keep_to_the_strict_policy(client: Client) -> None:
    for address in pages_of_the_api():
        page = client.get(address)
        assert "default-src 'self'" in page["Content-Security-Policy"]
        assert "unsafe" not in page["Content-Security-Policy"]
        assert re.findall(r"<style|style=|<script>", page.text) == []


def test_every_operation_stands_on_one_page_of_less_than_100_kb(client: Client) -> None:
    texts = [client.get(address).text for address in pages_of_the_api()]
    assert max(len(text.encode()) for text in texts) < 100_000
    anchor_counts = Counter(
        anchor for text in texts for anchor in re.findall(r'api" id="([^"]+)"', text)
    )
    assert anchor_counts == Counter(operation.anchor for operation in operations())
    assert client.get(reverse("docs-area", args=["croquet"])).status_code == 404


def ask(command: str, live_server: LiveServer, **values: Any) -> Any:
    """Run a command of the guide as it stands, but for the server and what was answered before."""
    command = command.replace("http://localhost:8000", live_server.url)
    for name, value in values.items():
        command = command.replace(name, str(value))
    result = subprocess.run(["bash", "-c", command], capture_output=True, check=True)  # noqa: S603, S607
    return json.loads(result.stdout)


@pytest.mark.django_db(transaction=True)
def test_the_guide_leads_to_a_hand_in_the_book(live_server: LiveServer) -> None:
    club = make_club()
    secretary = User.objects.create_user("secretary@example.org", "east wind prevails", name="Jo")
    Membership.objects.create(club=club, user=secretary, role=Role.SECRETARY)
    evening = night(club, DAY, make_players(club, 4))
    sign_in, read_club, read_evening, read_game, submit = re.findall(
        r"^```sh\n(.*?)^```", GUIDE.read_text(), re.DOTALL | re.MULTILINE
    )
    token = ask(sign_in, live_server)["token"]
    evenings = ask(read_club, live_server, TOKEN=token)["results"]
    values = {"TOKEN": token, "EVENING": evenings[0]["id"]}
    (table,) = ask(read_evening, live_server, **values)["tables"]
    values["GAME"] = table["game_id"]
    values["NUMBER"] = ask(read_game, live_server, **values)["next_hand"]["number"]
    hand = ask(submit, live_server, **values)
    assert (values["EVENING"], values["NUMBER"]) == (evening.pk, 1)
    assert (hand["id"], hand["gains"]["2"]) == (Hand.objects.get().pk, 240)


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
    lines = list(module.play_an_evening(club, "2026-12-01"))
    session = Session.objects.get()
    assert (session.state, Hand.objects.filter(state="agreed").count()) == (SessionState.CLOSED, 8)
    assert lines[0].endswith(" is checked in.")
    assert sum(line.startswith("Table ") for line in lines) == 2
    assert len(lines[lines.index("") + 1 :]) == 8
    with pytest.raises(module.Refused, match="There is already an evening on 1 December 2026"):
        club.post("evenings/", held_on="2026-12-01")


def test_the_example_is_short_and_needs_nothing_but_python() -> None:
    lines = EXAMPLE.read_text().splitlines()
    assert len(lines) < 150
    modules = {
        line.split()[1].split(".")[0] for line in lines if line.startswith(("import", "from"))
    }
    assert modules <= {"collections", "getpass", "json", "sys", "typing", "urllib", "uuid"}
