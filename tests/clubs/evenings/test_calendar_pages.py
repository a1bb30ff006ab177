"""The year's evenings: planned once, shown, opened with one press, in everyone's calendar."""

from datetime import date, datetime, time
from typing import Any
from zoneinfo import ZoneInfo

import pytest
import time_machine
from django.test import Client
from django.urls import reverse
from icalendar import Calendar
from pytest_django import DjangoAssertNumQueries

from clubs.evenings.selectors.calendar import Pattern, club_year
from clubs.evenings.services import calendar
from clubs.models import Series, Session
from scoring.scorebook.refusals import Refused
from tests.clubs.visits import Visitor, errors
from tests.clubs.year import TUESDAY, make_series
from tests.people import Cast

JANUARY = date(2027, 1, 31)
TYPED: dict[str, Any] = {
    "name": "Club evening",
    "place": "Village Hall",
    "first_on": "2026-11-17",
    "last_on": "2026-12-31",
    "how": "weeks",
    "weeks": ["1", "5"],
    "starts_at": "14:00",
    "ends_at": "16:30",
}
pytestmark = pytest.mark.django_db


@pytest.fixture
def alice(cast: Cast) -> Visitor:
    return Visitor(cast.secretary)


@pytest.fixture
def series(cast: Cast) -> Series:
    return make_series(cast.club, last_on=JANUARY)


def feed(client: Client, series: Series) -> list[Any]:
    page = client.get(reverse("calendar-feed", args=[series.feed_key]))
    assert page.headers["Content-Type"] == "text/calendar; charset=utf-8"
    return list(Calendar.from_ical(page.content).walk("VEVENT"))


def test_the_days_are_shown_before_anything_is_saved(alice: Visitor, cast: Cast) -> None:
    make_series(cast.club)
    page = alice.post(reverse("series-add", args=["riverside"]), TYPED)
    assert Series.objects.count() == 1
    assert page.context["shown"] == (
        (date(2026, 11, 24), ""),
        (date(2026, 12, 1), ""),
        (date(2026, 12, 29), "Christmas"),
    )
    assert page.context["meetings"] == 2


def test_a_series_is_saved_as_it_was_shown(alice: Visitor) -> None:
    page = alice.post(reverse("series-add", args=["riverside"]), {**TYPED, "save": "yes"})
    saved = Series.objects.get()
    assert page.headers["Location"] == reverse("calendar", args=["riverside"])
    assert (saved.weeks, saved.every, saved.place) == ([1, 5], 1, "Village Hall")


def test_what_is_typed_of_the_other_way_does_not_count(alice: Visitor) -> None:
    inputs = {**TYPED, "how": "every", "every": "2", "save": "yes"}
    alice.post(reverse("series-add", args=["riverside"]), inputs)
    saved = Series.objects.get()
    assert (saved.weeks, saved.every) == ([], 2)


def test_a_changed_series_comes_back_as_it_was_typed(alice: Visitor, series: Series) -> None:
    at = reverse("series-change", args=["riverside", series.pk])
    assert alice.get(at).context["form"]["how"].value() == "every"
    alice.post(at, {**TYPED, "save": "yes"})
    form = alice.get(at).context["form"]
    assert (form["how"].value(), form["weeks"].value()) == ("weeks", [1, 5])


@pytest.mark.parametrize(
    ("typed", "said"),
    [
        ({"weeks": []}, {"weeks": ["Choose at least one week."]}),
        ({"last_on": "2026-11-01"}, {"last_on": ["The last day cannot be before the first."]}),
        ({"ends_at": "13:00"}, {"ends_at": ["The end time must be after the start time."]}),
        (
            {"last_on": "2026-11-20"},
            {"last_on": ["No evening falls between these dates. Choose a later last date."]},
        ),
        (
            {"last_on": "2050-11-20", "how": "every"},
            {
                "last_on": [
                    "That would be 1253 evenings. Choose a last day within the next few years."
                ]
            },
        ),
    ],
)
def test_what_is_wrong_with_a_series_is_said_beside_the_field(
    alice: Visitor, typed: dict[str, Any], said: dict[str, list[str]]
) -> None:
    for save in ({}, {"save": "yes"}):
        page = alice.post(reverse("series-add", args=["riverside"]), {**TYPED, **typed, **save})
        assert (page.status_code, errors(page)) == (422, said)
    assert not Series.objects.exists()


def test_a_day_without_an_evening_stays_on_the_list_with_its_reason(
    cast: Cast, series: Series
) -> None:
    year = club_year(cast.club, date(2026, 12, 15))
    said = [(day.held_on.day, day.off) for day in year.days]
    assert said == [
        (15, ""),
        (22, "Christmas"),
        (29, "Christmas"),
        (5, ""),
        (12, ""),
        (19, ""),
        (26, ""),
    ]
    assert year.meetings == 5
    assert year.next is not None
    assert year.next.held_on == date(2026, 12, 15)


def test_the_next_evening_comes_after_the_holiday(cast: Cast, series: Series) -> None:
    coming = club_year(cast.club, date(2026, 12, 16)).next
    assert coming is not None
    assert coming.held_on == date(2027, 1, 5)


def test_the_evening_that_is_open_today_is_on_its_day(cast: Cast, series: Series) -> None:
    today = date(2026, 12, 15)
    session = Session.objects.create(club=cast.club, held_on=today)
    assert club_year(cast.club, today).days[0].session_id == session.pk


@pytest.mark.parametrize("count", [1, 3])
def test_the_year_asks_as_often_with_one_series_as_with_three(
    cast: Cast, django_assert_num_queries: DjangoAssertNumQueries, count: int
) -> None:
    for number in range(count):
        make_series(cast.club, last_on=JANUARY, name=f"Series {number}")
    with django_assert_num_queries(3):
        assert len(club_year(cast.club, TUESDAY).series) == count


