"""What a page of the sample club costs: statements and bytes, by the tour of all pages."""

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from clubs.models import User
from tests.browser.tour import Stop, stops
from tests.sample import lay_down_sample_club
from tests.sampling import SampleOf

MOST_STATEMENTS, MOST_BYTES = 10, 100_000

# Pages that ask more, as many as they ask, and why.
A_DESK = "a room of many parts: each is one statement, none grows with hands or players"
A_TABLE = "hands, agreements, rulings, seals, tiles and repairs of one game, each read once"
A_PERSON = "one for each table in which a person can stand, however many rows are in it"
TRIED_OUT = "every way is tried out and rolled back, to say what it costs before it is saved"
A_STATE = "what its forms were shown for is read too, so that no one saves over another's change"
A_CHECK = "what hangs on a step is looked for in every table before it is taken"
ASKS_MORE: dict[str, tuple[int, str]] = {
    "before-round-close": (11, A_CHECK),
    "tournament": (13, A_DESK),
    **dict.fromkeys(("member", "player"), (14, A_DESK)),
    **dict.fromkeys(("member-erase", "everything"), (88, A_PERSON)),
    "tournament-table": (13, A_TABLE),
    "seating-ways": (26, TRIED_OUT),
    **dict.fromkeys(("prizes", "seating-changes"), (11, A_STATE)),
    **dict.fromkeys(("table-desk", "table-desk-disputed"), (11, A_TABLE)),
}


@pytest.mark.sampled(law="long plays")
@pytest.mark.django_db
def test_no_page_asks_or_weighs_too_much(sample_of: SampleOf) -> None:
    """The second time someone looks; what is kept for everyone is there by then."""
    lay_down_sample_club()
    visitors: dict[str, Client] = {}
    heavy: dict[str, tuple[int, int]] = {}
    looked_at = sample_of([stop.name for stop in stops()])
    for stop in (stop for stop in stops() if stop.name in looked_at):
        if stop.who not in visitors:
            visitors[stop.who] = _visitor(stop.who)
        statements, size = _cost(visitors[stop.who], stop)
        most, _ = ASKS_MORE.get(stop.name, (MOST_STATEMENTS, ""))
        if statements > most or size > MOST_BYTES:
            heavy[stop.name] = (statements, size)
    assert heavy == {}


def _visitor(who: str) -> Client:
    client = Client()
    if who:
        user = User.objects.get(email=f"{who}@example.org")
        client.force_login(user, backend="django.contrib.auth.backends.ModelBackend")
    return client


def _cost(client: Client, stop: Stop) -> tuple[int, int]:
    """Statements and bytes of a page that was looked at before."""
    client.get(stop.address)
    with CaptureQueriesContext(connection) as queries:
        answer = client.get(stop.address)
    return len(queries), len(answer.content)
