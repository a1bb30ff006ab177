"""A club night on its page, from the first tick to the result."""

import re
from datetime import date, timedelta
from typing import Any

import pytest
import time_machine
from django.test import Client
from django.urls import reverse
from pytest_django.asserts import assertNumQueries

from clubs.core.audit_log import audit_rows
from clubs.evenings.services import calendar, evenings
from clubs.house.guides import GUIDE_FOLDER
from clubs.models import AuditEntry, Player, Session, SessionState, SessionTable
from scoring.scorebook.models import Hand, HandState
from tests.clubs.nights import (
    DRAWN,
    SECOND_WINS,
    evening_of,
    fours,
    make_players,
    night,
    page_of,
    post,
)
from tests.clubs.visits import Visitor, actions, errors
from tests.people import Cast, make_player
from tests.scoring.scorebook.book import dispute

DAY = date(2026, 11, 17)


def seats_and_cards(session: Session) -> dict[tuple[int, ...], str]:
    """The link of each table by its players in the order of the seats."""
    return {
        tuple(table.places.order_by("seat__number").values_list("player_id", flat=True)): (
            table.link_key
        )
        for table in session.tables.all()
    }


ANOTHER_PAT = "If this is someone else, add an initial or a middle name."


@pytest.fixture
def session(cast: Cast) -> Session:
    return evenings.open_session(club=cast.club, held_on=DAY)


@pytest.fixture
def played_evening(cast: Cast) -> Session:
    """One table of Ann, Ben, Cy and Di, with one hand that Ben won."""
    session = night(cast.club, DAY, make_players(cast.club, 4))
    post(session.tables.get(), SECOND_WINS)
    return session


def test_a_new_evening_opens_on_its_page(alice: Visitor, cast: Cast) -> None:
    response = alice.post(reverse("evenings", args=["riverside"]), {"held_on": "2026-11-17"})
    session = Session.objects.get()
    assert (session.club, session.held_on) == (cast.club, DAY)
    assert response.headers["Location"] == page_of("evening", session)


@pytest.mark.parametrize(
    ("day_text", "error"),
    [
        ("2026-11-17", "There is already an evening on 17 November 2026."),
        ("17 of never", "Enter a date like 24/11/2026."),
        ("", "Choose a day."),
        ("0206-11-17", "Check the year. It must be 1900 or later."),
        ("2062-11-17", "17/11/2062 does not look right. Check the year."),
    ],
)
def test_a_day_that_cannot_be_is_said_beside_the_field(
    alice: Visitor, session: Session, day_text: str, error: str
) -> None:
    page = alice.post(reverse("evenings", args=["riverside"]), {"held_on": day_text})
    assert (page.status_code, errors(page)) == (422, {"held_on": [error]})
    assert page.context["form"]["held_on"].value() == day_text


def test_a_tick_is_one_press_and_comes_back_to_the_name(alice: Visitor, session: Session) -> None:
    player = make_player(session.club, "Zoë Łukasiewicz")
    page = alice.post(page_of("tick", session), {"here": player.pk}, headers={"HX-Request": "true"})
    assert [used.name for used in page.templates][:1] == ["clubs/evenings/_ticked.html"]
    assert (page.context["row"].is_here, page.context["door"].present_count) == (True, 1)
    response = alice.post(page_of("tick", session), {"away": player.pk})
    assert response.headers["Location"] == f"{page_of('evening', session)}#player-{player.pk}"
    assert session.attendances.count() == 0


@pytest.mark.parametrize(
    "fields", [{}, {"here": "x"}, {"here": "99999"}, {"away": "0"}, {"here": "of another club"}]
)
def test_a_tick_for_nobody_is_answered_in_a_sentence(
    alice: Visitor, cast: Cast, session: Session, fields: dict[str, Any]
) -> None:
    if fields == {"here": "of another club"}:
        fields = {"here": cast.stranger.memberships.get().player_id}
    messages = alice.messages_after(page_of("tick", session), **fields)
    assert messages == ["That person is no longer in the member list."]
    assert not session.attendances.exists()


