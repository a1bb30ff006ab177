"""Messages as a secretary or a program writes them: sent, told by hand, on page and paper."""

import re
from collections.abc import Iterator
from datetime import date
from html import unescape
from typing import Any

import pytest
import time_machine
from django.core.mail import EmailMultiAlternatives
from django.urls import reverse
from pytest_django import DjangoAssertNumQueries, DjangoCaptureOnCommitCallbacks

from clubs.evenings.services import calendar, ending
from clubs.members.services.merging import merge_players
from clubs.messages.message_kinds import TextBlock, printed_text
from clubs.messages.papers import PrintedLetter, letters_pdf, telephone_pdf
from clubs.messages.selectors import batch_view, contact_list
from clubs.models import (
    Batch,
    Invitation,
    Job,
    Message,
    MessageState,
    Player,
    PlayerKind,
    SessionTable,
)
from clubs.paper.formats import Format
from tests.clubs.nights import SECOND_WINS, make_players, night, post
from tests.clubs.outbox import above_the_foot, press, results_of, states, with_emails, write
from tests.clubs.paper.test_paper_names import every_format
from tests.clubs.visits import Visitor, actions, errors
from tests.clubs.year import TUESDAY, make_series
from tests.paper import lines_on, outside, overlapping, pages_of, smaller_than, words_of
from tests.people import Cast, make_player


@pytest.fixture(autouse=True)
def before_it() -> Iterator[None]:
    with time_machine.travel("2026-11-15T10:00Z", tick=False):
        yield


@pytest.fixture
def players(cast: Cast) -> list[Player]:
    """Ann and Ben with an address, Cy with a telephone, Di with neither."""
    players = make_players(cast.club, 4)
    with_emails(players[:2])
    Player.objects.filter(pk=players[2].pk).update(phone="01632 960123")
    cast.club.players.exclude(pk__in=[player.pk for player in players]).update(is_active=False)
    return players


def address_of(name: str, batch: Batch | None = None, *url_args: Any) -> str:
    return reverse(name, args=["riverside", *([batch.pk] if batch else []), *url_args])


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
    data = {"subject": "Lunch", "text": "Dear {name},\r\n\r\nlunch!", "who": "members"}
    drafts = ["4 drafts are written. Nothing has been sent yet."]
    assert alice.messages_after(writing("message"), **data) == drafts
    batch = Batch.objects.get()
    page = alice.get(address_of("batch", batch))
    assert "Send 2 messages" in page.content.decode()
    assert "2 people by post or phone" in page.content.decode()
    with django_capture_on_commit_callbacks(execute=True):
        messages = alice.messages_after(
            address_of("batch-send", batch), seen=page.context["view"].preview_digest
        )
    assert messages == ["2 messages are being sent."]
    texts = [above_the_foot(mail) for mail in mailoutbox]
    assert texts == ["Dear Ann,\n\nlunch!", "Dear Ben,\n\nlunch!"]
    assert alice.messages_after(address_of("batch-send", batch), seen="") == [
        "Nothing was left to send."
    ]


@pytest.mark.parametrize(
    ("changes", "wrong"),
    [
        ({"who": "members", "text": "Dear {nmae}"}, "text"),
        ({"who": "members", "subject": "x" * 161}, "subject"),
        ({"who": "chosen"}, "people"),
        ({"who": "members", "people": "{ann}"}, "who"),
    ],
)
def test_a_mistake_is_said_and_nothing_typed_is_lost(
    alice: Visitor, players: list[Player], changes: dict[str, str], wrong: str
) -> None:
    if "people" in changes:
        changes = changes | {"people": str(players[0].pk)}
    fields = {"subject": "Lunch", "text": "Bring a cake."} | changes
    page = alice.post(writing("message"), fields)
    assert (page.status_code, list(errors(page))) == (422, [wrong])
    assert fields["text"] in page.content.decode()
    assert not Batch.objects.exists()


