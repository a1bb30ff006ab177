"""The retention schedule: agreed to once, looked at before, run daily, sparing whoever comes."""

from datetime import UTC, date, datetime, timedelta
from functools import partial
from typing import Any

import pytest
from django.urls import reverse
from django.utils import timezone
from hypothesis import given, strategies as st

from clubs import tasks
from clubs.evenings.services.calendar import set_stand_by
from clubs.evenings.services.evenings import open_session, tick
from clubs.models import (
    Attendance,
    Batch,
    Club,
    Erasure,
    Invitation,
    Job,
    JobState,
    Message,
    MessageState,
    Player,
    PlayerKind,
    Retention,
    TableMoney,
)
from clubs.privacy import services
from clubs.privacy.selectors.erasure import (
    due_deletion,
    months_before,
    months_in_words,
    retention_state,
)
from tests.clubs.visits import Visitor, errors
from tests.people import Cast, make_club, make_player
from tests.threads import at_once

TODAY = date(2026, 11, 22)
NOON = datetime(2026, 11, 22, 12, tzinfo=UTC)
LONG_AGO = date(2015, 3, 3)
TERMS = {"guests": 12, "lapsed": 24, "letters": 12, "money": 84}


def guest(club: Club, name: str, *, came: date = LONG_AGO) -> Player:
    """A guest who came on that day for the last time."""
    player = make_player(club, name, kind=PlayerKind.GUEST, joined_on=came)
    session = club.sessions.filter(held_on=came).first() or open_session(club=club, held_on=came)
    tick(session=session, player=player, is_here=True)
    return player


def make_leaver(club: Club, name: str, *, lapsed_on: date) -> Player:
    """A member who left on that day."""
    return make_player(club, name, is_active=False, joined_on=LONG_AGO, lapsed_on=lapsed_on)


def names_due(club: Club, today: date = TODAY, **terms: int | None) -> list[str]:
    return [
        person.name
        for person in due_deletion(club, Retention(club=club, **{**TERMS, **terms}), today).people
    ]


def agree_to_schedule(club: Club) -> None:
    services.agree_to_schedule(club=club, terms=TERMS, today=TODAY - timedelta(days=1))


def test_a_guest_goes_a_year_after_the_last_visit(cast: Cast) -> None:
    guest(cast.club, "Ida Long", came=date(2025, 11, 22))
    guest(cast.club, "Jo Late", came=date(2025, 11, 23))
    assert names_due(cast.club) == ["Ida Long"]
    assert names_due(cast.club, guests=None) == []


def test_a_guest_of_whom_no_day_is_known_goes_a_year_after_the_import(cast: Cast) -> None:
    make_player(cast.club, "Ida Long", kind=PlayerKind.GUEST, added_on=date(2025, 11, 22))
    make_player(cast.club, "Jo Late", kind=PlayerKind.GUEST, added_on=date(2025, 11, 23))
    assert names_due(cast.club) == ["Ida Long"]


def test_who_has_left_goes_after_two_years_unless_seen_since(cast: Cast) -> None:
    make_leaver(cast.club, "Hal Gone", lapsed_on=date(2024, 11, 22))
    player = make_leaver(cast.club, "Kit Seen", lapsed_on=date(2024, 11, 22))
    tick(
        session=open_session(club=cast.club, held_on=date(2026, 1, 6)), player=player, is_here=True
    )
    make_leaver(cast.club, "Lou Lately", lapsed_on=date(2025, 1, 1))
    assert names_due(cast.club) == ["Hal Gone"]


def test_whoever_is_active_has_paid_fills_in_or_is_an_officer_stays(cast: Cast) -> None:
    make_player(cast.club, "Old Member", joined_on=LONG_AGO)
    paid = guest(cast.club, "Paid Ahead")
    Player.objects.filter(pk=paid.pk).update(paid_until=date(2027, 1, 1))
    set_stand_by(player=guest(cast.club, "Fills In"), is_glad=True)
    Player.objects.filter(name="Dev").update(
        is_active=False, joined_on=LONG_AGO, lapsed_on=LONG_AGO
    )
    invitee = guest(cast.club, "Asked Again")
    Invitation.objects.create(club=cast.club, player=invitee, held_on=date(2026, 12, 1))
    assert names_due(cast.club) == []


