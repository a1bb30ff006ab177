"""Whatever a page can do, a program can: every page has its address in the API, or a reason."""

from typing import Any

from django.urls import get_resolver

from tests.clubs.twins_office import PAGE_TO_API as OFFICE
from tests.clubs.twins_play import PAGE_TO_API as PLAY
from tests.test_doors import DECIDED_BY_ALLAUTH, patterns
from tests.tournaments.twins import PAGE_TO_API as TOURNAMENTS

EVERYWHERE = {
    "home": "api-clubs",
    "account": "no: a sign-in is changed by its person, in a browser, with the password",
    "sign-out-everywhere": "no: programs have keys, which are revoked one by one",
    "keys": "api-keys",
    "key-revoke": "api-key",
    "webhooks": "api-webhooks",
    "webhook-secret": "api-webhook-secret",
    "webhook-test": "api-webhook-test",
    "webhook-switch": "api-webhook",
    "webhook-remove": "api-webhook",
    "api-docs": "no: it is the page that tells of the API",
    "docs-area": "no: it tells of a part of the API",
    "schema": "no: it is the document that tells of the API",
    "style": "no: it shows the parts that pages are made of",
    "alive": "no: it only says that the program runs",
    "ready": "no: it only says that the program can serve",
    "metrics": "no: it is for whoever watches the machine",
}
TWINS = {**EVERYWHERE, **OFFICE, **PLAY, **TOURNAMENTS}


def names() -> set[str]:
    return {str(pattern.name) for pattern in patterns(get_resolver())}


def is_of_the_api(pattern: Any) -> bool:
    return str(pattern.name).startswith("api-") and pattern.name != "api-docs"


def pages() -> set[str]:
    """Every page that is ours."""
    ours = {str(one.name) for one in patterns(get_resolver()) if not is_of_the_api(one)}
    return ours - DECIDED_BY_ALLAUTH


def test_every_page_has_its_twin_in_the_api_or_a_reason_in_words() -> None:
    assert sorted(pages() - TWINS.keys()) == []


def test_every_twin_is_there() -> None:
    twins = {twin for twin in TWINS.values() if not twin.startswith("no: ")}
    assert sorted(twins - names()) == []


def test_no_twin_is_of_a_page_that_is_gone() -> None:
    assert sorted(TWINS.keys() - pages()) == []


def test_a_reason_is_a_sentence() -> None:
    reasons = [twin for twin in TWINS.values() if twin.startswith("no: ")]
    assert [reason for reason in reasons if len(reason.split()) < 4] == []