def test_everybody_invited_has_a_link_of_their_own(
    alice: Visitor, cast: Cast, players: list[Player]
) -> None:
    make_series(cast.club)
    for player in players[:2]:
        calendar.set_stand_by(player=player, is_glad=True)
    alice.post(writing("invitation"), {"day": "2026-11-17", "who": "glad"})
    keys = dict(Invitation.objects.values_list("player__name", "key"))
    assert bodies() == [
        f"Dear {name},\n\nCan you come to Riverside Mah-Jong Club on Tuesday 17 November, 2pm, "
        "Village Hall?\nPlease answer yes or no here, without a password:\n"
        f"http://localhost:8000/come/{keys[name]}/\n\nThank you, Alice"
        for name in ("Ann", "Ben")
    ]


def test_who_is_left_out_of_an_invitation_was_never_asked(
    alice: Visitor, players: list[Player]
) -> None:
    people = [players[0].pk, players[1].pk]
    alice.post(writing("invitation"), {"day": "2026-11-17", "who": "chosen", "people": people})
    batch, ann = Batch.objects.get(), Message.objects.get(player=players[0])
    alice.post(address_of("batch-leave-out", batch), {"message": ann.pk})
    assert [invitation.player for invitation in Invitation.objects.all()] == [players[1]]
    alice.post(address_of("batch-take-in", batch), {"message": ann.pk})
    assert Invitation.objects.count() == 2


def test_people_are_asked_to_come_to_the_next_evening(alice: Visitor, cast: Cast) -> None:
    make_series(cast.club)
    assert alice.get(writing("invitation")).context["form"].initial == {"day": TUESDAY}


def test_nobody_is_invited_to_a_day_that_is_over(alice: Visitor, players: list[Player]) -> None:
    page = alice.post(writing("invitation"), {"day": "2026-11-10", "who": "members"})
    assert errors(page) == {"day": ["That date has passed. Choose a future date."]}


def test_no_evening_says_which_day_and_why(alice: Visitor, players: list[Player]) -> None:
    data = {"day": "2026-12-22", "why": "the hall is let", "who": "members"}
    alice.post(writing("no-evening"), data)
    assert bodies()[0] == (
        "Dear Ann,\n\nRiverside Mah-Jong Club will not meet on Tuesday 22 December 2026 "
        "(the hall is let).\n\nAlice"
    )


def test_whose_subscription_is_due_reads_until_when_they_paid(
    alice: Visitor, players: list[Player]
) -> None:
    for player, day in zip(players, (date(2026, 10, 31), date(2027, 10, 31)), strict=False):
        Player.objects.filter(pk=player.pk).update(paid_until=day)
    alice.post(writing("renewal"), {"sent": "yes"})
    (body,) = bodies()
    expected_text = "Your subscription to Riverside Mah-Jong Club runs until 31 October 2026."
    assert f"Dear Ann,\n\n{expected_text}" in body


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
    url_args = ["2026-11-17"] if page == "standby" else []
    assert f"/messages/{leads}" in alice.read(reverse(page, args=["riverside", *url_args]))
    form = alice.read(f"/c/riverside/messages/{leads.replace('&amp;', '&')}")
    assert ("2026-" in form, "Christmas" in form) == (page != "members-due", page == "holidays")


@pytest.mark.usefixtures("players")
def test_where_nothing_is_due_there_is_nobody_to_write_to(alice: Visitor) -> None:
    assert "No subscription is due" in alice.read(writing("renewal"))
    wrong = errors(alice.post(writing("renewal"), {"sent": "yes"}))
    assert wrong == {"__all__": ["No subscriptions are due, so there is no one to write to."]}


