"""What is said of a hand at a table: agreed, disputed, decided, undone, at every phone."""

from collections.abc import Callable
from datetime import timedelta
from functools import partial

import pytest
from django.utils import timezone

from clubs.models import Player, SessionTable
from scoring.scorebook.models import Agreement, Game, Hand, HandState
from scoring.scorebook.refusals import Refused
from scoring.scorebook.reports import Report
from scoring.scorebook.verifying import recount
from tests.clubs.table.phones import (
    DRAWN,
    SOUTH_WINS,
    TYPED,
    At,
    AtEvening,
    AtRound,
    Phone,
    messages_of,
)
from tests.people import Cast
from tests.scoring.scorebook.book import open_game
from tests.tournaments.cups import tables
from tournaments.models import AtTheBell, Round, Table, Tournament
from tournaments.seating.services import changes
from tournaments.steps import services as steps
from tournaments.table.event import RoundTable

REPORTED = HandState.REPORTED
AGREED = HandState.AGREED
DISPUTED = HandState.DISPUTED
DECIDED = HandState.DECIDED


def state(hand: Hand) -> str:
    return Hand.objects.get(pk=hand.pk).state


# At either kind of table


def test_all_agree_is_one_press_on_the_shared_phone(game_table: At) -> None:
    (hand,) = game_table.post(SOUTH_WINS)
    answer = game_table.phone.agree(hand)
    assert (messages_of(answer), state(hand)) == (["Hand 1 agreed by the table."], AGREED)
    assert set(Agreement.objects.values_list("said_by", flat=True)) == {game_table.sent_by}


def test_all_earlier_hands_are_agreed_by_one_press(evening: AtEvening) -> None:
    first, second, disputed_hand, last = evening.post(SOUTH_WINS, DRAWN, DRAWN, DRAWN)
    evening.say(disputed_hand, 3, agrees=False)
    page = evening.phone.look("hands/")
    assert page.content.decode().count("<strong>Hand 1</strong>") == 1
    assert page.content.decode().count('id="hand-1"') == 1
    reviews = page.context["page"].for_this_phone
    assert [review.hand.row.number for review in reviews] == [1, 2]
    form_data = {"shown": reviews[0].mark, f"shown_{second.pk}": reviews[1].mark}
    answer = evening.phone.press(f"hands/{first.pk}/agree/", follow=True, **form_data)
    assert messages_of(answer) == ["Hand 1 agreed by the table.", "Hand 2 agreed by the table."]
    assert [state(hand) for hand in (first, second, disputed_hand, last)] == [
        AGREED,
        AGREED,
        DISPUTED,
        REPORTED,
    ]


def test_a_seat_agrees_to_earlier_hands_by_one_press_for_itself(evening: AtEvening) -> None:
    first, second, _ = evening.post(SOUTH_WINS, DRAWN, DRAWN)
    own_phone = evening.own_phone(3)
    page = own_phone.look("hands/")
    assert "Agree these 2 hands" in page.content.decode()
    reviews = page.context["page"].for_this_phone
    form_data = {"shown": reviews[0].mark, f"shown_{second.pk}": reviews[1].mark}
    own_phone.press(f"hands/{first.pk}/agree/", **form_data)
    assert [(word.hand_id, word.seat) for word in Agreement.objects.order_by("hand")] == [
        (first.pk, 3),
        (second.pk, 3),
    ]
    assert not own_phone.page.for_this_phone


def test_what_the_second_phone_had_entered_goes_to_the_scorer(evening: AtEvening) -> None:
    phone = evening.phone
    form_data = phone.sheet(step="save", **TYPED)
    evening.post(Report(winner=3, totals={1: 0, 2: 0, 3: 26, 4: 0}))
    response = phone.press(**form_data)
    assert response.status_code == 409
    link = response.content.decode().split("/dispute/?")[1].split('"')[0]
    (hand,) = evening.current()
    form = phone.client.get(f"{phone.address}hands/{hand.pk}/dispute/?{link}").context["form"]
    names = evening.phone.page.view.names
    assert form["words"].value() == (
        f"We had: {names[1]} 20, {names[2]} 60 (Mah-Jong), {names[3]} 8, {names[4]} 4"
    )


