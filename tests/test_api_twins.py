"""What a page does or shows, a program does or reads over the API; or a reason says why not."""

from itertools import chain
from typing import Any

from django.urls import get_resolver

from tests.api_twins import NO_TWIN, OUTSIDE, twins
from tests.page_forms import ours, pages_with_a_form
from tests.test_doors import patterns

WRITES = ("POST", "PUT", "PATCH", "DELETE")


def pages() -> set[str]:
    """Every page that is ours."""
    return {str(page.name) for page in ours()}


def operations() -> set[str]:
    """Every operation of the API, ``api-player`` or ``PATCH api-player``, by method and name."""
    views: dict[str, Any] = {
        str(pattern.name): getattr(pattern.callback, "cls", None)
        for pattern in patterns(get_resolver())
    }
    return views.keys() | {
        f"{method} {name}"
        for name, view in views.items()
        for method in WRITES
        if hasattr(view, method.lower()) and method.lower() in view.http_method_names
    }


def writing() -> set[str]:
    """The pages whose twins a program sends something to."""
    return {page for page, names in twins().items() if any(" " in name for name in names)}


def test_every_page_has_its_twin_in_the_api_or_a_reason_in_words() -> None:
    assert sorted(pages() - twins().keys() - NO_TWIN.keys()) == []


def test_every_form_has_its_operation_in_the_api_or_a_reason() -> None:
    assert sorted(pages_with_a_form() - writing() - NO_TWIN.keys()) == []


def test_every_twin_is_there() -> None:
    assert sorted(set(chain.from_iterable(twins().values())) - operations()) == []


def test_no_twin_or_reason_is_of_a_page_that_is_gone() -> None:
    assert sorted((OUTSIDE.keys() | NO_TWIN.keys()) - pages()) == []
    assert sorted(NO_TWIN.keys() & writing()) == []


def test_no_operation_is_of_a_page_that_takes_nothing() -> None:
    assert sorted(writing() - pages_with_a_form()) == []


def test_what_a_page_does_in_a_closed_club_its_operation_does_too() -> None:
    views: dict[str, Any] = {
        str(pattern.name): pattern.callback for pattern in patterns(get_resolver())
    }
    both = [
        (works_when_closed(views[page]), works_when_closed(views[operation.split()[1]].cls))
        for page in sorted(writing())
        for operation in twins()[page]
        if " " in operation
    ]
    assert (True, True) in both
    assert set(both) == {(True, True), (False, False)}


def works_when_closed(view: Any) -> bool:
    return getattr(view, "works_when_closed", False)


def test_a_reason_is_a_sentence() -> None:
    assert [reason for reason in NO_TWIN.values() if len(reason.split()) < 4] == []
