"""The result of a finished evening, to everyone who can have it by email."""

from datetime import date
from typing import Any

import pytest
from django.core.mail import EmailMultiAlternatives
from pytest_django import Settings

from clubs.evenings.services import ending
from clubs.messages import services
from clubs.messages.mail import stop_key
from clubs.messages.message_kinds import Topic
from clubs.messages.selectors import (
    CONTACT_ANSWERS,
    batch_view,
    batches_with_counts,
    contact_list,
    players_without_result,
)
from clubs.models import MessageState, Player, PlayerKind, Session, SessionTable
from scoring.scorebook.refusals import Refused
from tests.clubs.nights import SECOND_WINS, night, post
from tests.clubs.outbox import press, results_of, states, work
from tests.clubs.visits import Visitor
from tests.people import Cast, make_player

pytestmark = pytest.mark.django_db
Mails = list[EmailMultiAlternatives]
WRITE = "/c/riverside/messages/write/result/"


@pytest.fixture
def evening(cast: Cast, players: list[Player]) -> Session:
    """A finished evening of the four, which Ben won."""
    session = night(cast.club, date(2026, 11, 17), players)
    post(SessionTable.objects.get(session=session), SECOND_WINS)
    ending.close_session(session=session)
    return session


def win_again(evening: Session) -> None:
    ending.reopen_session(session=evening)
    post(SessionTable.objects.get(session=evening), SECOND_WINS, SECOND_WINS)
    ending.close_session(session=evening)


def test_one_mailing_goes_to_everyone_with_an_address(
    evening: Session, cast: Cast, mailoutbox: Mails
) -> None:
    absent = make_player(cast.club, "Eve", email="eve@example.org")
    make_player(cast.club, "Fay")
    batch = services.draft_result(session=evening, made_by=cast.secretary)
    assert states(batch) == dict.fromkeys(["Ann", "Ben", "Cy", "Di", absent.name], "draft")
    assert mailoutbox == []
    press(batch, cast.secretary)
    work(batch)
    assert len(mailoutbox) == 5
    assert "because you are a member or guest of" in str(mailoutbox[0].body)


def test_after_finish_the_next_step_writes_to_them_with_one_press(
    evening: Session, alice: Visitor
) -> None:
    page = alice.read(f"/c/riverside/evenings/{evening.pk}/")
    assert "Tell the members" in page
    assert "Write to 4 people" in page
    answer = alice.post(WRITE, {"evening": evening.pk})
    (batch,) = results_of(evening)
    assert answer.headers["Location"] == f"/c/riverside/messages/{batch.pk}/"
    assert len(batch_view(batch).to_send) == 4
    page = alice.read(f"/c/riverside/evenings/{evening.pk}/")
    assert "4 results are ready to send" in page


def test_it_can_be_written_at_any_time(evening: Session, alice: Visitor) -> None:
    assert "17 November 2026" in alice.read(WRITE, evening=evening.pk)
    assert alice.post(WRITE, {"evening": evening.pk}).status_code == 302


def test_those_who_asked_and_the_others_are_one_mailing(
    cast: Cast, players: list[Player], evening: Session
) -> None:
    ending.reopen_session(session=evening)
    Player.objects.filter(name="Ann").update(wants_results=True)
    ending.close_session(session=evening)
    (batch,) = results_of(evening)
    services.change_text(batch=batch, subject="Who won", text="{result}")
    second_batch = services.draft_result(session=evening, made_by=cast.secretary)
    assert (second_batch, len(states(batch))) == (batch, 4)
    assert {letter.subject for letter in batch_view(batch).letters} == {"Who won"}


@pytest.mark.parametrize(
    "refusal", [{"refuses_results": True}, {"wants_messages": False}, {"is_active": False}]
)
def test_nobody_who_refused_or_left_gets_it(
    refusal: dict[str, bool], evening: Session, players: list[Player]
) -> None:
    Player.objects.filter(pk=players[0].pk).update(**refusal)
    assert [player.name for player in players_without_result(evening)] == ["Ben", "Cy", "Di"]


def test_whoever_asked_for_results_alone_gets_it(evening: Session, players: list[Player]) -> None:
    Player.objects.filter(pk=players[0].pk).update(wants_messages=False, wants_results=True)
    assert len(players_without_result(evening)) == 4


def test_a_guest_gets_it_of_evenings_they_played(evening: Session, cast: Cast) -> None:
    Player.objects.filter(name="Di").update(kind=PlayerKind.GUEST)
    make_player(cast.club, "Eve", email="eve@example.org", kind=PlayerKind.GUEST)
    assert [player.name for player in players_without_result(evening)] == ["Ann", "Ben", "Cy", "Di"]