@time_machine.travel("2026-11-18T10:00Z", tick=False)
def test_the_next_evening_is_opened_with_one_press(alice: Visitor, series: Series) -> None:
    page = alice.get(reverse("evenings", args=["riverside"]))
    shown = page.content.decode()
    assert "Next: Tuesday 24 November" in shown
    assert "2pm, Village Hall" in shown
    assert 'value="2026-11-24"' in shown
    alice.post(reverse("evenings", args=["riverside"]), {"held_on": "2026-11-24"})
    opened = Session.objects.get()
    assert f'href="/c/riverside/evenings/{opened.pk}/">Go to the evening' in (
        alice.get(reverse("evenings", args=["riverside"])).content.decode()
    )


@time_machine.travel("2026-11-17T10:00Z", tick=False)
def test_on_the_day_itself_the_evening_is_tonights(alice: Visitor, series: Series) -> None:
    shown = alice.get(reverse("calendar", args=["riverside"])).content.decode()
    assert "Start tonight" in shown


def test_days_without_an_evening_are_made_and_taken_out(alice: Visitor, series: Series) -> None:
    at = reverse("holidays", args=["riverside"])
    half_term = {"name": "Half-term", "first_on": "2027-02-15", "last_on": "2027-02-14"}
    page = alice.post(at, half_term)
    assert errors(page) == {"last_on": ["The last day cannot be before the first."]}
    assert alice.told(at, **{**half_term, "last_on": "2027-02-19"}) == [
        "Closed dates saved: Half-term."
    ]
    holiday = series.club.holidays.get(name="Half-term")
    alice.post(reverse("holiday-remove", args=["riverside", holiday.pk]))
    assert not series.club.holidays.filter(name="Half-term").exists()


def test_a_series_taken_off_the_calendar_leaves_its_evenings(
    alice: Visitor, series: Series
) -> None:
    alice.post(reverse("evenings", args=["riverside"]), {"held_on": "2026-11-17"})
    alice.post(reverse("series-remove", args=["riverside", series.pk]))
    assert (Series.objects.count(), Session.objects.count()) == (0, 1)


def test_a_members_calendar_has_every_evening_at_the_clubs_own_time(
    client: Client, series: Series
) -> None:
    first, *others = feed(client, series)
    assert first.decoded("dtstart") == datetime(2026, 11, 17, 14, tzinfo=ZoneInfo("Europe/London"))
    assert first.decoded("dtend").time() == time(16, 30)
    assert (str(first["summary"]), str(first["location"])) == (
        "Club evening, Riverside Mah-Jong Club",
        "Village Hall",
    )
    assert len(others) == 8


def test_summer_time_leaves_an_evening_at_its_hour(client: Client, cast: Cast) -> None:
    summer = calendar.save_series(
        club=cast.club,
        series=None,
        name="Summer",
        place="",
        pattern=Pattern(date(2027, 3, 23), date(2027, 3, 30)),
        starts_at=time(14),
        ends_at=time(16),
    )
    winter, later = (event.decoded("dtstart") for event in feed(client, summer))
    assert (winter.hour, later.hour) == (14, 14)
    assert later.utcoffset() != winter.utcoffset()


def test_a_day_keeps_its_place_in_a_calendar_when_the_hour_changes(
    client: Client, series: Series
) -> None:
    before = [str(event["uid"]) for event in feed(client, series)]
    calendar.save_series(
        club=series.club,
        series=series,
        name="Later evening",
        place="",
        pattern=Pattern(TUESDAY, JANUARY),
        starts_at=time(19),
        ends_at=time(21),
    )
    assert [str(event["uid"]) for event in feed(client, series)] == before


def test_one_evening_goes_into_a_calendar_by_itself(client: Client, series: Series) -> None:
    page = client.get(reverse("calendar-day", args=[series.feed_key, "2026-11-24"]))
    (event,) = Calendar.from_ical(page.content).walk("VEVENT")
    assert event.decoded("dtstart").date() == date(2026, 11, 24)


@pytest.mark.parametrize("day", ["2026-11-25", "2026-12-22", "Tuesday"])
def test_a_day_on_which_the_club_does_not_meet_is_not_found(
    client: Client, series: Series, day: str
) -> None:
    assert client.get(reverse("calendar-day", args=[series.feed_key, day])).status_code == 404


def test_the_secret_address_is_not_shown_to_the_public(client: Client, series: Series) -> None:
    series.club.shows_calendar = True
    series.club.save()
    page = client.get(reverse("calendar", args=["riverside"]))
    assert page.status_code == 200
    assert series.feed_key not in page.content.decode()
    evenings = client.get(reverse("evenings", args=["riverside"]))
    assert series.feed_key not in evenings.content.decode()


def test_nothing_that_was_typed_can_break_out_of_a_line_of_the_file(
    client: Client, cast: Cast
) -> None:
    series = make_series(cast.club, name="Tea, cake;\nBEGIN:VEVENT")
    (event,) = feed(client, series)
    assert "BEGIN:VEVENT" in str(event["summary"])


def test_a_series_must_be_of_the_club(alice: Visitor, cast: Cast) -> None:
    carols = cast.stranger.memberships.get().club
    theirs = make_series(carols)
    at = reverse("series-change", args=["riverside", theirs.pk])
    assert alice.get(at).status_code == 404


def test_a_holiday_that_ends_before_it_begins_is_refused(cast: Cast) -> None:
    with pytest.raises(Refused):
        calendar.add_holiday(club=cast.club, name="x", first_on=JANUARY, last_on=TUESDAY)
