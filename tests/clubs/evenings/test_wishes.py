"""The club's wishes: noted by the secretary, heeded on every evening, told to nobody else."""

from datetime import date, timedelta
from functools import partial
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone
from pytest_django.asserts import assertNumQueries

from clubs.evenings.selectors.door import WishesTonight, door_list, wishes_tonight
from clubs.evenings.selectors.seating import wish_list
from clubs.evenings.services import evenings
from clubs.evenings.services.calendar import add_wish
from clubs.evenings.services.costs import cost_of_move
from clubs.members.services.merging import merge_players, rows_to_move
from clubs.models import Club, Player, Session, Wish, WishKind
from scoring.scorebook.refusals import Refused
from tests.clubs.nights import evening_of, make_players, night, page_of
from tests.clubs.visits import Visitor, errors
from tests.paper import words_of
from tests.people import Cast, make_club, make_player

pytestmark = pytest.mark.django_db
TONIGHT = date(2026, 11, 17)
APART, TOGETHER, HELPER, TABLE = WishKind
AGAINST = "This conflicts with a preference you already have:"
PASSED = "That date has passed. Leave it empty or choose a future date."


def seat(club: Club, players: list[Player]) -> Session:
    session = evening_of(club, players)
    evenings.seat_session(session=session)
    return session


def table_of(session: Session, player: Player) -> int:
    return session.places.get(player=player).table.number


def add(kind: WishKind, player: Player, other_player: Player | None = None, **options: Any) -> Wish:
    return add_wish(club=player.club, kind=kind, player=player, other=other_player, **options)


def refusal(
    kind: WishKind, player: Player, other_player: Player | None = None, **options: Any
) -> str:
    with pytest.raises(Refused) as error:
        add(kind, player, other_player, **options)
    return error.value.problems[0].message


def costs(session: Session, player: Player, other_player: Player) -> list[tuple[str, bool | None]]:
    """What it would cost if they changed places."""
    act = partial(evenings.change_places, session=session, one=player, other=other_player)
    remarks = cost_of_move(session=session, act=act)
    return [(cost.sentence, cost.is_kept) for cost in remarks]


def test_two_who_do_not_get_on_sit_at_two_tables(club: Club) -> None:
    ann, ben, *_ = players = make_players(club, 8)
    add(APART, ann, ben)
    for week in range(6):
        session = evening_of(club, players, TONIGHT + timedelta(weeks=week))
        evenings.seat_session(session=session)
        assert table_of(session, ann) != table_of(session, ben)


def test_friends_a_beginner_and_somebody_who_cannot_climb_stairs_are_heeded(club: Club) -> None:
    ann, ben, cy, di, *_ = players = make_players(club, 12)
    add(TOGETHER, ann, ben)
    add(HELPER, cy, di)
    add(TABLE, ann, table=3)
    session = seat(club, players)
    assert (table_of(session, ann), table_of(session, ben)) == (3, 3)
    assert table_of(session, cy) == table_of(session, di)


def test_a_wish_holds_until_its_last_day(club: Club) -> None:
    ann, ben, *_ = players = make_players(club, 8)
    add(APART, ann, ben, until=TONIGHT)
    tonight = seat(club, players)
    assert wishes_tonight(tonight, door_list(tonight)).count == 1
    next_evening = evening_of(club, players, TONIGHT + timedelta(days=1))
    assert wishes_tonight(next_evening, door_list(next_evening)) == WishesTonight(0, ())


def test_wishes_that_cannot_be_kept_stop_no_evening(alice: Visitor, cast: Cast) -> None:
    ann, ben, cy, di = players = make_players(cast.club, 4)
    add(APART, ann, ben)
    add(TABLE, cy, table=5)
    add(HELPER, di, make_player(cast.club, "Ed"))
    session = evening_of(cast.club, players)
    wishes_before = alice.get(page_of("evening", session)).context["wishes"]
    assert wishes_before.count == 0
    assert wishes_before.sentences == (
        "Cy cannot sit at table 5: there is only 1 table.",
        "We cannot keep Ann and Ben apart: there is only 1 table.",
        "Di, a beginner, cannot sit with a helper: none of their helpers has checked in.",
    )
    alice.post(page_of("seat", session))
    page_after = alice.get(page_of("evening", session))
    assert page_after.context["wishes"].sentences == (
        "Ann and Ben sit at one table, although they should be kept apart.",
        "Cy does not sit at table 5, which is their fixed table.",
        "Di, a beginner, sits without a helper.",
    )
    assert "3 seating preferences not met" in page_after.content.decode()
    for person in (cast.director, cast.scorer, cast.player):
        page = Visitor(person).get(page_of("evening", session))
        assert not page.context.get("wishes")
        assert "kept apart" not in page.content.decode()


