"""The outbox as a secretary uses it: written, looked at, sent, told by hand; on page and paper."""

from collections.abc import Iterator
from datetime import date
from typing import Any

import pytest
import time_machine
from django.core.mail import EmailMultiAlternatives
from django.urls import reverse
from pytest_django import DjangoAssertNumQueries, DjangoCaptureOnCommitCallbacks

from clubs.evenings.services import calendar, evenings
from clubs.members.services import merge_players
from clubs.messages.papers import PrintedLetter, letters_pdf, telephone_pdf
from clubs.messages.selectors import batch_view, calls_of
from clubs.models import Batch, Invitation, Message, Player, PlayerKind, SessionTable
from clubs.paper.formats import Contrast, Format, Letters, Size
from tests.clubs.nights import SECOND_WINS, make_players, night, post
from tests.clubs.outbox import press, results_of, states, with_emails, write
from tests.clubs.visits import Visitor, actions, errors
from tests.clubs.year import TUESDAY, make_series
from tests.paper import outside, overlapping, smaller_than, words_of
from tests.people import Cast, make_player

FORMATS = [
    Format(),
    Format(Size.LETTER),
    Format(Size.A4, Letters.LARGE),
    Format(Size.LETTER, Letters.LARGE, Contrast.HIGH),
]


@pytest.fixture(autouse=True)
def before_it() -> Iterator[None]:
    with time_machine.travel("2026-11-15T10:00Z", tick=False):
        yield


@pytest.fixture
def alice(cast: Cast) -> Visitor:
    return Visitor(cast.secretary)


@pytest.fixture
def players(cast: Cast) -> list[Player]:
    """Ann and Ben with an address, Cy with a telephone, Di with neither."""
    players = make_players(cast.club, 4)
    with_emails(players[:2])
    Player.objects.filter(pk=players[2].pk).update(phone="01632 960123")
    cast.club.players.exclude(pk__in=[one.pk for one in players]).update(is_active=False)
    return players


def at(name: str, batch: Batch | None = None, *more: Any) -> str:
    return reverse(name, args=["riverside", *([batch.pk] if batch else []), *more])


def writing(kind: str) -> str:
    return reverse("messages-write", args=["riverside", kind])


def bodies() -> list[str]:
    return [letter.body for letter in batch_view(Batch.objects.latest("pk")).letters]


def test_a_message_is_written_looked_at_and_sent(
    alice: Visitor,
    players: list[Player],
    mailoutbox: list[EmailMultiAlternatives],
    django_capture_on_commit_callbacks: DjangoCaptureOnCommitCallbacks,
) -> None:
    said = alice.told(
        writing("message"), subject="Lunch", text="Dear {name},\r\n\r\nlunch!", who="members"
    )
    assert said == ["4 drafts are written. Nothing has been sent yet."]
    batch = Batch.objects.get()
    page = alice.get(at("batch", batch))
    assert "Send 2 messages" in page.content.decode()
    assert "2 people by post or phone" in page.content.decode()
    with django_capture_on_commit_callbacks(execute=True):
        told = alice.told(at("batch-send", batch), seen=page.context["view"].seen)
    assert told == ["2 messages are being sent."]
    assert [mail.body for mail in mailoutbox] == ["Dear Ann,\n\nlunch!\n", "Dear Ben,\n\nlunch!\n"]
    assert alice.told(at("batch-send", batch), seen="") == ["Nothing was left to send."]


@pytest.mark.parametrize(
    ("told", "wrong"),
    [
        ({"who": "members", "text": "Dear {nmae}"}, "text"),
        ({"who": "members", "subject": "x" * 161}, "subject"),
        ({"who": "chosen"}, "people"),
        ({"who": "members", "people": "{ann}"}, "who"),
    ],
)
def test_a_mistake_is_said_and_nothing_typed_is_lost(
    alice: Visitor, players: list[Player], told: dict[str, str], wrong: str
) -> None:
    if "people" in told:
        told = told | {"people": str(players[0].pk)}
    fields = {"subject": "Lunch", "text": "Bring a cake."} | told
    page = alice.post(writing("message"), fields)
    assert (page.status_code, list(errors(page))) == (422, [wrong])
    assert fields["text"] in page.content.decode()
    assert not Batch.objects.exists()


