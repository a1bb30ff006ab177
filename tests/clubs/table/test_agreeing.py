"""At the table's phone and at each seat's own: agreed, or not right."""

from typing import Any
from uuid import uuid4

import pytest
from django.contrib.messages import get_messages
from django.test import Client
from django.urls import reverse

from clubs.evenings.event import EveningTable
from clubs.evenings.services import evenings
from clubs.models import SessionTable, link_key
from clubs.table import services as at_table
from clubs.table.event import seat_key
from scoring.scorebook.models import Agreement, Game, Hand, HandState
from scoring.scorebook.reports import Report
from tests.clubs.tables import seated_evening, sheet
from tests.people import Cast

SOUTH_WINS = Report(winner=2, totals={1: 20, 2: 60, 3: 8, 4: 4})
DRAWN = Report(winner=None)


def own_phone(table: SessionTable, seat: int) -> str:
    """The address of that seat's own page."""
    return reverse("table", args=[seat_key(table, seat)])


def names(table: SessionTable) -> dict[int, str]:
    places = table.places.select_related("player", "seat")
    return {place.seat.number: place.player.name for place in places}


def post(table: SessionTable, *reports: Report) -> list[Hand]:
    return [
        at_table.post_hand(
            table=EveningTable(table),
            submission_id=uuid4(),
            number=number,
            report=report,
            sent_by="table 1",
        ).hand
        for number, report in enumerate(reports, start=1)
    ]


def shown(client: Client, address: str, hand: Hand) -> str:
    """The digest of what the page shows of the hand."""
    return str(client.get(address).context["page"].reviews[hand.pk].shown)


def agree(client: Client, address: str, hand: Hand, **told: Any) -> Any:
    told = {"shown": shown(client, address, hand)} | told
    return client.post(f"{address}hands/{hand.pk}/agree/", told, follow=True)


def dispute(client: Client, address: str, hand: Hand, **told: Any) -> Any:
    told = {"shown": shown(client, address, hand)} | told
    return client.post(f"{address}hands/{hand.pk}/dispute/", told, follow=True)


def said(answer: Any) -> list[str]:
    return [str(message) for message in get_messages(answer.wsgi_request)]


def state(hand: Hand) -> str:
    return Hand.objects.get(pk=hand.pk).state


def test_all_agree_is_one_press_on_the_shared_phone(
    client: Client, table: SessionTable, phone: str
) -> None:
    (hand,) = post(table, SOUTH_WINS)
    answer = agree(client, phone, hand)
    assert (said(answer), state(hand)) == (["Hand 1 agreed by the table."], HandState.AGREED)
    assert set(Agreement.objects.values_list("said_by", flat=True)) == {f"table {table.pk}"}


def test_the_phone_goes_round_from_one_to_the_next(
    client: Client, table: SessionTable, phone: str
) -> None:
    (hand,) = post(table, SOUTH_WINS)
    called = names(table)
    answer = agree(client, phone, hand, seat="2")
    assert said(answer) == [f"{called[2]} has agreed to hand 1."]
    told = answer.content.decode()
    assert f"{called[2]} has agreed. Not yet: {called[1]}, {called[3]}, {called[4]}." in told
    for seat in ("1", "3"):
        agree(client, phone, hand, seat=seat)
    assert state(hand) == HandState.REPORTED
    agree(client, phone, hand, seat="4")
    assert state(hand) == HandState.AGREED


def test_a_seats_own_link_speaks_for_that_seat_alone(client: Client, table: SessionTable) -> None:
    (hand,) = post(table, SOUTH_WINS)
    answer = agree(client, own_phone(table, 3), hand, seat="1")
    assert said(answer) == ["You have agreed to hand 1."]
    agreed = Agreement.objects.get()
    assert (agreed.seat, agreed.said_by) == (3, f"table {table.pk} seat 3")
    told = answer.content.decode()
    assert "You have agreed" in told
    assert "All agree" not in told


def test_a_seats_own_page_says_who_you_are(client: Client, table: SessionTable) -> None:
    page = client.get(own_phone(table, 2))
    assert page.context["page"].you == f"{names(table)[2]} (South)"
    assert "You are" in page.content.decode()


def test_who_sends_a_hand_from_their_own_phone_has_agreed(
    client: Client, table: SessionTable
) -> None:
    mine = own_phone(table, 4)
    client.post(mine, sheet(client.get(mine), step="save", winner=2, score_2=60))
    agreed = Agreement.objects.get()
    assert (agreed.seat, agreed.agrees, state(agreed.hand)) == (4, True, HandState.REPORTED)


