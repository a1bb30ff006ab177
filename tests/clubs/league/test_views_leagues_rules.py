"""The pages on which a season's ranking is asked for, tried, adopted and explained."""

from datetime import date
from html import unescape
from typing import Any

import pytest
from django.urls import reverse

from clubs.league.forms import rules_initial
from clubs.league.selectors.seasons import rules_of
from clubs.league.services import adopt_at_once, give_handicap, try_rules
from clubs.league_rules.rules import READY_MADE, CreditRule, LeagueRules, Quota, ready_made
from clubs.models import Player, Season
from tests.clubs.nights import SECOND_WINS, make_players, make_season, night, post
from tests.clubs.visits import Visitor, errors
from tests.people import Cast, make_player

PLAIN = {
    name: value for name, value in rules_initial(LeagueRules()).items() if value and name != "ties"
}


@pytest.fixture
def alice(cast: Cast) -> Visitor:
    return Visitor(cast.secretary)


@pytest.fixture
def season(cast: Cast) -> Season:
    return make_season(cast.club)


@pytest.fixture
def players(cast: Cast) -> list[Player]:
    """Ann, Ben, Cy, Di."""
    return make_players(cast.club, 4)


def page_of(season: Season, name: str, *more: int) -> str:
    return reverse(name, args=["riverside", season.pk, *more])


def play(cast: Cast, players: list[Player], *days: int) -> None:
    """Evenings of November where Ben wins the only hand."""
    for day in days:
        post(night(cast.club, date(2026, 11, day), players).tables.get(), SECOND_WINS)


def test_rules_are_asked_tried_and_adopted(
    alice: Visitor, cast: Cast, season: Season, players: list[Player]
) -> None:
    play(cast, players, 3, 10)
    answer = alice.post(page_of(season, "season-rules"), PLAIN | {"best": "1", "least": "75%"})
    assert answer.headers["Location"] == page_of(season, "season-try", 2)
    (trial,) = alice.get(page_of(season, "season-try", 2)).context["trials"]
    assert (trial.now, trial.then, trial.movers) == ("Total", "Best evenings", 0)
    assert next(move.after.figures for move in trial.moves) == ("+240",)
    assert next(move.before.figures for move in trial.moves) == ("+480",)
    assert rules_of(season) == LeagueRules()
    flashed = alice.told(page_of(season, "season-adopt", 2))
    assert flashed == ["Version 2 is now in use and the table has been updated."]
    assert rules_of(season) == LeagueRules(best=Quota(1), least=Quota(75, is_percent=True))


def test_rules_are_tried_on_the_last_season_too(
    alice: Visitor, cast: Cast, season: Season, players: list[Player]
) -> None:
    play(cast, players, 3)
    days = {"starts_on": date(2027, 1, 1), "ends_on": date(2027, 4, 1)}
    spring = make_season(cast.club, name="Spring", **days)
    trials = alice.get(page_of(spring, "season-try", 1)).context["trials"]
    assert [trial.title for trial in trials] == [str(spring), str(season)]
    assert [len(trial.moves) for trial in trials] == [0, 4]


@pytest.mark.parametrize("league", READY_MADE, ids=lambda league: league.key)
def test_every_ready_made_league_fills_the_form_and_comes_back(
    alice: Visitor, season: Season, league: Any
) -> None:
    page = alice.get(page_of(season, "season-rules"), {"from": league.key})
    form = page.context["form"]
    filled = {name: form[name].value() for name in form.fields}
    sent = {name: value for name, value in filled.items() if value not in ("", None, False)}
    alice.post(page_of(season, "season-rules"), sent)
    alice.told(page_of(season, "season-adopt", season.versions.order_by("-number")[0].number))
    assert rules_of(season) == league.rules


@pytest.mark.parametrize(
    ("changed", "where", "said"),
    [
        ({"scale_4": "4-2"}, "scale_4", "A table of 4 has 4 numbers, the first place first"),
        ({"best": "many"}, "best", "Enter a number of evenings from 1 to 366"),
        ({"hands": "x"}, "hands", "Enter a whole number, for example 8."),
        ({"tie_2": "mahjongs"}, "tie_1", "Enter each tie-break only once."),
        ({"adds_up": "hand", "best": "6"}, "best", "With the average per hand, all evenings"),
    ],
)
def test_what_cannot_be_is_said_beside_the_field(
    alice: Visitor, season: Season, changed: dict[str, str], where: str, said: str
) -> None:
    answer = alice.post(page_of(season, "season-rules"), PLAIN | changed)
    assert answer.status_code == 422
    ((field, (sentence,)),) = errors(answer).items()
    assert (field, sentence[: len(said)]) == (where, said)
    assert season.versions.count() == 1


@pytest.mark.parametrize("values", [{"from": "luck"}, {"version": "9"}])
def test_a_beginning_that_is_none_is_not_found(
    alice: Visitor, season: Season, values: dict[str, str]
) -> None:
    assert alice.get(page_of(season, "season-rules"), values).status_code == 404


