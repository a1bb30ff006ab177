"""Emails that come back: the message is found in whichever database its club is."""

from typing import Any

from django.utils import timezone

from clubs.databases import at
from clubs.messages.bounces import Outcome, Report
from clubs.messages.services import take_in_report
from clubs.models import Message, MessageState, Player, User
from clubs.tenancy import within
from tests.clubs.nights import make_players
from tests.clubs.outbox import deliver, with_emails, write
from tests.placing.placed import placed_club


def test_a_report_reaches_the_message_of_another_database() -> None:
    club = placed_club("south")
    with at("south"), within(club.pk):
        players = make_players(club, 2)
        with_emails(players)
        deliver(write(club, players, User.objects.get()))
        message = Message.objects.get(player=players[0])
    report = Report(message.key, Outcome.GONE, "the address does not exist")
    assert take_in_report(report=report, today=timezone.localdate())
    with at("south"), within(club.pk):
        states: Any = dict(Message.objects.values_list("player__name", "state"))
        assert list(states.values()).count(MessageState.REFUSED) == 1
        assert Player.objects.get(pk=players[0].pk).failed_email == message.email
