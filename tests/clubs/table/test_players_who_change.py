"""People who come and go while a hand is typed: it stays with those it was typed for."""

from collections.abc import Callable
from uuid import uuid4

import pytest

from clubs.evenings.services import evenings
from clubs.models import Player
from scoring.scorebook.models import Hand, HandState
from tests.clubs.table.phones import DRAWN, SOUTH_WINS, TYPED, AtEvening, Phone, said
from tests.people import make_player

AGREED, DISPUTED = HandState.AGREED, HandState.DISPUTED
CHANGED = "The players at this table have changed."


def come_late(at: AtEvening) -> Player:
    """A fifth player sits in from the next hand on."""
    session = at.row.session
    late = make_player(session.club, "Joao")
    evenings.tick(session=session, player=late, is_here=True)
    evenings.sit_in(session=session, player=late, number=at.row.number)
    return late


def replace_one(at: AtEvening) -> None:
    """A substitute takes the seat of one who goes home."""
    session = at.row.session
    leaver = session.places.filter(is_current=True, seat__number=1).get().player
    substitute = make_player(session.club, "Denise")
    evenings.tick(session=session, player=substitute, is_here=True)
    evenings.take_over(session=session, leaver=leaver, player=substitute, goes_home=True)


def form_of(phone: Phone) -> dict[str, str]:
    """What a browser sends of the page's form, hidden fields and all."""
    form = phone.look().context["form"]
    hidden = {name: str(form[name].value()) for name in ("submission_id", "number", "company")}
    return hidden | {name: str(value) for name, value in TYPED.items()}


@pytest.mark.parametrize("change", [come_late, replace_one])
@pytest.mark.parametrize("hands", [0, 1])
def test_an_open_page_hears_that_others_play_and_not_that_a_hand_was_undone(
    evening: AtEvening, change: Callable[[AtEvening], object], hands: int
) -> None:
    evening.post(*[SOUTH_WINS] * hands)
    phone, mark = evening.phone, evening.phone.page.mark
    assert phone.look(v=mark).status_code == 204
    change(evening)
    told = phone.text(v=mark)
    assert (CHANGED in told, "was undone" in told) == (True, False)


@pytest.mark.parametrize("change", [come_late, replace_one])
@pytest.mark.parametrize("hands", [0, 1])
def test_scores_typed_for_others_slide_to_nobody(
    evening: AtEvening, change: Callable[[AtEvening], object], hands: int
) -> None:
    evening.post(*[SOUTH_WINS] * hands)
    phone = evening.phone
    typed = form_of(phone)
    change(evening)
    for step in ("check", "save", "tell:tallies", "tiles:1"):
        answer = phone.press(step=step, follow=True, **typed)
        assert said(answer)[0].startswith("The players at this table have changed, so this hand")
        form = answer.context["form"]
        assert [form[f"score_{place.number}"].value() for place in form.places] == [None] * 4
    assert Hand.objects.count() == hands


@pytest.mark.parametrize("change", [come_late, replace_one])
@pytest.mark.parametrize("hands", [0, 1])
def test_a_hand_kept_on_a_phone_is_saved_for_nobody_else(
    evening: AtEvening, change: Callable[[AtEvening], object], hands: int
) -> None:
    """Also one that was kept after the change, as the phone had not heard of it."""
    evening.post(*[SOUTH_WINS] * hands)
    phone = evening.phone
    typed = form_of(phone)
    change(evening)
    refused = phone.press("send/", kept_for="0", **typed)
    assert refused.status_code == 422
    page = refused.json()["page"]
    assert "Someone joined or left this table after this hand was played" in page
    assert ("Edit hand" in page, "Show this to the organiser" in page) == (False, True)
    assert Hand.objects.count() == hands


def test_a_hand_that_was_sent_before_they_changed_counts_once(evening: AtEvening) -> None:
    phone = evening.phone
    typed = form_of(phone)
    assert phone.press("send/", **typed).status_code == 201
    come_late(evening)
    again = phone.press("send/", kept_for="600", **typed)
    assert (again.status_code, again.json()["saved"]) == (200, typed["submission_id"])
    assert Hand.objects.count() == 1


def test_the_next_hand_of_the_same_people_is_taken_from_a_form_of_the_first(
    evening: AtEvening,
) -> None:
    """Offline the forms of all hands to come are those that the phone got before the first."""
    phone = evening.phone
    typed = form_of(phone)
    evening.post(DRAWN)
    second = typed | {"submission_id": str(uuid4()), "number": "2"}
    assert phone.press("send/", **second).status_code == 201


@pytest.mark.parametrize("change", [come_late, replace_one])
@pytest.mark.parametrize(("act", "state"), [("agree", AGREED), ("dispute", DISPUTED)])
def test_after_a_change_the_table_says_whether_its_hands_are_right(
    evening: AtEvening, change: Callable[[AtEvening], object], act: str, state: str
) -> None:
    evening.post(DRAWN)
    change(evening)
    later = AtEvening(evening.row.session.tables.get(number=evening.row.number))
    (hand,) = later.post(DRAWN)
    later.phone.agree(hand, act, **{"seat": "2"} if act == "dispute" else {})
    assert Hand.objects.get(pk=hand.pk).state == state
