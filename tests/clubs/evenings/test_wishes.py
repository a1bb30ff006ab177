"""The club's wishes: noted by the secretary, heeded on every evening, told to nobody else."""

from datetime import date, timedelta
from functools import partial
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone
from pytest_django import DjangoAssertNumQueries

from clubs.evenings.selectors.evenings import Tonight, door_list, wishes_tonight
from clubs.evenings.selectors.seating import wish_list
from clubs.evenings.services import evenings, seats
from clubs.evenings.services.calendar import add_wish
from clubs.members.services import merge_players, what_moves
from clubs.models import Club, Player, Session, Wish, WishKind
from scoring.scorebook.refusals import Refused
from tests.clubs.nights import evening_of, make_players, night
from tests.clubs.visits import Visitor, errors
from tests.paper import words_of
from tests.people import PASSWORD, Cast, make_club, make_player

pytestmark = pytest.mark.django_db
TONIGHT = date(2026, 11, 17)
APART, TOGETHER, HELPER, TABLE = WishKind


@pytest.fixture
def alice(cast: Cast) -> Visitor:
    return Visitor(cast.secretary)


def seat(club: Club, players: list[Player]) -> Session:
    session = evening_of(club, players)
    evenings.seat_session(session=session)
    return session


def table_of(session: Session, player: Player) -> int:
    return session.places.get(player=player).table.number


def at(name: str, session: Session) -> str:
    return reverse(name, args=[session.club.slug, session.pk])


def refusal(**wish: Any) -> str:
    with pytest.raises(Refused) as refused:
        add_wish(**wish)
    return refused.value.problems[0].sentence


def test_two_who_do_not_get_on_sit_at_two_tables() -> None:
    club = make_club()
    ann, ben, *_ = players = make_players(club, 8)
    add_wish(club=club, kind=APART, player=ann, other=ben)
    for week in range(6):
        session = evening_of(club, players, TONIGHT + timedelta(weeks=week))
        evenings.seat_session(session=session)
        assert table_of(session, ann) != table_of(session, ben)


def test_friends_a_beginner_and_somebody_who_cannot_climb_stairs_are_heeded() -> None:
    club = make_club()
    ann, ben, cy, di, *_ = players = make_players(club, 12)
    add_wish(club=club, kind=TOGETHER, player=ann, other=ben)
    add_wish(club=club, kind=HELPER, player=cy, other=di)
    add_wish(club=club, kind=TABLE, player=ann, table=3)
    session = seat(club, players)
    assert (table_of(session, ann), table_of(session, ben)) == (3, 3)
    assert table_of(session, cy) == table_of(session, di)


def test_a_wish_holds_until_its_last_day() -> None:
    club = make_club()
    ann, ben, *_ = players = make_players(club, 8)
    wish = add_wish(club=club, kind=APART, player=ann, other=ben)
    Wish.objects.filter(pk=wish.pk).update(until=TONIGHT)
    tonight = seat(club, players)
    assert wishes_tonight(tonight, door_list(tonight)).count == 1
    later = evening_of(club, players, TONIGHT + timedelta(days=1))
    assert wishes_tonight(later, door_list(later)) == Tonight(0, ())


def test_wishes_that_cannot_be_kept_stop_no_evening(alice: Visitor, cast: Cast) -> None:
    ann, ben, cy, di = players = make_players(cast.club, 4)
    add_wish(club=cast.club, kind=APART, player=ann, other=ben)
    add_wish(club=cast.club, kind=TABLE, player=cy, table=5)
    add_wish(club=cast.club, kind=HELPER, player=di, other=make_player(cast.club, "Ed"))
    session = evening_of(cast.club, players)
    before = alice.get(at("evening", session)).context["wishes"]
    assert before.count == 0
    assert before.sentences == (
        "Cy cannot sit at table 5 tonight: there is only 1 table.",
        "We cannot keep Ann and Ben apart tonight: there is only 1 table.",
        "Di, a beginner, cannot sit with a helper tonight: none of their helpers has checked in.",
    )
    alice.post(at("seat", session))
    after = alice.get(at("evening", session))
    assert after.context["wishes"].sentences == (
        "Ann and Ben sit at one table, although they should be kept apart.",
        "Cy does not sit at table 5, which is their fixed table.",
        "Di, a beginner, sits without a helper.",
    )
    assert "3 seating preferences not met" in after.content.decode()


def test_only_the_secretary_reads_on_the_evening_what_was_not_kept(
    alice: Visitor, cast: Cast
) -> None:
    ann, ben, *_ = players = make_players(cast.club, 4)
    add_wish(club=cast.club, kind=APART, player=ann, other=ben)
    session = evening_of(cast.club, players)
    alice.post(at("seat", session))
    for person in (cast.director, cast.scorer, cast.player):
        page = Visitor(person).get(at("evening", session))
        assert not page.context.get("wishes")
        assert "kept apart" not in page.content.decode()


