"""Pages of the league: seasons, how they rank, what is given in them, and jobs behind them."""

from datetime import date
from html import unescape
from typing import Any

import pytest
from django.core.files.base import ContentFile
from django.urls import reverse
from pytest_django.asserts import assertNumQueries

from clubs.core.queue import make_job
from clubs.evenings.services.ending import close_session
from clubs.league.forms import rules_initial
from clubs.league.selectors.seasons import proposed_season, rules_of
from clubs.league.services import adopt_at_once, give_handicap, save_draft_rules, save_season
from clubs.league_rules.rules import (
    READY_MADE_LEAGUES,
    CreditRule,
    LeagueRules,
    Quota,
    ready_made_league,
)
from clubs.models import Club, Job, JobState, Player, Season
from scoring import rule_set, rule_set_keys
from tests.clubs.nights import SECOND_WINS, make_players, make_season, night, post
from tests.clubs.tables import seated_evening
from tests.clubs.visits import Visitor, errors
from tests.people import Cast, make_player

NEW = "/c/riverside/seasons/new/"
AUTUMN = {
    "name": "Autumn 2026",
    "starts_on": "2026-09-01",
    "ends_on": "2026-12-31",
    "ranking": "total",
}


@pytest.fixture
def season(cast: Cast) -> Season:
    return make_season(cast.club)


@pytest.fixture
def players(cast: Cast) -> list[Player]:
    """Ann, Ben, Cy, Di."""
    return make_players(cast.club, 4)


def page_of(season: Season, name: str = "season", *url_args: int) -> str:
    return reverse(name, args=["riverside", season.pk, *url_args])


def play(players: list[Player], *days: int) -> None:
    """Evenings of November where Ben wins the only hand."""
    for day in days:
        evening = night(players[0].club, date(2026, 11, day), players)
        post(evening.tables.get(), SECOND_WINS)


@pytest.mark.parametrize("league", ["total", "groene-hart"])
def test_a_season_begins_with_a_league_that_is_ready_made(alice: Visitor, league: str) -> None:
    assert alice.messages_after(NEW, **AUTUMN | {"ranking": league}) == ["Autumn 2026 saved."]
    assert rules_of(Season.objects.get()) == ready_made_league(league)


@pytest.mark.parametrize(
    ("season_rules", "plays"),
    [("baggaley", "baggaley/2007"), ("", "english/3")],
    ids=["own", "the club's"],
)
def test_a_season_plays_its_own_rules_or_the_clubs(
    alice: Visitor, cast: Cast, season_rules: str, plays: str
) -> None:
    Club.objects.update(rules="english")
    alice.messages_after(NEW, **AUTUMN, rules=season_rules)
    cast.club.refresh_from_db()
    assert seated_evening(cast.club).tables.get().game.rules == plays


def test_a_club_changes_its_rules_and_a_season_that_has_begun_keeps_its_own(
    alice: Visitor, season: Season, players: list[Player]
) -> None:
    play(players, 3)
    spring = {"name": "Spring", "starts_on": date(2027, 1, 1), "ends_on": date(2027, 4, 1)}
    to_come = make_season(season.league.club, **spring)
    address = reverse("club-rules", args=["riverside"])
    assert alice.messages_after(address, rules="safalra") == ["Club rules saved."]
    plays = {row.pk: row.plays for row in Season.objects.all()}
    assert plays == {season.pk: "bmja", to_come.pk: "safalra"}
    assert "BMJA rules" in alice.get(page_of(season)).content.decode()
    answer = alice.post(address, {"rules": "whist"})
    assert errors(answer) == {"rules": ["Choose from the rules below."]}


def test_each_rule_set_can_be_read_before_it_is_chosen(alice: Visitor) -> None:
    page = alice.get(NEW).content.decode()
    for key in rule_set_keys():
        assert f'<a href="/rules/{key}/">{rule_set(key).name}</a>' in unescape(page)


def test_the_first_hand_settles_which_rules_a_season_plays(
    alice: Visitor, season: Season, players: list[Player]
) -> None:
    play(players, 3)
    answer = alice.post(page_of(season, "season-change"), {**AUTUMN, "rules": "tallies"})
    message = "BMJA rules were played on these days, so this season cannot use other scoring rules."
    assert errors(answer) == {"rules": [message]}
    assert alice.messages_after(page_of(season, "season-change"), **AUTUMN, rules="bmja")


