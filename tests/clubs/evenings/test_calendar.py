"""The year's evenings: planned once, shown, in everyone's calendar, and filled at short notice."""

from datetime import UTC, date, datetime, time, timedelta
from time import process_time
from typing import Any
from zoneinfo import ZoneInfo

import pytest
import time_machine
from django.test import Client
from django.urls import reverse
from hypothesis import given, strategies as st
from icalendar import Calendar
from pytest_django.asserts import assertNumQueries

from clubs.evenings.forms import SeriesForm
from clubs.evenings.selectors.calendar import (
    ClosedDates,
    Pattern,
    closed_reason,
    club_year,
    pattern_days,
    pattern_in_words,
    substitutes_for,
)
from clubs.evenings.services import calendar
from clubs.models import Answer, Club, Invitation, Player, Series, Session, SessionState, StandBy
from scoring.scorebook.refusals import Refused
from tests.clubs.nights import evening_of, make_players
from tests.clubs.visits import Visitor, errors
from tests.clubs.year import TUESDAY, make_series
from tests.people import Cast

AUTUMN = (date(2026, 9, 1), date(2026, 12, 31))  # a Tuesday first
NEW = reverse("series-add", args=["riverside"])
JANUARY = date(2027, 1, 31)
CLOSED = [date(2026, 12, 22), date(2026, 12, 29)]
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
AT = reverse("standby", args=["riverside", "2026-11-17"])
pytestmark = pytest.mark.django_db
days = st.dates(date(2000, 1, 1), date(2060, 1, 1))


@pytest.mark.parametrize(
    ("pattern", "days"),
    [
        (Pattern(date(2026, 9, 1), date(2026, 10, 13), every=2), "1/9 15/9 29/9 13/10"),
        (Pattern(*AUTUMN, weeks=(5,)), "29/9 27/10 24/11 29/12"),
        (
            Pattern(date(2026, 9, 4), date(2026, 11, 30), weeks=(1, 3)),
            "4/9 18/9 2/10 16/10 6/11 20/11",
        ),
        (Pattern(date(2026, 11, 3), date(2026, 11, 30), weeks=(4, 5)), "24/11"),
        (Pattern(date(2026, 9, 8), date(2026, 10, 10), weeks=(1,)), "6/10"),
        (Pattern(date(2026, 9, 8), date(2026, 9, 1)), ""),
        (Pattern(date(2028, 2, 29), date(2028, 3, 7)), "29/2 7/3"),
    ],
    ids=[
        "every second Tuesday",
        "the last Tuesday, the fourth or the fifth",
        "the first and third Friday",
        "the fourth and the last at once",
        "begun in the middle of a month",
        "ended before it begins",
        "February 29",
    ],
)
def test_evenings_come_round(pattern: Pattern, days: str) -> None:
    assert " ".join(f"{day.day}/{day.month}" for day in pattern_days(pattern)) == days


def test_both_ends_of_a_holiday_are_without_an_evening() -> None:
    christmas = [ClosedDates("Christmas", date(2026, 12, 22), date(2026, 12, 29))]
    reasons = [closed_reason(date(2026, 12, day), christmas) for day in (21, 22, 29, 30)]
    assert reasons == ["", "Christmas", "Christmas", ""]


@pytest.mark.parametrize(
    ("pattern", "text"),
    [
        (Pattern(*AUTUMN), "Every Tuesday"),
        (Pattern(*AUTUMN, every=2), "Every other Tuesday"),
        (Pattern(*AUTUMN, every=5), "Tuesday, every 5 weeks"),
        (Pattern(*AUTUMN, weeks=(5,)), "The last Tuesday of the month"),
        (Pattern(*AUTUMN, weeks=(3, 1)), "The 1st and 3rd Tuesday of the month"),
        (Pattern(*AUTUMN, weeks=(1, 2, 4)), "The 1st, 2nd and 4th Tuesday of the month"),
    ],
)
def test_a_series_is_said_as_a_poster_would(pattern: Pattern, text: str) -> None:
    assert pattern_in_words(pattern) == text


