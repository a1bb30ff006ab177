"""Seasons are made and changed; evenings find the one of their day."""

from datetime import date

import pytest

from clubs.evenings.services import evenings
from clubs.league.selectors.seasons import current_season, rules_of
from clubs.league_rules.rules import LeagueRules, Quota
from clubs.models import Season
from scoring.scorebook.refusals import Refused
from tests.clubs.nights import make_season
from tests.people import make_club

pytestmark = pytest.mark.django_db


def problems(**changed: object) -> list[tuple[str, str]]:
    with pytest.raises(Refused) as refused:
        make_season(make_club(), **changed)
    assert Season.objects.count() == 0
    return [(problem.where, problem.code) for problem in refused.value.problems]


def test_evenings_of_its_days_join_a_new_season() -> None:
    club = make_club()
    before, during = (
        evenings.open_session(club=club, held_on=day)
        for day in (date(2026, 8, 31), date(2026, 9, 1))
    )
    season = make_season(club)
    assert (list(season.sessions.all()), before.season) == ([during], None)


def test_evenings_of_other_days_leave_a_season_that_is_shortened() -> None:
    club = make_club()
    season = make_season(club)
    september, december = (
        evenings.open_session(club=club, held_on=day)
        for day in (date(2026, 9, 1), date(2026, 12, 29))
    )
    make_season(club, season=season, ends_on=date(2026, 11, 30))
    december.refresh_from_db()
    assert (list(season.sessions.all()), december.season) == ([september], None)


def test_evenings_of_earlier_days_leave_a_season_that_starts_later() -> None:
    club = make_club()
    season = make_season(club)
    september, december = (
        evenings.open_session(club=club, held_on=day)
        for day in (date(2026, 9, 1), date(2026, 12, 29))
    )
    make_season(club, season=season, starts_on=date(2026, 10, 1))
    september.refresh_from_db()
    assert (list(season.sessions.all()), september.season) == ([december], None)


def test_seasons_do_not_overlap() -> None:
    club = make_club()
    make_season(club)
    with pytest.raises(Refused) as refused:
        make_season(club, name="Winter", starts_on=date(2026, 12, 31), ends_on=date(2027, 3, 1))
    assert [(problem.where, problem.sentence) for problem in refused.value.problems] == [
        (
            "starts_on",
            (
                "These days overlap with Autumn 2026, which runs from 1 September 2026 "
                "to 31 December 2026."
            ),
        )
    ]


def test_a_season_of_another_club_may_have_the_same_days_and_name() -> None:
    make_season(make_club())
    assert make_season(make_club("Hill Top Tiles", "hill-top")).name == "Autumn 2026"


def test_a_name_is_used_once() -> None:
    club = make_club()
    make_season(club)
    with pytest.raises(Refused, match="There is already a season with that name"):
        make_season(club, starts_on=date(2027, 1, 1), ends_on=date(2027, 2, 1))


def test_a_season_ends_after_it_starts() -> None:
    assert problems(ends_on=date(2026, 8, 1)) == [("ends_on", "bad_dates")]


def test_every_mistake_is_told_at_once() -> None:
    assert problems(name="x" * 300, ends_on=date(2026, 8, 1)) == [
        ("name", "bad_name"),
        ("ends_on", "bad_dates"),
    ]


def test_a_season_begins_with_the_total_of_all_evenings() -> None:
    season = make_season(make_club(), ranking=None)
    assert rules_of(season) == LeagueRules()
    assert season.versions.get().number == 1


def test_a_season_keeps_how_it_ranks_when_its_days_change() -> None:
    season = make_season(make_club(), best_of=6)
    make_season(season.league.club, season=season, ranking=None, ends_on=date(2026, 12, 30))
    assert rules_of(season) == LeagueRules(best=Quota(6))


def test_the_current_season_has_begun() -> None:
    club = make_club()
    assert current_season(club) is None
    later = make_season(club, name="Later", starts_on=date(2999, 1, 1), ends_on=date(2999, 2, 1))
    make_season(club, name="Last", starts_on=date(2999, 3, 1), ends_on=date(2999, 4, 1))
    assert current_season(club) == later
    past = make_season(club, name="Past", starts_on=date(2020, 1, 1), ends_on=date(2020, 2, 1))
    assert current_season(club) == past
