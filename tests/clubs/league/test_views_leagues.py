"""Seasons and their tables, and the pack that is made behind the page."""

from datetime import date
from html import unescape
from typing import Any

import pytest
from django.core.files.base import ContentFile
from django.urls import reverse

from clubs.core.queue import make_job
from clubs.league.selectors.seasons import rules_of
from clubs.league_rules.rules import LeagueRules, ready_made
from clubs.models import Club, Job, JobState, Season
from scoring import rule_set, rule_set_keys
from tests.clubs.nights import SECOND_WINS, make_players, make_season, night, post
from tests.clubs.tables import seated_evening
from tests.clubs.visits import Visitor, errors
from tests.people import Cast

NEW = "/c/riverside/seasons/new/"
AUTUMN = {
    "name": "Autumn 2026",
    "starts_on": "2026-09-01",
    "ends_on": "2026-12-31",
    "ranking": "total",
}


@pytest.fixture
def alice(cast: Cast) -> Visitor:
    return Visitor(cast.secretary)


def page_of(season: Season, name: str = "season") -> str:
    """The address of a season's page."""
    return reverse(name, args=["riverside", season.pk])


def play(cast: Cast, *days: int) -> None:
    """Evenings of November where Ben wins the only hand."""
    players = make_players(cast.club, 4)
    for day in days:
        post(night(cast.club, date(2026, 11, day), players).tables.get(), SECOND_WINS)


def test_a_season_is_begun(alice: Visitor) -> None:
    assert alice.told(NEW, **AUTUMN) == ["Autumn 2026 saved."]
    season = Season.objects.get()
    assert rules_of(season) == LeagueRules()


def test_a_season_plays_rules_of_its_own(alice: Visitor, cast: Cast) -> None:
    alice.told(NEW, **AUTUMN, rules="baggaley")
    session = seated_evening(cast.club)
    assert session.tables.get().game.rules == "baggaley/2007"


def test_a_season_without_rules_of_its_own_plays_as_the_club_does(
    alice: Visitor, cast: Cast
) -> None:
    Club.objects.update(rules="english")
    alice.told(NEW, **AUTUMN)
    cast.club.refresh_from_db()
    assert seated_evening(cast.club).tables.get().game.rules == "english/2"


def test_a_club_changes_its_rules_and_a_season_that_has_begun_keeps_its_own(
    alice: Visitor, cast: Cast
) -> None:
    begun = make_season(cast.club)
    play(cast, 3)
    spring = {"name": "Spring", "starts_on": date(2027, 1, 1), "ends_on": date(2027, 4, 1)}
    to_come = make_season(cast.club, **spring)
    address = reverse("club-rules", args=["riverside"])
    assert alice.told(address, rules="safalra") == ["Club rules saved."]
    plays = {season.pk: season.plays for season in Season.objects.all()}
    assert plays == {begun.pk: "bmja", to_come.pk: "safalra"}
    assert "BMJA rules" in alice.get(page_of(begun)).content.decode()


def test_rules_that_are_none_are_not_taken(alice: Visitor) -> None:
    answer = alice.post(reverse("club-rules", args=["riverside"]), {"rules": "whist"})
    assert errors(answer) == {"rules": ["Choose from the rules below."]}


def test_each_rule_set_can_be_read_before_it_is_chosen(alice: Visitor) -> None:
    page = alice.get(NEW).content.decode()
    for key in rule_set_keys():
        assert f'<a href="/rules/{key}/">{rule_set(key).name}</a>' in unescape(page)


def test_the_first_hand_settles_which_rules_a_season_plays(alice: Visitor, cast: Cast) -> None:
    season = make_season(cast.club)
    play(cast, 3)
    answer = alice.post(page_of(season, "season-change"), {**AUTUMN, "rules": "tallies"})
    said = "BMJA rules were played on these days; points of other rules cannot join them."
    assert errors(answer) == {"rules": [said]}
    assert alice.told(page_of(season, "season-change"), **AUTUMN, rules="bmja")


@pytest.mark.parametrize(
    ("changed", "said"),
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
    alice: Visitor, changed: dict[str, str], said: dict[str, list[str]]
) -> None:
    page = alice.post(NEW, AUTUMN | changed)
    form = page.context["form"]
    assert (page.status_code, errors(page)) == (422, said)
    assert {name: form[name].value() for name in AUTUMN | changed} == AUTUMN | changed
    assert not Season.objects.exists()


def test_a_season_begins_with_a_league_that_is_ready_made(alice: Visitor) -> None:
    alice.told(NEW, **AUTUMN | {"ranking": "groene-hart"})
    assert rules_of(Season.objects.get()) == ready_made("groene-hart")