@given(days, st.integers(0, 400), st.integers(1, 8))
def test_evenings_are_all_on_one_weekday_and_evenly_apart(
    first: date, length: int, interval: int
) -> None:
    days = pattern_days(Pattern(first, first + timedelta(days=length), interval))
    assert days[0] == first
    assert {(day - first).days % (7 * interval) for day in days} == {0}
    assert len(days) == length // (7 * interval) + 1


@given(days, st.integers(0, 400), st.sets(st.integers(1, 5), min_size=1))
def test_days_of_the_month_are_among_the_weekly_ones_and_every_month_has_its_share(
    first: date, length: int, weeks: set[int]
) -> None:
    last = first + timedelta(days=length)
    days = pattern_days(Pattern(first, last, weeks=tuple(weeks)))
    assert set(days) <= set(pattern_days(Pattern(first, last)))
    assert list(days) == sorted(set(days))
    full_months = {(day.year, day.month) for day in days[1:-1]} - {
        (day.year, day.month) for day in (first, last)
    }
    for month in full_months:
        count = sum((day.year, day.month) == month for day in days)
        assert count in {len(weeks), len(weeks) - (4 in weeks and 5 in weeks)}


@pytest.fixture
def series(cast: Cast) -> Series:
    return make_series(cast.club, last_on=JANUARY)


def feed(client: Client, series: Series) -> list[Any]:
    page = client.get(reverse("calendar-feed", args=[series.feed_key]))
    assert page.headers["Content-Type"] == "text/calendar; charset=utf-8"
    return list(Calendar.from_ical(page.content).walk("VEVENT"))


def save_summer_series(club: Club, series: Series | None, pattern: Pattern, hour: int) -> Series:
    """A series of two hours from that hour on."""
    return calendar.save_series(
        club=club,
        series=series,
        name="Summer",
        place="",
        pattern=pattern,
        starts_at=time(hour),
        ends_at=time(hour + 2),
    )


def test_the_days_are_shown_before_anything_is_saved(alice: Visitor, cast: Cast) -> None:
    make_series(cast.club)
    page = alice.post(NEW, TYPED)
    assert Series.objects.count() == 1
    assert page.context["shown"] == (
        (date(2026, 11, 24), ""),
        (date(2026, 12, 1), ""),
        (date(2026, 12, 29), "Christmas"),
    )
    assert page.context["meetings"] == 2


@pytest.mark.parametrize(
    ("inputs", "expected"),
    [({}, ([1, 5], 1)), ({"how": "every", "every": "2"}, ([], 2))],
    ids=["weeks of the month", "every two weeks: the weeks typed do not count"],
)
def test_a_series_is_saved_as_it_was_shown(
    alice: Visitor, inputs: dict[str, str], expected: tuple[list[int], int]
) -> None:
    page = alice.post(NEW, {**TYPED, **inputs, "save": "yes"})
    assert page.headers["Location"] == reverse("calendar", args=["riverside"])
    saved_series = Series.objects.get()
    assert ((saved_series.weeks, saved_series.every), saved_series.place) == (
        expected,
        "Village Hall",
    )


def test_a_changed_series_comes_back_as_it_was_typed(alice: Visitor, series: Series) -> None:
    url = reverse("series-change", args=["riverside", series.pk])
    assert alice.get(url).context["form"]["how"].value() == "every"
    alice.post(url, {**TYPED, "save": "yes"})
    form = alice.get(url).context["form"]
    assert (form["how"].value(), form["weeks"].value()) == ("weeks", [1, 5])