def test_what_cannot_be_kept_is_said_as_people_arrive(alice: Visitor, cast: Cast) -> None:
    ann, ben, cy, di = make_players(cast.club, 4)
    add(APART, ann, ben)
    session = evening_of(cast.club, [ann, cy, di])
    tick = partial(alice.post, page_of("tick", session), headers={"HX-Request": "true"})
    page = tick({"here": ben.pk}).content.decode()
    assert "1 seating preference cannot be met" in page
    assert "1 seating preference cannot" not in tick({"away": ben.pk}).content.decode()


def test_a_wish_that_goes_against_another_is_refused_in_a_sentence(club: Club) -> None:
    ann, ben, cy, di, ed, flo = make_players(club, 6)
    add(APART, ben, ann)
    already = "There is already a preference like this for"
    assert refusal(TOGETHER, ann, ben) == f"{AGAINST} Keep Ann and Ben apart."
    assert refusal(APART, ann, ben) == f"{already} Ann and Ben."
    add(TABLE, cy, table=1)
    assert refusal(TABLE, cy, table=2) == f"{already} Cy."
    for other_player in (di, ed, ann):
        add(TOGETHER, cy, other_player)
    message = "More than four people would have to sit at one table."
    assert refusal(TOGETHER, cy, flo) == message
    stranger = make_player(make_club("Hill Top Tiles", "hill-top"), "Zoë")
    assert "not on this club’s list" in refusal(APART, ann, stranger)


def test_a_wish_that_is_over_is_noted_anew(club: Club) -> None:
    ann, ben = make_players(club, 2)
    add(APART, ann, ben, until=timezone.localdate() - timedelta(days=1))
    add(TOGETHER, ann, ben)
    assert [row.is_over for row in wish_list(club, timezone.localdate())] == [False, True]
    refusal(APART, ann, ben)
    Wish.objects.filter(kind=TOGETHER).delete()
    add(APART, ann, ben)
    assert Wish.objects.get().until is None


def test_the_secretary_notes_a_wish_and_takes_it_back(alice: Visitor, cast: Cast) -> None:
    ann, ben = make_players(cast.club, 2)
    inputs = {"player": ann.pk, "other": ben.pk, "until": "", "reason": "The matter of the hat"}
    messages = alice.messages_after(reverse("wish-add", args=["riverside", "apart"]), **inputs)
    assert messages == ["Preference saved. It will be used the next time you seat people."]
    page = alice.get(reverse("wishes", args=["riverside"])).content.decode()
    assert "Keep Ann and Ben apart." in page
    assert "The matter of the hat" in page
    wish = Wish.objects.get()
    assert wish.made_by == cast.secretary
    delete_url = reverse("wish-back", args=["riverside", wish.pk])
    assert alice.messages_after(delete_url) == ["Preference deleted."]
    assert not Wish.objects.exists()


@pytest.mark.parametrize(
    ("kind", "inputs", "fields", "message"),
    [
        ("apart", {"player": ""}, ["player", "other"], "Choose a person."),
        ("together", {"other": "{ann}"}, ["other"], "Choose two different people."),
        ("table", {"table": "x"}, ["table"], "Enter a number, such as 1."),
        ("table", {"table": "0"}, ["table"], "Tables are numbered from 1."),
        ("table", {"table": "1", "until": "2020-01-01"}, ["until"], PASSED),
        ("helper", {"other": "{ben}"}, ["__all__"], f"{AGAINST} Keep Ann and Ben apart."),
    ],
)
def test_the_form_says_what_is_wrong_and_loses_nothing(
    alice: Visitor, cast: Cast, kind: str, inputs: dict[str, str], fields: list[str], message: str
) -> None:
    ann, ben = make_players(cast.club, 2)
    add(APART, ann, ben)
    templates = {"player": "{ann}", "reason": "Stairs", **inputs}
    form_data = {name: value.format(ann=ann.pk, ben=ben.pk) for name, value in templates.items()}
    page = alice.post(reverse("wish-add", args=["riverside", kind]), form_data)
    assert (page.status_code, errors(page)) == (422, {field: [message] for field in fields})
    assert 'value="Stairs"' in page.content.decode()


