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
from clubs.evenings.selectors import evenings as evening_rows
from clubs.evenings.selectors.evenings import disputed_hands, result_of
from clubs.evenings.services import ending, evenings
from clubs.house import services
from clubs.league.selectors.seasons import current_season, league_table, rules_of
from clubs.league_rules.rules import LeagueRules, Quota
from clubs.members.services.imports import import_members
from clubs.members.services.merging import merge_players
from clubs.models import Club, JobState, Membership, Role, Session
from scoring import rule_set_keys
from scoring.house import read_house_rules
from scoring.scorebook import services as scorebook
from scoring.scorebook.models import Hand, HandState, LedgerEntry, Recording, RepairKind
from scoring.scorebook.refusals import Refused
from scoring.scorebook.reports import Report
from scoring.scorebook.selectors import progress
from scoring.scorebook.services import Mistake
from scoring.scorebook.verifying import recount, verify_book
from tests.clubs.nights import SECOND_WINS, correct, make_players, make_season, night, post
from tests.clubs.visits import Visitor, actions
from tests.paper import words_of
from tests.people import Cast
from tournaments.setup import services as tournaments

pytestmark = pytest.mark.django_db


def begin_rehearsal(club: Club) -> Session:
    """A rehearsal with its tables laid."""
    session = services.start_rehearsal(club=club)
    evenings.seat_session(session=session)
    return session


def rows_everywhere() -> dict[str, int]:
    """How many rows each table of the whole database has."""
    return {model._meta.label: model._default_manager.count() for model in apps.get_models()}


def test_twelve_pretend_members_are_ticked_for_an_evening_of_today(cast: Cast) -> None:
    session = services.start_rehearsal(club=cast.club)
    assert (session.club.rehearsal_of, session.held_on) == (cast.club, timezone.localdate())
    assert session.attendances.count() == 12
    assert session.club.name == "Practice: Riverside Mah-Jong Club"


def test_it_is_played_as_the_club_plays(cast: Cast) -> None:
    club_settings = {
        "rules": "english",
        "record_by": "tiles",
        "agreement": "two",
        "table_money": 250,
    }
    club_settings |= {"year_begins": 9}
    Club.objects.filter(pk=cast.club.pk).update(**club_settings)
    cast.club.refresh_from_db()
    rehearsal = services.start_rehearsal(club=cast.club).club
    assert {name: getattr(rehearsal, name) for name in club_settings} == club_settings


def test_it_ranks_as_the_clubs_season_does_but_one_evening_is_enough_for_a_place(
    cast: Cast,
) -> None:
    limited_rules = read_house_rules({"base": "bmja", "limit": 500})
    house_rules = services.save_house_rules(club=cast.club, declared_rules=limited_rules)
    today, rules = timezone.localdate(), house_rules.edition.key
    quotas = {"best_of": 6, "least_attendance": 3}
    make_season(cast.club, name="Autumn", starts_on=today, ends_on=today, rules=rules, **quotas)
    season = services.start_rehearsal(club=cast.club).season
    assert season is not None
    assert rules_of(season) == LeagueRules(best=Quota(6))
    assert (season.name, season.plays) == ("Autumn", house_rules.edition.key)


def test_whoever_runs_the_club_runs_the_rehearsal_and_nobody_else_comes_in(cast: Cast) -> None:
    rehearsal = services.start_rehearsal(club=cast.club).club
    assert {membership.user: membership.role for membership in rehearsal.memberships.all()} == {
        cast.secretary: Role.SECRETARY,
        cast.director: Role.DIRECTOR,
        cast.scorer: Role.SCORER,
    }


def test_whoever_lost_the_role_loses_it_in_the_rehearsal_at_the_next_press(cast: Cast) -> None:
    rehearsal = services.start_rehearsal(club=cast.club).club
    Membership.objects.filter(user=cast.scorer, club=cast.club).update(role=Role.PLAYER)
    services.start_rehearsal(club=cast.club)
    assert not rehearsal.memberships.filter(user=cast.scorer).exists()


WITHOUT_PAYMENTS = {"safalra", "baggaley"}
WAYS = [
    (rules, recording)
    for rules in rule_set_keys()
    for recording in Recording
    if recording != Recording.TALLIES or rules not in WITHOUT_PAYMENTS
]