def test_nothing_goes_before_the_day_after_the_agreement_or_once_it_is_stopped(cast: Cast) -> None:
    guest(cast.club, "Ida Long")
    assert retention_state(cast.club).next_on is None
    assert services.run_due_schedules(today=TODAY) == 0
    services.agree_to_schedule(club=cast.club, terms=TERMS, today=TODAY)
    assert retention_state(cast.club).next_on == date(2026, 11, 23)
    assert not services.run_schedule(club=cast.club, today=TODAY)
    services.stop_schedule(club=cast.club)
    assert services.run_due_schedules(today=TODAY + timedelta(days=1)) == 0
    assert Player.objects.filter(name="Ida Long").exists()
    agree_to_schedule(cast.club)
    assert services.run_schedule(club=cast.club, today=TODAY)
    assert not Player.objects.filter(name="Ida Long").exists()


def test_a_day_is_run_once_and_a_second_run_changes_nothing(cast: Cast) -> None:
    former_guest = guest(cast.club, "Ida Long")
    agree_to_schedule(cast.club)
    assert services.run_due_schedules(today=TODAY) == 1
    erasures = [
        (erasure.what, erasure.player_id, erasure.made_by) for erasure in Erasure.objects.all()
    ]
    assert erasures == [("A guest", former_guest.pk, None)]
    assert services.run_due_schedules(today=TODAY) == 0
    assert services.run_due_schedules(today=TODAY + timedelta(days=1)) == 1
    assert [
        (erasure.what, erasure.player_id, erasure.made_by) for erasure in Erasure.objects.all()
    ] == erasures
    former_guest.refresh_from_db()
    assert (former_guest.name, former_guest.erased_on) == ("A former player", TODAY)
    assert Attendance.objects.filter(player=former_guest).exists()


def test_old_letters_and_payments_go_and_newer_ones_stay(cast: Cast) -> None:
    pat = cast.club.players.get(name="Pat")
    sent_state, waiting = MessageState.SENT, MessageState.WAITING
    for age, state in ((400, sent_state), (400, waiting), (10, sent_state)):
        batch = Batch.objects.create(club=cast.club, kind="note", title=f"{age} {state}")
        Batch.objects.filter(pk=batch.pk).update(made_at=NOON - timedelta(days=age))
        Message.objects.create(batch=batch, player=pat, subject="x", body="x", state=state)
    for held_on in (date(2019, 11, 5), date(2026, 11, 3)):
        session = open_session(club=cast.club, held_on=held_on)
        TableMoney.objects.create(session=session, player=pat, pence=250)
        Invitation.objects.create(club=cast.club, player=pat, held_on=held_on)
    agree_to_schedule(cast.club)
    services.run_schedule(club=cast.club, today=TODAY)
    titles = [batch.title for batch in Batch.objects.order_by("pk")]
    assert titles == ["400 waiting", "10 sent"]
    assert [record.session.held_on.year for record in TableMoney.objects.all()] == [2026]
    assert [record.held_on.year for record in Invitation.objects.all()] == [2026]
    [log] = Erasure.objects.all()
    assert log.what == "1 message, 1 invitation, 1 payment of table money"


def test_a_club_that_fails_is_tried_again_and_holds_up_nobody(cast: Cast) -> None:
    other_club = Club.objects.get(slug="hill-top")
    for club in (cast.club, other_club):
        guest(club, "Ida Long")
        agree_to_schedule(club)
    job = Job.objects.create(club=cast.club, kind="season pack", about=1, state=JobState.RUNNING)
    assert services.run_due_schedules(today=TODAY) == 1
    assert [player.club.slug for player in Player.objects.filter(name="Ida Long")] == ["riverside"]
    job.delete()
    assert services.run_due_schedules(today=TODAY) == 1
    assert not Player.objects.filter(name="Ida Long").exists()


