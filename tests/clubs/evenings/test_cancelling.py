"""An evening opened by mistake that has hands: cancelled, and restored as it was."""

from collections.abc import Callable
from datetime import date
from functools import partial
from typing import Any

import pytest
from django.db import IntegrityError, transaction
from django.test import Client
from django.urls import reverse

from clubs.core.audit_log import audit_rows
from clubs.core.permissions import visible_parts
from clubs.evenings.selectors.calendar import evenings_of_money_year
from clubs.evenings.selectors.door import check_in_list
from clubs.evenings.selectors.floor import wall_of
from clubs.evenings.selectors.seating import seating_memory
from clubs.evenings.services import calendar, ending, evenings
from clubs.evenings.services.ending import cancel_session, restore_session
from clubs.house.services import start_rehearsal
from clubs.league.selectors.players import opponents_of, ratings_of
from clubs.league.selectors.records import front_page, special_book, yearbook_of
from clubs.league.selectors.seasons import league_table
from clubs.league.services import give_credit
from clubs.members.selectors import members, player_view, subscriptions
from clubs.models import (
    AuditEntry,
    Club,
    Delivery,
    Player,
    PlayerKind,
    Role,
    Season,
    Session,
    SessionState,
)
from clubs.webhooks.services import add_webhook
from scoring.scorebook.models import Hand
from scoring.scorebook.refusals import Refused
from scoring.scorebook.reports import Report
from tests.api import faults, send
from tests.clubs.nights import (
    DRAWN,
    SECOND_WINS,
    correct,
    make_players,
    make_season,
    night,
    page_of,
    post,
)
from tests.clubs.visits import Visitor, errors
from tests.people import Cast, make_player

WEEK_BEFORE, DAY, NEXT_WEEK = date(2026, 11, 10), date(2026, 11, 17), date(2026, 11, 24)
AT_THE_LIMIT = Report(winner=2, totals={1: 20, 2: 1000, 3: 8, 4: 4})
WHY = "opened on the wrong day"
NOTHING_CHANGES = "This evening was cancelled, so nothing can change. Restore the evening first."


@pytest.fixture
def season(cast: Cast) -> Season:
    return make_season(cast.club)


@pytest.fixture
def players(cast: Cast, season: Season) -> list[Player]:
    """Ann, Ben, Cy and the guest Di."""
    cast.club.rates, cast.club.guest_visits = True, 2
    cast.club.save()
    players = make_players(cast.club, 3)
    return [*players, make_player(cast.club, "Di", kind=PlayerKind.GUEST)]


@pytest.fixture
def real(cast: Cast, players: list[Player]) -> Session:
    """The evening of last week, which Ben won."""
    session = night(cast.club, WEEK_BEFORE, players)
    post(session.tables.get(), SECOND_WINS)
    return session


@pytest.fixture
def mistake(cast: Cast, players: list[Player], real: Session) -> Session:
    """An evening that was never played, with a limit hand of Ben's."""
    session = night(cast.club, DAY, players)
    post(session.tables.get(), AT_THE_LIMIT)
    return session


def now(session: Session) -> Session:
    return Session.objects.select_related("club", "season", "book").get(pk=session.pk)


def problems_of(
    call: Callable[..., object], *args: object, **kwargs: object
) -> list[tuple[str, str]]:
    with pytest.raises(Refused) as refusal:
        call(*args, **kwargs)
    return [(problem.code, problem.message) for problem in refusal.value.problems]


def club_figures(club: Club, season: Season, players: list[Player]) -> dict[str, Any]:
    """Everything that adds up a club's evenings."""
    front = front_page(club, today=DAY, sees=visible_parts(Role.SECRETARY, club))
    first = club.sessions.get(held_on=WEEK_BEFORE)
    coming = Session(club=club, season=season, held_on=NEXT_WEEK)
    return {
        "league": league_table(season),
        "yearbook": yearbook_of(season, progress=lambda *_: None),
        "ratings": ratings_of(club),
        "special hands": special_book(club),
        "members": [(row.evenings, row.last_seen) for row in members(club)],
        "guests": subscriptions(club, DAY).guests,
        "regulars": [row.visit_to_join for row in check_in_list(first)],
        "evenings": [player_view(player) for player in players],
        "company": [opponents_of(player) for player in players],
        "seating": seating_memory(coming),
        "money": evenings_of_money_year(club, 2026),
        "front page": (front.evening and front.evening.pk, front.last, front.leaders),
    }