@pytest.mark.sampled
@pytest.mark.parametrize(("rules", "recording"), WAYS)
def test_hands_are_played_in_the_clubs_way(cast: Cast, rules: str, recording: Recording) -> None:
    Club.objects.filter(pk=cast.club.pk).update(rules=rules, record_by=recording)
    cast.club.refresh_from_db()
    session = begin_rehearsal(cast.club)
    assert services.play_rehearsal_hands(session=session, hands=2) == Hand.objects.count()
    for table in session.tables.all():  # a game to 100 points may end with its first hand
        assert table.game.hands.count() == 2 or progress(table.game).is_finished
    reports = [Report.from_json(hand.report) for hand in Hand.objects.exclude(winner=None)]
    assert len(reports) >= 2
    assert {report.recording for report in reports} == {recording}
    assert recount().differences == ()


def test_the_last_hand_of_each_table_waits_for_the_players(cast: Cast) -> None:
    session = begin_rehearsal(cast.club)
    services.play_rehearsal_hands(session=session, hands=3)
    waiting = Hand.objects.filter(state=HandState.REPORTED)
    assert sorted(waiting.values_list("number", flat=True)) == [3, 3, 3]
    assert disputed_hands(session) == []


def test_the_evening_ends_in_a_result_and_a_league_of_its_own(cast: Cast) -> None:
    session = begin_rehearsal(cast.club)
    services.play_rehearsal_hands(session=session, hands=2)
    ending.close_session(session=session)
    season = current_season(session.club)
    assert season is not None
    assert len(result_of(session)) == len(league_table(season).ranked_rows) == 12
    assert current_season(cast.club) is None
    assert list(evening_rows.evenings_of(cast.club)) == []


def test_no_result_is_mailed_from_a_rehearsal(cast: Cast) -> None:
    session = begin_rehearsal(cast.club)
    session.club.players.update(email="somebody@example.org", wants_results=True)
    ending.close_session(session=session)
    tasks.wake_waiting_jobs()
    assert not session.club.jobs.filter(state__in=[JobState.WAITING, JobState.FAILED]).exists()
    assert mail.outbox == []


def fill_rehearsal(club: Club) -> None:
    """All that a rehearsal can hold: hands, a correction, a penalty, a repair, lists, a merge."""
    session = begin_rehearsal(club)
    rehearsal = session.club
    services.play_rehearsal_hands(session=session, hands=3)
    table = session.tables.get(number=1)
    hand = table.game.hands.get(number=2)
    correct(hand, SECOND_WINS)
    scorebook.adjust_points(
        seat=table.game.seats.get(number=1), points=-10, written_by="user 1", reason="late"
    )
    scorebook.repair_games(
        mistake=Mistake(kind=RepairKind.SEATS, game_id=table.game_id, first=1, seats=(1, 2)),
        description="Two sat in each other’s seats.",
        reason="the wrong chairs",
        made_by="user 1",
    )
    import_members(club=rehearsal, text="name\nNgaio")
    merge_players(
        kept_player=rehearsal.players.get(name="Dora Dragon"),
        merged_player=rehearsal.players.get(name="Ngaio"),
    )
    services.save_house_rules(
        club=rehearsal, declared_rules=read_house_rules({"base": "bmja", "limit": 700})
    )
    ending.close_session(session=session)


def test_wiping_leaves_every_table_as_long_and_the_club_itself_as_it_was(cast: Cast) -> None:
    real = night(cast.club, timezone.localdate(), make_players(cast.club, 4))
    post(real.tables.get(), SECOND_WINS, SECOND_WINS)
    rows_before, ledger = rows_everywhere(), list(LedgerEntry.objects.values())
    fill_rehearsal(cast.club)
    assert services.delete_rehearsal(rehearsal=cast.club.rehearsals.get()) == cast.club
    assert rows_everywhere() == rows_before
    assert list(LedgerEntry.objects.values()) == ledger
    assert verify_book(real.book_id or 0).findings == ()
    assert recount().differences == ()