def test_a_seats_own_link_speaks_for_that_seat_alone(game_table: At) -> None:
    (hand,) = game_table.post(SOUTH_WINS)
    answer = game_table.own_phone(3).agree(hand, seat="1")
    assert messages_of(answer) == ["You have agreed to hand 1."]
    agreement = Agreement.objects.get()
    assert (agreement.seat, agreement.said_by) == (3, f"{game_table.sent_by} seat 3")
    text = answer.content.decode()
    assert ("You have agreed" in text, "All agree" in text) == (True, False)


def test_who_sends_a_hand_from_their_own_phone_has_agreed_and_may_dispute_it(
    game_table: At,
) -> None:
    own_phone = game_table.own_phone(4)
    hand = own_phone.enter(winner=2, score_2=60)
    agreement = Agreement.objects.get()
    assert (agreement.seat, agreement.agrees, state(hand)) == (4, True, REPORTED)
    assert agreement.said_by == hand.sent_by == f"{game_table.sent_by} seat 4"
    own_phone.dispute(hand)
    objection = Agreement.objects.latest("pk")
    assert (objection.seat, objection.note, state(hand)) == (4, "", DISPUTED)


@pytest.mark.parametrize(
    ("act", "new_state"),
    [
        (At.say, AGREED),
        (partial(At.say, agrees=False), DISPUTED),
        (At.decide, DECIDED),
        (At.take_back, REPORTED),
    ],
    ids=["agreed", "disputed", "decided", "undone"],
)
def test_every_word_raises_the_version_that_the_desk_watches(
    game_table: At, act: Callable[..., Hand], new_state: HandState
) -> None:
    (hand,) = game_table.post(DRAWN)
    version_before = game_table.version()
    assert (act(game_table, hand).state, game_table.version()) == (new_state, version_before + 1)


def test_what_is_finished_hears_no_more(game_table: At) -> None:
    (hand,) = game_table.post(DRAWN)
    game_table.finish()
    kind = {"evening": "evening is finished, so its result"}.get(
        game_table.event.desk, "tournament is finished, so its results"
    )
    for act in (At.say, partial(At.say, agrees=False), At.decide, At.correct, At.take_back):
        with pytest.raises(Refused, match=rf"This {kind} cannot change\."):
            act(game_table, hand)


def test_the_last_hand_is_undone_after_one_look_and_entered_anew(game_table: At) -> None:
    first, second = game_table.post(SOUTH_WINS, SOUTH_WINS)
    phone, undo = game_table.phone, f"hands/{second.pk}/undo/"
    text = phone.text()
    assert (undo in text, f"hands/{first.pk}/undo/" in text) == (True, False)
    response = phone.press(f"hands/{first.pk}/undo/", follow=True)
    assert "Hand 2 has been recorded since" in messages_of(response)[0]
    assert "Undo hand 2?" in phone.text(undo)
    assert len(game_table.current()) == 2
    page = phone.press(undo, follow=True)
    assert game_table.current() == [first]
    assert "Hand 2 was undone at" in page.content.decode()
    assert "Correct it below." in page.content.decode()
    form = page.context["form"]
    form_values = {name: form[name].value() for name in ("winner", "score_1", "score_2", "number")}
    assert form_values == {"winner": 2, "score_1": 20, "score_2": 60, "number": 2}
    assert form["submission_id"].value() != second.submission_id
    assert recount().differences == ()
    phone.enter(winner=3, score_3=60)
    assert [hand.winner for hand in game_table.current()] == [2, 3]
    assert phone.page.gone_now is None
    assert recount().differences == ()


