"""What holds for every operation of the API: conflicts, where things are, versions, refusals."""

import ast
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

import pytest
from django.test import Client
from drf_spectacular.generators import SchemaGenerator

from clubs.api.conflicts import CONFLICT_CODES
from clubs.models import Club
from tests.api import api_client, faults, game_at, hand_payload, refusal, send
from tests.clubs.api.test_api_doors import WAYS, Way
from tests.clubs.office import Office

ROOT: Final = Path(__file__).parents[3]
# What finds fault with what was sent, or with who sent it: 400.
FAULTS: Final = """
    astray bad_address bad_dates bad_day bad_days bad_email bad_file bad_line bad_link bad_name
    bad_parameter bad_rules bad_score bad_seat bad_size bad_split bad_submission bad_tap bad_times
    bad_value choose contradicts count_missing counts_astray damaged does_not_play drawn_hand
    empty_seat ended_link fields files_away full_today invalid_choice long_printout name_reserved
    newer no_club_file no_days no_hand no_house_player no_kind no_name no_points no_report no_role
    no_scope no_seat no_sticks no_such_hand no_table no_version no_winner nobody nobody_pays
    not_an_object not_as_sealed not_by_points not_fours not_on_a_hand not_the_same not_theirs
    not_yet nothing_changes other_club other_rules paid_for_long reason_missing revoked
    rounds_missing same same_player same_table seated_twice signed_out table_twice told_twice
    too_far too_large too_long too_many too_many_clubs too_many_emails too_many_files
    too_many_requests too_many_roles too_slow too_soon twice unexplained unknown_player
    wrong_columns wrong_number
"""


@pytest.fixture(scope="module")
def document() -> Any:
    generator: Any = SchemaGenerator
    return generator().get_schema(request=None, public=True)


@pytest.fixture(scope="module")
def operations(document: Any) -> dict[tuple[str, str], Any]:
    """Every operation of the OpenAPI document, by method and path."""
    return {
        (method, path): operation
        for path, methods in document["paths"].items()
        for method, operation in methods.items()
    }


def refused_codes() -> Iterator[str]:
    """The codes of all refusals in the program, as far as they are written out."""
    for room in ("clubs", "tournaments", "scoring"):
        for file in (ROOT / room).rglob("*.py"):
            for node in ast.walk(ast.parse(file.read_text())):
                if isinstance(node, ast.Call) and ast.unparse(node.func) in {"refuse", "Refusal"}:
                    code = node.args[0] if node.args else None
                    if isinstance(code, ast.Constant):
                        yield str(code.value)


def test_every_refusal_is_either_a_conflict_or_a_fault() -> None:
    codes, faults = set(refused_codes()), set(FAULTS.split())
    assert (codes - CONFLICT_CODES - faults, faults & CONFLICT_CODES) == (set(), set())


def test_a_conflict_beside_a_fault_is_a_fault(office: Office) -> None:
    secretary = api_client(office.cast.secretary)
    address = f"/api/v1/clubs/{office.club.slug}/evenings/"
    assert send(secretary, address, {"held_on": "2026-12-01"}).status_code == 201
    assert refusal(send(secretary, address, {"held_on": "2026-12-01"})) == (
        409,
        [("day_taken", "held_on")],
    )
    response = send(
        secretary, f"/api/v1/clubs/{office.club.slug}/players/", {"name": "Pat", "x": 1}
    )
    assert response.status_code == 400


def test_everything_wrong_is_told_at_once_with_unknown_fields(office: Office) -> None:
    address = f"/api/v1/clubs/{office.club.slug}/evenings/"
    answer = send(api_client(office.cast.secretary), address, {"held_on": "bad", "x": 1})
    assert set(faults(answer)) == {("invalid", "held_on"), ("unknown_field", "x")}
    person = f"/api/v1/clubs/{office.club.slug}/players/"
    answer = send(
        api_client(office.cast.secretary), person, {"name": "", "email": "x", "colour": "red"}
    )
    assert {field for _, field in faults(answer)} == {"name", "email", "colour"}


def test_a_step_compares_what_matters_to_it_of_what_was_read(office: Office) -> None:
    secretary, table = api_client(office.cast.secretary), office.evening.tables.get()
    evening = f"/api/v1/clubs/{office.club.slug}/evenings/{office.evening.pk}/"
    tag = secretary.get(evening).headers["ETag"]
    assert send(secretary, f"{game_at(table)}hands/", hand_payload(number=2)).status_code == 201
    assert secretary.get(evening).headers["ETag"] != tag
    assert send(secretary, f"{evening}close/", {}, tag='"other"').status_code == 412
    assert send(secretary, f"{evening}close/", {}, tag=tag).status_code == 200
    response = send(secretary, f"{evening}reopen/", {}, tag=tag)
    assert (response.status_code, response.headers["Content-Type"]) == (
        412,
        "application/problem+json",
    )


def test_a_version_is_not_ignored_where_it_is_not_compared(office: Office) -> None:
    address = f"/api/v1/clubs/{office.club.slug}/players/"
    answer = send(api_client(office.cast.secretary), address, {"name": "Zoë"}, tag='"any"')
    assert refusal(answer) == (400, [("unknown_header", "")])