def test_a_finished_practice_evening_does_not_claim_to_count(cast: Cast) -> None:
    session = services.start_rehearsal(club=cast.club)
    evenings.seat_session(session=session)
    ending.close_session(session=session)
    page = Visitor(cast.secretary).read(reverse("evening", args=[session.club.slug, session.pk]))
    assert "The evening is finished" in page
    assert "It counts in the league" not in page
    assert "Nothing of a practice evening counts." in page


def test_the_evening_of_a_rehearsal_is_not_deleted_by_itself(cast: Cast) -> None:
    session = services.start_rehearsal(club=cast.club)
    page = Visitor(cast.secretary).read(reverse("evening", args=[session.club.slug, session.pk]))
    assert "Opened by mistake?" not in page
    with pytest.raises(Refused, match="Press “Delete or restart” to end"):
        ending.delete_session(session=session)
    assert Session.objects.filter(pk=session.pk).exists()


def test_a_club_that_is_no_rehearsal_is_never_wiped(cast: Cast) -> None:
    real = night(cast.club, timezone.localdate(), make_players(cast.club, 4))
    rows_before = rows_everywhere()
    with pytest.raises(Refused, match="everything here counts"):
        services.delete_rehearsal(rehearsal=cast.club)
    with pytest.raises(Refused, match="everything here counts"):
        services.play_rehearsal_hands(session=real, hands=1)
    assert rows_everywhere() == rows_before


def test_a_rehearsal_is_wiped_when_nothing_has_happened_in_it_for_a_week(cast: Cast) -> None:
    session = begin_rehearsal(cast.club)
    services.play_rehearsal_hands(session=session, hands=1)
    now = timezone.now()
    assert services.delete_unused_rehearsals(now=now + timedelta(days=6)) == 0
    assert services.delete_unused_rehearsals(now=now + timedelta(days=8)) == 1
    assert not cast.club.rehearsals.exists()


def test_the_sweep_spares_a_rehearsal_of_today_and_every_club(cast: Cast) -> None:
    services.start_rehearsal(club=cast.club)
    tasks.wipe_unused_rehearsals()
    assert Club.objects.count() == 3


BANNER = "<strong>Practice evening.</strong> Nothing here counts and no"


@pytest.fixture
def session(cast: Cast) -> Session:
    """A rehearsal whose tables are laid and have played two hands."""
    session = begin_rehearsal(cast.club)
    services.play_rehearsal_hands(session=session, hands=2)
    return session


def address_of(name: str, session: Session, *url_args: Any) -> str:
    return reverse(name, args=[session.club.slug, *url_args])


def words_on(page: Any) -> str:
    return " ".join(page.content.decode().split())


def test_one_press_on_the_evenings_page_begins_a_rehearsal(cast: Cast, alice: Visitor) -> None:
    assert "start" in actions(alice.get(reverse("evenings", args=[cast.club.slug])))
    page = alice.post(reverse("rehearse", args=[cast.club.slug]), follow=True)
    assert page.context["session"].club.rehearsal_of == cast.club
    assert BANNER in words_on(page)


def test_pressed_in_the_rehearsal_it_stays_there(alice: Visitor, session: Session) -> None:
    press = address_of("rehearse", session)
    assert alice.post(press)["Location"] == address_of("rehearsal", session)
    assert "This is already a practice evening." in alice.messages_after(press)
    assert "rehearse" not in actions(alice.get(address_of("evenings", session)))


OF_THE_CLUB = "club evenings members seasons calendar club-rules club-papers rehearsal"
PRINTED = (
    "sheets-pdf cards-pdf seats-pdf door-pdf tally-pdf emergency-pdf blank-sheets-pdf crib-pdf "
    "evening-why-pdf"
)
OF_THE_EVENING = "evening result papers evening-why evening-move money"


def test_every_page_of_it_says_so(alice: Visitor, session: Session) -> None:
    pages = [address_of(name, session) for name in OF_THE_CLUB.split()]
    pages += [address_of(name, session, session.pk) for name in OF_THE_EVENING.split()]
    pages += [
        address_of(name, session, session.pk, 1) for name in ("evening-table", "evening-sheet")
    ]
    assert [page for page in pages if BANNER not in words_on(alice.get(page))] == []


