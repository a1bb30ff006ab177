"""What a page tells or is told, a program asks of the API or tells it, or a reason says why not."""

from itertools import chain
from typing import Any

from django.urls import get_resolver

from tests.form_twins import FORM_TO_API
from tests.page_forms import ours, pages_with_a_form
from tests.page_twins import PAGE_TO_API
from tests.test_doors import patterns


def is_a_reason(told: str) -> bool:
    return told.startswith("no: ")


DONE_BY = {page: told.split(", ") for page, told in FORM_TO_API.items() if not is_a_reason(told)}


def names() -> set[str]:
    return {str(pattern.name) for pattern in patterns(get_resolver())}


def pages() -> set[str]:
    """Every page that is ours."""
    return {str(one.name) for one in ours()}


def operations() -> set[str]:
    """Every operation of the API that is sent something: its method and its name."""
    found: dict[str, Any] = {
        str(one.name): getattr(one.callback, "cls", None) for one in patterns(get_resolver())
    }
    return {
        f"{method} {name}"
        for name, view in found.items()
        for method in ("POST", "PUT", "PATCH", "DELETE")
        if hasattr(view, method.lower()) and method.lower() in view.http_method_names
    }


def test_every_page_has_its_twin_in_the_api_or_a_reason_in_words() -> None:
    assert sorted(pages() - PAGE_TO_API.keys() - FORM_TO_API.keys()) == []


def test_every_twin_is_there() -> None:
    twins = {twin for twin in PAGE_TO_API.values() if not is_a_reason(twin)}
    assert sorted(twins - names()) == []


def test_every_form_has_its_operation_in_the_api_or_a_reason() -> None:
    assert sorted(pages_with_a_form() - FORM_TO_API.keys()) == []


def test_every_operation_that_a_form_names_is_there() -> None:
    assert sorted(set(chain.from_iterable(DONE_BY.values())) - operations()) == []


def test_no_twin_is_of_a_page_or_form_that_is_gone() -> None:
    assert sorted(PAGE_TO_API.keys() - pages()) == []
    assert sorted(FORM_TO_API.keys() - pages_with_a_form()) == []


def test_a_reason_is_a_sentence() -> None:
    reasons = [*filter(is_a_reason, [*PAGE_TO_API.values(), *FORM_TO_API.values()])]
    assert [reason for reason in reasons if len(reason.split()) < 4] == []
