"""How a member's name is read by others: chosen by themselves, or by the secretary."""

import pytest

from clubs.members.files import csv_of_members
from clubs.members.services import import_members
from clubs.models import Player, ShownAs
from scoring.scorebook.refusals import Refused
from tests.clubs.visits import Visitor
from tests.people import Cast, make_club, make_player


def of(cast: Cast, name: str = "Pat") -> str:
    return Player.objects.get(club=cast.club, name=name).shown_as


def test_a_player_chooses_how_others_read_the_name(cast: Cast) -> None:
    me = Visitor(cast.player)
    assert (
        "Name shown as your name as you chose"
        not in me.get("/c/riverside/my-name/").content.decode()
    )
    said = me.post("/c/riverside/my-name/", {"shown_as": "hidden"}, follow=True).content.decode()
    assert "Saved. Your name is now shown as you chose." in said
    assert of(cast) == ShownAs.HIDDEN


def test_a_choice_that_is_none_is_asked_for_again(cast: Cast) -> None:
    answer = Visitor(cast.player).post("/c/riverside/my-name/", {"shown_as": "loud"})
    assert (answer.status_code, of(cast)) == (422, ShownAs.FULL)
    assert "Choose one of the three." in answer.content.decode()


def test_whoever_is_nobody_on_the_list_is_told_so(cast: Cast) -> None:
    cast.player.memberships.update(player=None)
    answer = Visitor(cast.player).post("/c/riverside/my-name/", {"shown_as": "hidden"})
    assert "You are not on the club’s list" in answer.content.decode()
    assert set(cast.club.players.values_list("shown_as", flat=True)) == {"full"}


def test_nobody_chooses_for_another_club(cast: Cast) -> None:
    answer = Visitor(cast.player).post("/c/hill-top/my-name/", {"shown_as": "hidden"})
    assert (answer.status_code, of(cast)) == (403, ShownAs.FULL)


def test_the_secretary_chooses_for_a_member(cast: Cast) -> None:
    secretary, pat = Visitor(cast.secretary), cast.club.players.get(name="Pat")
    data = {"name": "Pat", "kind": "member", "is_active": "on", "shown_as": "initial"}
    secretary.post(f"/c/riverside/members/{pat.pk}/change/", data)
    assert of(cast) == ShownAs.INITIAL


def test_a_form_that_says_nothing_of_it_reveals_nobody(cast: Cast) -> None:
    secretary, pat = Visitor(cast.secretary), cast.club.players.get(name="Pat")
    Player.objects.filter(pk=pat.pk).update(shown_as=ShownAs.HIDDEN)
    data = {"name": "Pat", "kind": "member", "is_active": "on"}
    secretary.post(f"/c/riverside/members/{pat.pk}/change/", data)
    assert of(cast) == ShownAs.HIDDEN


def test_a_new_member_may_be_hidden_from_the_first_evening_on(cast: Cast) -> None:
    data = {"name": "Joan Finch", "shown_as": "hidden"}
    Visitor(cast.secretary).post("/c/riverside/members/add/", data)
    assert of(cast, "Joan Finch") == ShownAs.HIDDEN


@pytest.mark.parametrize(
    ("cell", "way"),
    [
        ("full", ShownAs.FULL),
        ("Full name", ShownAs.FULL),
        ("First name and initial", ShownAs.INITIAL),
        ("first name + initial", ShownAs.INITIAL),
        ("HIDDEN", ShownAs.HIDDEN),
        ("Anonymous", ShownAs.HIDDEN),
    ],
)
def test_a_list_says_it_in_many_words(db: None, cell: str, way: ShownAs) -> None:
    club = make_club()
    import_members(club=club, text=f"name,Name shown as\nJoan Finch,{cell}")
    assert club.players.get().shown_as == way


def test_a_word_that_says_no_way_is_named(db: None) -> None:
    with pytest.raises(Refused, match="loud is not a valid choice"):
        import_members(club=make_club(), text="name,shown as\nJoan Finch,loud")


def test_an_empty_cell_leaves_it_as_it_is(db: None) -> None:
    club = make_club()
    make_player(club, "Joan Finch", shown_as="hidden")
    import_members(club=club, text="name,shown as\nJoan Finch,")
    assert club.players.get().shown_as == ShownAs.HIDDEN


def test_the_list_taken_along_says_it(db: None) -> None:
    club = make_club()
    make_player(club, "Joan Finch", shown_as="hidden")
    assert csv_of_members(club).decode("utf-8-sig").splitlines()[1].endswith(",hidden")