@pytest.mark.parametrize(
    ("inputs", "field", "message"),
    [
        ({"weeks": []}, "weeks", "Choose at least one week."),
        ({"last_on": "2026-11-01"}, "last_on", "The last day cannot be before the first."),
        ({"ends_at": "13:00"}, "ends_at", "The end time must be after the start time."),
        (
            {"last_on": "2026-11-20"},
            "last_on",
            "No evening falls between these dates. Choose a later last date.",
        ),
        (
            {"last_on": "2050-11-20", "how": "every"},
            "last_on",
            "That would be over 400 evenings. Choose a last day within the next few years.",
        ),
    ],
)
def test_what_is_wrong_with_a_series_is_said_beside_the_field(
    alice: Visitor, inputs: dict[str, Any], field: str, message: str
) -> None:
    for save in ({}, {"save": "yes"}):
        page = alice.post(NEW, {**TYPED, **inputs, **save})
        assert (page.status_code, errors(page)) == (422, {field: [message]})
    assert not Series.objects.exists()


def test_a_day_without_an_evening_stays_on_the_list_with_its_reason(
    cast: Cast, series: Series
) -> None:
    today = date(2026, 12, 15)
    session = Session.objects.create(club=cast.club, held_on=today)
    year = club_year(cast.club, today)
    christmas = [(22, "Christmas"), (29, "Christmas")]
    january = [(5, ""), (12, ""), (19, ""), (26, "")]
    assert [(day.held_on.day, day.closed_reason) for day in year.days] == [
        (15, ""),
        *christmas,
        *january,
    ]
    assert (year.meetings, year.next) == (5, year.days[0])
    assert year.days[0].session_id == session.pk
    later_year = club_year(cast.club, date(2026, 12, 16))
    assert later_year.next is not None
    assert later_year.next.held_on == date(2027, 1, 5)


@pytest.mark.parametrize("count", [1, 3])
def test_the_year_asks_as_often_with_one_series_as_with_three(cast: Cast, count: int) -> None:
    for number in range(count):
        make_series(cast.club, last_on=JANUARY, name=f"Series {number}")
    with assertNumQueries(3):
        assert len(club_year(cast.club, TUESDAY).series) == count


@time_machine.travel("2026-11-18T10:00Z", tick=False)
def test_the_next_evening_is_opened_with_one_press(alice: Visitor, series: Series) -> None:
    evenings_at = reverse("evenings", args=["riverside"])
    html = alice.get(evenings_at).content.decode()
    for text in ("Tuesday 24 November", "2pm, Village Hall", 'value="2026-11-24"'):
        assert text in html
    alice.post(evenings_at, {"held_on": "2026-11-24"})
    evening_link = f'href="/c/riverside/evenings/{Session.objects.get().pk}/">Go to the evening'
    assert evening_link in alice.get(evenings_at).content.decode()


@time_machine.travel("2026-11-17T10:00Z", tick=False)
def test_on_the_day_itself_the_evening_is_todays(alice: Visitor, series: Series) -> None:
    html = alice.get(reverse("calendar", args=["riverside"])).content.decode()
    assert "Start today’s evening" in html


def test_the_next_evening_is_not_the_one_that_has_been_finished(series: Series) -> None:
    evening = Session.objects.create(club=series.club, held_on=TUESDAY)
    year = club_year(series.club, TUESDAY)
    assert year.next is not None
    assert (year.next.held_on, year.next.session_id) == (TUESDAY, evening.pk)
    Session.objects.update(state=SessionState.CLOSED)
    year = club_year(series.club, TUESDAY)
    assert year.next is not None
    assert year.next.held_on == TUESDAY + timedelta(weeks=1)


