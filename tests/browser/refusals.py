"""What the forms of the sample club answer when they are sent empty, or with what none can take."""

from collections.abc import Iterator
from typing import Final, NamedTuple

from django.db import transaction
from django.test import Client
from django.urls import resolve

from clubs.models import User
from tests.browser.tour import Stop
from tests.pageforms import Form, forms_in
from tests.people import browser_of

WRONG: Final = "<wrong>"
SIGNS_OUT: Final = "account_logout"
UNPROCESSABLE: Final = 422


class Refusal(NamedTuple):
    """The page that a form answers with: how it was filled in, and where it was sent."""

    name: str
    address: str
    page: bytes


def refusals(stop: Stop) -> Iterator[Refusal]:
    """What each form of the page answers; nothing is kept of what is sent."""
    client = browser_of(User.objects.filter(email=f"{stop.person}@example.org").first())
    answer = client.get(stop.address, follow=True)
    if not answer["Content-Type"].startswith("text/html"):
        return
    for form in forms_in(answer.content.decode(), stop.address):
        is_filled_in = form.fields.keys() > form.hidden_fields.keys()
        if is_filled_in and resolve(form.address).url_name != SIGNS_OUT:
            yield from _refusals_of(form, client)


def _refusals_of(form: Form, client: Client) -> Iterator[Refusal]:
    for kind, value in (("empty", ""), ("wrong", WRONG)):
        form_data = dict.fromkeys(form.fields, value) | form.hidden_fields
        with transaction.atomic():
            answer = client.post(form.address, form_data)
            transaction.set_rollback(True)
        if answer.status_code in {200, UNPROCESSABLE}:
            name = f"{resolve(form.address).url_name} {kind}"
            yield Refusal(name, form.address, answer.content)