def test_phones_walls_and_receipts_say_so_to_whoever_holds_the_link(
    client: Client, session: Session
) -> None:
    table = session.tables.get(number=1)
    key, hand = table.link_key, table.game.hands.get(number=1)
    places = ("", "-standings", "-hands", "-more", "-seats", "-aid")
    addresses = [reverse(f"table{place}", args=[key]) for place in places]
    for address in (*addresses, reverse("table-hand-receipt", args=[key, hand.pk])):
        assert BANNER in words_on(client.get(address, follow=True)), address
    wall = client.get(reverse("wall", args=[session.wall_key]))
    assert "<strong>Practice evening.</strong>" in words_on(wall)


@pytest.mark.sampled
@pytest.mark.parametrize("name", PRINTED.split())
def test_every_page_of_every_paper_carries_the_word(
    alice: Visitor, session: Session, name: str
) -> None:
    answer = alice.get(address_of(name, session, session.pk))
    paper = b"".join(getattr(answer, "streaming_content", [answer.content]))
    assert [page for page in words_of(paper) if "Practice" not in page] == []


@pytest.mark.parametrize("kind", ["blank-sheets", "crib"])
def test_every_page_of_its_papers_without_an_evening_carries_the_word(
    alice: Visitor, session: Session, kind: str
) -> None:
    paper = alice.get(address_of(f"club-{kind}-pdf", session)).content
    assert [page for page in words_of(paper) if "Practice" not in page] == []


def test_a_club_itself_is_not_marked(cast: Cast, alice: Visitor) -> None:
    assert BANNER not in words_on(alice.get(reverse("club", args=[cast.club.slug])))


def test_the_pretend_members_play_on(alice: Visitor, session: Session) -> None:
    assert alice.messages_after(address_of("rehearsal-play", session), hands="1") == [
        "3 hands were played."
    ]


def test_more_hands_than_an_evening_has_are_refused_and_kept(
    alice: Visitor, session: Session
) -> None:
    page = alice.post(address_of("rehearsal-play", session), {"hands": "9"})
    assert (page.status_code, page.context["form"]["hands"].value()) == (422, "9")
    assert "Enter how many hands to play: 1 to 8." in words_on(page)


def test_without_tables_it_says_what_to_do_first(cast: Cast, alice: Visitor) -> None:
    session = services.start_rehearsal(club=cast.club)
    page = alice.post(address_of("rehearsal-play", session), {"hands": "2"})
    assert "Seat everyone before you play hands." in words_on(page)


def test_it_is_wiped_by_one_press_and_leads_back_to_the_club(
    cast: Cast, alice: Visitor, session: Session
) -> None:
    page = alice.post(address_of("rehearsal-wipe", session), follow=True)
    assert page.context["club"] == cast.club
    assert not Club.objects.exclude(rehearsal_of=None).exists()
    assert alice.get(address_of("evening", session, 1)).status_code == 404


def test_it_begins_again_by_one_press_with_nobody_seated(
    cast: Cast, alice: Visitor, session: Session
) -> None:
    page = alice.post(address_of("rehearsal-again", session), follow=True)
    new_session = page.context["session"]
    assert new_session != session
    assert (new_session.tables.count(), new_session.attendances.count()) == (0, 12)
    assert [new_session.club] == list(cast.club.rehearsals.all())


def test_a_scorer_practises_there_and_does_not_wipe_it(cast: Cast, session: Session) -> None:
    scorer = Visitor(cast.scorer)
    assert actions(scorer.get(address_of("rehearsal", session))) == ["play"]
    assert scorer.post(address_of("rehearsal-wipe", session)).status_code == 403


def test_an_organiser_of_one_club_is_still_led_straight_to_it(
    cast: Cast, alice: Visitor, session: Session
) -> None:
    assert alice.get("/")["Location"] == reverse("club", args=[cast.club.slug])


def test_a_rehearsal_has_no_tournaments(alice: Visitor, session: Session) -> None:
    assert address_of("tournaments", session) not in alice.read(address_of("club", session))
    with pytest.raises(Refused, match="You cannot practise a tournament"):
        tournaments.make_tournament(club=session.club, name="Cup", held_on=session.held_on)