def test_days_without_an_evening_are_made_and_taken_out(alice: Visitor, series: Series) -> None:
    url = reverse("holidays", args=["riverside"])
    half_term = {"name": "Half-term", "first_on": "2027-02-15", "last_on": "2027-02-14"}
    page = alice.post(url, half_term)
    assert errors(page) == {"last_on": ["The last day cannot be before the first."]}
    messages = alice.messages_after(url, **{**half_term, "last_on": "2027-02-19"})
    assert messages == ["Closed dates saved: Half-term."]
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
    first, *other_events = feed(client, series)
    assert first.decoded("dtstart") == datetime(2026, 11, 17, 14, tzinfo=ZoneInfo("Europe/London"))
    assert first.decoded("dtend").time() == time(16, 30)
    assert (first["summary"], first["location"]) == (
        "Club evening, Riverside Mah-Jong Club",
        "Village Hall",
    )
    assert len(other_events) == 10
    cancelled_events = [event for event in other_events if event["status"] == "CANCELLED"]
    assert [event.decoded("dtstart").date() for event in cancelled_events] == CLOSED


def events_of(page: Any) -> list[Any]:
    return list(Calendar.from_ical(page.content).walk("VEVENT"))


def test_an_event_is_the_same_whatever_address_was_asked(client: Client, series: Series) -> None:
    address = reverse("calendar-feed", args=[series.feed_key])
    pages = [client.get(address, headers={"host": host}) for host in ("localhost", "testserver")]
    assert pages[0].content == pages[1].content
    (uid,) = {str(event["uid"]).partition("@")[2] for event in events_of(pages[0])}
    assert uid == str(series.club.uid)


def test_an_unchanged_calendar_is_not_sent_again(client: Client, series: Series) -> None:
    address = reverse("calendar-feed", args=[series.feed_key])
    first = client.get(address)
    later_time = datetime.now(UTC) + timedelta(hours=12)
    with time_machine.travel(later_time):
        second_response = client.get(address, headers={"if-none-match": first.headers["ETag"]})
        assert (second_response.status_code, second_response.content) == (304, b"")
        assert client.get(address).content == first.content


def test_a_change_raises_the_number_of_every_event(client: Client, series: Series) -> None:
    event_before = feed(client, series)[0]
    with time_machine.travel(datetime.now(UTC) + timedelta(hours=1)):
        save_summer_series(series.club, series, Pattern(TUESDAY, JANUARY), 19)
        event_after = feed(client, series)[0]
    assert event_after["sequence"] > event_before["sequence"]
    assert event_after.decoded("last-modified") > event_before.decoded("last-modified")


def test_a_day_that_is_called_off_is_cancelled_in_every_calendar(
    client: Client, series: Series
) -> None:
    address = reverse("calendar-day", args=[series.feed_key, "2026-11-24"])
    (event_before,) = events_of(client.get(address))
    day = date(2026, 11, 24)
    holiday = calendar.add_holiday(club=series.club, name="Hall closed", first_on=day, last_on=day)
    (cancelled_event,) = events_of(client.get(address))
    assert (cancelled_event["uid"], cancelled_event["status"]) == (event_before["uid"], "CANCELLED")
    assert cancelled_event["sequence"] > event_before["sequence"]
    assert str(cancelled_event["description"]) == "The club does not meet: Hall closed."
    calendar.delete_row(row=holiday)
    (event_after,) = events_of(client.get(address))
    assert (event_after["status"], event_after["sequence"] > cancelled_event["sequence"]) == (
        "CONFIRMED",
        True,
    )


def test_summer_time_leaves_an_evening_at_its_hour(client: Client, cast: Cast) -> None:
    pattern = Pattern(date(2027, 3, 23), date(2027, 3, 30))
    winter, summer = (
        event.decoded("dtstart")
        for event in feed(client, save_summer_series(cast.club, None, pattern, 14))
    )
    assert (winter.hour, summer.hour) == (14, 14)
    assert summer.utcoffset() != winter.utcoffset()


def test_a_day_keeps_its_place_in_a_calendar_when_the_hour_changes(
    client: Client, series: Series
) -> None:
    uids_before = [str(event["uid"]) for event in feed(client, series)]
    save_summer_series(series.club, series, Pattern(TUESDAY, JANUARY), 19)
    assert [str(event["uid"]) for event in feed(client, series)] == uids_before