@pytest.mark.parametrize(
    ("changed_fields", "form_errors"),
    [
        ({"name": ""}, {"name": ["Enter a name."]}),
        ({"name": "x" * 300}, {"name": ["That name is too long. Use 80 characters or fewer."]}),
        ({"ends_on": "2026-08-01"}, {"ends_on": ["The last date must be after the first date."]}),
        ({"ends_on": "soon"}, {"ends_on": ["Enter a date like 24/11/2026."]}),
        (
            {"ranking": "luck"},
            {"ranking": ["Select a valid choice. luck is not one of the available choices."]},
        ),
    ],
)
def test_a_season_that_cannot_be_is_said_beside_the_field(
    alice: Visitor, changed_fields: dict[str, str], form_errors: dict[str, list[str]]
) -> None:
    page = alice.post(NEW, AUTUMN | changed_fields)
    form = page.context["form"]
    assert (page.status_code, errors(page)) == (422, form_errors)
    assert {name: form[name].value() for name in AUTUMN | changed_fields} == AUTUMN | changed_fields
    assert not Season.objects.exists()


def test_who_came_too_seldom_stands_apart(
    alice: Visitor, cast: Cast, players: list[Player]
) -> None:
    season = make_season(cast.club, least_attendance=2)
    play(players, 3)
    league = alice.get(page_of(season)).context["league"]
    assert (league.ranked_rows, [row.name for row in league.unranked_rows]) == (
        (),
        ["Ann", "Ben", "Cy", "Di"],
    )


def test_the_table_is_sent_again_only_when_newer(
    alice: Visitor, season: Season, players: list[Player]
) -> None:
    play(players, 3)
    version = alice.get(page_of(season)).context["version"]
    assert alice.get(page_of(season), {"v": version}).status_code == 204
    post(season.sessions.get().tables.get(), SECOND_WINS, SECOND_WINS)
    part = alice.get(page_of(season), {"v": version})
    assert (part.status_code, b"<html" in part.content) == (200, False)


@pytest.mark.parametrize("count", [1, 3])
def test_the_list_asks_no_more_for_more_seasons(alice: Visitor, cast: Cast, count: int) -> None:
    for year in range(2026, 2026 - count, -1):
        days = {"starts_on": date(year, 1, 1), "ends_on": date(year, 12, 31)}
        make_season(cast.club, name=str(year), **days)
    with assertNumQueries(4):
        page = alice.get("/c/riverside/seasons/")
    assert [season.starts_on.year for season in page.context["seasons"]] == list(
        range(2026, 2026 - count, -1)
    )


@pytest.fixture
def job(cast: Cast) -> Job:
    return make_job(club=cast.club, kind="season pack", subject_key=1)


def test_a_job_under_way_is_asked_for_again(alice: Visitor, job: Job) -> None:
    Job.objects.update(state=JobState.RUNNING, done=3, total=8)
    address = reverse("job", args=["riverside", job.pk])
    page = alice.get(address).content.decode()
    assert ('max="8" value="3"' in page, f'hx-get="{address}"' in page) == (True, True)
    assert '<meta http-equiv="refresh" content="3">' in page
    assert alice.get(reverse("job-result", args=["riverside", job.pk])).status_code == 404


def test_a_job_that_is_ready_offers_its_file(alice: Visitor, job: Job) -> None:
    job.result.save("pack.pdf", ContentFile(b"%PDF-1.7 the season"))
    Job.objects.update(state=JobState.DONE)
    page = alice.get(reverse("job", args=["riverside", job.pk])).content.decode()
    result = reverse("job-result", args=["riverside", job.pk])
    assert (result in page, "hx-get" in page) == (True, False)
    assert alice.get(result).content == b"%PDF-1.7 the season"


def test_a_job_that_failed_says_so(alice: Visitor, job: Job) -> None:
    Job.objects.update(state=JobState.FAILED, message="Something went wrong. Please try again.")
    page = alice.get(reverse("job", args=["riverside", job.pk]), headers={"HX-Request": "true"})
    assert [used.name for used in page.templates] == ["clubs/house/_job.html"]
    assert (
        "We could not create the file. Something went wrong. Please try again."
        in page.content.decode()
    )