def test_the_link_in_it_stops_results_and_nothing_else(
    evening: Session, cast: Cast, alice: Visitor, players: list[Player]
) -> None:
    ann = players[0]
    link = f"/stop-emails/{stop_key(ann.pk, Topic.RESULTS)}/"
    assert "Stop these emails?" in alice.read(link)
    alice.post(link)
    ann.refresh_from_db()
    assert (ann.wants_messages, ann.refuses_results) == (True, True)
    assert ann.name not in [player.name for player in players_without_result(evening)]
    alice.post(link, {"undo": "yes"})
    ann.refresh_from_db()
    assert (ann.wants_results, ann.refuses_results) == (True, False)


def test_nobody_gets_the_same_result_twice(evening: Session, cast: Cast, mailoutbox: Mails) -> None:
    batch = services.draft_result(session=evening, made_by=cast.secretary)
    press(batch, cast.secretary)
    work(batch)
    with pytest.raises(Refused, match="has it already"):
        services.draft_result(session=evening, made_by=cast.secretary)
    assert len(mailoutbox) == 4


def test_whoever_had_it_is_drafted_the_corrected_one(evening: Session, cast: Cast) -> None:
    batch = services.draft_result(session=evening, made_by=cast.secretary)
    press(batch, cast.secretary)
    work(batch)
    win_again(evening)
    _, corrected_batch = results_of(evening)
    assert (corrected_batch.kind, set(states(corrected_batch).values())) == ("corrected", {"draft"})
    assert len(states(corrected_batch)) == 4


def test_drafts_for_everyone_stay_when_the_evening_is_finished_again(
    evening: Session, cast: Cast
) -> None:
    batch = services.draft_result(session=evening, made_by=cast.secretary)
    win_again(evening)
    assert set(states(batch).values()) == {"draft"}


def test_before_it_is_finished_there_is_no_result_to_send(evening: Session, cast: Cast) -> None:
    ending.reopen_session(session=evening)
    with pytest.raises(Refused, match="not finished"):
        services.draft_result(session=evening, made_by=cast.secretary)


def test_the_outbox_counts_them_as_the_page_does(
    evening: Session, cast: Cast, players: list[Player]
) -> None:
    batch = services.draft_result(session=evening, made_by=cast.secretary)
    Player.objects.filter(pk=players[0].pk).update(refuses_results=True)
    row: Any = batches_with_counts(cast.club).get()
    assert row.to_send == 3
    assert len(batch_view(batch).to_send) == 3


def test_without_a_mail_server_everyone_can_be_written_a_letter(
    evening: Session, cast: Cast, settings: Settings, alice: Visitor
) -> None:
    settings.EMAIL_BACKEND = "django.core.mail.backends.filebased.EmailBackend"
    make_player(cast.club, "Fay")  # nobody else of the cast has an address
    page = alice.read(f"/c/riverside/evenings/{evening.pk}/")
    assert "Prepare letters for 9 people" in page
    assert "This Tongbox does not send email" in page
    batch = services.draft_result(session=evening, made_by=cast.secretary)
    assert len(batch_view(batch).by_hand) == 9
    by_hand = alice.read(f"/c/riverside/messages/{batch.pk}/by-hand/")
    assert "a letter for each of the 9 people above" in by_hand
    assert "Print 9 letters" in by_hand


def test_who_did_not_play_is_told_by_phone_who_won(
    evening: Session, cast: Cast, settings: Settings
) -> None:
    settings.EMAIL_BACKEND = "django.core.mail.backends.filebased.EmailBackend"
    make_player(cast.club, "Fay")
    batch = services.draft_result(session=evening, made_by=cast.secretary)
    texts = {call.name: call.say for call in contact_list(batch_view(batch)).people}
    assert texts["Ben"].startswith("You came 1st of 4, with +")
    assert texts["Fay"] == texts["Ben"].replace("You came 1st of 4, with", "Ben won with")


def test_letters_are_for_nobody_who_left_or_was_left_out(
    evening: Session, cast: Cast, players: list[Player], settings: Settings
) -> None:
    settings.EMAIL_BACKEND = "django.core.mail.backends.filebased.EmailBackend"
    batch = services.draft_result(session=evening, made_by=cast.secretary)
    messages = batch.messages.order_by("pk")
    batch.messages.update(state=MessageState.SENT, answer=CONTACT_ANSWERS["letter"])
    messages.filter(player=players[0]).update(state=MessageState.DROPPED)
    Player.objects.filter(pk=players[1].pk).update(is_active=False)
    printed_ids = {letter.player_id for letter in batch_view(batch).to_print}
    assert printed_ids == {message.player_id for message in messages} - {
        players[0].pk,
        players[1].pk,
    }