def test_what_cannot_be_kept_is_said_as_people_arrive(alice: Visitor, cast: Cast) -> None:
    ann, ben, cy, di = make_players(cast.club, 4)
    add_wish(club=cast.club, kind=APART, player=ann, other=ben)
    session = evening_of(cast.club, [ann, cy, di])
    tick = partial(alice.post, at("tick", session), headers={"HX-Request": "true"})
    page = tick({"here": ben.pk}).content.decode()
    assert "1 seating preference cannot be met tonight" in page
    assert "1 seating preference cannot" not in tick({"away": ben.pk}).content.decode()


def test_a_wish_that_goes_against_another_is_refused_in_a_sentence() -> None:
    club = make_club()
    ann, ben, cy, di, ed = make_players(club, 5)
    add_wish(club=club, kind=APART, player=ben, other=ann)
    note = partial(refusal, club=club)
    already = "This conflicts with a preference you already have: "
    assert note(kind=TOGETHER, player=ann, other=ben) == (f"{already}Keep Ann and Ben apart.")
    assert note(kind=APART, player=ann, other=ben) == (
        "There is already a preference like this for Ann and Ben."
    )
    add_wish(club=club, kind=TABLE, player=cy, table=1)
    assert note(kind=TABLE, player=cy, table=2) == "There is already a preference like this for Cy."
    for other in (di, ed, ann):
        add_wish(club=club, kind=TOGETHER, player=cy, other=other)
    flo = make_player(club, "Flo")
    assert note(kind=TOGETHER, player=cy, other=flo) == (
        "More than four people would have to sit at one table."
    )
    stranger = make_player(make_club("Hill Top Tiles", "hill-top"), "Zoë")
    assert "not on this club’s list" in note(kind=APART, player=ann, other=stranger)


def test_a_wish_that_is_over_is_noted_anew() -> None:
    club = make_club()
    ann, ben = make_players(club, 2)
    old = add_wish(club=club, kind=APART, player=ann, other=ben)
    yesterday = timezone.localdate() - timedelta(days=1)
    Wish.objects.filter(pk=old.pk).update(until=yesterday)
    add_wish(club=club, kind=TOGETHER, player=ann, other=ben)
    assert [row.is_over for row in wish_list(club, timezone.localdate())] == [False, True]
    refusal(club=club, kind=APART, player=ann, other=ben)
    Wish.objects.filter(kind=TOGETHER).delete()
    add_wish(club=club, kind=APART, player=ann, other=ben)
    assert Wish.objects.get().until is None


def test_the_secretary_notes_a_wish_and_takes_it_back(alice: Visitor, cast: Cast) -> None:
    ann, ben = make_players(cast.club, 2)
    add = reverse("wish-add", args=["riverside", "apart"])
    inputs = {"player": ann.pk, "other": ben.pk, "until": "", "reason": "The matter of the hat"}
    assert alice.told(add, **inputs) == [
        "Preference saved. It will be used the next time you seat people."
    ]
    page = alice.get(reverse("wishes", args=["riverside"])).content.decode()
    assert "Keep Ann and Ben apart." in page
    assert "The matter of the hat" in page
    wish = Wish.objects.get()
    assert wish.made_by == cast.secretary
    back = reverse("wish-back", args=["riverside", wish.pk])
    assert alice.told(back) == ["Preference deleted."]
    assert not Wish.objects.exists()


@pytest.mark.parametrize(
    ("kind", "inputs", "messages"),
    [
        ("apart", {}, {"player": ["Choose a person."], "other": ["Choose a person."]}),
        ("table", {"table": "x"}, {"table": ["Enter a number, such as 1."]}),
        ("table", {"table": "0"}, {"table": ["Tables are numbered from 1."]}),
        ("table", {"table": "1", "until": "2020-01-01"}, {"until": [
            "That date has passed. Leave it empty or choose a future date."
        ]}),
    ],
)  # fmt: skip
def test_the_form_says_what_is_wrong_and_loses_nothing(
    alice: Visitor, cast: Cast, kind: str, inputs: dict[str, str], messages: dict[str, list[str]]
) -> None:
    ann = make_player(cast.club, "Ann")
    sent = {"player": str(ann.pk), "reason": "Stairs", **inputs} if inputs else {"reason": "Stairs"}
    page = alice.post(reverse("wish-add", args=["riverside", kind]), sent)
    assert (page.status_code, errors(page)) == (422, messages)
    assert 'value="Stairs"' in page.content.decode()


def test_nobody_is_their_own_company(alice: Visitor, cast: Cast) -> None:
    ann = make_player(cast.club, "Ann")
    inputs = {"player": ann.pk, "other": ann.pk}
    page = alice.post(reverse("wish-add", args=["riverside", "together"]), inputs)
    assert errors(page) == {"other": ["Choose two different people."]}


def test_a_contradiction_stands_above_the_form(alice: Visitor, cast: Cast) -> None:
    ann, ben = make_players(cast.club, 2)
    add_wish(club=cast.club, kind=APART, player=ann, other=ben)
    inputs = {"player": ben.pk, "other": ann.pk}
    page = alice.post(reverse("wish-add", args=["riverside", "helper"]), inputs)
    assert "This conflicts with a preference you already have: Keep Ann and Ben" in str(
        errors(page)["__all__"]
    )