PLAIN = {
    name: value for name, value in rules_initial(LeagueRules()).items() if value and name != "ties"
}


def test_rules_are_asked_tried_and_adopted(
    alice: Visitor, season: Season, players: list[Player]
) -> None:
    play(players, 3, 10)
    answer = alice.post(page_of(season, "season-rules"), PLAIN | {"best": "1", "least": "75%"})
    assert answer.headers["Location"] == page_of(season, "season-try", 2)
    (trial,) = alice.get(page_of(season, "season-try", 2)).context["trials"]
    assert (trial.now, trial.then, trial.movers) == ("Total", "Best evenings", 0)
    assert next(move.new_row.figures for move in trial.moves) == ("+240",)
    assert next(move.old_row.figures for move in trial.moves) == ("+480",)
    assert rules_of(season) == LeagueRules()
    messages = alice.messages_after(page_of(season, "season-adopt", 2))
    assert messages == ["Version 2 is now in use and the table has been updated."]
    assert rules_of(season) == LeagueRules(best=Quota(1), least=Quota(75, is_percent=True))


def test_rules_are_tried_on_the_last_season_too(
    alice: Visitor, season: Season, players: list[Player]
) -> None:
    play(players, 3)
    days = {"starts_on": date(2027, 1, 1), "ends_on": date(2027, 4, 1)}
    spring = make_season(season.league.club, name="Spring", **days)
    trials = alice.get(page_of(spring, "season-try", 1)).context["trials"]
    assert [trial.title for trial in trials] == [str(spring), str(season)]
    assert [len(trial.moves) for trial in trials] == [0, 4]


@pytest.mark.parametrize("league", READY_MADE_LEAGUES, ids=lambda league: league.key)
def test_every_ready_made_league_fills_the_form_and_comes_back(
    alice: Visitor, season: Season, league: Any
) -> None:
    page = alice.get(page_of(season, "season-rules"), {"from": league.key})
    form = page.context["form"]
    form_values = {name: form[name].value() for name in form.fields}
    form_data = {
        name: value for name, value in form_values.items() if value not in ("", None, False)
    }
    alice.post(page_of(season, "season-rules"), form_data)
    alice.messages_after(
        page_of(season, "season-adopt", season.versions.order_by("-number")[0].number)
    )
    assert rules_of(season) == league.rules


def test_ranking_rules_fold_what_is_as_usual(alice: Visitor, season: Season) -> None:
    address = page_of(season, "season-rules")
    form = alice.get(address).context["form"]
    assert [field.name for field in form.main_fields] == ["brings", "adds_up", "best", "least"]
    open_leagues = [
        league.key
        for league in READY_MADE_LEAGUES
        if alice.get(address, {"from": league.key}).context["form"].is_open_below
    ]
    assert open_leagues == ["groene-hart", "pe-ling", "wins"]
    for wrong, is_open in (({"best": "many"}, False), ({"hands": "x"}, True)):
        assert alice.post(address, PLAIN | wrong).context["form"].is_open_below is is_open


@pytest.mark.parametrize(
    ("changed_fields", "field_name", "message"),
    [
        ({"scale_4": "4-2"}, "scale_4", "A table of 4 has 4 numbers, the first place first"),
        ({"best": "many"}, "best", "Enter a number of evenings from 1 to 366"),
        ({"hands": "x"}, "hands", "Enter a whole number, for example 8."),
        ({"tie_2": "mahjongs"}, "tie_1", "Enter each tie-break only once."),
        ({"adds_up": "hand", "best": "6"}, "best", "With the average per hand, all evenings"),
    ],
)
def test_what_cannot_be_is_said_beside_the_field(
    alice: Visitor, season: Season, changed_fields: dict[str, str], field_name: str, message: str
) -> None:
    answer = alice.post(page_of(season, "season-rules"), PLAIN | changed_fields)
    assert answer.status_code == 422
    ((field, (error,)),) = errors(answer).items()
    assert (field, error[: len(message)]) == (field_name, message)
    assert season.versions.count() == 1


