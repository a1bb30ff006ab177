"""A tournament's table has another link every round; that of a closed round may only be read."""

import pytest
from django.test import Client
from django.urls import reverse

from clubs.table.event import seat_key
from scoring.scorebook.models import Agreement, Hand
from tests.clubs.table.test_sending import kept
from tests.clubs.tables import sheet
from tests.people import Cast
from tests.tournaments.cups import DRAWN, SECOND_WINS, play_round, seated_cup, tables
from tournaments.models import Table, Tournament
from tournaments.steps import services

pytestmark = pytest.mark.django_db


@pytest.fixture
def cup(cast: Cast) -> Tournament:
    return seated_cup(club=cast.club)


def closed(cup: Tournament) -> Table:
    """The table of the first round, which has been played and closed."""
    play_round(cup, SECOND_WINS, DRAWN)
    services.close_round(tournament=cup)
    return tables(cup)[0]


def test_the_next_round_has_other_links(cup: Tournament) -> None:
    keys = [table.link_key for number in (1, 2) for table in tables(cup, number)]
    assert len(set(keys)) == len(keys) == 2


@pytest.mark.parametrize("own", [None, 2])
def test_the_link_of_a_closed_round_reads_and_writes_no_hand(
    client: Client, cup: Tournament, own: int | None
) -> None:
    (open_table,) = tables(cup)
    typed = sheet(client.get(reverse("round-table", args=[open_table.link_key])), step="save")
    table = closed(cup)
    before = list(Hand.objects.values_list("pk", "is_current"))
    key = seat_key(table, own) if own else table.link_key
    link = reverse("round-table", args=[key])
    assert client.get(link).status_code == 200
    assert client.get(f"{link}standings/").status_code == 200
    client.post(link, typed | {"winner": "2", "score_2": "60"})
    assert client.post(f"{link}send/", kept(3)).status_code == 403
    last = Hand.objects.latest("pk")
    client.post(f"{link}hands/{last.pk}/undo/", {"sent": "yes"})
    assert list(Hand.objects.values_list("pk", "is_current")) == before


def test_a_closed_rounds_card_leads_to_where_one_sits_next(client: Client, cup: Tournament) -> None:
    table = closed(cup)
    services.start_round(tournament=cup)
    page = client.get(reverse("round-table", args=[table.link_key])).content.decode()
    assert "Round 2 is being played: use the card of that round." in page
    assert reverse("find-me", args=[cup.wall_key]) in page


def test_a_closed_rounds_card_opens_no_table_of_the_next(client: Client, cup: Tournament) -> None:
    table = closed(cup)
    services.start_round(tournament=cup)
    link = reverse("round-table", args=[table.link_key])
    client.post(f"{link}send/", kept(1))
    assert not Hand.objects.filter(game__tournament_table__round__number=2).exists()
    assert not Agreement.objects.filter(hand__game__tournament_table__round__number=2).exists()


def test_the_card_of_a_round_is_replaced_by_its_organisers(
    client: Client, cast: Cast, cup: Tournament
) -> None:
    (table,) = tables(cup)
    here = reverse("tournament-new-link", args=[cast.club.slug, cup.pk, 1, table.number])
    assert client.post(here).status_code == 302
    client.force_login(cast.player, backend="django.contrib.auth.backends.ModelBackend")
    assert client.post(here).status_code == 403
    client.force_login(cast.director, backend="django.contrib.auth.backends.ModelBackend")
    made = client.post(here, follow=True)
    assert client.get(reverse("round-table", args=[table.link_key])).status_code == 410
    table.refresh_from_db()
    assert client.get(reverse("round-table", args=[table.link_key])).status_code == 200
    assert client.get(made.context["card"])["Content-Type"] == "application/pdf"
