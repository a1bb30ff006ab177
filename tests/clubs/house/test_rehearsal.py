"""A practice evening with pretend members: all is as in the club, and nothing is left of it."""

from datetime import timedelta
from typing import Any

import pytest
from django.apps import apps
from django.core import mail
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from clubs import tasks
from clubs.evenings.event import EveningTable
from clubs.evenings.selectors import evenings as evening_rows
from clubs.evenings.selectors.evenings import disputed_hands, result_of
from clubs.evenings.services import evenings
from clubs.house import services
from clubs.league.selectors.seasons import current_season, league_table, rules_of
from clubs.league.services import save_season
from clubs.league_rules.rules import LeagueRules, Quota
from clubs.members.services import import_members, merge_players
from clubs.models import Club, JobState, Membership, Role, Session
from clubs.table import services as at_table
from scoring import rule_set_keys
from scoring.house import read_house_rules
from scoring.scorebook import services as scorebook
from scoring.scorebook.models import Hand, HandState, LedgerEntry, Recording, RepairKind
from scoring.scorebook.refusals import Refused
from scoring.scorebook.reports import Report
from scoring.scorebook.selectors import progress
from scoring.scorebook.services import Mistake
from scoring.scorebook.verifying import recount, verify_book
from tests.clubs.nights import SECOND_WINS, make_players, night, post
from tests.clubs.visits import Visitor, actions
from tests.paper import words_of
from tests.people import Cast
from tournaments.setup import services as tournaments

pytestmark = pytest.mark.django_db


def begun(club: Club) -> Session:
    """A rehearsal with its tables laid."""
    session = services.rehearse(club=club)
    evenings.seat_session(session=session)
    return session


def rows_everywhere() -> dict[str, int]:
    """How many rows each table of the whole database has."""
    return {model._meta.label: model._default_manager.count() for model in apps.get_models()}


def test_twelve_pretend_members_are_ticked_for_an_evening_of_today(cast: Cast) -> None:
    session = services.rehearse(club=cast.club)
    assert (session.club.rehearsal_of, session.held_on) == (cast.club, timezone.localdate())
    assert session.attendances.count() == 12
    assert session.club.name == "Practice: Riverside Mah-Jong Club"


def test_a_second_press_goes_to_the_rehearsal_that_there_is(cast: Cast) -> None:
    assert services.rehearse(club=cast.club) == services.rehearse(club=cast.club)
    assert cast.club.rehearsals.count() == 1


def test_it_is_played_as_the_club_plays(cast: Cast) -> None:
    told = {"rules": "english", "record_by": "tiles", "agreement": "two", "table_money": 250}
    Club.objects.filter(pk=cast.club.pk).update(**told)
    cast.club.refresh_from_db()
    made = services.rehearse(club=cast.club).club
    assert {name: getattr(made, name) for name in told} == told


def test_it_ranks_as_the_clubs_season_does_but_one_evening_is_enough_for_a_place(
    cast: Cast,
) -> None:
    own = services.keep_house_rules(
        club=cast.club, declared=read_house_rules({"base": "bmja", "limit": 500})
    )
    today = timezone.localdate()
    ranking = LeagueRules(best=Quota(6), least=Quota(3))
    save_season(
        club=cast.club,
        season=None,
        name="Autumn",
        starts_on=today,
        ends_on=today,
        ranking=ranking,
        rules=own.edition.key,
    )
    season = services.rehearse(club=cast.club).season
    assert season is not None
    assert rules_of(season) == LeagueRules(best=Quota(6))
    assert (season.name, season.plays) == ("Autumn", own.edition.key)


def test_whoever_runs_the_club_runs_the_rehearsal_and_nobody_else_comes_in(cast: Cast) -> None:
    made = services.rehearse(club=cast.club).club
    assert {held.user: held.role for held in made.memberships.all()} == {
        cast.secretary: Role.SECRETARY,
        cast.director: Role.DIRECTOR,
        cast.scorer: Role.SCORER,
    }