def test_who_sits_at_a_table_is_not_unticked(alice: Visitor, played_evening: Session) -> None:
    ann = played_evening.club.players.get(name="Ann")
    messages = ["Ann is seated. Clear tables first, or record a departure below the tables."]
    assert alice.messages_after(page_of("tick", played_evening), away=ann.pk) == messages
    part = alice.post(
        page_of("tick", played_evening), {"away": ann.pk}, headers={"HX-Request": "true"}
    )
    assert part.headers["HX-Refresh"] == "true"


def test_a_guest_is_here_at_once(alice: Visitor, session: Session) -> None:
    messages = alice.messages_after(page_of("guest", session), name="  Seán   Byrne ")
    assert messages == ["Seán Byrne has been checked in as a guest."]
    guest = session.attendances.get().player
    assert (guest.name, guest.kind) == ("Seán Byrne", "guest")


@pytest.mark.parametrize(
    ("name", "error"),
    [
        ("", "Enter the guest’s name."),
        ("   ", "Enter the guest’s name."),
        ("...", "Enter a name with at least one letter."),
        ("x" * 300, "That name is too long. Use 80 characters or fewer."),
        ("<b>Seán</b>", "A name cannot contain < or >."),
        ("pat", f"pat is already a member. {ANOTHER_PAT}"),
    ],
)
def test_a_guest_who_cannot_be_added_stays_in_the_field(
    alice: Visitor, session: Session, name: str, error: str
) -> None:
    page = alice.post(page_of("guest", session), {"name": name})
    form = page.context["guest_form"]
    assert (page.status_code, form.errors["name"], form["name"].value()) == (422, [error], name)
    assert not session.club.players.filter(kind="guest").exists()


def test_without_anyone_checked_in_the_players_come_first(alice: Visitor, session: Session) -> None:
    page = alice.read(page_of("evening", session))
    assert '<a class="button button--quiet" href="#who">Check in the players first</a>' in page
    assert alice.messages_after(page_of("seat", session)) == ["Check in the players first."]


def test_two_people_are_too_few(alice: Visitor, session: Session) -> None:
    for player in make_players(session.club, 2):
        evenings.tick(session=session, player=player, is_here=True)
    page = alice.get(page_of("evening", session)).content.decode()
    assert "Check in at least three people to make the first table." in page
    message = "A table needs at least 3 players; there are only 2."
    assert alice.messages_after(page_of("seat", session)) == [message]


def test_an_evening_is_finished_and_opened_again(alice: Visitor, played_evening: Session) -> None:
    assert alice.messages_after(page_of("close", played_evening), sure="yes") == [
        "The evening is finished."
    ]
    page = alice.get(page_of("evening", played_evening))
    assert (page.context["is_closed"], actions(page)) == (True, ["reopen"])
    html = page.content.decode()
    assert html.index('id="result"') < html.index('id="tables"')
    assert alice.messages_after(page_of("reopen", played_evening)) == ["Evening reopened."]
    assert Session.objects.get().state == SessionState.PLAYING


def test_finish_asks_where_tables_have_no_hands_or_hands_are_not_agreed(
    alice: Visitor, cast: Cast
) -> None:
    players = make_players(cast.club, 12)
    session = night(cast.club, DAY, players[:4], players[4:8], players[8:])
    post(session.tables.get(number=1), SECOND_WINS, DRAWN)
    page = alice.post(page_of("close", session), follow=True)
    assert page.context["question"].sentences == (
        "Tables 2 and 3 have no hands. The players there come last, without a place.",
        "2 hands at table 1 are not agreed yet. They count as entered.",
        "No one can add or change a hand until you reopen the evening.",
    )
    assert Session.objects.get().state == SessionState.PLAYING
    post(session.tables.get(number=3), SECOND_WINS)
    sentences = alice.get(page_of("close", session)).context["question"].sentences
    assert "3 hands at tables 1 and 3 are not agreed yet. They count as entered." in sentences
    assert alice.messages_after(page_of("close", session), sure="yes") == [
        "The evening is finished."
    ]