def test_any_website_may_read_what_needs_no_signing_in(office: Office) -> None:
    Club.objects.filter(pk=office.club.pk).update(shows_league=True)
    league = office.address("api-season-standings")
    anyone = Client().get(league, headers={"origin": "https://example.org"})
    assert (anyone.status_code, anyone["Access-Control-Allow-Origin"]) == (200, "*")
    assert "Access-Control-Allow-Credentials" not in anyone
    signed_in = Client()
    signed_in.force_login(office.cast.secretary)
    for reader in (signed_in, api_client(office.cast.secretary)):
        assert "Access-Control-Allow-Origin" not in reader.get(league)
    assert "Access-Control-Allow-Origin" not in send(Client(), league, {})


# The document


def test_what_may_be_refused_is_in_the_document(operations: dict[tuple[str, str], Any]) -> None:
    for (method, path), operation in operations.items():
        statuses = set(operation["responses"])
        headers = {
            parameter["name"]
            for parameter in operation.get("parameters", ())
            if parameter["in"] == "header"
        }
        assert ("409" in statuses) == (method != "get"), (method, path)
        assert ("412" in statuses) == ("If-Match" in headers), (method, path)
        assert ("422" in statuses) == ("Idempotency-Key" in headers), (method, path)


def test_the_limits_of_a_key_are_in_the_document(operations: dict[tuple[str, str], Any]) -> None:
    keys = [
        parameter["schema"]
        for operation in operations.values()
        for parameter in operation.get("parameters", ())
        if parameter["name"] == "Idempotency-Key"
    ]
    assert len(keys) > 100
    assert all((parameter["minLength"], parameter["maxLength"]) == (1, 200) for parameter in keys)


def test_what_is_created_has_an_address(operations: dict[tuple[str, str], Any]) -> None:
    missing_locations = [
        key
        for key, operation in operations.items()
        if "201" in operation["responses"]
        and "Location" not in operation["responses"]["201"].get("headers", {})
    ]
    assert missing_locations == []


def test_a_change_is_answered_as_what_is_read(operations: dict[tuple[str, str], Any]) -> None:
    otherwise = {
        path
        for (method, path), operation in operations.items()
        if method == "patch"
        and response_schema(operation) != response_schema(operations["get", path])
    }
    assert otherwise == set()


def response_schema(operation: Any) -> Any:
    return operation["responses"]["200"]["content"]["application/json"]["schema"]


def test_every_list_has_one_form(operations: dict[tuple[str, str], Any]) -> None:
    bare = [
        path
        for (method, path), operation in operations.items()
        for answer in operation["responses"].values()
        if answer.get("content", {}).get("application/json", {}).get("schema", {}).get("type")
        == "array"
    ]
    assert bare == []


def test_schemas_are_called_what_they_are(document: Any) -> None:
    assert [name for name in document["components"]["schemas"] if "Serializer" in name] == []


# What is answered


def of_secretary(method: str, status: int) -> list[Way]:
    return [
        operation
        for operation in WAYS
        if operation.method == method
        and operation.status == status
        and "secretary" in operation.people
    ]


def perform(office: Office, client: Client, operation: Way) -> Any:
    data = operation.make_data(office) if operation.make_data else {}
    address = office.address(operation.name)
    return getattr(client, operation.method)(address, data, content_type="application/json")


@pytest.mark.parametrize(
    "operation", of_secretary("patch", 200), ids=lambda operation: operation.name
)
def test_a_change_is_answered_with_its_new_version(office: Office, operation: Way) -> None:
    """So two changes one after the other need no reading between them."""
    secretary = api_client(office.cast.secretary)
    response = perform(office, secretary, operation)
    assert response["ETag"] == secretary.get(office.address(operation.name))["ETag"]
    second_response = secretary.patch(
        office.address(operation.name),
        {},
        content_type="application/json",
        headers={"if-match": response["ETag"]},
    )
    assert second_response.status_code != 412


@pytest.mark.parametrize(
    "operation", of_secretary("post", 201), ids=lambda operation: operation.name
)
def test_what_is_created_is_read_at_its_address(office: Office, operation: Way) -> None:
    secretary = api_client(office.cast.secretary)
    created_response = perform(office, secretary, operation)
    response = secretary.get(created_response["Location"])
    assert response.status_code == 200
    # Else the reading has a state.
    if response.json() == created_response.json() and "ETag" in created_response:
        assert created_response["ETag"] == response["ETag"]


def test_a_bad_key_is_said_to_be_one(db: None) -> None:
    bad = Client(headers={"authorization": "Bearer tbx_no"}).get("/api/v1/keys/")
    anonymous_response = Client().get("/api/v1/keys/")
    assert (bad.status_code, bad["WWW-Authenticate"]) == (401, 'Bearer error="invalid_token"')
    assert (anonymous_response.status_code, anonymous_response["WWW-Authenticate"]) == (
        401,
        "Bearer",
    )


def test_a_kind_of_file_that_there_is_not_is_refused(office: Office) -> None:
    address = f"/api/v1/clubs/{office.club.slug}/players/"
    answer = api_client(office.cast.player).get(address, {"as": "xml"})
    assert refusal(answer) == (400, [("bad_parameter", "as")])


def test_a_file_of_a_list_has_a_name(office: Office) -> None:
    address = f"/api/v1/clubs/{office.club.slug}/players/"
    file = api_client(office.cast.player).get(address, {"as": "csv"})
    assert file["Content-Disposition"] == 'attachment; filename="players.csv"'
    assert "Content-Disposition" not in api_client(office.cast.player).get(address)