def test_whoever_lost_the_role_loses_it_in_the_rehearsal_at_the_next_press(cast: Cast) -> None:
    made = services.rehearse(club=cast.club).club
    Membership.objects.filter(user=cast.scorer, club=cast.club).update(role=Role.PLAYER)
    services.rehearse(club=cast.club)
    assert not made.memberships.filter(user=cast.scorer).exists()


WITHOUT_PAYMENTS = {"safalra", "baggaley"}
WAYS = [
    (rules, way)
    for rules in rule_set_keys()
    for way in Recording
    if way != Recording.TALLIES or rules not in WITHOUT_PAYMENTS
]


@pytest.mark.sampled
@pytest.mark.parametrize(("rules", "way"), WAYS)
def test_hands_are_played_in_the_clubs_way(cast: Cast, rules: str, way: Recording) -> None:
    Club.objects.filter(pk=cast.club.pk).update(rules=rules, record_by=way)
    cast.club.refresh_from_db()
    session = begun(cast.club)
    assert services.play_on(session=session, hands=2) == Hand.objects.count()
    for table in session.tables.all():  # a game to 100 points may end with its first hand
        assert table.game.hands.count() == 2 or progress(table.game).finished
    told = [Report.from_json(hand.report) for hand in Hand.objects.exclude(winner=None)]
    assert len(told) >= 2
    assert {report.way for report in told} == {way}
    assert recount().differences == ()


def test_the_last_hand_of_each_table_waits_for_the_players(cast: Cast) -> None:
    session = begun(cast.club)
    services.play_on(session=session, hands=3)
    waiting = Hand.objects.filter(state=HandState.REPORTED)
    assert sorted(waiting.values_list("number", flat=True)) == [3, 3, 3]
    assert disputed_hands(session) == []


def test_the_evening_ends_in_a_result_and_a_league_of_its_own(cast: Cast) -> None:
    session = begun(cast.club)
    services.play_on(session=session, hands=2)
    evenings.close_session(session=session)
    season = current_season(session.club)
    assert season is not None
    assert len(result_of(session)) == len(league_table(season).ranked) == 12
    assert current_season(cast.club) is None
    assert list(evening_rows.evenings_of(cast.club)) == []


def test_no_result_is_mailed_from_a_rehearsal(cast: Cast) -> None:
    session = begun(cast.club)
    session.club.players.update(email="somebody@example.org", wants_results=True)
    evenings.close_session(session=session)
    tasks.wake_waiting_jobs()
    assert not session.club.jobs.filter(state__in=[JobState.WAITING, JobState.FAILED]).exists()
    assert mail.outbox == []


def everything(club: Club) -> None:
    """All that a rehearsal can hold: hands, a correction, a penalty, a repair, lists, a merge."""
    session = begun(club)
    made = session.club
    services.play_on(session=session, hands=3)
    table = session.tables.get(number=1)
    hand = table.game.hands.filter(number=2).get()
    at_table.correct_hand(
        table=EveningTable(table),
        hand_id=hand.pk,
        report=SECOND_WINS,
        corrected_by="user 1",
        reason="a slip",
    )
    scorebook.adjust(
        seat=table.game.seats.get(number=1), points=-10, written_by="user 1", reason="late"
    )
    scorebook.repair(
        mistake=Mistake(kind=RepairKind.SEATS, game_id=table.game_id, first=1, seats=(1, 2)),
        words="Two sat in each other’s seats.",
        reason="the wrong chairs",
        made_by="user 1",
    )
    import_members(club=made, text="name\nNgaio")
    merge_players(kept=made.players.get(name="Dora Dragon"), gone=made.players.get(name="Ngaio"))
    services.keep_house_rules(club=made, declared=read_house_rules({"base": "bmja", "limit": 700}))
    evenings.close_session(session=session)


def test_wiping_leaves_every_table_as_long_and_the_club_itself_as_it_was(cast: Cast) -> None:
    real = night(cast.club, timezone.localdate(), make_players(cast.club, 4))
    post(real.tables.get(), SECOND_WINS, SECOND_WINS)
    before, ledger = rows_everywhere(), list(LedgerEntry.objects.values())
    everything(cast.club)
    assert services.wipe(rehearsal=cast.club.rehearsals.get()) == cast.club
    assert rows_everywhere() == before
    assert list(LedgerEntry.objects.values()) == ledger
    assert verify_book(real.book_id or 0).findings == ()
    assert recount().differences == ()


