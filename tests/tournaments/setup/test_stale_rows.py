"""Rows that were read before someone else changed them: no change of theirs is lost."""

from datetime import date, time
from typing import Any

import pytest

from clubs.evenings.selectors.calendar import Pattern
from clubs.evenings.services import calendar
from clubs.league import services as league_services
from clubs.models import Series, Webhook
from clubs.webhooks import services as webhooks_services
from scoring.scorebook.refusals import Refused
from tests.api import api_client
from tests.clubs.nights import make_season
from tests.clubs.year import make_series
from tests.people import Cast
from tests.tournaments.cups import fresh, make_cup
from tournaments.models import Entrant, Prize, Tournament
from tournaments.results import services
from tournaments.setup import services as setup_services
from tournaments.setup.selectors import settings_fields


@pytest.fixture
def cup(cast: Cast) -> Tournament:
    return make_cup(club=cast.club, entrants=4)


def patch_json(cast: Cast, address: str, **body: Any) -> Any:
    return api_client(cast.secretary).patch(address, body, content_type="application/json")


def test_a_setting_that_was_not_changed_stays_as_somebody_else_left_it(cup: Tournament) -> None:
    stale_cup = fresh(cup)
    fields = settings_fields(stale_cup)
    setup_services.change_tournament(tournament=cup, **(fields | {"start_stake": 2000}))
    setup_services.change_tournament(
        tournament=stale_cup, initial_settings=fields, **(fields | {"name": "Winter Cup"})
    )
    cup.refresh_from_db()
    assert (cup.name, cup.start_stake) == ("Winter Cup", 2000)


def test_somebody_taken_off_the_entry_list_is_not_readmitted(cup: Tournament) -> None:
    entrant = cup.entrants.earliest("number")
    stale = Entrant.objects.get(pk=entrant.pk)
    setup_services.withdraw(tournament=cup, entrant=entrant)
    for act in (setup_services.readmit, setup_services.withdraw):
        with pytest.raises(Refused, match="is no longer on the entry list"):
            act(tournament=cup, entrant=stale)


def test_a_prize_keeps_its_place_in_the_order_and_stays_away(cup: Tournament) -> None:
    services.declare_usual_prizes(tournament=cup)
    first, second = cup.prizes.all()[:2]
    stale = Prize.objects.get(pk=first.pk)
    services.move_prize(tournament=cup, prize=first, up=False)
    terms: dict[str, Any] = {"kind": stale.kind, "place": stale.place, "name": "The cup"}
    services.save_prize(tournament=cup, prize=stale, **terms)
    assert [prize.pk for prize in cup.prizes.all()[:2]] == [second.pk, first.pk]
    services.remove_prize(tournament=cup, prize=first)
    with pytest.raises(Refused, match="has been deleted"):
        services.save_prize(tournament=cup, prize=stale, **terms)
    assert not cup.prizes.filter(pk=stale.pk).exists()


def test_a_series_that_was_removed_stays_away(cast: Cast) -> None:
    series = make_series(cast.club)
    stale = Series.objects.get(pk=series.pk)
    calendar.delete_row(row=series)
    with pytest.raises(Refused, match="no longer in the calendar"):
        calendar.save_series(
            club=cast.club,
            series=stale,
            name="Club evening",
            place="",
            pattern=Pattern(date(2026, 12, 1), date(2026, 12, 1)),
            starts_at=time(14),
            ends_at=time(16),
        )
    assert not Series.objects.exists()


def test_a_program_that_was_taken_away_stays_away(cast: Cast) -> None:
    webhook = webhooks_services.add_webhook(
        club=cast.club, address="https://tongbox.invalid/", kinds=["hand.recorded"]
    )
    stale = Webhook.objects.get(pk=webhook.pk)
    webhooks_services.remove_webhook(webhook=webhook)
    with pytest.raises(Refused, match="has been deleted"):
        webhooks_services.change_secret(webhook=stale)


def test_two_new_secrets_leave_the_first_good_for_a_day(cast: Cast) -> None:
    webhook = webhooks_services.add_webhook(
        club=cast.club, address="https://tongbox.invalid/", kinds=["hand.recorded"]
    )
    stale = Webhook.objects.get(pk=webhook.pk)
    first = webhooks_services.change_secret(webhook=webhook).secret
    assert webhooks_services.change_secret(webhook=stale).former_secret == first


def test_a_season_changed_by_a_program_keeps_what_it_does_not_send(cast: Cast) -> None:
    season = make_season(cast.club)
    address = f"/api/v1/clubs/riverside/seasons/{season.pk}/"
    league_services.save_season(
        club=cast.club,
        season=season,
        name=season.name,
        starts_on=season.starts_on,
        ends_on=date(2026, 12, 30),
    )
    assert patch_json(cast, address, name="Winter").status_code == 200
    season.refresh_from_db()
    assert (season.name, season.ends_on) == ("Winter", date(2026, 12, 30))