def test_the_finished_evening_leads_to_its_results(
    alice: Visitor, cast: Cast, players: list[Player]
) -> None:
    Player.objects.filter(pk__in=[player.pk for player in players]).update(wants_results=True)
    session = night(cast.club, date(2026, 11, 10), players)
    post(SessionTable.objects.get(), SECOND_WINS)
    ending.close_session(session=session)
    (batch,) = results_of(session)
    page = alice.get(address_of("evening", session)).content.decode()  # type: ignore[arg-type]
    assert "4 results are ready to send." in page
    assert address_of("batch", batch) in page
    make_player(cast.club, "Zoë")
    alice.post(writing("message"), {"subject": "Scarf", "text": "Whose?", "who": "here"})
    assert list(states(Batch.objects.latest("pk"))) == ["Ann", "Ben", "Cy", "Di"]


def test_a_text_is_changed_for_all_or_for_one(alice: Visitor, batch: Batch) -> None:
    ben = batch.messages.get(player__name="Ben")
    ben_messages = alice.messages_after(
        address_of("message", batch, ben.pk), subject="Lunch", text="Only Ben."
    )
    batch_messages = alice.messages_after(
        address_of("batch-text", batch), subject="Lunch", text="All, {name}."
    )
    assert (ben_messages, batch_messages) == (
        ["Saved for this person only."],
        ["3 drafts changed."],
    )
    assert bodies() == ["All, Ann.", "Only Ben.", "All, Cy.", "All, Di."]
    view = batch_view(batch)
    assert (view.text, view.own_texts) == ("All, {name}.", 1)
    wrong = alice.post(address_of("batch-text", batch), {"subject": "Lunch", "text": "Dear {who}"})
    assert (wrong.status_code, "Dear {who}" in wrong.content.decode()) == (422, True)


def test_those_without_e_mail_are_told_by_a_press(alice: Visitor, batch: Batch) -> None:
    calls = alice.get(address_of("batch-by-hand", batch)).context["calls"]
    people = [(call.name, call.phone, call.say) for call in calls.people]
    lunch = "The summer lunch"
    assert people == [("Cy", "01632 960123", lunch), ("Di", "", lunch)]
    messages = alice.messages_after(
        address_of("batch-told", batch), message=calls.to_call[0].pk, by="telephone"
    )
    assert messages == ["Cy has been contacted."]
    assert batch.messages.get(player__name="Cy").answer == "contacted by phone"
    assert [call.name for call in contact_list(batch_view(batch)).people] == ["Di"]


def test_a_number_is_dialled_by_a_press_and_of_two_in_one_cell_the_first(
    alice: Visitor, batch: Batch
) -> None:
    cy = Player.objects.get(name="Cy")
    cy.phone, cy.second_phone = "01632 960123 or 01632 960124", "+44 7700 900105"
    cy.save()
    page = alice.read(address_of("batch-by-hand", batch))
    phone_links = re.findall(r'href="tel:([^"]*)">([^<]*)</a>', page)
    assert phone_links == [
        ("01632960123", "01632 960123 or 01632 960124"),
        ("+447700900105", "+44 7700 900105"),
    ]


def test_a_rehearsal_says_that_nothing_is_sent(alice: Visitor, cast: Cast, batch: Batch) -> None:
    cast.club.rehearsal_of = cast.stranger.memberships.get().club
    cast.club.save()
    page = alice.get(address_of("batch", batch))
    assert "This is a practice evening, so nothing is sent." in page.content.decode()
    assert "send" not in actions(page)
    messages = alice.messages_after(
        address_of("batch-send", batch), seen=page.context["view"].preview_digest
    )
    assert messages == ["This is a practice evening, so no messages are sent."]
    assert not Job.objects.exists()


def test_the_outbox_says_what_did_not_arrive_and_why(
    alice: Visitor, cast: Cast, players: list[Player]
) -> None:
    batch = write(cast.club, players[:1], cast.secretary)
    batch.messages.update(state="refused", answer="550 no such person")
    assert "550 no such person" in alice.read(address_of("outbox"))
    messages = alice.messages_after(
        address_of("batch-again", batch), message=batch.messages.get().pk
    )
    assert messages == ["1 message is being sent again."]