@pytest.mark.usefixtures("before_it")
def test_an_evening_is_not_started_before_its_day_without_a_question(
    alice: Visitor, cast: Cast
) -> None:
    session = evening_of(cast.club, make_players(cast.club, 12), DAY)
    page = alice.post(page_of("seat", session), {"split": "3,3,3,3"}, follow=True)
    warning = "This evening is for Tuesday 17 November 2026. Today is Sunday 15 November 2026."
    assert (page.context["question"].title, page.context["question"].sentences) == (
        "Start this evening today?",
        (warning, "To play today, create an evening for today instead."),
    )
    assert '<input type="hidden" name="split" value="3,3,3,3">' in page.content.decode()
    assert not session.tables.exists()
    alice.post(page_of("seat", session), {"split": "3,3,3,3", "sure": "yes"})
    assert session.tables.count() == 4
    response = alice.get(page_of("seat", session))
    assert response.headers["Location"].startswith(page_of("evening", session))
    assert alice.messages_after(page_of("seat", session))[0].startswith("Everyone is seated")
    question = alice.post(page_of("close", session), follow=True).context["question"]
    assert question.sentences[0] == warning


@pytest.mark.usefixtures("before_it")
def test_an_evening_of_another_day_says_so_before_anyone_is_ticked(
    alice: Visitor, cast: Cast
) -> None:
    session = evening_of(cast.club, make_players(cast.club, 12), DAY)
    page = alice.read(page_of("evening", session))
    warning = "This evening is for Tuesday 17 November 2026. Today is Sunday 15 November 2026."
    assert page.index(warning) < page.index('id="who"')
    assert "Create an evening for today" in page
    alice.post("/c/riverside/evenings/", {"held_on": "2026-11-15"})
    today = page_of("evening", Session.objects.get(held_on=date(2026, 11, 15)))
    assert f'href="{today}">Go to today’s evening' in alice.read(page_of("evening", session))
    question_page = alice.post(page_of("seat", session), follow=True)
    assert (
        "To play today, go to today’s evening instead."
        in question_page.context["question"].sentences
    )
    page = question_page.content.decode()
    assert f'button--primary" href="{today}">Go to today’s evening' in page
    assert 'button--quiet">Seat everyone' in page
    assert "Another day" not in alice.read(today)


@pytest.mark.usefixtures("before_it")
def test_an_evening_that_began_before_its_day_still_says_so(alice: Visitor, cast: Cast) -> None:
    session = night(cast.club, DAY, make_players(cast.club, 4))
    warning = "This evening is for Tuesday 17 November 2026. Today is Sunday 15 November 2026."
    seated_page = alice.read(page_of("evening", session))
    assert seated_page.index(warning) < seated_page.index("Everyone is seated")
    assert "Create an evening for today" in seated_page
    post(session.tables.get(), SECOND_WINS)
    playing = alice.read(page_of("evening", session))
    assert warning in playing
    assert "Create an evening for today" not in playing
    for step in ("result", "papers", "evening-move", "evening-change"):
        assert warning in alice.read(page_of(step, session)), step
    alice.post(page_of("close", session), {"sure": "yes"})
    assert warning in alice.read(page_of("evening", session))
    with time_machine.travel("2026-11-17T19:00Z", tick=False):
        for page in ("evening", "result", "papers"):
            assert "This evening is for" not in alice.read(page_of(page, session)), page


def test_finish_asks_nothing_when_every_hand_is_agreed(
    alice: Visitor, played_evening: Session
) -> None:
    Hand.objects.update(state=HandState.AGREED)
    assert alice.messages_after(page_of("close", played_evening)) == ["The evening is finished."]


def test_an_evening_opened_by_mistake_is_deleted(alice: Visitor, session: Session) -> None:
    evenings.tick(session=session, player=make_player(session.club, "Ann"), is_here=True)
    page = alice.post(page_of("evening-delete", session), follow=True)
    assert page.context["question"].sentences == (
        "No hand has been recorded, so no result is lost.",
        "The check-in list (1 person) is deleted.",
    )
    assert Session.objects.exists()
    messages = ["The evening of 17 November 2026 has been deleted."]
    assert alice.messages_after(page_of("evening-delete", session), sure="yes") == messages
    assert not Session.objects.exists()
    (line,) = audit_rows(session.club, AuditEntry.objects.all())
    assert line.sentence.endswith("deleted the evening of 17 November 2026.")


