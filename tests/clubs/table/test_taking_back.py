"""The table takes its last hand back: the form opens again, and the book keeps a note."""

from uuid import uuid4

from django.test import Client
from django.urls import reverse

from clubs.evenings.event import EveningTable
from clubs.models import SessionTable
from clubs.table import services as at_table
from scoring.scorebook.models import Hand
from scoring.scorebook.verifying import recount
from tests.clubs.table.test_agreeing import DRAWN, SOUTH_WINS, names, post, said
from tests.clubs.tables import sheet
from tests.people import PASSWORD, Cast


def test_the_last_hand_is_taken_back_after_one_look(
    client: Client, table: SessionTable, phone: str
) -> None:
    (hand,) = post(table, SOUTH_WINS)
    undo = f"{phone}hands/{hand.pk}/undo/"
    assert "Undo hand 1?" in client.get(undo).content.decode()
    assert Hand.objects.get().is_current
    answer = client.post(undo, follow=True)
    assert not Hand.objects.get().is_current
    page = answer.content.decode()
    assert "Hand 1 was undone at" in page
    assert "Correct it below." in page
    form = answer.context["form"]
    typed = {name: form[name].value() for name in ("winner", "score_1", "score_2", "number")}
    assert typed == {"winner": 2, "score_1": 20, "score_2": 60, "number": 1}
    assert form["submission_id"].value() != hand.submission_id
    assert recount().differences == ()


def test_the_hand_is_entered_anew_and_the_strip_goes(
    client: Client, table: SessionTable, phone: str
) -> None:
    (hand,) = post(table, SOUTH_WINS)
    page = client.post(f"{phone}hands/{hand.pk}/undo/", follow=True)
    client.post(phone, sheet(page, step="save", winner=3, score_3=60))
    assert Hand.objects.get(is_current=True).winner == 3
    assert client.get(phone).context["page"].gone_now is None
    assert recount().differences == ()


def test_other_phones_hear_that_a_hand_was_taken_back(
    client: Client, table: SessionTable, phone: str
) -> None:
    (hand,) = post(table, SOUTH_WINS)
    mark = client.get(phone).context["page"].mark
    at_table.take_back(table=EveningTable(table), hand_id=hand.pk, taken_by="table 1 seat 2")
    news = client.get(phone, {"v": mark, "said": "shown"}).content.decode()
    assert "Hand 1 was undone." in news


def test_a_retry_is_told_that_the_hand_was_taken_back(
    client: Client, table: SessionTable, phone: str
) -> None:
    typed = sheet(client.get(phone), step="save", winner=2, score_2=60)
    client.post(phone, typed)
    hand = Hand.objects.get()
    at_table.take_back(table=EveningTable(table), hand_id=hand.pk, taken_by="table 1")
    answer = client.post(phone, typed, follow=True)
    assert "so this entry does not count" in said(answer)[-1]
    assert not Hand.objects.filter(is_current=True).exists()


def test_only_the_last_hand_has_the_button(client: Client, table: SessionTable, phone: str) -> None:
    first, second = post(table, SOUTH_WINS, DRAWN)
    page = client.get(phone).content.decode()
    assert f"hands/{second.pk}/undo/" in page
    assert f"hands/{first.pk}/undo/" not in page
    answer = client.post(f"{phone}hands/{first.pk}/undo/", follow=True)
    assert "Hand 2 has been recorded since" in said(answer)[0]


def test_the_book_of_the_organisers_keeps_what_was_taken_back(
    client: Client, cast: Cast, table: SessionTable
) -> None:
    (hand,) = post(table, SOUTH_WINS)
    at_table.take_back(
        table=EveningTable(table), hand_id=hand.pk, taken_by=f"table {table.pk} seat 2"
    )
    client.login(email=cast.scorer.email, password=PASSWORD)
    desk = reverse("evening-table", args=[cast.club.slug, table.session.pk, table.number])
    page = client.get(desk)
    (row,) = page.context["page"].book
    assert (row.number, row.review, len(row.past)) == (1, None, 1)
    assert f"on {names(table)[2]}’s phone" in page.content.decode()
    at_table.post_hand(
        table=EveningTable(table), submission_id=uuid4(), number=1, report=DRAWN, sent_by="table 1"
    )
    (row,) = client.get(desk).context["page"].book
    assert (row.review is not None, len(row.past)) == (True, 1)
