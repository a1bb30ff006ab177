"""At a tournament's table: agreed, disputed, taken back, held to round and bell."""

from datetime import timedelta
from uuid import uuid4

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from clubs.table import services as at_table
from clubs.table.event import seat_key
from scoring.scorebook.consent import shown_digest
from scoring.scorebook.models import Agreement, Hand, HandState
from scoring.scorebook.refusals import Refused
from scoring.scorebook.selectors import hand_row
from scoring.scorebook.verifying import recount
from tests.clubs.tables import sheet
from tests.tournaments.cups import DRAWN, SECOND_WINS, post, seated_cup, tables
from tournaments.models import AtTheBell, Round, Table, Tournament
from tournaments.rounds.selectors import names_at
from tournaments.seating.services import changes
from tournaments.steps import services as steps_services
from tournaments.table.event import RoundTable


@pytest.fixture
def table(db: None) -> Table:
    return tables(seated_cup())[0]


def take_back(table: Table, hand: Hand) -> Hand:
    return at_table.take_back(
        table=RoundTable(table), hand_id=hand.pk, taken_by="round table 1 seat 2"
    )


def agree(table: Table, hand: Hand, seats: set[int] | None = None) -> Hand:
    hand = Hand.objects.get(pk=hand.pk)
    return at_table.say(
        table=RoundTable(table),
        hand_id=hand.pk,
        seats=seats,
        agrees=True,
        shown=shown_digest(hand_row(hand), names=names_at(table), rules=hand.game.rules),
        said_by="round table 1",
    )


def test_a_seats_own_link_works_in_a_round(client: Client, table: Table) -> None:
    mine = reverse("round-table", args=[seat_key(table, 3)])
    client.post(mine, sheet(client.get(mine), step="save", winner=2, score_2=60))
    agreed = Agreement.objects.get()
    assert (agreed.seat, agreed.said_by) == (3, f"round table {table.pk} seat 3")
    assert client.get(f"{mine}hands/{agreed.hand_id}/dispute/").status_code == 200


def test_every_word_raises_the_version_that_the_desk_watches(table: Table) -> None:
    (hand,) = post(table, SECOND_WINS)
    before = Tournament.objects.get().version
    assert agree(table, hand, {1}).state == HandState.REPORTED
    assert agree(table, hand).state == HandState.AGREED
    assert Tournament.objects.get().version == before + 2


def test_a_substitute_makes_what_was_agreed_so_far_lapse(table: Table) -> None:
    (hand,) = post(table, SECOND_WINS)
    agree(table, hand, {1, 2, 3})
    entrant = table.placements.get(seat__number=4).entrant
    changes.substitute(
        tournament=table.round.tournament, entrant=entrant, name="Sue Stand-in", number=1
    )
    assert agree(table, hand, {4}).state == HandState.REPORTED


def test_the_last_hand_of_a_round_is_taken_back_and_entered_anew(table: Table) -> None:
    hands = post(table, SECOND_WINS, DRAWN)
    take_back(table, hands[1])
    again = at_table.post_hand(
        table=RoundTable(table),
        submission_id=uuid4(),
        number=2,
        report=SECOND_WINS,
        sent_by="round table 1",
    )
    assert again.is_new
    assert recount().differences == ()


def test_a_closed_round_keeps_its_hands(table: Table) -> None:
    hands = post(table, SECOND_WINS, DRAWN)
    steps_services.close_round(tournament=table.round.tournament)
    with pytest.raises(Refused, match="This card is for round 1, which is closed"):
        take_back(table, hands[1])


def test_a_table_that_has_stopped_keeps_its_hands(table: Table) -> None:
    (hand,) = post(table, SECOND_WINS)
    Table.objects.update(stopped_at=timezone.now())
    with pytest.raises(Refused, match="you could not enter it again"):
        take_back(table, hand)
    assert Hand.objects.get().is_current


def test_the_hand_after_the_bell_can_be_taken_back_and_is_not_counted_twice(table: Table) -> None:
    Tournament.objects.update(minutes_a_round=10, at_the_bell=AtTheBell.FINISH)
    Round.objects.filter(number=1).update(started_at=timezone.now() - timedelta(minutes=12))
    (hand,) = post(table, SECOND_WINS)
    take_back(table, hand)
    again = at_table.post_hand(
        table=RoundTable(table, by_players=True),
        submission_id=uuid4(),
        number=1,
        report=DRAWN,
        sent_by="round table 1",
    )
    assert again.is_new


def test_a_finished_tournament_hears_no_more(table: Table) -> None:
    hands = post(table, SECOND_WINS, DRAWN)
    cup = table.round.tournament
    steps_services.close_round(tournament=cup)
    agree(table, hands[0])
    steps_services.start_round(tournament=cup)
    for other in tables(cup, 2):
        post(other, SECOND_WINS, DRAWN)
    steps_services.close_round(tournament=cup)
    steps_services.finish_tournament(tournament=cup)
    with pytest.raises(Refused, match="This tournament is finished, so its results cannot change"):
        agree(table, hands[1])