def test_a_beginning_or_a_version_that_is_none_is_not_found(alice: Visitor, season: Season) -> None:
    for values in ({"from": "luck"}, {"version": "9"}):
        assert alice.get(page_of(season, "season-rules"), values).status_code == 404
    assert alice.get(page_of(season, "season-try", 9)).status_code == 404
    assert alice.post(page_of(season, "season-adopt", 9)).status_code == 404


def test_everybody_reads_why_somebody_stands_there(
    cast: Cast, season: Season, players: list[Player]
) -> None:
    play(players, 3, 10)
    adopt_at_once(season, LeagueRules(best=Quota(1)))
    page = Visitor(cast.player).get(page_of(season, "season-why", players[3].pk))
    context = page.context["explained"]
    assert context.sentence == ("Di is 4th: −96 points from the best evening, 16 fewer than Cy.")
    assert [(line.points, line.text) for line in context.lines] == [
        ("−96", "Counts"),
        ("−96", "Not among the best"),
    ]
    assert context.needs[0] == "At least −80 to be 3rd, level with or ahead of Cy."
    assert "How Di’s place was worked out" in unescape(page.content.decode())


@pytest.mark.parametrize(
    ("rules", "player_index", "needs"),
    [
        (LeagueRules(), 1, ("You are already top.",)),
        (
            LeagueRules(least=Quota(3)),
            1,
            ("You need to come to this evening and 1 evening after it to be ranked.",),
        ),
        (
            ready_made_league("wins"),
            3,
            (
                "Win a table of four to be 3rd, level with or ahead of Cy.",
                "Win a table of four to be 2nd, level with or ahead of Ann.",
            ),
        ),
    ],
    ids=["leader", "too few evenings", "table points"],
)
def test_why_says_what_somebody_needs(
    cast: Cast,
    season: Season,
    players: list[Player],
    rules: LeagueRules,
    player_index: int,
    needs: tuple[str, ...],
) -> None:
    play(players, 3)
    adopt_at_once(season, rules)
    page = Visitor(cast.player).get(page_of(season, "season-why", players[player_index].pk))
    assert page.context["explained"].needs == needs


def test_a_new_season_asks_for_its_name_and_days_and_folds_the_rest(alice: Visitor) -> None:
    form = alice.get(NEW).context["form"]
    assert [field.name for field in form.main_fields] == ["name", "starts_on", "ends_on"]
    assert not form.is_open_below
    for wrong in ({"ranking": "none"}, {"ranking": "groene-hart", "name": ""}):
        assert alice.post(NEW, AUTUMN | wrong).context["form"].is_open_below
    assert not alice.post(NEW, AUTUMN | {"name": ""}).context["form"].is_open_below


@pytest.mark.parametrize(
    ("last", "expected"),
    [
        (None, ("2026–27", date(2026, 11, 1), date(2027, 10, 31))),
        (
            ("2026", date(2026, 1, 1), date(2026, 12, 31)),
            ("2027", date(2027, 1, 1), date(2027, 12, 31)),
        ),
        (
            ("Year 1", date(2025, 9, 1), date(2026, 8, 31)),
            ("2026–27", date(2026, 9, 1), date(2027, 8, 31)),
        ),
        (
            ("Autumn", date(2026, 9, 1), date(2026, 11, 30)),
            (None, date(2026, 12, 1), date(2027, 2, 28)),
        ),
        (("Ten weeks", date(2026, 9, 1), date(2026, 11, 9)), (None, date(2026, 11, 10), None)),
    ],
)
def test_a_new_season_is_proposed_after_the_last(
    cast: Cast, last: tuple[str, date, date] | None, expected: tuple[Any, ...]
) -> None:
    if last:
        name, starts_on, ends_on = last
        save_season(club=cast.club, season=None, name=name, starts_on=starts_on, ends_on=ends_on)
    proposal = proposed_season(cast.club, date(2026, 11, 29))
    assert tuple(map(proposal.get, ("name", "starts_on", "ends_on"))) == expected