def test_the_timetable_runs_by_itself(cast: Cast, settings: Any) -> None:
    names = {entry["task"] for entry in settings.CELERY_BEAT_SCHEDULE.values()}
    assert "clubs.tasks.let_go_what_is_due" in names
    guest(cast.club, "Ida Long")
    today = timezone.localdate()
    services.agree_to_schedule(club=cast.club, terms=TERMS, today=today - timedelta(days=1))
    tasks.let_go_what_is_due()
    assert not Player.objects.filter(name="Ida Long").exists()
    assert Retention.objects.get().ran_on == today


def test_the_page_says_what_goes_next_before_it_goes(cast: Cast, alice: Visitor) -> None:
    guest(cast.club, "Ida Long")
    address = reverse("keeping", args=[cast.club.slug])
    page = alice.read(address)
    assert "Nothing is deleted automatically yet" in page
    assert "Guests’ names are deleted a year after their last visit." in page
    assert "Ida Long" in page
    assert alice.messages_after(address, **TERMS) == ["Saved. The schedule starts tomorrow."]
    assert "Next deletion, on" in alice.read(address)
    messages = alice.messages_after(reverse("keeping-stop", args=[cast.club.slug]))
    assert messages == ["Automatic deletion is off."]
    assert not Retention.objects.exists()


def test_what_cannot_be_a_number_of_months_is_said(cast: Cast, alice: Visitor) -> None:
    address = reverse("keeping", args=[cast.club.slug])
    answer = alice.post(address, {"guests": "0", "lapsed": "soon", "money": "9999"})
    assert answer.status_code == 422
    assert errors(answer) == {
        "guests": ["Enter 1 month or more, or leave empty to keep everything."],
        "lapsed": ["Enter a number of months, for example 12, or leave empty."],
        "money": ["Enter 240 months or fewer, or leave empty to keep everything."],
    }


@pytest.mark.parametrize("guests", [1, 3])
def test_more_guests_ask_no_more_of_the_database(
    cast: Cast, guests: int, django_assert_num_queries: Any
) -> None:
    for number in range(guests):
        guest(cast.club, f"Ida {number}")
    with django_assert_num_queries(4):
        deletion = due_deletion(cast.club, Retention(club=cast.club, **TERMS), TODAY)
        assert len(deletion.people) == guests
        assert deletion.row_counts == ()


def test_months_are_said_as_people_say_them() -> None:
    times = ["1 month", "6 months", "a year", "2 years", "7 years"]
    assert [months_in_words(months) for months in (1, 6, 12, 24, 84)] == times
    assert months_before(date(2026, 3, 31), 1) == date(2026, 2, 28)


@given(st.dates(date(2000, 1, 1), date(2100, 1, 1)), st.integers(1, 240))
def test_a_longer_time_is_never_over_sooner(day: date, months: int) -> None:
    assert months_before(day, months) < day
    assert months_before(day, months + 1) < months_before(day, months)


@pytest.mark.services
@pytest.mark.django_db(transaction=True)
def test_a_day_is_run_by_one_of_four_workers() -> None:
    club = make_club()
    make_player(club, "Ida Long", kind="guest", joined_on=LONG_AGO)
    agree_to_schedule(club)
    answers = at_once([partial(services.run_schedule, club=club, today=TODAY)] * 4)
    assert sorted(map(bool, answers)) == [False, False, False, True]
    assert Erasure.objects.count() == 1


@pytest.mark.services
@pytest.mark.django_db(transaction=True)
def test_of_two_who_erase_the_same_person_one_is_told_that_it_is_done() -> None:
    player = make_player(make_club(), "Maud Pemberton")
    answers = at_once([partial(services.erase_player, player=player, today=TODAY)] * 2)
    assert "This person’s data has already been deleted." in {str(answer) for answer in answers}
    assert Erasure.objects.count() == 1