def test_only_those_who_were_here_tonight_are_written_to(
    alice: Visitor, cast: Cast, players: list[Player]
) -> None:
    night(cast.club, date(2026, 11, 10), players[:3])
    alice.post(writing("message"), {"subject": "Scarf", "text": "Whose?", "who": "here"})
    assert list(states(Batch.objects.get())) == ["Ann", "Ben", "Cy"]


def test_everybody_invited_has_a_link_of_their_own(
    alice: Visitor, cast: Cast, players: list[Player]
) -> None:
    make_series(cast.club)
    for player in players[:2]:
        calendar.set_stand_by(player=player, is_glad=True)
    alice.post(writing("invitation"), {"day": "2026-11-17", "who": "glad"})
    keys = dict(Invitation.objects.values_list("player__name", "key"))
    assert bodies() == [
        f"Dear {name},\n\ncan you come to Riverside Mah-Jong Club on Tuesday 17 November, 2pm, "
        "Village Hall? Please answer yes or no here. You do not need a password:\n"
        f"http://localhost:8000/come/{keys[name]}/\n\nThank you, Alice"
        for name in ("Ann", "Ben")
    ]


def test_who_is_left_out_of_an_invitation_was_never_asked(
    alice: Visitor, cast: Cast, players: list[Player]
) -> None:
    alice.post(
        writing("invitation"),
        {"day": "2026-11-17", "who": "chosen", "people": [players[0].pk, players[1].pk]},
    )
    batch, ann = Batch.objects.get(), Message.objects.get(player=players[0])
    alice.post(at("batch-leave-out", batch), {"message": ann.pk})
    assert [asked.player for asked in Invitation.objects.all()] == [players[1]]
    alice.post(at("batch-take-in", batch), {"message": ann.pk})
    assert Invitation.objects.count() == 2


def test_people_are_asked_to_come_to_the_next_evening(alice: Visitor, cast: Cast) -> None:
    make_series(cast.club)
    assert alice.get(writing("invitation")).context["form"].initial == {"day": TUESDAY}


def test_nobody_is_invited_to_a_day_that_is_over(alice: Visitor, players: list[Player]) -> None:
    page = alice.post(writing("invitation"), {"day": "2026-11-10", "who": "members"})
    assert errors(page) == {"day": ["That date has passed. Choose a future date."]}


def test_no_evening_says_which_day_and_why(alice: Visitor, players: list[Player]) -> None:
    told = {"day": "2026-12-22", "why": "the hall is let", "who": "members"}
    alice.post(writing("no-evening"), told)
    assert bodies()[0] == (
        "Dear Ann,\n\nRiverside Mah-Jong Club does not meet on Tuesday 22 December 2026 "
        "(the hall is let).\n\nAlice"
    )


def test_whose_subscription_is_due_reads_until_when_they_paid(
    alice: Visitor, players: list[Player]
) -> None:
    for player, day in zip(players, (date(2026, 10, 31), date(2027, 10, 31)), strict=False):
        Player.objects.filter(pk=player.pk).update(paid_until=day)
    alice.post(writing("renewal"), {"sent": "yes"})
    (body,) = bodies()
    assert (
        "Dear Ann,\n\nyour subscription to Riverside Mah-Jong Club runs until 31 October 2026."
        in body
    )


@pytest.mark.parametrize(
    ("page", "leads"),
    [
        ("members-due", "write/renewal/"),
        ("holidays", "write/no-evening/?day=2026-12-22&amp;why=Christmas"),
        ("standby", "write/invitation/?day=2026-11-17&amp;who=glad"),
    ],
)
def test_where_somebody_is_to_be_told_a_press_leads_to_the_words(
    alice: Visitor, cast: Cast, players: list[Player], page: str, leads: str
) -> None:
    make_series(cast.club)
    calendar.set_stand_by(player=players[0], is_glad=True)
    Player.objects.filter(pk=players[0].pk).update(paid_until=date(2026, 10, 31))
    more = ["2026-11-17"] if page == "standby" else []
    shown = alice.get(reverse(page, args=["riverside", *more])).content.decode()
    assert f"/messages/{leads}" in shown
    form = alice.get(f"/c/riverside/messages/{leads.replace('&amp;', '&')}").content.decode()
    assert [said in form for said in ("2026-", "Christmas")] == [
        page != "members-due",
        page == "holidays",
    ]