@pytest.mark.usefixtures("batch")
@pytest.mark.parametrize(("query", "count"), [("lunch", 1), ("ann", 1), ("hello", 1), ("x", 0)])
def test_a_message_is_found_by_a_name_or_a_word(alice: Visitor, query: str, count: int) -> None:
    assert len(alice.get(f"{address_of('messages-sent')}?q={query}").context["page_obj"]) == count


def test_a_message_of_another_batch_is_not_found(
    alice: Visitor, cast: Cast, players: list[Player]
) -> None:
    batches = [write(cast.club, players[:1], cast.secretary) for _ in range(2)]
    other_message = batches[1].messages.get()
    assert alice.get(address_of("message", batches[0], other_message.pk)).status_code == 404
    for name in ("leave-out", "take-in", "again", "told"):
        address = address_of(f"batch-{name}", batches[0])
        assert alice.post(address, {"message": other_message.pk}).status_code == 404


def test_the_same_guest_twice_made_one_has_one_message(cast: Cast, players: list[Player]) -> None:
    guest = make_player(cast.club, "A. Archer", kind=PlayerKind.GUEST)
    batch = write(cast.club, [players[0], guest], cast.secretary)
    merge_players(kept_player=players[0], merged_player=guest)
    assert batch.messages.filter(player=players[0]).count() == 1


@pytest.mark.parametrize("count", [1, 3])
def test_messages_ask_as_often_for_one_as_for_three(
    alice: Visitor,
    cast: Cast,
    players: list[Player],
    django_assert_num_queries: DjangoAssertNumQueries,
    count: int,
) -> None:
    for _ in range(count):
        write(cast.club, players, cast.secretary)
        write(cast.club, players, cast.secretary).messages.update(state="sent")
        write(cast.club, players[:1], cast.secretary).messages.update(state="refused")
    batch = write(cast.club, players[:count], cast.secretary)
    press(batch)
    for address, queries in {
        address_of("messages"): 3,
        address_of("outbox"): 4,
        address_of("messages-sent"): 4,
        address_of("batch", batch): 5,
    }.items():
        with django_assert_num_queries(queries):
            alice.get(address)


@every_format
def test_letters_and_the_list_print_whole(cast: Cast, players: list[Player], form: Format) -> None:
    Player.objects.filter(pk=players[3].pk).update(name="Wilhelmina Featherstonehaugh-Cholmondeley")
    result = "\n".join(f"{place:>4}  {name}  +{place * 100}" for place, name in enumerate(LONG, 1))
    short_batch = write(cast.club, players, cast.secretary)
    long_batch = write(
        cast.club, players, cast.secretary, f"Dear {{name}},\n\n{result}\n\n" + WORDS
    )
    for batch in (short_batch, long_batch):
        view = batch_view(batch)
        letters = [
            PrintedLetter(letter.name, letter.subject, letter.printed_blocks)
            for letter in view.letters
        ]
        calls = telephone_pdf(cast.club.name, batch.title, contact_list(view), form)
        for paper in (letters_pdf(cast.club.name, "30 November 2026", letters, form), calls):
            assert (outside(paper), overlapping(paper)) == ([], [])
            if form.is_large:
                assert smaller_than(paper, 15.6) == []


@pytest.mark.parametrize(
    ("address", "is_printed"),
    [("http://localhost:8000/c/riverside/", False), ("https://club.example.org/c/x/", True)],
)
def test_a_letter_leaves_out_an_address_that_opens_only_on_this_computer(
    cast: Cast, players: list[Player], address: str, is_printed: bool
) -> None:
    text = f"Dear {{name}},\n\nHere is the result.\n\nEvery table and hand: {address}\n\nAlice"
    view = batch_view(write(cast.club, players[:1], cast.secretary, text))
    letters = [
        PrintedLetter(letter.name, letter.subject, letter.printed_blocks) for letter in view.letters
    ]
    (page,) = words_of(letters_pdf(cast.club.name, "30 November 2026", letters, Format()))
    assert "Here is the result." in page
    assert ("Every table and hand:" in page) == is_printed