def test_a_club_that_is_no_rehearsal_is_never_wiped(cast: Cast) -> None:
    real = night(cast.club, timezone.localdate(), make_players(cast.club, 4))
    before = rows_everywhere()
    with pytest.raises(Refused, match="everything here counts"):
        services.wipe(rehearsal=cast.club)
    with pytest.raises(Refused, match="everything here counts"):
        services.play_on(session=real, hands=1)
    assert rows_everywhere() == before


def test_a_rehearsal_is_wiped_when_nothing_has_happened_in_it_for_a_week(cast: Cast) -> None:
    session = begun(cast.club)
    services.play_on(session=session, hands=1)
    now = timezone.now()
    assert services.wipe_unused(now=now + timedelta(days=6)) == 0
    assert services.wipe_unused(now=now + timedelta(days=8)) == 1
    assert not cast.club.rehearsals.exists()


def test_the_sweep_spares_a_rehearsal_of_today_and_every_club(cast: Cast) -> None:
    services.rehearse(club=cast.club)
    tasks.wipe_unused_rehearsals()
    assert Club.objects.count() == 3


BANNER = "<strong>Practice evening.</strong> Nothing here counts and no"


@pytest.fixture
def secretary(cast: Cast) -> Visitor:
    return Visitor(cast.secretary)


@pytest.fixture
def session(cast: Cast) -> Session:
    """A rehearsal whose tables are laid and have played two hands."""
    session = services.rehearse(club=cast.club)
    evenings.seat_session(session=session)
    services.play_on(session=session, hands=2)
    return session


def said_on(page: object) -> str:
    return " ".join(page.content.decode().split())  # type: ignore[attr-defined]


def test_one_press_on_the_evenings_page_begins_a_rehearsal(cast: Cast, secretary: Visitor) -> None:
    assert "start" in actions(secretary.get(reverse("evenings", args=[cast.club.slug])))
    page = secretary.post(reverse("rehearse", args=[cast.club.slug]), follow=True)
    assert page.context["session"].club.rehearsal_of == cast.club
    assert BANNER in said_on(page)


def test_pressed_in_the_rehearsal_it_stays_there(secretary: Visitor, session: Session) -> None:
    press = reverse("rehearse", args=[session.club.slug])
    assert secretary.post(press)["Location"] == reverse("rehearsal", args=[session.club.slug])
    assert "This is already a practice evening." in secretary.told(press)
    evenings_page = secretary.get(reverse("evenings", args=[session.club.slug]))
    assert "rehearse" not in actions(evenings_page)


OF_THE_CLUB = "club evenings members seasons calendar club-rules rehearsal"
PRINTED = (
    "sheets-pdf cards-pdf seats-pdf door-pdf tally-pdf emergency-pdf blank-sheets-pdf crib-pdf "
    "evening-why-pdf"
)
OF_THE_EVENING = "evening result papers evening-why evening-move money"


def test_every_page_of_it_says_so(secretary: Visitor, session: Session) -> None:
    club: list[Any] = [session.club.slug]
    evening = [*club, session.pk]
    pages = [(name, club) for name in OF_THE_CLUB.split()]
    pages += [(name, evening) for name in OF_THE_EVENING.split()]
    pages += [(name, [*evening, 1]) for name in ("evening-table", "evening-sheet")]
    without = [
        name for name, at in pages if BANNER not in said_on(secretary.get(reverse(name, args=at)))
    ]
    assert without == []