def test_where_nothing_is_due_there_is_nobody_to_write_to(
    alice: Visitor, players: list[Player]
) -> None:
    assert "No subscription is due" in alice.get(writing("renewal")).content.decode()
    page = alice.post(writing("renewal"), {"sent": "yes"})
    assert errors(page) == {
        "__all__": ["No subscriptions are due, so there is no one to write to."]
    }


def test_the_finished_evening_leads_to_its_results(
    alice: Visitor, cast: Cast, players: list[Player]
) -> None:
    Player.objects.filter(pk__in=[player.pk for player in players]).update(wants_results=True)
    session = night(cast.club, date(2026, 11, 10), players)
    post(SessionTable.objects.get(), SECOND_WINS)
    evenings.close_session(session=session)
    (batch,) = results_of(session)
    page = alice.get(at("evening", session)).content.decode()  # type: ignore[arg-type]
    assert "4 results ready to send." in page
    assert at("batch", batch) in page


def test_a_text_is_changed_for_all_or_for_one(
    alice: Visitor, cast: Cast, players: list[Player]
) -> None:
    batch = write(cast.club, players, cast.secretary)
    ben = batch.messages.get(player__name="Ben")
    assert alice.told(at("message", batch, ben.pk), subject="Lunch", text="Only Ben.") == [
        "Saved for this person only."
    ]
    assert alice.told(at("batch-text", batch), subject="Lunch", text="All, {name}.") == [
        "3 drafts changed."
    ]
    assert bodies() == ["All, Ann.", "Only Ben.", "All, Cy.", "All, Di."]
    wrong = alice.post(at("batch-text", batch), {"subject": "Lunch", "text": "Dear {who}"})
    assert (wrong.status_code, "Dear {who}" in wrong.content.decode()) == (422, True)


def test_those_without_e_mail_are_told_by_a_press(
    alice: Visitor, cast: Cast, players: list[Player]
) -> None:
    batch = write(cast.club, players, cast.secretary)
    calls = alice.get(at("batch-by-hand", batch)).context["calls"]
    assert [(call.name, call.phone, call.say) for call in calls.everybody] == [
        ("Cy", "01632 960123", "The summer lunch"),
        ("Di", "", "The summer lunch"),
    ]
    said = alice.told(at("batch-told", batch), message=calls.to_call[0].pk, by="telephone")
    assert said == ["Cy has been contacted."]
    assert batch.messages.get(player__name="Cy").answer == "contacted by phone"
    assert [call.name for call in calls_of(batch_view(batch)).everybody] == ["Di"]


def test_a_rehearsal_says_that_nothing_is_sent(
    alice: Visitor, cast: Cast, players: list[Player]
) -> None:
    batch = write(cast.club, players, cast.secretary)
    cast.club.rehearsal_of = cast.stranger.memberships.get().club
    cast.club.save()
    page = alice.get(at("batch", batch))
    assert "This is a practice evening, so nothing is sent." in page.content.decode()
    assert "send" not in actions(page)
    assert alice.told(at("batch-send", batch), seen=page.context["view"].seen) == [
        "This is a practice evening, so no messages are sent."
    ]


def test_the_outbox_says_what_did_not_arrive_and_why(
    alice: Visitor, cast: Cast, players: list[Player]
) -> None:
    batch = write(cast.club, players[:1], cast.secretary)
    batch.messages.update(state="refused", answer="550 no such person")
    page = alice.get(at("outbox")).content.decode()
    assert "550 no such person" in page
    assert alice.told(at("batch-again", batch), message=batch.messages.get().pk) == [
        "1 message is being sent again."
    ]


@pytest.mark.parametrize(("asked", "found"), [("lunch", 1), ("ann", 1), ("hello", 1), ("x", 0)])
def test_a_message_is_found_by_a_name_or_a_word(
    alice: Visitor, cast: Cast, players: list[Player], asked: str, found: int
) -> None:
    write(cast.club, players, cast.secretary)
    assert len(alice.get(f"{at('messages-sent')}?q={asked}").context["page_obj"]) == found