def test_one_evening_goes_into_a_calendar_by_itself(client: Client, series: Series) -> None:
    page = client.get(reverse("calendar-day", args=[series.feed_key, "2026-11-24"]))
    (event,) = Calendar.from_ical(page.content).walk("VEVENT")
    assert event.decoded("dtstart").date() == date(2026, 11, 24)


@pytest.mark.parametrize("day", ["2026-11-25", "Tuesday"])
def test_a_day_that_is_none_of_the_series_is_not_found(
    client: Client, series: Series, day: str
) -> None:
    assert client.get(reverse("calendar-day", args=[series.feed_key, day])).status_code == 404


def test_the_secret_address_is_not_shown_to_the_public(client: Client, series: Series) -> None:
    series.club.shows_calendar = True
    series.club.save()
    page = client.get(reverse("calendar", args=["riverside"]))
    assert page.status_code == 200
    for response in (page, client.get(reverse("evenings", args=["riverside"]))):
        assert series.feed_key not in response.content.decode()


def test_nothing_that_was_typed_can_break_out_of_a_line_of_the_file(
    client: Client, cast: Cast
) -> None:
    series = make_series(cast.club, name="Tea, cake;\nBEGIN:VEVENT")
    (event,) = feed(client, series)
    assert "BEGIN:VEVENT" in str(event["summary"])


@pytest.fixture
def glad(before_it: None, cast: Cast) -> list[Player]:
    """Ann, Ben and Cy stand by."""
    players = make_players(cast.club, 3)
    for player in players:
        calendar.set_stand_by(player=player, is_glad=True)
    return players


@pytest.fixture
def invitation(cast: Cast, glad: list[Player]) -> Invitation:
    return ask(cast, glad[0])


@pytest.fixture
def link(invitation: Invitation) -> str:
    return reverse("standby-answer", args=[invitation.key])


def ask(cast: Cast, player: Player) -> Invitation:
    return calendar.invite_substitute(
        club=cast.club, held_on=TUESDAY, player=player, asked_by=cast.secretary
    )


def waiting(club: Club) -> list[str]:
    return [row.name for row in substitutes_for(club, TUESDAY).waiting]


def test_whoever_was_not_asked_for_longest_is_first(cast: Cast, glad: list[Player]) -> None:
    for player, day in ((glad[0], 3), (glad[1], 1)):
        asked_at, held_on = datetime(2026, 11, day, tzinfo=UTC), date(2026, 11, day)
        Invitation.objects.create(club=cast.club, player=player, held_on=held_on, asked_at=asked_at)
    assert waiting(cast.club) == ["Cy", "Ben", "Ann"]


def test_who_has_been_asked_or_has_left_is_not_to_be_asked_again(
    cast: Cast, invitation: Invitation, glad: list[Player]
) -> None:
    Player.objects.filter(pk=glad[1].pk).update(is_active=False)
    assert waiting(cast.club) == ["Cy"]
    second_invitation = ask(cast, invitation.player)
    assert (second_invitation.pk, second_invitation.key) == (invitation.pk, invitation.key)


def test_the_secretary_gets_the_words_and_a_draft(
    alice: Visitor, cast: Cast, glad: list[Player]
) -> None:
    make_series(cast.club)
    Player.objects.filter(pk=glad[0].pk).update(email="ann@example.org")
    alice.post(AT, {"ask": glad[0].pk})
    (_, message) = alice.get(AT).context["asked"][0]
    link = reverse("standby-answer", args=[Invitation.objects.get().key])
    assert message.text == (
        "Dear Ann,\n\nCould you play as a substitute at Riverside Mah-Jong Club on "
        "Tuesday 17 November, 2pm, Village Hall?\nPlease answer yes or no here, "
        f"without a password:\nhttp://testserver{link}"
        "\n\nThank you, Alice"
    )
    assert message.mail.startswith("mailto:ann%40example.org?subject=Can%20you%20come")


