"""Whatever somebody can send to a page, a program can send to the API, or a reason says why not."""

from itertools import chain
from typing import Any

from django.urls import get_resolver

from tests.form_twins import FORM_TO_API
from tests.page_forms import pages_with_a_form
from tests.test_doors import patterns

REASONS = [doing for doing in FORM_TO_API.values() if doing.startswith("no: ")]
DONE_BY = {page: told.split(", ") for page, told in FORM_TO_API.items() if told not in REASONS}


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


def test_every_form_has_its_operation_in_the_api_or_a_reason() -> None:
    assert sorted(pages_with_a_form() - FORM_TO_API.keys()) == []


def test_no_form_is_named_that_is_gone() -> None:
    assert sorted(FORM_TO_API.keys() - pages_with_a_form()) == []


def test_every_operation_that_a_form_names_is_there() -> None:
    assert sorted(set(chain.from_iterable(DONE_BY.values())) - operations()) == []


def test_a_reason_is_a_sentence() -> None:
    assert [reason for reason in REASONS if len(reason.split()) < 5] == []
