"""Whatever is sent to a tournament's doors: no door falls off, and a refusal changes nothing."""

from collections.abc import Iterator
from typing import Any

import pytest
from django.contrib.messages import ERROR, get_messages
from django.db import transaction
from django.test import Client
from hypothesis import HealthCheck, given, settings, strategies as st

from tests.pageforms import Form
from tests.people import Cast
from tests.sampling import SampleOf, examples
from tests.tournaments.oddities import (
    IDS,
    ODD,
    address_in,
    all_rows,
    every_state,
    filled_in,
    forms_of,
    patterns,
)
from tournaments.models import Tournament

BOUNDED = settings(
    max_examples=examples(80),
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
ASKED = ("v", "after", "find", "page", "round", "table", "show", "preset", "q", "only", "name")
PLACES = ("pk", "entrant", "round", "number", "hand", "ruling", "prize", "drawing")


@pytest.fixture
def cups(cast: Cast) -> list[Tournament]:
    return every_state(cast)


def post_form(client: Client, address: str, form_data: dict[str, Any]) -> Any:
    """The answer; whatever was kept is taken back. An exception of ours comes through."""
    client.cookies.pop("messages", None)
    with transaction.atomic():
        answer = client.post(address, form_data)
        answer.rows_after = all_rows()  # type: ignore[attr-defined]
        transaction.set_rollback(True)
    return answer


def is_refused(answer: Any) -> bool:
    """Whether the answer says no: by its status, or in a message on the next page."""
    messages: Iterator[Any] = iter(get_messages(answer.wsgi_request))
    return answer.status_code >= 400 or any(message.level == ERROR for message in messages)


def all_forms(director: Client, cups: list[Tournament], pages: list[str]) -> list[Form]:
    """Every form of these pages in every state."""
    forms: dict[tuple[str, str], Form] = {}
    for cup in cups:
        for pattern in (pattern for pattern in patterns() if pattern.name in pages):
            for form in forms_of(director, address_in(cup, pattern)):
                forms[form.address, " ".join(form.fields)] = form
    return list(forms.values())


@pytest.mark.sampled(law="long plays")
@BOUNDED
@given(data=st.data())
def test_a_form_filled_in_oddly_is_answered(
    director: Client, cups: list[Tournament], sample_of: SampleOf, data: st.DataObject
) -> None:
    forms, rows_before = load_forms_and_rows(director, cups, sample_of)
    form = data.draw(st.sampled_from(forms))
    answer = post_form(director, form.address, data.draw(filled_in(form)))
    assert answer.status_code < 500
    assert not is_refused(answer) or answer.rows_after == rows_before


def load_forms_and_rows(
    director: Client, cups: list[Tournament], sample_of: SampleOf
) -> tuple[list[Form], dict[str, Any]]:
    """The forms and the rows as they are before any example, read once."""
    if not hasattr(director, "forms_and_rows"):
        pages = sample_of([str(pattern.name) for pattern in patterns()])
        director.forms_and_rows = (all_forms(director, cups, pages), all_rows())  # type: ignore[attr-defined]
    forms_and_rows: tuple[list[Form], dict[str, Any]] = director.forms_and_rows  # type: ignore[attr-defined]
    return forms_and_rows


@pytest.mark.sampled(law="long plays")
@BOUNDED
@given(data=st.data())
def test_a_door_at_the_wrong_time_or_place_is_answered(
    director: Client, cups: list[Tournament], sample_of: SampleOf, data: st.DataObject
) -> None:
    forms, rows_before = load_forms_and_rows(director, cups, sample_of)
    cup, pattern = data.draw(st.sampled_from(cups)), data.draw(st.sampled_from(patterns()))
    odd_parts = data.draw(
        st.dictionaries(st.sampled_from(PLACES), st.sampled_from(IDS), max_size=1)
    )
    form_data = data.draw(filled_in(data.draw(st.sampled_from(forms))))
    answer = post_form(director, address_in(cup, pattern, **odd_parts), form_data)
    assert answer.status_code < 500
    assert not is_refused(answer) or answer.rows_after == rows_before


@pytest.mark.sampled(law="long plays")
@BOUNDED
@given(data=st.data())
def test_a_page_asked_for_oddly_is_answered(
    director: Client, cups: list[Tournament], data: st.DataObject
) -> None:
    cup, pattern = data.draw(st.sampled_from(cups)), data.draw(st.sampled_from(patterns()))
    query = data.draw(st.dictionaries(st.sampled_from(ASKED), st.sampled_from(ODD), max_size=3))
    address = address_in(cup, pattern)
    assert director.get(address, query).status_code in {200, 204, 302, 308, 403, 404, 405}