def test_looking_at_the_link_or_saying_neither_yes_nor_no_answers_nothing(
    client: Client, invitation: Invitation, link: str
) -> None:
    assert "Can you come, Ann?" in client.get(link).content.decode()
    client.post(link, {"answer": "perhaps"})
    invitation.refresh_from_db()
    assert invitation.answer == Answer.NONE


def test_an_answer_is_thanked_for_and_may_be_changed_until_the_day_is_over(
    client: Client, invitation: Invitation, link: str
) -> None:
    for day, choice, message in (("15", "yes", "you can come"), ("17", "no", "you cannot come")):
        with time_machine.travel(f"2026-11-{day}T19:00Z"):
            page = client.post(link, {"answer": choice}, follow=True).content.decode()
        invitation.refresh_from_db()
        assert (invitation.answer, "Thank you, Ann" in page, message in page) == (
            choice,
            True,
            True,
        )
    with time_machine.travel("2026-11-18T10:00Z"):
        late_response = client.post(link, {"answer": "yes"}, follow=True)
    invitation.refresh_from_db()
    assert invitation.answer == Answer.NO
    assert "That date has passed" in late_response.content.decode()


def test_answers_stand_at_the_door(alice: Visitor, invitation: Invitation) -> None:
    session = evening_of(invitation.club, [], TUESDAY)
    calendar.save_answer(invitation=invitation, choice=Answer.YES)
    page = alice.get(reverse("evening", args=["riverside", session.pk])).content.decode()
    assert "<strong>Substitutes who can come:</strong> Ann" in page


def test_the_list_of_those_who_fill_in_is_kept_on_the_page(
    alice: Visitor, cast: Cast, glad: list[Player]
) -> None:
    pat = cast.club.players.get(name="Pat")
    alice.post(AT, {"add": pat.pk})
    alice.post(AT, {"drop": glad[0].pk})
    assert waiting(cast.club) == ["Ben", "Cy", "Pat"]


def test_nobody_of_another_club_is_asked(before_it: None, alice: Visitor, cast: Cast) -> None:
    carol = cast.stranger.memberships.get().player
    assert carol is not None
    assert alice.messages_after(AT, ask=carol.pk) == ["Choose someone from the list."]
    with pytest.raises(Refused, match="Carol is not on this club’s list"):
        ask(cast, carol)
    assert not StandBy.objects.exists()


def test_a_day_that_cannot_be_read_is_not_found(alice: Visitor) -> None:
    assert alice.get(reverse("standby", args=["riverside", "soon"])).status_code == 404


@pytest.mark.parametrize("count", [1, 3])
def test_the_page_asks_as_often_for_one_as_for_three(
    cast: Cast, glad: list[Player], count: int
) -> None:
    for player in glad[:count]:
        ask(cast, player)
    with assertNumQueries(5):
        assert len(substitutes_for(cast.club, TUESDAY).invited_substitutes) == count


def test_a_new_series_is_offered_in_the_evening() -> None:
    form = SeriesForm()
    times = [form[name].value() for name in ("starts_at", "ends_at")]
    assert times == ["19:00", "21:30"]


@pytest.mark.parametrize(
    "odd_fields", [{"every": 0}, {"weeks": {}}, {"weeks": "12"}, {"weeks": [9]}]
)
def test_odd_series_of_an_old_file_are_read_all_the_same(
    alice: Visitor, cast: Cast, odd_fields: dict[str, Any]
) -> None:
    make_series(cast.club)
    Series.objects.update(first_on="0001-01-02", last_on="9999-12-30", **odd_fields)
    start_time = process_time()
    for name in ("calendar", "club"):
        page = alice.get(reverse(name, args=["riverside"]))
        assert page.status_code == 200
        assert len(page.content) < 500_000
    assert process_time() - start_time < 5