def test_a_cancelled_evening_counts_nowhere(
    cast: Cast, season: Season, players: list[Player], real: Session
) -> None:
    figures_before = club_figures(cast.club, season, players)
    session = night(cast.club, DAY, players)
    post(session.tables.get(), AT_THE_LIMIT)
    give_credit(session=session, player=cast.club.players.get(name="Pat"), reason="ran the bar")
    during = club_figures(cast.club, season, players)
    assert [name for name in figures_before if during[name] == figures_before[name]] == []
    cancel_session(session=session, reason=WHY)
    assert club_figures(cast.club, season, players) == figures_before
    restore_session(session=session)
    assert club_figures(cast.club, season, players) == during
    assert Hand.objects.filter(game__session_table__session=session).count() == 1


@pytest.mark.parametrize("finish", [False, True])
def test_it_is_restored_as_it_was(mistake: Session, *, finish: bool) -> None:
    if finish:
        ending.close_session(session=mistake)
    before_cancelling = now(mistake)
    table = mistake.tables.get()
    closed_at = table.game.closed_at
    cancel_session(session=mistake, reason=WHY)
    assert (now(mistake).state, now(mistake).cancel_reason) == (SessionState.CANCELLED, WHY)
    cancel_session(session=mistake, reason="pressed again")
    assert now(mistake).cancel_reason == WHY
    restore_session(session=mistake)
    restore_session(session=mistake)
    after_restoring = now(mistake)
    assert (after_restoring.state, after_restoring.times_closed, after_restoring.season) == (
        before_cancelling.state,
        before_cancelling.times_closed,
        before_cancelling.season,
    )
    assert (after_restoring.state_before, after_restoring.cancel_reason) == ("", "")
    table.game.refresh_from_db()
    assert (table.game.closed_at is None) == (closed_at is None)
    if not finish:
        post(mistake.tables.get(), AT_THE_LIMIT, DRAWN)


def test_nothing_changes_at_a_cancelled_evening(mistake: Session, cast: Cast) -> None:
    cancel_session(session=mistake, reason=WHY)
    calendar.set_table_money(club=cast.club, pence=200)
    ann = Player.objects.get(name="Ann")
    hand = Hand.objects.get(game__session_table__session=mistake)
    for change in (
        partial(evenings.tick, session=mistake, player=ann, is_here=False),
        partial(evenings.add_guest, session=mistake, name="Zoë"),
        partial(evenings.seat_session, session=mistake),
        partial(evenings.clear_tables, session=mistake),
        partial(ending.close_session, session=mistake),
        partial(ending.reopen_session, session=mistake),
        partial(ending.delete_session, session=mistake),
        partial(correct, hand, DRAWN),
    ):
        assert problems_of(change) == [("session_cancelled", NOTHING_CHANGES)]
    post_hand = partial(post, now(mistake).tables.get(), AT_THE_LIMIT, DRAWN)
    assert [code for code, _ in problems_of(post_hand)] == ["game_closed"]
    take = partial(calendar.record_payment, session=mistake, player=ann, taken_by=cast.secretary)
    assert [code for code, _ in problems_of(take)] == ["session_cancelled"]


def test_table_money_is_given_back_first(mistake: Session, cast: Cast) -> None:
    ann = Player.objects.get(name="Ann")
    calendar.set_table_money(club=cast.club, pence=200)
    calendar.record_payment(session=mistake, player=ann, taken_by=cast.secretary)
    problem = (
        "money_recorded",
        "Table money has been recorded for this evening. Undo the payments first.",
    )
    assert problems_of(cancel_session, session=mistake, reason=WHY) == [problem]
    calendar.remove_payment(session=mistake, player=ann)
    cancel_session(session=mistake, reason=WHY)


def test_an_evening_without_a_hand_or_for_practice_is_not_cancelled(cast: Cast) -> None:
    empty = night(cast.club, DAY, make_players(cast.club, 4))
    problem = ("no_hands", "No hand has been recorded. Delete the evening instead.")
    assert problems_of(cancel_session, session=empty, reason=WHY) == [problem]
    practice = start_rehearsal(club=cast.club)
    refusal = problems_of(cancel_session, session=practice, reason=WHY)
    assert [code for code, _ in refusal] == ["is_rehearsal"]


def test_another_evening_can_be_opened_on_its_day(mistake: Session, cast: Cast) -> None:
    opening = partial(evenings.open_session, club=cast.club, held_on=DAY)
    assert [code for code, _ in problems_of(opening)] == ["day_taken"]
    cancel_session(session=mistake, reason=WHY)
    other_session = opening()
    message = "There is another evening on 17 November 2026. Delete or cancel that evening first."
    assert problems_of(restore_session, session=mistake) == [("day_taken", message)]
    with pytest.raises(IntegrityError), transaction.atomic():
        Session.objects.filter(pk=mistake.pk).update(state="playing", state_before="")
    ending.delete_session(session=other_session)
    restore_session(session=mistake)
    assert now(mistake).state == SessionState.PLAYING