def test_another_clubs_wishes_are_not_found(alice: Visitor, cast: Cast) -> None:
    other = Club.objects.get(slug="hill-top")
    ann, ben = make_players(other, 2)
    wish = add_wish(club=other, kind=APART, player=ann, other=ben)
    assert alice.post(reverse("wish-back", args=["riverside", wish.pk])).status_code == 404
    page = alice.post(
        reverse("wish-add", args=["riverside", "apart"]), {"player": ann.pk, "other": ben.pk}
    )
    assert errors(page) == {"player": ["Choose a person."], "other": ["Choose a person."]}
    assert alice.get(reverse("wish-add", args=["riverside", "never"])).status_code == 404
    assert Wish.objects.get() == wish


def test_players_read_nothing_of_wishes(cast: Cast) -> None:
    ann, ben, *_ = players = make_players(cast.club, 8)
    add_wish(club=cast.club, kind=APART, player=ann, other=ben, reason="The matter of the hat")
    session = seat(cast.club, players)
    pat, alice = Visitor(cast.player), Visitor(cast.secretary)
    for name in ("evening-why", "evening", "result"):
        shown = pat.get(at(name, session)).content.decode()
        assert "apart." not in shown
        assert "hat" not in shown.split()
        assert reverse("wishes", args=["riverside"]) not in shown
    assert (
        reverse("wishes", args=["riverside"])
        not in pat.get(reverse("members", args=["riverside"])).content.decode()
    )
    assert "Ann and Ben are kept apart." in alice.get(at("evening-why", session)).content.decode()
    paper = alice.get(at("evening-why-pdf", session)).content
    assert "kept apart." not in " ".join(words_of(paper))


def test_players_read_the_same_with_a_wish_as_without() -> None:
    club = make_club()
    players = make_players(club, 8)
    session = night(club, TONIGHT, players[:4], players[4:])
    club.shows_results = True
    club.save()
    pages = [Client().get(at("evening-why", session)).content]
    add_wish(club=club, kind=APART, player=players[0], other=players[1])
    pages.append(Client().get(at("evening-why", session)).content)
    assert pages[0] == pages[1]


def test_wishes_follow_where_two_records_are_made_one() -> None:
    club = make_club()
    ann, ben, *others = make_players(club, 7)
    anne = make_player(club, "Anne")
    for other in (ben, others[0]):
        add_wish(club=club, kind=APART, player=anne, other=other)
    assert [moved.words for moved in what_moves(anne)] == ["2 seating preferences"]
    merge_players(kept=ann, gone=anne)
    sentences = [row.sentence for row in wish_list(club, TONIGHT)]
    assert "Keep Ben and Ann apart." in sentences
    assert "already" in refusal(club=club, kind=APART, player=ann, other=ben)
    session = seat(club, [ann, ben, *others])
    assert table_of(session, ann) != table_of(session, ben)


def test_moving_somebody_says_which_wish_it_breaks_and_keeps() -> None:
    club = make_club()
    ann, ben, cy, di, ed, *others = make_players(club, 8)
    add_wish(club=club, kind=APART, player=ann, other=ed)
    add_wish(club=club, kind=TABLE, player=ben, table=2)
    session = night(club, TONIGHT, [ann, ben, cy, di], [ed, *others])
    act = partial(seats.change_places, session=session, one=ben, other=ed)
    assert [(cost.sentence, cost.is_kept) for cost in seats.cost_of_move(session=session, act=act)][
        :2
    ] == [
        (
            (
                "A seating preference would not be met: Ann and Ed sit at one table, although they "
                "should be kept apart."
            ),
            False,
        ),
        ("A seating preference would be met: Ben sits at table 2.", True),
    ]


def test_moving_somebody_says_whose_turn_it_was() -> None:
    club = make_club()
    ann, ben, cy, *others = make_players(club, 7)
    night(club, TONIGHT - timedelta(weeks=1), [ann, ben, cy], others)
    session = night(club, TONIGHT, others[:3], [ann, ben, cy, others[3]])
    act = partial(seats.change_places, session=session, one=ann, other=others[0])
    costs = [(cost.sentence, cost.is_kept) for cost in seats.cost_of_move(session=session, act=act)]
    assert costs[:2] == [
        ("Ann would sit at a table of three, for the second time in the last year.", False),
        (
            (
                "Di would no longer sit at a table of three, where it is their turn: so far never "
                "in the last year."
            ),
            False,
        ),
    ]


@pytest.mark.parametrize("count", [1, 3])
def test_the_list_asks_no_more_for_more_wishes(
    cast: Cast, count: int, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    alice = Client()
    alice.login(email=cast.secretary.email, password=PASSWORD)
    ann, *others = make_players(cast.club, 4)
    for other in others[:count]:
        add_wish(club=cast.club, kind=APART, player=ann, other=other)
    with django_assert_num_queries(3):
        page = alice.get(reverse("wishes", args=["riverside"]))
    assert sum(len(rows) for _, rows in page.context["groups"]) == count