HOME = "http://localhost:8000"
NOTE = f"Dear {{name}},\n\nBring a cake. See {HOME}/c/riverside/.\nOr look here:\n\n{HOME}\n\nAlice"


def some_batch(kind: str, alice: Visitor, cast: Cast, players: list[Player]) -> Batch:
    """Drafts of a kind to the four players; each has a link that opens only on this computer."""
    recipient_data = {"who": "chosen", "people": [player.pk for player in players]}
    if kind == "invitation":
        make_series(cast.club)
        alice.post(writing(kind), {"day": "2026-11-17"} | recipient_data)
    elif kind == "result":
        Player.objects.filter(pk__in=[player.pk for player in players]).update(wants_results=True)
        session = night(cast.club, date(2026, 11, 10), players)
        post(SessionTable.objects.get(), SECOND_WINS)
        ending.close_session(session=session)
    else:
        write(cast.club, players, cast.secretary, NOTE)
    return Batch.objects.latest("pk")


def words_of_letter(page: str) -> str:
    """What a preview says below the reader’s name."""
    (letter,) = re.findall(r'<article class="letter".*?</p>(.*?)</article>', page, re.DOTALL)
    return unescape(re.sub(r"<[^>]+>", " ", letter))


@pytest.mark.parametrize("kind", ["invitation", "result", "message"])
def test_the_preview_of_a_letter_says_what_the_printed_letter_says(
    alice: Visitor, cast: Cast, players: list[Player], kind: str
) -> None:
    batch = some_batch(kind, alice, cast, players)
    by_name = {letter.name: letter for letter in batch_view(batch).letters}
    pages = {
        name: alice.read(address_of("message", batch, letter.pk))
        for name, letter in by_name.items()
    }
    texts = {name: words_of_letter(page) for name, page in pages.items()}
    assert (HOME in texts["Ann"], HOME in texts["Di"]) == (True, False)
    assert "Printed letters leave them out." in pages["Di"]
    for page in (pages["Ann"], pages["Di"], alice.read(address_of("batch", batch))):
        assert "which works only on this computer" in page
    paper = alice.get(address_of("batch-letters-pdf", batch), {"message": by_name["Di"].pk})
    (page,) = words_of(paper.content)
    assert page.split("For Di", 1)[1].split() == texts["Di"].split()


def test_what_leads_to_an_address_goes_from_paper_with_it() -> None:
    assert printed_text(NOTE) == "Dear {name},\n\nBring a cake.\n\n\nAlice"
    assert (
        printed_text("Look at  https://x.org: it is good.") == "Look at  https://x.org: it is good."
    )
    assert printed_text(f"We meet at St. Mary's Hall, map at {HOME}/map.") == ""
    assert printed_text(f"See e.g. {HOME}") == ""
    assert printed_text(f"A cake. (See {HOME}.) Bye.") == "A cake. Bye."


@pytest.mark.parametrize(
    ("line", "expected_text"),
    [
        ("We meet at 7. Map: {}/", "We meet at 7."),
        ("Is that all? It is not! See {}/.  Bye.", "Is that all? It is not! Bye."),
        ("She said “Come.” See {}/x. Bye.", "She said “Come.” Bye."),
        ("It is below. {}/", "It is below."),
        ("Ask Prof. Li or Mrs. Hill of “St. Mary” for {}/.", ""),
        ("J. Smith and A. B. Hill are at {}/.", ""),
        ("Dr. Li is at {}/.", ""),
        ("1. Look at {}/.", ""),
        ("It takes approx. two minutes at {}/.", ""),
        (
            "Ask Dr. Li, e.g. on 1. Nov. at 7 p.m. Bye.",
            "Ask Dr. Li, e.g. on 1. Nov. at 7 p.m. Bye.",
        ),
    ],
)
def test_no_letter_bears_half_a_sentence(line: str, expected_text: str) -> None:
    assert printed_text(line.format(HOME)) == expected_text