# At a round


def test_a_substitute_leaves_what_was_agreed_before(round_: AtRound) -> None:
    (hand,) = round_.post(SOUTH_WINS)
    round_.say(hand, 1, 2, 3)
    entrant = round_.row.placements.get(seat__number=4).entrant
    changes.set_substitute(tournament=round_.cup, entrant=entrant, name="Sue Stand-in", number=1)
    assert round_.say(hand, 4).state == AGREED


def test_a_closed_round_keeps_its_hands_and_still_agrees_to_them(round_: AtRound) -> None:
    hands = round_.post(SOUTH_WINS, DRAWN)
    steps.close_round(tournament=round_.cup)
    with pytest.raises(Refused, match="This card is for round 1, which is closed"):
        round_.take_back(hands[1])
    assert round_.say(hands[0]).state == AGREED


def test_a_table_that_has_stopped_keeps_its_hands(round_: AtRound) -> None:
    (hand,) = round_.post(SOUTH_WINS)
    Table.objects.update(stopped_at=timezone.now())
    with pytest.raises(Refused, match="you could not enter it again"):
        round_.take_back(hand)
    assert round_.current() == [hand]


def test_the_hand_after_the_bell_can_be_taken_back_and_is_not_counted_twice(
    round_: AtRound,
) -> None:
    Tournament.objects.update(minutes_a_round=10, at_the_bell=AtTheBell.FINISH)
    Round.objects.filter(number=1).update(started_at=timezone.now() - timedelta(minutes=12))
    (table,) = tables(round_.cup)
    round_.event = RoundTable(table)
    (hand,) = round_.post(SOUTH_WINS)
    round_.take_back(hand)
    round_.event = RoundTable(table, by_players=True)
    (new_hand,) = round_.post(DRAWN)
    assert round_.current() == [new_hand]


# At an evening, on the page


def test_a_hand_of_another_table_is_not_found(evening: AtEvening) -> None:
    (hand,) = evening.post(DRAWN)
    session, game = evening.row.session, open_game()
    row = SessionTable.objects.create(session=session, number=2, game=game)
    for act in (At.say, At.decide, At.take_back):
        with pytest.raises(Hand.DoesNotExist):
            act(AtEvening(row), hand)


def test_the_phone_goes_round_from_one_to_the_next(evening: AtEvening) -> None:
    (hand,), name = evening.post(SOUTH_WINS), evening.names
    answer = evening.phone.agree(hand, seat="2")
    assert messages_of(answer) == [f"{name[2]} has agreed to hand 1."]
    waiting = f"{name[2]} has agreed. Not yet: {name[1]}, {name[3]}, {name[4]}."
    assert waiting in answer.content.decode()
    for seat in ("1", "3"):
        evening.phone.agree(hand, seat=seat)
    assert state(hand) == REPORTED
    evening.phone.agree(hand, seat="4")
    assert state(hand) == AGREED


def test_each_on_their_own_phone_shows_a_code_for_every_seat(evening: AtEvening) -> None:
    links = evening.phone.look("seats/").context["links"]
    assert [link["seat"].name for link in links] == list(evening.names.values())
    assert Phone(links[1]["address"]).page.seat == 2
    own_phone = evening.own_phone(2)
    assert own_phone.look("seats/")["Location"] == own_phone.address
    assert own_phone.page.you == f"{evening.names[2]} (South)"
    assert "You are" in own_phone.text()


def test_nobody_agrees_to_what_they_were_not_shown(evening: AtEvening) -> None:
    (hand,) = evening.post(SOUTH_WINS)
    answer = evening.phone.agree(hand, shown="0" * 64)
    assert "Hand 1 has changed since you opened this page" in messages_of(answer)[0]
    assert (state(hand), Agreement.objects.count()) == (REPORTED, 0)