def test_the_first_season_takes_in_the_evenings_before_it(
    cast: Cast, players: list[Player], alice: Visitor
) -> None:
    play(players, 17)
    proposal = proposed_season(cast.club, date(2027, 1, 9))
    assert proposal["starts_on"] == date(2026, 11, 1)
    form = alice.get(NEW).context["form"]
    form_data = {
        name: str(form[name].value()) for name in ("name", "starts_on", "ends_on", "ranking")
    }
    alice.post(NEW, form_data)
    assert Season.objects.get().sessions.count() == 1


def test_no_season_is_proposed_beyond_the_calendar(cast: Cast) -> None:
    season = make_season(cast.club, starts_on=date(2026, 1, 1), ends_on=date(9999, 12, 31))
    assert proposed_season(cast.club, date(2026, 11, 29)) == {}
    season.ends_on = date(7999, 12, 31)
    season.save()
    assert proposed_season(cast.club, date(2026, 11, 29)) == {}


def test_a_season_leads_the_secretary_to_its_next_step(
    alice: Visitor, cast: Cast, season: Season, players: list[Player]
) -> None:
    def step() -> tuple[str, str]:
        next_step = alice.get(page_of(season)).context["step"]
        return (next_step.title, next_step.address) if next_step else ("", "")

    assert step() == ("No evenings count yet", "/c/riverside/evenings/")
    play(players, 3)
    evening = season.sessions.get()
    assert step() == (
        "Tuesday 3 November 2026 is not finished",
        f"/c/riverside/evenings/{evening.pk}/",
    )
    close_session(session=evening)
    assert step() == ("", "")
    club = Club.objects.filter(pk=cast.club.pk)
    club.update(shows_first_steps=True)
    assert step() == ("Only members see this league", reverse("club-public", args=["riverside"]))
    club.update(shows_calendar=True)
    assert step() == ("", "")
    assert Visitor(cast.player).get(page_of(season)).context["step"] is None


@pytest.mark.parametrize("count", [1, 3])
def test_a_seasons_pages_ask_no_more_for_more(
    alice: Visitor, season: Season, players: list[Player], count: int
) -> None:
    play(players, *range(1, count + 1))
    for best, player in enumerate(players[:count], start=1):
        give_handicap(season=season, player=player, points=5)
        save_draft_rules(season=season, rules=LeagueRules(best=Quota(best)))
    for address, queries in {
        page_of(season): 8,
        page_of(season, "season-why", players[0].pk): 7,
        page_of(season, "season-try", 1): 8,
        page_of(season, "season-rules"): 5,
        page_of(season, "season-given"): 9,
    }.items():
        with assertNumQueries(queries):
            alice.get(address)


def test_a_handicap_is_given_and_taken_back(
    alice: Visitor, season: Season, players: list[Player]
) -> None:
    address = page_of(season, "season-handicap")
    ann = str(players[0].pk)
    assert alice.messages_after(address, player=ann, points="-50") == ["Handicap saved."]
    (row,) = alice.get(page_of(season, "season-given")).context["given"].handicaps
    assert (row.name, row.points) == ("Ann", -50)
    alice.messages_after(address, player=ann, points="0")
    assert alice.get(page_of(season, "season-given")).context["given"].handicaps == ()
    answer = alice.post(address, {"player": ann, "points": "99999"})
    assert "A handicap is at most 10,000 points an evening." in answer.content.decode()


def test_an_evening_is_credited_and_taken_back(
    alice: Visitor, season: Season, players: list[Player]
) -> None:
    flo = make_player(season.league.club, "Flo")
    play(players, 3)
    adopt_at_once(season, LeagueRules(credit=CreditRule(1)))
    session = str(season.sessions.get().pk)
    address = page_of(season, "season-credit")
    messages = alice.messages_after(
        address, player=str(flo.pk), session=session, reason="ran the bar"
    )
    assert messages == ["Credit added."]
    (row,) = alice.get(page_of(season, "season-given")).context["given"].credits
    assert (row.name, row.reason) == ("Flo", "ran the bar")
    assert alice.messages_after(page_of(season, "season-credit-back", row.pk)) == [
        "Credit removed."
    ]
    answer = alice.post(address, {"player": str(players[0].pk), "session": session})
    assert "Ann played on that evening." in answer.content.decode()
