"""The whole API asked with what its description allows and with what it does not.

Every operation is asked as the secretary and as nobody, in a club that has one of everything.
``TONGBOX_ASK_MORE=200 pytest tests/config/test_api_whole.py`` asks each that often.
"""

import os
from collections.abc import Iterator
from datetime import date
from typing import Any

import pytest
import schemathesis
from django.core.signals import request_finished, request_started
from django.core.wsgi import get_wsgi_application
from django.db import close_old_connections, transaction
from drf_spectacular.generators import SchemaGenerator
from hypothesis import HealthCheck, Phase, given, seed, settings
from hypothesis.errors import Unsatisfiable
from schemathesis import GenerationMode
from schemathesis.specs.openapi.checks import positive_data_acceptance

from clubs.accounts.services import make_token
from clubs.models import Scope, User
from tests.clubs.nights import make_season
from tests.clubs.tables import seated_evening
from tests.people import Cast
from tests.sampling import SampleOf
from tests.tournaments.cups import seated_cup

OF_THE_SHAPE = {  # what the description allows is refused for its meaning, never for its shape
    "unknown_field",
    "unknown_parameter",
    "bad_parameter",
    "parse_error",
    "not_a_list",
    "not_a_dict",
    "null",
}
EACH = int(os.environ.get("TONGBOX_ASK_MORE", "1"))
DAY = date(2026, 11, 17)
BUSY = "1000000/min"


def places(cast: Cast) -> dict[str, Any]:
    """What stands in addresses, by name: rows that there are."""
    evening = seated_evening(cast.club, held_on=DAY)
    cup = seated_cup(club=cast.club)
    return {
        "club": cast.club.slug,
        "evening": evening.pk,
        "number": 1,
        "season": make_season(cast.club).pk,
        "player": cast.club.players.get(name="Pat").pk,
        "tournament": cup.pk,
        "round": 1,
        "seat": 1,
        "hand": 1,
        "day": str(DAY),
        "year": 2026,
    }


def api_description(values_by_name: dict[str, Any]) -> Any:
    """The description, with rows that there are wherever an address names one."""
    generator: Any = SchemaGenerator
    document = generator().get_schema(request=None, public=True)
    for operations in document["paths"].values():
        for operation in operations.values():
            operation.pop("security", None)  # who may is tried door by door, by the whole cast
            for parameter in operation.get("parameters", ()):
                if parameter["in"] == "path" and parameter["name"] in values_by_name:
                    parameter["schema"] = {"enum": [values_by_name[parameter["name"]]]}
    return document


@pytest.fixture
def world(cast: Cast, settings: Any) -> Iterator[Any]:
    rates = dict.fromkeys(("key", "person", "link", "address", "sign-in"), BUSY)
    settings.REST_FRAMEWORK = {**settings.REST_FRAMEWORK, "DEFAULT_THROTTLE_RATES": rates}
    settings.ALLOWED_HOSTS = ["*"]
    for signal in (request_started, request_finished):  # the test's own transaction stays open
        signal.disconnect(close_old_connections)
    schema = schemathesis.openapi.from_dict(api_description(places(cast)))
    schema.config.checks.negative_data_rejection.expected_statuses.append("413")
    schema.config.generation.update(allow_x00=False, codec="utf-8", allow_extra_parameters=False)
    schema.app = get_wsgi_application()
    yield schema
    for signal in (request_started, request_finished):
        signal.connect(close_old_connections)


def complaints(
    schema: Any, mode: GenerationMode, headers: dict[str, str], sample_of: SampleOf
) -> list[str]:
    """Everything that is not as described, of the operations of the sample."""
    failures = []
    operations = {
        api_operation.label: api_operation
        for api_operation in (result.ok() for result in schema.get_all_operations())
    }
    for operation in (operations[label] for label in sample_of(operations)):
        if mode is GenerationMode.NEGATIVE and not takes_something(operation.definition.raw):
            continue
        try:
            ask(operation, mode, headers)
        except Unsatisfiable:  # it takes nothing that could be wrong
            continue
        except (Exception, BaseExceptionGroup) as wrong:
            failures.append(f"{operation.label}: {type(wrong).__name__} {str(wrong)[:3000]}")
    return failures


def takes_something(operation: Any) -> bool:
    """Whether an operation takes anything beside its address that could be wrong."""
    places = {parameter["in"] for parameter in operation.get("parameters", ())}
    return "requestBody" in operation or "query" in places


def ask(operation: Any, mode: GenerationMode, headers: dict[str, str]) -> None:
    """Ask one operation a few times; whatever it changes is taken back."""

    @seed(20261117)
    @settings(
        max_examples=EACH,
        deadline=None,
        database=None,
        phases=[Phase.explicit, Phase.generate],
        suppress_health_check=list(HealthCheck),
    )
    @given(case=operation.as_strategy(generation_mode=mode))
    def check_case(case: Any) -> None:
        with transaction.atomic():
            case.headers = {**case.headers, **headers}
            answer = case.call()
            transaction.set_rollback(True)
        case.validate_response(answer, excluded_checks=[positive_data_acceptance])
        if mode is GenerationMode.POSITIVE and answer.status_code == 400:
            codes = {problem["code"] for problem in answer.json()["problems"]}
            assert not codes & OF_THE_SHAPE, f"{case.as_curl_command()} {answer.text}"

    check_case()


def key_of(user: User) -> dict[str, str]:
    """A key that is good for everything its person may do."""
    token = make_token(user=user, name="A test", scopes=Scope.values)
    return {"Authorization": f"Bearer {token.key}"}


ASKED = [
    ("secretary", GenerationMode.POSITIVE),
    ("secretary", GenerationMode.NEGATIVE),
    ("nobody", GenerationMode.POSITIVE),
]


@pytest.mark.sampled
@pytest.mark.parametrize(("caller", "mode"), ASKED)
def test_the_whole_api_is_as_described(
    cast: Cast, world: Any, caller: str, mode: GenerationMode, sample_of: SampleOf
) -> None:
    headers = key_of(cast.secretary) if caller == "secretary" else {}
    assert complaints(world, mode, headers, sample_of) == []