def test_a_name_that_is_corrected_leaves_agreements_as_they_are(evening: AtEvening) -> None:
    (hand,) = evening.post(SOUTH_WINS)
    evening.phone.agree(hand, seat="2")
    page = evening.phone.page
    Player.objects.filter(places__seat__number=1, places__table=evening.row).update(name="Augusta")
    text = evening.phone.text()
    assert "Augusta" in text
    assert f"{evening.names[2]} has agreed." in text
    assert "has changed since" not in text
    # Who has the page open from before the correction agrees to the same hand.
    (review,) = page.reviews.values()
    for seat in ("1", "3", "4"):
        evening.phone.agree(hand, seat=seat, shown=review.mark)
    assert state(hand) == AGREED


def test_a_later_hand_may_be_entered_and_the_page_keeps_asking(evening: AtEvening) -> None:
    first, second = evening.post(SOUTH_WINS, DRAWN)
    evening.phone.agree(second)
    assert [review.hand.row.pk for review in evening.phone.page.waiting] == [first.pk]
    evening.phone.agree(first)
    assert evening.phone.page.waiting == []


def test_many_hands_that_wait_do_not_stand_in_the_way(evening: AtEvening) -> None:
    evening.post(DRAWN, SOUTH_WINS, DRAWN)
    assert "2 earlier hands are not agreed yet" in evening.phone.text()
    assert "won, with +" in evening.phone.text("hands/")
    Game.objects.update(agreement="scorer")
    assert evening.phone.page.waiting == []


@pytest.mark.parametrize("players", [3, 5])
def test_three_and_five_agree_as_well(cast: Cast, players: int) -> None:
    evening_table = AtEvening.create(cast, players=players)
    (hand,) = evening_table.post(DRAWN)
    evening_table.phone.agree(hand)
    assert (Agreement.objects.count(), state(hand)) == (min(players, 4), AGREED)


def test_who_sat_out_has_no_button(cast: Cast) -> None:
    evening_table = AtEvening.create(cast, players=5)
    (hand,), rests = evening_table.post(DRAWN), evening_table.own_phone(5)
    text = rests.text()
    assert ("You sat this hand out" in text, "I agree" in text) == (True, False)
    assert "sat out hand 1, so the other players agree it" in messages_of(rests.agree(hand))[0]


@pytest.mark.parametrize(
    ("policy", "text"),
    [
        ("all", "No one has agreed yet."),
        ("two", "2 players must agree."),
        ("scorer", "with the scorer"),
        ("none", "Counts as entered."),
    ],
)
def test_the_page_says_who_is_asked(evening: AtEvening, policy: str, text: str) -> None:
    Game.objects.update(agreement=policy)
    evening.post(SOUTH_WINS)
    assert text in evening.phone.text()


def test_not_right_asks_who_says_so_and_what_is_wrong(evening: AtEvening) -> None:
    (hand,), phone = evening.post(SOUTH_WINS), evening.phone
    form = phone.look(f"hands/{hand.pk}/dispute/").context["form"]
    assert [name for _, name in form.fields["seat"].choices] == list(evening.names.values())
    answer = phone.dispute(hand, words="mine was 46")
    assert (answer.status_code, set(answer.context["form"].errors)) == (422, {"seat"})
    assert answer.context["form"]["words"].value() == "mine was 46"
    answer = phone.dispute(hand, seat="3", what="My score is wrong", words="mine was 46")
    objection, note = Agreement.objects.get(), "My score is wrong: mine was 46"
    assert (objection.seat, objection.note, state(hand)) == (3, note, DISPUTED)
    assert f"{evening.names[3]} reported a problem: “{note}”." in answer.content.decode()
    phone.agree(hand)
    assert state(hand) == AGREED