def test_a_message_of_another_batch_is_not_found(
    alice: Visitor, cast: Cast, players: list[Player]
) -> None:
    batches = [write(cast.club, players[:1], cast.secretary) for _ in range(2)]
    other = batches[1].messages.get()
    assert alice.get(at("message", batches[0], other.pk)).status_code == 404
    for name in ("leave-out", "take-in", "again", "told"):
        told = alice.post(at(f"batch-{name}", batches[0]), {"message": other.pk})
        assert told.status_code == 404


def test_the_same_guest_twice_made_one_has_one_message(cast: Cast, players: list[Player]) -> None:
    guest = make_player(cast.club, "A. Archer", kind=PlayerKind.GUEST)
    batch = write(cast.club, [players[0], guest], cast.secretary)
    merge_players(kept=players[0], gone=guest)
    assert batch.messages.filter(player=players[0]).count() == 1


@pytest.mark.parametrize(
    ("page", "statements"), [("messages", 3), ("outbox", 4), ("messages-sent", 4)]
)
@pytest.mark.parametrize("count", [1, 3])
def test_messages_ask_as_often_for_one_as_for_three(
    alice: Visitor,
    cast: Cast,
    players: list[Player],
    django_assert_num_queries: DjangoAssertNumQueries,
    count: int,
    page: str,
    statements: int,
) -> None:
    for _ in range(count):
        write(cast.club, players, cast.secretary)
        sent = write(cast.club, players, cast.secretary)
        sent.messages.update(state="sent")
        write(cast.club, players[:1], cast.secretary).messages.update(state="refused")
    with django_assert_num_queries(statements):
        alice.get(at(page))


@pytest.mark.parametrize("count", [1, 3])
def test_a_batch_asks_as_often_for_one_as_for_three(
    alice: Visitor,
    cast: Cast,
    players: list[Player],
    django_assert_num_queries: DjangoAssertNumQueries,
    count: int,
) -> None:
    batch = write(cast.club, players[:count], cast.secretary)
    press(batch, cast.secretary)
    with django_assert_num_queries(5):
        alice.get(at("batch", batch))


@pytest.mark.parametrize("form", FORMATS, ids=lambda form: form.query or "usual")
def test_letters_and_the_list_print_whole(cast: Cast, players: list[Player], form: Format) -> None:
    Player.objects.filter(pk=players[3].pk).update(name="Wilhelmina Featherstonehaugh-Cholmondeley")
    result = "\n".join(f"{place:>4}  {name}  +{place * 100}" for place, name in enumerate(LONG, 1))
    short = write(cast.club, players, cast.secretary)
    long = write(cast.club, players, cast.secretary, f"Dear {{name}},\n\n{result}\n\n" + WORDS)
    for batch in (short, long):
        view = batch_view(batch)
        printed = [PrintedLetter(one.name, one.subject, one.blocks) for one in view.letters]
        calls = telephone_pdf(cast.club.name, batch.title, calls_of(view), form)
        for paper in (letters_pdf(cast.club.name, printed, form), calls):
            assert (outside(paper), overlapping(paper)) == ([], [])
            if form.is_large:
                assert smaller_than(paper, 15.6) == []


LONG = ("Ann Archer", "Bartholomew Featherstonehaugh", "Cy", "Di")
WORDS = "\n\n".join(["Please bring a cake, a chair and someone who likes both. " * 4] * 12)


def test_two_short_letters_lie_on_one_sheet(
    alice: Visitor, cast: Cast, players: list[Player]
) -> None:
    batch = write(cast.club, players, cast.secretary)
    (sheet,) = words_of(alice.get(at("batch-letters-pdf", batch)).content)
    assert ("Hello Cy." in sheet, "Hello Di." in sheet, "Hello Ann." in sheet) == (
        True,
        True,
        False,
    )
    ann = batch.messages.get(player__name="Ann")
    (only,) = words_of(alice.get(f"{at('batch-letters-pdf', batch)}?message={ann.pk}").content)
    assert ("Hello Ann." in only, "Hello Cy." in only) == (True, False)
    (calls,) = words_of(alice.get(at("batch-phone-pdf", batch)).content)
    assert "01632 960123" in calls
    assert "No phone number: " in calls