def test_the_page_says_what_no_longer_counts_and_asks_why(alice: Visitor, mistake: Session) -> None:
    assert page_of("evening-cancel", mistake) in alice.read(page_of("evening", mistake))
    page = alice.get(page_of("evening-cancel", mistake))
    text = " ".join(page.content.decode().split())
    assert "1 hand no longer counts for the league, averages, ratings, records" in text
    assert "4 people are no longer counted as having attended." in text
    assert "emailed" not in text
    refused_page = alice.post(page_of("evening-cancel", mistake), {"reason": " "})
    assert (refused_page.status_code, errors(refused_page)) == (
        422,
        {"reason": ["Enter a reason."]},
    )
    messages = alice.messages_after(page_of("evening-cancel", mistake), reason=WHY)
    assert messages == ["The evening has been cancelled."]
    (line,) = audit_rows(mistake.club, AuditEntry.objects.all())
    assert line.sentence.endswith("cancelled the evening of 17 November 2026.")
    messages = alice.messages_after(page_of("evening-restore", mistake))
    assert messages == ["The evening has been restored as it was."]


def test_a_finished_evening_is_not_called_a_mistake(alice: Visitor, mistake: Session) -> None:
    assert "Opened by mistake?" in alice.read(page_of("evening", mistake))
    ending.close_session(session=mistake)
    assert "Opened by mistake?" not in alice.read(page_of("evening", mistake))
    ending.reopen_session(session=mistake)
    assert "Opened by mistake?" in alice.read(page_of("evening", mistake))


def test_two_who_cancel_together_read_who_was_first(alice: Visitor, mistake: Session) -> None:
    state = alice.get(page_of("evening-cancel", mistake)).context["now"].state
    alice.messages_after(page_of("evening-cancel", mistake), reason=WHY, shown=state)
    (message,) = alice.messages_after(
        page_of("evening-cancel", mistake), reason="mine", shown=state
    )
    assert message.startswith("The evening was already cancelled by ")
    assert now(mistake).cancel_reason == WHY


def test_the_list_names_the_reason_and_the_hands_stay_readable(
    alice: Visitor, mistake: Session
) -> None:
    cancel_session(session=mistake, reason=WHY)
    html = alice.read(reverse("evenings", args=["riverside"]))
    assert WHY in html
    assert html.count("Ben") == 1  # who won the evening of last week
    page = alice.read(page_of("evening", mistake))
    assert WHY in page
    assert "Restore evening" in page
    assert "Finish evening" not in page
    assert page_of("evening-cancel", mistake) not in page
    desk = alice.read(page_of("evening-table", mistake, 1))
    assert "1,000" in desk
    assert "This evening was cancelled, so no hands can be entered." in desk


def test_its_phones_and_its_screen_say_so(client: Client, mistake: Session) -> None:
    table = mistake.tables.get()
    cancel_session(session=mistake, reason=WHY)
    phone = client.get(reverse("table", args=[table.link_key])).content.decode()
    assert "This evening was cancelled, so no hands can be entered." in phone
    screen = client.get(reverse("wall", args=[mistake.wall_key])).content.decode()
    assert "This evening was cancelled." in screen
    assert "Ben" not in screen
    assert wall_of(now(mistake)).pages == ()
    restore_session(session=mistake)
    assert "Ben" in client.get(reverse("wall", args=[mistake.wall_key])).content.decode()


def test_a_program_cancels_and_restores(cast: Cast, program: Client, mistake: Session) -> None:
    kinds = ["evening.cancelled", "evening.restored"]
    add_webhook(club=cast.club, address="https://tongbox.invalid/", kinds=kinds)
    evening = f"/api/v1/clubs/riverside/evenings/{mistake.pk}/"
    assert faults(send(program, f"{evening}cancel/", {})) == [("required", "reason")]
    answer = send(program, f"{evening}cancel/", {"reason": WHY}).json()
    assert (answer["state"], answer["cancel_reason"]) == ("cancelled", WHY)
    (evening_row,) = program.get("/api/v1/clubs/riverside/evenings/?state=cancelled").json()[
        "results"
    ]
    assert (evening_row["id"], evening_row["cancel_reason"]) == (mistake.pk, WHY)
    assert program.get(evening).json()["cancel_reason"] == WHY
    assert send(program, f"{evening}restore/", {}).json()["state"] == "playing"
    assert list(Delivery.objects.order_by("pk").values_list("kind", flat=True)) == kinds