def test_a_version_that_is_none_is_not_found(alice: Visitor, season: Season) -> None:
    assert alice.get(page_of(season, "season-try", 9)).status_code == 404
    assert alice.post(page_of(season, "season-adopt", 9)).status_code == 404


def test_everybody_reads_why_somebody_stands_there(
    cast: Cast, season: Season, players: list[Player]
) -> None:
    play(cast, players, 3, 10)
    adopt_at_once(season, LeagueRules(best=Quota(1)))
    page = Visitor(cast.player).get(page_of(season, "season-why", players[3].pk))
    context = page.context["explained"]
    assert context.sentence == ("Di is fourth: −96 points from the best evening, 16 fewer than Cy.")
    assert [(line.points, line.words) for line in context.lines] == [
        ("−96", "Counts"),
        ("−96", "Not among the best"),
    ]
    assert context.needs[0] == "At least −80 to be third, level with or ahead of Cy."
    assert "How Di’s place was worked out" in unescape(page.content.decode())


@pytest.mark.parametrize(
    ("rules", "needs"),
    [
        (LeagueRules(), ("You are already top.",)),
        (
            LeagueRules(least=Quota(3)),
            ("You need to come to this evening and 1 evening after it to be ranked.",),
        ),
    ],
)
def test_what_the_leader_and_the_absent_need(
    cast: Cast, season: Season, players: list[Player], rules: LeagueRules, needs: tuple[str, ...]
) -> None:
    play(cast, players, 3)
    adopt_at_once(season, rules)
    page = Visitor(cast.player).get(page_of(season, "season-why", players[1].pk))
    assert page.context["explained"].needs == needs


def test_with_table_points_a_place_at_a_table_is_needed(
    cast: Cast, season: Season, players: list[Player]
) -> None:
    play(cast, players, 3)
    adopt_at_once(season, ready_made("wins"))
    page = Visitor(cast.player).get(page_of(season, "season-why", players[3].pk))
    assert page.context["explained"].needs == (
        "Win a table of four to be third, level with or ahead of Cy.",
        "Win a table of four to be second, level with or ahead of Ann.",
    )


@pytest.mark.parametrize("nights", [1, 3])
def test_why_asks_no_more_for_more_evenings(
    cast: Cast, season: Season, players: list[Player], nights: int, django_assert_num_queries: Any
) -> None:
    play(cast, players, *range(1, nights + 1))
    visitor = Visitor(cast.player)
    with django_assert_num_queries(7):
        visitor.get(page_of(season, "season-why", players[0].pk))


@pytest.mark.parametrize("count", [1, 3])
@pytest.mark.parametrize(
    ("name", "more", "queries"),
    [("season-try", (1,), 8), ("season-rules", (), 5), ("season-given", (), 9)],
)
def test_the_secretary_asks_no_more_for_more(
    alice: Visitor,
    cast: Cast,
    season: Season,
    players: list[Player],
    name: str,
    more: tuple[int, ...],
    queries: int,
    count: int,
    django_assert_num_queries: Any,
) -> None:
    play(cast, players, *range(1, count + 1))
    for best, player in enumerate(players[:count], start=1):
        give_handicap(season=season, player=player, points=5)
        try_rules(season=season, rules=LeagueRules(best=Quota(best)))
    with django_assert_num_queries(queries):
        alice.get(page_of(season, name, *more))


def test_a_handicap_is_given_and_taken_back(
    alice: Visitor, season: Season, players: list[Player]
) -> None:
    address = page_of(season, "season-handicap")
    ann = str(players[0].pk)
    assert alice.told(address, player=ann, points="-50") == ["Handicap saved."]
    (row,) = alice.get(page_of(season, "season-given")).context["given"].handicaps
    assert (row.name, row.points) == ("Ann", -50)
    alice.told(address, player=ann, points="0")
    assert alice.get(page_of(season, "season-given")).context["given"].handicaps == ()
    answer = alice.post(address, {"player": ann, "points": "99999"})
    assert "A handicap is at most 10,000 points an evening." in answer.content.decode()


def test_an_evening_is_credited_and_taken_back(
    alice: Visitor, cast: Cast, season: Season, players: list[Player]
) -> None:
    flo = make_player(cast.club, "Flo")
    play(cast, players, 3)
    adopt_at_once(season, LeagueRules(credit=CreditRule(1)))
    session = str(season.sessions.get().pk)
    address = page_of(season, "season-credit")
    flashed = alice.told(address, player=str(flo.pk), session=session, reason="ran the bar")
    assert flashed == ["Credit added."]
    (row,) = alice.get(page_of(season, "season-given")).context["given"].credits
    assert (row.name, row.reason) == ("Flo", "ran the bar")
    assert alice.told(page_of(season, "season-credit-back", row.pk)) == ["Credit removed."]
    answer = alice.post(address, {"player": str(players[0].pk), "session": session})
    assert "Ann played on that evening." in answer.content.decode()