def test_an_evening_with_a_hand_or_a_payment_is_not_deleted(
    alice: Visitor, cast: Cast, played_evening: Session
) -> None:
    messages = ["Hands have been recorded, so the evening cannot be deleted."]
    assert alice.messages_after(page_of("evening-delete", played_evening), sure="yes") == messages
    other_session = evenings.open_session(club=cast.club, held_on=DAY - timedelta(days=7))
    ann = Player.objects.get(name="Ann")
    evenings.tick(session=other_session, player=ann, is_here=True)
    calendar.set_table_money(club=cast.club, pence=200)
    calendar.record_payment(session=other_session, player=ann, taken_by=cast.secretary)
    messages = ["Table money has been recorded for this evening. Undo the payments first."]
    assert alice.messages_after(page_of("evening-delete", other_session), sure="yes") == messages
    assert Session.objects.count() == 2


def test_reseating_draws_anew_and_keeps_the_cards_of_tables_that_stay(
    alice: Visitor, cast: Cast
) -> None:
    session = evening_of(cast.club, make_players(cast.club, 12), DAY)
    assert alice.messages_after(page_of("seat", session)) == ["Everyone is seated."]
    seatings = [seats_and_cards(session)]
    for _ in range(3):
        (message,) = alice.messages_after(page_of("seat", session))
        assert message.startswith(
            "Everyone is seated again. 3 earlier table cards no longer work, "
        )
        seatings.append(seats_and_cards(session))
    assert len({tuple(seats) for seats in seatings}) == 4


def test_the_card_of_a_table_with_the_same_seats_goes_on_working(
    alice: Visitor, cast: Cast, monkeypatch: pytest.MonkeyPatch
) -> None:
    players = make_players(cast.club, 8)
    session = evening_of(cast.club, players, DAY)
    same_plan = calendar.plan_evening(session, tuple(str(player.pk) for player in players), ())
    monkeypatch.setattr(evenings, "plan_evening", lambda *_, **__: same_plan)
    alice.messages_after(page_of("seat", session))
    cards_before = seats_and_cards(session)
    assert alice.messages_after(page_of("seat", session)) == ["Everyone is seated."]
    assert seats_and_cards(session) == cards_before
    evenings.change_places(session=session, one=players[0], other=players[1])
    changed_count = len({place.table_id for place in session.places.filter(player__in=players[:2])})
    (message,) = alice.messages_after(page_of("seat", session))
    assert message.startswith(f"Everyone is seated again. {changed_count} earlier table card")
    assert (
        len(set(cards_before.values()) & set(seats_and_cards(session).values()))
        == 2 - changed_count
    )


def test_a_disputed_hand_is_below_the_tables_as_the_guide_says(
    alice: Visitor, played_evening: Session
) -> None:
    dispute(Hand.objects.get())
    page = alice.read(page_of("evening", played_evening))
    assert page.index('id="tables"') < page.index("1 hand needs a decision")
    assert "below the tables of an evening" in (GUIDE_FOLDER / "scorer.md").read_text("utf-8")


def test_a_dispute_keeps_the_evening_open(alice: Visitor, played_evening: Session) -> None:
    dispute(Hand.objects.get())
    assert alice.messages_after(page_of("close", played_evening)) == [
        "Table 1, hand 1, is not agreed yet."
    ]
    (table_row,) = alice.get(page_of("evening", played_evening)).context["tables"]
    assert (table_row.state, table_row.label) == ("trouble", "hand 1 disputed")