def test_a_new_link_of_the_table_makes_the_seats_links_void(
    client: Client, table: SessionTable
) -> None:
    mine = own_phone(table, 4)
    SessionTable.objects.update(link_key=link_key())
    assert client.get(mine).status_code == 410


def test_each_on_their_own_phone_shows_a_code_for_every_seat(
    client: Client, table: SessionTable, phone: str
) -> None:
    page = client.get(f"{phone}seats/")
    links = page.context["links"]
    assert [link["seat"].name for link in links] == list(names(table).values())
    assert client.get(links[1]["address"]).context["page"].seat == 2
    assert client.get(f"{own_phone(table, 2)}seats/")["Location"] == own_phone(table, 2)


def test_nobody_agrees_to_what_they_were_not_shown(
    client: Client, table: SessionTable, phone: str
) -> None:
    (hand,) = post(table, SOUTH_WINS)
    answer = agree(client, phone, hand, shown="0" * 64)
    assert "Hand 1 has changed since you opened this page" in said(answer)[0]
    assert (state(hand), Agreement.objects.count()) == (HandState.REPORTED, 0)


def test_an_agreement_lapses_with_another_name_and_the_page_says_so(
    client: Client, table: SessionTable, phone: str
) -> None:
    (hand,) = post(table, SOUTH_WINS)
    agree(client, phone, hand, seat="2")
    changed = table.places.get(seat__number=1).player
    changed.name = "Augusta"
    changed.save()
    told = client.get(phone).content.decode()
    assert f"has changed since {names(table)[2]} agreed. Please check it again." in told


def test_a_later_hand_may_be_entered_and_the_page_keeps_asking(
    client: Client, table: SessionTable, phone: str
) -> None:
    first, second = post(table, SOUTH_WINS, DRAWN)
    agree(client, phone, second)
    page = client.get(phone)
    assert [review.hand.row.pk for review in page.context["page"].waiting] == [first.pk]
    agree(client, phone, first)
    assert client.get(phone).context["page"].waiting == []


def test_many_hands_that_wait_do_not_stand_in_the_way(
    client: Client, table: SessionTable, phone: str
) -> None:
    post(table, DRAWN, SOUTH_WINS, DRAWN)
    told = client.get(phone).content.decode()
    assert "2 earlier hands are not agreed yet" in told
    Game.objects.update(agreement="scorer")
    assert client.get(phone).context["page"].waiting == []


@pytest.mark.parametrize("size", [3, 5])
def test_three_and_five_agree_as_well(client: Client, cast: Cast, size: int) -> None:
    table = seated_evening(cast.club, players=size).tables.get()
    (hand,) = post(table, DRAWN)
    agree(client, reverse("table", args=[table.link_key]), hand)
    assert (Agreement.objects.count(), state(hand)) == (min(size, 4), HandState.AGREED)


def test_who_sat_out_has_no_button(client: Client, cast: Cast) -> None:
    table = seated_evening(cast.club, players=5).tables.get()
    (hand,) = post(table, DRAWN)
    told = client.get(own_phone(table, 5)).content.decode()
    assert "You sat this hand out" in told
    assert "I agree" not in told
    answer = agree(client, own_phone(table, 5), hand)
    assert "sat out hand 1, so the other players agree it" in said(answer)[0]


@pytest.mark.parametrize(
    ("policy", "words"),
    [
        ("all", "No one has agreed yet."),
        ("two", "2 players must agree."),
        ("scorer", "with the scorer"),
        ("none", "Counts as entered."),
    ],
)
def test_the_page_says_who_is_asked(
    client: Client, table: SessionTable, phone: str, policy: str, words: str
) -> None:
    Game.objects.update(agreement=policy)
    post(table, SOUTH_WINS)
    assert words in client.get(phone).content.decode()


def test_not_right_asks_who_says_so_and_what_is_wrong(
    client: Client, table: SessionTable, phone: str
) -> None:
    (hand,) = post(table, SOUTH_WINS)
    form = client.get(f"{phone}hands/{hand.pk}/dispute/").context["form"]
    assert [name for _, name in form.fields["seat"].choices] == list(names(table).values())
    answer = dispute(client, phone, hand, words="mine was 46")
    assert (answer.status_code, set(answer.context["form"].errors)) == (422, {"seat"})
    assert answer.context["form"]["words"].value() == "mine was 46"
    told = {"seat": "3", "what": "My score is wrong", "words": "mine was 46"}
    answer = dispute(client, phone, hand, **told)
    objection = Agreement.objects.get()
    assert (objection.seat, objection.note, state(hand)) == (
        3, "My score is wrong: mine was 46", HandState.DISPUTED
    )  # fmt: skip
    words = f"{names(table)[3]} reported a problem: “My score is wrong: mine was 46”."
    assert words in answer.content.decode()