def test_another_clubs_wishes_are_not_found(alice: Visitor) -> None:
    ann, ben = make_players(Club.objects.get(slug="hill-top"), 2)
    wish = add(APART, ann, ben)
    assert alice.post(reverse("wish-back", args=["riverside", wish.pk])).status_code == 404
    adding = reverse("wish-add", args=["riverside", "apart"])
    page = alice.post(adding, {"player": ann.pk, "other": ben.pk})
    assert errors(page) == {"player": ["Choose a person."], "other": ["Choose a person."]}
    assert alice.get(reverse("wish-add", args=["riverside", "never"])).status_code == 404
    assert Wish.objects.get() == wish


def test_players_read_nothing_of_wishes(alice: Visitor, cast: Cast) -> None:
    ann, ben, *_ = players = make_players(cast.club, 8)
    add(APART, ann, ben, reason="The matter of the hat")
    session, pat = seat(cast.club, players), Visitor(cast.player)
    wishes = reverse("wishes", args=["riverside"])
    for name in ("evening-why", "evening", "result"):
        html = pat.get(page_of(name, session)).content.decode()
        assert "apart." not in html
        assert "hat" not in html.split()
        assert wishes not in html
    assert wishes not in pat.get(reverse("members", args=["riverside"])).content.decode()
    assert (
        "Ann and Ben are kept apart." in alice.get(page_of("evening-why", session)).content.decode()
    )
    paper = alice.get(page_of("evening-why-pdf", session)).content
    assert "kept apart." not in " ".join(words_of(paper))


def test_players_read_the_same_with_a_wish_as_without(club: Club) -> None:
    players = make_players(club, 8)
    session = night(club, TONIGHT, players[:4], players[4:])
    club.shows_results = True
    club.save()
    page_before = Client().get(page_of("evening-why", session)).content
    add(APART, players[0], players[1])
    assert Client().get(page_of("evening-why", session)).content == page_before


def test_wishes_follow_where_two_records_are_made_one(club: Club) -> None:
    ann, ben, cy, *other_players = make_players(club, 7)
    anne = make_player(club, "Anne")
    for other_player in (ben, cy):
        add(APART, anne, other_player)
    assert [row.text for row in rows_to_move(anne, kept_player=ann)] == ["2 seating preferences"]
    merge_players(kept_player=ann, merged_player=anne)
    sentences = [row.text for row in wish_list(club, TONIGHT)]
    assert "Keep Ben and Ann apart." in sentences
    assert "already" in refusal(APART, ann, ben)
    session = seat(club, [ann, ben, cy, *other_players])
    assert table_of(session, ann) != table_of(session, ben)


def test_moving_somebody_says_which_wish_it_breaks_and_keeps(club: Club) -> None:
    ann, ben, cy, di, ed, *other_players = make_players(club, 8)
    add(APART, ann, ed)
    add(TABLE, ben, table=2)
    session = night(club, TONIGHT, [ann, ben, cy, di], [ed, *other_players])
    broken_wish = "Ann and Ed sit at one table, although they should be kept apart."
    assert costs(session, ben, ed)[:2] == [
        (f"A seating preference would not be met: {broken_wish}", False),
        ("A seating preference would be met: Ben sits at table 2.", True),
    ]


def test_moving_somebody_says_whose_turn_it_was(club: Club) -> None:
    ann, ben, cy, *other_players = make_players(club, 7)
    night(club, TONIGHT - timedelta(weeks=1), [ann, ben, cy], other_players)
    session = night(club, TONIGHT, other_players[:3], [ann, ben, cy, other_players[3]])
    turn = "where it is their turn: so far never in the last year."
    assert costs(session, ann, other_players[0])[:2] == [
        ("Ann would sit at a table of three, for the 2nd time in the last year.", False),
        (f"Di would no longer sit at a table of three, {turn}", False),
    ]


@pytest.mark.parametrize("count", [1, 3])
def test_the_list_asks_no_more_for_more_wishes(alice: Visitor, cast: Cast, count: int) -> None:
    ann, *other_players = make_players(cast.club, 4)
    for other_player in other_players[:count]:
        add(APART, ann, other_player)
    with assertNumQueries(3):
        page = alice.get(reverse("wishes", args=["riverside"]))
    assert sum(len(rows) for _, rows in page.context["groups"]) == count
