"""A club's tournaments stand in the calendars that its members subscribe to."""

from django.test import Client
from django.urls import reverse
from icalendar import Calendar

from tests.clubs.year import make_series
from tests.people import Cast
from tests.tournaments.cups import make_cup


def test_a_tournament_is_a_whole_day_in_the_calendars_of_its_club(
    cast: Cast, client: Client
) -> None:
    series = make_series(cast.club)
    cup = make_cup(club=cast.club)
    make_cup(club=cast.stranger.memberships.get().club)
    page = client.get(reverse("calendar-feed", args=[series.feed_key]))
    events = Calendar.from_ical(page.content).walk("VEVENT")
    days = [one for one in events if str(one["uid"]).startswith("tournament-")]
    (day,) = days
    assert str(day["uid"]) == f"tournament-{cup.pk}@testserver"
    assert str(day["summary"]) == f"Autumn Cup, {cast.club.name}"
    assert (str(day.decoded("dtstart")), str(day.decoded("dtend"))) == ("2026-11-21", "2026-11-22")