def test_a_seats_own_link_is_not_asked_who_it_is(client: Client, table: SessionTable) -> None:
    (hand,) = post(table, SOUTH_WINS)
    dispute(client, own_phone(table, 4), hand)
    objection = Agreement.objects.get()
    assert (objection.seat, objection.note, state(hand)) == (4, "", HandState.DISPUTED)


def test_what_all_agree_on_after_all_is_settled(
    client: Client, table: SessionTable, phone: str
) -> None:
    (hand,) = post(table, SOUTH_WINS)
    dispute(client, phone, hand, seat="3")
    agree(client, phone, hand)
    assert state(hand) == HandState.AGREED


def test_an_earlier_hand_is_disputed_until_the_evening_is_finished(
    client: Client, table: SessionTable, phone: str
) -> None:
    first, second = post(table, SOUTH_WINS, DRAWN)
    agree(client, phone, first)
    dispute(client, phone, first, seat="1")
    assert state(first) == HandState.DISPUTED
    agree(client, phone, first)
    agree(client, phone, second)
    evenings.close_session(session=table.session)
    answer = client.get(f"{phone}hands/{first.pk}/dispute/", follow=True)
    assert said(answer) == ["This evening is finished."]


def test_the_table_reads_at_once_why_the_scorer_lets_a_hand_stand(
    client: Client, table: SessionTable, phone: str
) -> None:
    (hand,) = post(table, SOUTH_WINS)
    dispute(client, phone, hand, seat="3")
    mark = client.get(phone).context["page"].mark
    told = {"reason": "so it is on the paper sheet", "made_by": "user 1"}
    at_table.decide(table=EveningTable(table), hand_id=hand.pk, **told)
    news = client.get(phone, {"v": mark, "said": "shown"}).content.decode()
    assert "The scorer kept hand 1 as entered: so it is on the paper sheet" in news
    late = agree(client, phone, hand)
    assert "it is decided by the scorer" in said(late)[0]


def test_the_scorers_word_stays_until_the_next_hand(
    client: Client, table: SessionTable, phone: str
) -> None:
    (hand,) = post(table, SOUTH_WINS)
    at_table.decide(
        table=EveningTable(table), hand_id=hand.pk, reason="as on the sheet", made_by="user 1"
    )
    assert len(client.get(phone).context["page"].rulings) == 1
    at_table.post_hand(
        table=EveningTable(table), submission_id=uuid4(), number=2, report=DRAWN, sent_by="table 1"
    )
    assert client.get(phone).context["page"].rulings == []


def test_a_correction_of_several_hands_is_one_notice(
    client: Client, table: SessionTable, phone: str
) -> None:
    first, _ = post(table, SOUTH_WINS, DRAWN)
    report = Report(winner=1, totals={1: 60, 2: 20, 3: 8, 4: 4})
    told = {"corrected_by": "user 1", "reason": "East won it"}
    at_table.correct_hand(table=EveningTable(table), hand_id=first.pk, report=report, **told)
    said_of = [ruling.sentence for ruling in client.get(phone).context["page"].rulings]
    assert said_of == ["The scorer corrected hands 1 and 2: East won it"]


def test_words_alone_change_only_the_part_that_tells_them(
    client: Client, table: SessionTable, phone: str
) -> None:
    (hand,) = post(table, SOUTH_WINS)
    mark = client.get(phone).context["page"].mark
    agree(client, phone, hand, seat="1")
    news = client.get(phone, {"v": mark, "said": "shown"}).content.decode()
    assert 'id="said" hx-swap-oob="true"' in news
    assert "data-news" not in news
    quiet = client.get(phone, {"v": mark, "said": "none"}).content.decode()
    assert ("data-news" in quiet, 'id="said"' in quiet) == (False, False)
    at_table.post_hand(
        table=EveningTable(table), submission_id=uuid4(), number=2, report=DRAWN, sent_by="table 1"
    )
    news = client.get(phone, {"v": mark, "said": "shown"}).content.decode()
    assert "Hand 2 was entered by someone else." in news
