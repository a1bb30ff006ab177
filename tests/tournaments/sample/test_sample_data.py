"""``manage.py sample_data``: a club to look round in, made once."""

from datetime import date
from io import StringIO

import pytest
import time_machine
from django.contrib.auth import authenticate
from django.core.management import CommandError, call_command

from clubs.evenings.selectors import door, evenings
from clubs.league.selectors import seasons
from clubs.models import Club, Job, JobState, Season, Session, SessionState
from scoring.scorebook.models import Hand, HandState
from scoring.scorebook.verifying import recount
from tests.people import make_club
from tournaments.models import Tournament
from tournaments.rounds.selectors import rounds_of
from tournaments.sample import SIGN_IN_WORDS, SIGN_INS, make_club as make_sample_club

SATURDAY = "2026-11-21 19:00 +00:00"


def run() -> str:
    output = StringIO()
    call_command("sample_data", stdout=output)
    return output.getvalue()


@pytest.mark.sampled(law="long plays")
@pytest.mark.django_db
@time_machine.travel(SATURDAY, tick=False)
def test_the_sample_club_is_whole() -> None:
    output = run()
    club = Club.objects.get()
    tonight = Session.objects.get(held_on=date(2026, 11, 21))
    past_sessions = Session.objects.filter(state=SessionState.CLOSED).order_by("held_on")
    assert club.players.filter(kind="member").count() == 24
    assert [session.held_on.isoformat() for session in past_sessions] == [
        "2026-09-29",
        "2026-10-06",
        "2026-10-13",
        "2026-10-20",
        "2026-10-27",
        "2026-11-03",
        "2026-11-10",
        "2026-11-17",
    ]
    assert [len(table.places) for table in evenings.tables_of(past_sessions[5])] == [3, 4, 4]
    assert [
        (len(table.places), table.hands, table.disputed_hands)
        for table in evenings.tables_of(tonight)
    ] == [(5, 5, ()), (4, 4, (4,)), (4, 4, ()), (4, 3, ())]
    assert len(door.attendances_of(tonight)) == 18
    assert len(seasons.league_table(Season.objects.get()).rows) == 24
    assert [
        (row.state, [table.hands for table in row.tables])
        for row in rounds_of(Tournament.objects.latest("held_on"))
    ][:3] == [("closed", [8, 8, 8, 8]), ("playing", [8, 6, 4, 0]), ("seated", [0, 0, 0, 0])]
    assert Hand.objects.filter(state=HandState.DECIDED).exists()
    assert recount().differences == ()
    assert set(Job.objects.values_list("state", flat=True)) == {JobState.DONE}
    for email, _ in SIGN_INS.values():
        assert f"{email}  password: {SIGN_IN_WORDS}" in output
        assert authenticate(None, username=email, password=SIGN_IN_WORDS) is not None


@pytest.mark.django_db
def test_run_again_it_keeps_what_is_there_and_says_how_to_sign_in() -> None:
    make_sample_club()
    assert run().splitlines() == [
        "The sample club is at http://localhost:8000/c/riverside/",
        *(
            f"  sign in as {role.label}: {email}  password: {SIGN_IN_WORDS}"
            for role, (email, _) in SIGN_INS.items()
        ),
    ]
    assert (Club.objects.count(), Session.objects.count()) == (1, 0)


@pytest.mark.django_db
def test_a_real_club_of_the_same_address_is_left_alone() -> None:
    make_club()
    with pytest.raises(CommandError, match="not the sample"):
        run()
    assert Session.objects.count() == 0
