"""Phones, director and clock at the same moment: one answer, nothing half done."""

from datetime import timedelta
from functools import partial
from uuid import uuid4

import pytest
from django.utils import timezone

from clubs.table import services as at_table
from scoring.scorebook.models import Hand
from scoring.scorebook.refusals import Refused
from scoring.scorebook.services import Recorded
from tests.people import make_club
from tests.threads import at_once
from tests.tournaments.cups import DRAWN, fresh, seated_cup, tables
from tournaments.models import Round, Table, Tournament
from tournaments.steps import services as steps_services
from tournaments.table.event import RoundTable

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.services]


def timed_cup(name: str) -> Tournament:
    """One table of a club of that name, its round begun an hour ago."""
    cup = seated_cup(hands=8, club=make_club(name, name.lower()))
    Tournament.objects.filter(pk=cup.pk).update(minutes_a_round=75, hands_a_round=None)
    begun = timezone.now() - timedelta(minutes=60)
    Round.objects.filter(tournament=cup, number=1).update(started_at=begun)
    return fresh(cup)


def send(table: Table) -> Recorded:
    return at_table.post_hand(
        table=RoundTable(table, by_players=True),
        submission_id=uuid4(),
        number=1,
        report=DRAWN,
        sent_by="phone",
    )


def test_a_table_that_stops_while_it_sends_has_its_hand_or_hears_why_not() -> None:
    for n in range(4):
        cup = timed_cup(f"Club{n}")
        (table,) = tables(cup)
        stop = partial(steps_services.stop_table, table=table)
        sent, stopped = at_once([partial(send, table), stop])
        assert stopped is None
        assert Table.objects.get(pk=table.pk).stopped_at is not None
        hands = Hand.objects.filter(game=table.game).count()
        assert hands == int(isinstance(sent, Recorded))
        assert hands or (isinstance(sent, Refused) and "This table stopped" in str(sent))


def test_two_who_press_the_same_button_add_its_minutes_once() -> None:
    cup = timed_cup("Riverside")
    press = partial(steps_services.add_minutes, tournament=cup, minutes=5, seen=0)
    assert sorted(at_once([press, press, press])) == [0, 0, 5]  # type: ignore[type-var]
    assert Round.objects.get(tournament=cup, number=1).minutes_added == 5


def test_two_who_let_the_clock_go_on_count_its_rest_once() -> None:
    cup = timed_cup("Riverside")
    stood = timezone.now() - timedelta(minutes=10)
    Round.objects.filter(tournament=cup, number=1).update(paused_at=stood)
    at_once([partial(steps_services.resume_clock, tournament=cup)] * 3)
    playing = Round.objects.get(tournament=cup, number=1)
    assert (playing.paused_at, playing.paused_seconds // 60) == (None, 10)