@pytest.mark.parametrize("kind", ["invitation", "result"])
def test_a_draft_leads_to_the_address_that_was_set_after_it_was_written(
    alice: Visitor, cast: Cast, players: list[Player], settings: Any, kind: str
) -> None:
    batch = some_batch(kind, alice, cast, players)
    settings.SITE_ADDRESS = "http://testserver"
    page = alice.read(address_of("batch", batch))
    assert "http://testserver/" in page
    assert "only on this computer" not in page


def test_an_address_typed_in_a_message_is_warned_of_wherever_links_lead(
    alice: Visitor, cast: Cast, players: list[Player], settings: Any
) -> None:
    settings.SITE_ADDRESS = "http://testserver"
    page = alice.read(address_of("batch", some_batch("message", alice, cast, players)))
    assert "Some links in these messages open only on this computer." in page
    assert "Edit the message before you send or print it." in page


def test_the_page_of_one_message_speaks_of_it_alone_and_advises_what_can_be_done(
    alice: Visitor, cast: Cast, players: list[Player], settings: Any
) -> None:
    settings.SITE_ADDRESS = "http://testserver"
    batch = some_batch("message", alice, cast, players)
    ann, di = (batch.messages.get(player__name=name) for name in ("Ann", "Di"))
    advice = {ann: "Edit the message before you send it.", di: "before you send or print it."}
    for message, hint in advice.items():
        page = alice.read(address_of("message", batch, message.pk))
        assert "Some links in this message open only on this computer." in page
        assert hint in page
    batch.messages.filter(pk=ann.pk).update(state=MessageState.REFUSED)
    page = alice.read(address_of("message", batch, ann.pk))
    assert "Some links in this message open only on this computer." in page
    assert "Edit the message" not in page


LONG = ("Ann Archer", "Bartholomew Featherstonehaugh", "Cy", "Di")
WORDS = "\n\n".join(["Please bring a cake, a chair and someone who likes both. " * 4] * 12)


@pytest.mark.parametrize("count", [1, 2])
def test_a_letter_says_its_day_and_is_as_large_as_its_sheet_allows(count: int) -> None:
    short_letter = PrintedLetter("Ann Li", "No evening", (TextBlock(("Dear Ann,",)),))
    (page,) = pages_of(
        letters_pdf("Riverside", "30 November 2026", [short_letter] * count, Format())
    )
    lines = lines_on(page)
    assert [line.text for line in lines].count("30 November 2026") == count
    assert {line.size for line in lines if line.text == "Dear Ann,"} == {14.0}
    long_letter = PrintedLetter(
        "Ann Li", "Result", tuple(TextBlock((f"Line {number}",)) for number in range(27))
    )
    (page,) = pages_of(letters_pdf("Riverside", "30 November 2026", [long_letter], Format()))
    assert {line.size for line in lines_on(page) if line.text == "Line 1"} == {11.0}


def test_two_short_letters_lie_on_one_sheet(alice: Visitor, batch: Batch) -> None:
    (sheet,) = words_of(alice.get(address_of("batch-letters-pdf", batch)).content)
    assert [f"Hello {name}." in sheet for name in ("Cy", "Di", "Ann")] == [True, True, False]
    ann = batch.messages.get(player__name="Ann")
    (only,) = words_of(
        alice.get(f"{address_of('batch-letters-pdf', batch)}?message={ann.pk}").content
    )
    assert ("Hello Ann." in only, "Hello Cy." in only) == (True, False)
    (calls,) = words_of(alice.get(address_of("batch-phone-pdf", batch)).content)
    assert "01632 960123" in calls
    assert "No phone number: " in calls