def test_phones_walls_and_receipts_say_so_to_whoever_holds_the_link(
    client: Client, session: Session
) -> None:
    table = session.tables.get(number=1)
    key, hand = table.link_key, table.game.hands.get(number=1)
    places = ["table", "table-standings", "table-seats", "table-aid"]
    addresses = [reverse(name, args=[key]) for name in places]
    addresses.append(reverse("table-hand-receipt", args=[key, hand.pk]))
    for address in addresses:
        assert BANNER in said_on(client.get(address, follow=True)), address
    wall = client.get(reverse("wall", args=[session.wall_key]))
    assert "<strong>Practice evening.</strong>" in said_on(wall)


@pytest.mark.sampled
@pytest.mark.parametrize("name", PRINTED.split())
def test_every_page_of_every_paper_carries_the_word(
    secretary: Visitor, session: Session, name: str
) -> None:
    answer = secretary.get(reverse(name, args=[session.club.slug, session.pk]))
    paper = b"".join(getattr(answer, "streaming_content", [answer.content]))
    assert [page for page in words_of(paper) if "Practice" not in page] == []


def test_a_club_itself_is_not_marked(cast: Cast, secretary: Visitor) -> None:
    assert "Rehearsal" not in said_on(secretary.get(reverse("club", args=[cast.club.slug])))


def test_the_pretend_members_play_on(secretary: Visitor, session: Session) -> None:
    told = secretary.told(reverse("rehearsal-play", args=[session.club.slug]), hands="1")
    assert told == ["3 hands were played."]


def test_more_hands_than_an_evening_has_are_refused_and_kept(
    secretary: Visitor, session: Session
) -> None:
    page = secretary.post(reverse("rehearsal-play", args=[session.club.slug]), {"hands": "9"})
    assert (page.status_code, page.context["form"]["hands"].value()) == (422, "9")
    assert "Enter how many hands to play: 1 to 8." in said_on(page)


def test_without_tables_it_says_what_to_do_first(cast: Cast, secretary: Visitor) -> None:
    session = services.rehearse(club=cast.club)
    page = secretary.post(reverse("rehearsal-play", args=[session.club.slug]), {"hands": "2"})
    assert "Seat everyone before you play hands." in said_on(page)


def test_it_is_wiped_by_one_press_and_leads_back_to_the_club(
    cast: Cast, secretary: Visitor, session: Session
) -> None:
    page = secretary.post(reverse("rehearsal-wipe", args=[session.club.slug]), follow=True)
    assert page.context["club"] == cast.club
    assert not Club.objects.exclude(rehearsal_of=None).exists()
    assert secretary.get(reverse("evening", args=[session.club.slug, 1])).status_code == 404


def test_it_begins_again_by_one_press_with_nobody_seated(
    cast: Cast, secretary: Visitor, session: Session
) -> None:
    page = secretary.post(reverse("rehearsal-again", args=[session.club.slug]), follow=True)
    again = page.context["session"]
    assert again != session
    assert (again.tables.count(), again.attendances.count()) == (0, 12)
    assert [again.club] == list(cast.club.rehearsals.all())


def test_a_scorer_practises_there_and_does_not_wipe_it(cast: Cast, session: Session) -> None:
    scorer = Visitor(cast.scorer)
    page = scorer.get(reverse("rehearsal", args=[session.club.slug]))
    assert actions(page) == ["play"]
    assert scorer.post(reverse("rehearsal-wipe", args=[session.club.slug])).status_code == 403


def test_nobody_else_comes_in(cast: Cast, session: Session) -> None:
    for person in (cast.player, cast.stranger):
        page = Visitor(person).get(reverse("evening", args=[session.club.slug, session.pk]))
        assert page.status_code == 403


def test_an_organiser_of_one_club_is_still_led_straight_to_it(
    cast: Cast, secretary: Visitor, session: Session
) -> None:
    assert secretary.get("/")["Location"] == reverse("club", args=[cast.club.slug])


def test_a_rehearsal_has_no_tournaments(secretary: Visitor, session: Session) -> None:
    page = secretary.get(reverse("club", args=[session.club.slug]))
    assert reverse("tournaments", args=[session.club.slug]) not in page.content.decode()
    with pytest.raises(Refused, match="You cannot practise a tournament"):
        tournaments.make_tournament(club=session.club, name="Cup", held_on=session.held_on)