def test_an_earlier_hand_is_disputed_until_the_evening_is_finished(evening: AtEvening) -> None:
    (first, second), phone = evening.post(SOUTH_WINS, DRAWN), evening.phone
    phone.agree(first)
    phone.dispute(first, seat="1")
    assert state(first) == DISPUTED
    phone.agree(first)
    phone.agree(second)
    evening.finish()
    answer = phone.client.get(f"{phone.address}hands/{first.pk}/dispute/", follow=True)
    assert messages_of(answer) == ["This evening is finished."]


def test_the_table_reads_at_once_why_the_scorer_lets_a_hand_stand(evening: AtEvening) -> None:
    (hand,), phone = evening.post(SOUTH_WINS), evening.phone
    phone.dispute(hand, seat="3")
    mark = phone.page.mark
    evening.decide(hand, "so it is on the paper sheet")
    news = phone.text(v=mark, said="shown")
    assert "The scorer kept hand 1 as entered: so it is on the paper sheet" in news
    assert "it is decided by the scorer" in messages_of(phone.agree(hand))[0]
    assert len(phone.page.rulings) == 1
    evening.post(DRAWN, first=2)
    assert phone.page.rulings == []


def test_a_correction_of_several_hands_is_one_notice(evening: AtEvening) -> None:
    first, _ = evening.post(SOUTH_WINS, DRAWN)
    evening.correct(first, Report(winner=1, totals={1: 60, 2: 20, 3: 8, 4: 4}), "East won it")
    sentences = [ruling.summary for ruling in evening.phone.page.rulings]
    assert sentences == ["The scorer corrected hands 1 and 2: East won it"]


def test_words_alone_change_only_the_part_that_tells_them(evening: AtEvening) -> None:
    (hand,), phone = evening.post(SOUTH_WINS), evening.phone
    mark = phone.page.mark
    phone.agree(hand, seat="1")
    news = phone.text(v=mark, said="shown")
    assert ('id="said" hx-swap-oob="true"' in news, "data-news>" in news) == (True, False)
    quiet = phone.text(v=mark, said="none")
    assert ("data-news>" in quiet, 'id="said"' in quiet) == (False, False)
    evening.post(DRAWN, first=2)
    assert "Hand 2 has been entered." in phone.text(v=mark, said="shown")


def test_other_phones_hear_that_a_hand_was_undone(evening: AtEvening) -> None:
    (hand,), phone = evening.post(SOUTH_WINS), evening.phone
    mark = phone.page.mark
    evening.take_back(hand)
    assert "Hand 1 was undone." in phone.text(v=mark, said="shown")


def test_a_retry_is_told_that_the_hand_was_undone(evening: AtEvening) -> None:
    phone = evening.phone
    form_data = phone.sheet(step="save", **TYPED)
    phone.press(**form_data)
    evening.take_back(Hand.objects.get())
    assert "so this entry does not count" in messages_of(phone.press(follow=True, **form_data))[-1]
    assert evening.current() == []


def test_the_book_of_the_organisers_keeps_what_was_undone(cast: Cast, evening: AtEvening) -> None:
    (hand,), desk = evening.post(SOUTH_WINS), evening.desk(cast.scorer)
    evening.take_back(hand)
    page = desk.look()
    (row,) = page.context["page"].book
    assert (row.number, row.review, len(row.past_hands)) == (1, None, 1)
    assert f"on {evening.names[2]}’s phone" in page.content.decode()
    evening.post(DRAWN)
    (row,) = desk.page.book
    assert (row.review is not None, len(row.past_hands)) == (True, 1)


def test_an_earlier_hand_is_agreed_beside_the_hands_so_far(evening: AtEvening) -> None:
    first, last = evening.post(SOUTH_WINS, SOUTH_WINS)
    page = evening.phone.text("hands/")
    assert f"{evening.phone.address}hands/{first.pk}/agree/" in page
    assert f"{evening.phone.address}hands/{last.pk}/agree/" not in page
    for hand, place in ((first, "hands/"), (last, "")):
        ((url, _),) = evening.phone.agree(hand).redirect_chain
        assert url == f"{evening.phone.address}{place}"