def test_buttons_are_for_the_secretary_and_links_to_tables_for_organisers(
    cast: Cast, played_evening: Session
) -> None:
    table = SessionTable.objects.get().link_key
    wall = reverse("wall", args=[played_evening.wall_key])
    links = (reverse("table", args=[table]), wall)
    for user, buttons, sees in (
        (cast.secretary, ["close", "tick", "guest"], True),
        (cast.director, [], True),
        (cast.scorer, [], True),
        (cast.player, [], False),
    ):
        page = Visitor(user).get(page_of("evening", played_evening))
        assert actions(page) == buttons
        assert [link in page.content.decode() for link in links] == [sees, sees]


def test_markup_in_a_name_is_only_letters(alice: Visitor, session: Session) -> None:
    player = make_player(session.club, "Ann & <i>Ben</i>")
    evenings.tick(session=session, player=player, is_here=True)
    page = alice.get(page_of("evening", session)).content.decode()
    assert ("Ann &amp; &lt;i&gt;Ben" in page, "<i>Ben" in page) == (True, False)


@pytest.mark.parametrize("name", ["evening", "result"])
def test_parts_are_sent_again_only_when_newer(
    alice: Visitor, played_evening: Session, name: str
) -> None:
    version = Session.objects.get().version
    assert alice.get(page_of(name, played_evening), {"v": version}).status_code == 204
    part = alice.get(page_of(name, played_evening), {"v": version - 1})
    assert (part.status_code, b"<html" in part.content) == (200, False)


@pytest.mark.parametrize("tables", [1, 3])
def test_the_evening_asks_no_more_for_more_tables(alice: Visitor, cast: Cast, tables: int) -> None:
    session = fours(cast.club, tables)
    for table in session.tables.all():
        post(table, SECOND_WINS)
    with assertNumQueries(9):
        alice.get(page_of("evening", session))


@pytest.mark.parametrize("count", [1, 3])
def test_the_list_asks_no_more_for_more_evenings(alice: Visitor, cast: Cast, count: int) -> None:
    players = make_players(cast.club, 4)
    for day in range(1, count + 1):
        post(night(cast.club, date(2026, 11, day), players).tables.get(), SECOND_WINS)
    alice.get(reverse("evenings", args=["riverside"]))  # the news of the backups is kept then
    with assertNumQueries(8):
        page = alice.get(reverse("evenings", args=["riverside"]))
    assert [(row.held_on.day, row.best, row.points) for row in page.context["evenings"]] == [
        (day, ("Ben",), 240) for day in range(count, 0, -1)
    ]


def test_somebody_signed_out_is_led_to_sign_in_and_back(session: Session) -> None:
    response = Client().get(page_of("evening", session))
    assert response.headers["Location"] == f"/accounts/login/?next={page_of('evening', session)}"


def test_a_second_device_learns_who_was_checked_in_on_the_first(
    alice: Visitor, cast: Cast, session: Session
) -> None:
    ann = make_player(session.club, "Ann")
    address = page_of("evening", session)
    first = alice.get(address).content.decode()
    (version,) = re.findall(r"door=yes&amp;v=(\d+)", first)
    assert alice.get(address, {"door": "yes", "v": version}).status_code == 204
    evenings.tick(session=session, player=ann, is_here=True)
    news = alice.read(address, door="yes", v=version)
    assert f'id="player-{ann.pk}" name="away"' in news
    assert "<strong>1</strong> of 5 " in news
    assert Visitor(cast.player).get(address, {"door": "yes", "v": "0"}).status_code == 403


def test_a_second_device_learns_that_the_tables_were_seated(
    alice: Visitor, session: Session
) -> None:
    for player in make_players(session.club, 4):
        evenings.tick(session=session, player=player, is_here=True)
    evenings.seat_session(session=session)
    news = alice.read(page_of("evening", session), door="yes", v="0")
    assert "Seated on another device: show tables" in news
    assert "data-news-every" not in news


def test_late_arrivals_leads_to_the_names_opened(alice: Visitor, played_evening: Session) -> None:
    page = page_of("evening", played_evening)
    assert f'{page}?check-in=yes#who"' in alice.read(page_of("evening-change", played_evening))
    assert '<details class="late" open>' in alice.read(page, **{"check-in": "yes"})