def test_who_came_too_seldom_stands_apart(alice: Visitor, cast: Cast) -> None:
    season = make_season(cast.club, least_attendance=2)
    play(cast, 3)
    league = alice.get(page_of(season)).context["league"]
    assert (league.ranked, [row.name for row in league.short]) == ((), ["Ann", "Ben", "Cy", "Di"])


def test_the_table_is_sent_again_only_when_newer(alice: Visitor, cast: Cast) -> None:
    season = make_season(cast.club)
    play(cast, 3)
    seen = alice.get(page_of(season)).context["version"]
    assert alice.get(page_of(season), {"v": seen}).status_code == 204
    post(cast.club.sessions.get().tables.get(), SECOND_WINS, SECOND_WINS)
    part = alice.get(page_of(season), {"v": seen})
    assert (part.status_code, b"<html" in part.content) == (200, False)


@pytest.mark.parametrize("nights", [1, 3])
def test_the_table_asks_no_more_for_more_evenings(
    alice: Visitor, cast: Cast, nights: int, django_assert_num_queries: Any
) -> None:
    season = make_season(cast.club)
    play(cast, *range(1, nights + 1))
    with django_assert_num_queries(7):
        alice.get(page_of(season))


@pytest.mark.parametrize("count", [1, 3])
def test_the_list_asks_no_more_for_more_seasons(
    alice: Visitor, cast: Cast, count: int, django_assert_num_queries: Any
) -> None:
    for year in range(2026, 2026 - count, -1):
        days = {"starts_on": date(year, 1, 1), "ends_on": date(year, 12, 31)}
        make_season(cast.club, name=str(year), **days)
    with django_assert_num_queries(4):
        page = alice.get("/c/riverside/seasons/")
    assert [season.starts_on.year for season in page.context["seasons"]] == list(
        range(2026, 2026 - count, -1)
    )


MADE = ["Season book", "Season pack"]


def test_only_the_secretary_has_packs_and_books_made(cast: Cast) -> None:
    season = make_season(cast.club)
    for user, sees in ((cast.secretary, MADE), (cast.director, [])):
        page = Visitor(user).get(page_of(season, "season-papers"))
        assert [made.title for made in (page.context or {}).get("made", ())] == sees


def test_asking_for_a_pack_leads_to_its_progress(alice: Visitor, cast: Cast) -> None:
    season = make_season(cast.club)
    response = alice.post(page_of(season, "season-pack"))
    job = Job.objects.get()
    assert (job.kind, job.about, job.asked_by) == ("season pack", season.pk, cast.secretary)
    assert response.headers["Location"] == reverse("job", args=["riverside", job.pk])


@pytest.fixture
def job(cast: Cast) -> Job:
    return make_job(club=cast.club, kind="season pack", about=1)


def test_a_job_under_way_is_asked_for_again(alice: Visitor, job: Job) -> None:
    Job.objects.update(state=JobState.RUNNING, done=3, total=8)
    address = reverse("job", args=["riverside", job.pk])
    page = alice.get(address).content.decode()
    assert ('max="8" value="3"' in page, f'hx-get="{address}"' in page) == (True, True)
    assert '<meta http-equiv="refresh" content="3">' in page


def test_a_job_that_is_ready_offers_its_file(alice: Visitor, job: Job) -> None:
    job.result.save("pack.pdf", ContentFile(b"%PDF-1.7 the season"))
    Job.objects.update(state=JobState.DONE)
    page = alice.get(reverse("job", args=["riverside", job.pk])).content.decode()
    result = reverse("job-result", args=["riverside", job.pk])
    assert (result in page, "hx-get" in page) == (True, False)
    answer = alice.get(result)
    assert answer.content == b"%PDF-1.7 the season"
    assert answer.headers["Content-Disposition"] == (
        'attachment; filename="riverside-season-pack.pdf"'
    )


def test_a_job_that_failed_says_so(alice: Visitor, job: Job) -> None:
    Job.objects.update(state=JobState.FAILED, message="Something went wrong. Please try again.")
    page = alice.get(reverse("job", args=["riverside", job.pk]), headers={"HX-Request": "true"})
    assert [used.name for used in page.templates] == ["clubs/house/_job.html"]
    assert (
        "We could not create the file. Something went wrong. Please try again."
        in page.content.decode()
    )


def test_a_file_that_is_not_made_yet_is_not_found(alice: Visitor, job: Job) -> None:
    assert alice.get(reverse("job-result", args=["riverside", job.pk])).status_code == 404
