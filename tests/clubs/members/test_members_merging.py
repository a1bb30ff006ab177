"""Two records of one person: found, made one, and two again, with every row back."""

from datetime import date
from typing import Any

import pytest
from django.db.models import Model
from django.urls import reverse

from clubs.members.import_plan import Answers
from clubs.members.selectors import likely_duplicates, members, player_view, relations
from clubs.members.services.imports import import_members, undo_import
from clubs.members.services.merging import (
    mark_as_two_people,
    merge_players,
    rows_to_move,
    undo_merge,
)
from clubs.models import Alias, AuditEntry, Player, PlayerMerge, Session, TwoPeople
from scoring.scorebook.refusals import Refused
from tests.clubs.nights import SECOND_WINS, make_players, night, post
from tests.clubs.visits import Visitor
from tests.people import Cast, make_player
from tournaments.models import Entrant, Tournament

FIRST, SECOND = date(2026, 11, 3), date(2026, 11, 10)


@pytest.fixture
def margaret(cast: Cast) -> Player:
    return make_player(cast.club, "Margaret Ashworth", phone="")


@pytest.fixture
def maggie(cast: Cast) -> Player:
    return make_player(cast.club, "Maggie Ashworth", phone="01225 1", email="m@example.org")


@pytest.fixture
def played_evenings(cast: Cast, margaret: Player, maggie: Player) -> None:
    other_players = make_players(cast.club, 3)
    for day, player in ((FIRST, margaret), (SECOND, maggie)):
        post(
            night(cast.club, day, [other_players[0], player, *other_players[1:]]).tables.get(),
            SECOND_WINS,
        )


def person_rows() -> dict[str, list[Any]]:
    """All rows that point to people, their names, and the people themselves."""
    tables: list[type[Model]] = [*(model for model, _ in relations()), Alias, Player]
    return {
        model_class._meta.label: list(model_class._base_manager.order_by("pk").values())
        for model_class in tables
    }


@pytest.mark.usefixtures("played_evenings")
def test_both_records_evenings_are_one_persons(margaret: Player, maggie: Player) -> None:
    merge_players(kept_player=margaret, merged_player=maggie)
    view = player_view(margaret)
    assert [(row.held_on, row.points) for row in view.evenings] == [(SECOND, 240), (FIRST, 240)]
    margaret.refresh_from_db()
    assert (margaret.phone, margaret.email) == ("01225 1", "m@example.org")
    assert [alias.name for alias in margaret.aliases.all()] == ["Maggie Ashworth"]
    assert "Maggie Ashworth" not in {row.name for row in members(margaret.club)}


def test_undoing_puts_every_row_back(
    cast: Cast, played_evenings: None, margaret: Player, maggie: Player
) -> None:
    Alias.objects.create(club=cast.club, player=maggie, name="Mags", name_key="mags")
    cup = Tournament.objects.create(club=cast.club, name="Cup", held_on=FIRST)
    Entrant.objects.create(tournament=cup, number=1, name="M", name_key="m", player=maggie)
    rows_before = person_rows()
    merge = merge_players(kept_player=margaret, merged_player=maggie)
    assert margaret.aliases.count() == 2
    assert Entrant.objects.get().player == margaret
    undo_merge(merge=merge)
    assert person_rows() == rows_before
    with pytest.raises(Refused, match="already separate records"):
        undo_merge(merge=merge)


def test_pages_of_the_evenings_ask_anew(
    played_evenings: None, margaret: Player, maggie: Player
) -> None:
    version_before = Session.objects.get(held_on=SECOND).version
    merge_players(kept_player=margaret, merged_player=maggie)
    assert Session.objects.get(held_on=SECOND).version == version_before + 1


def test_two_who_sat_in_the_same_evening_are_two_people(played_evenings: None) -> None:
    ann, ben = Player.objects.get(name="Ann"), Player.objects.get(name="Ben")
    rows_before = person_rows()
    with pytest.raises(Refused) as refusal:
        merge_players(kept_player=ann, merged_player=ben)
    reasons = [f"Both sat at a table on {day} November 2026." for day in (3, 10)]
    assert [problem.message for problem in refusal.value.problems] == reasons
    assert person_rows() == rows_before


def test_two_in_one_tournament_are_two_people(cast: Cast, margaret: Player, maggie: Player) -> None:
    cup = Tournament.objects.create(club=cast.club, name="Cup", held_on=FIRST)
    for number, player in enumerate((margaret, maggie), start=1):
        Entrant.objects.create(
            tournament=cup, number=number, name=player.name, name_key=f"{number}", player=player
        )
    with pytest.raises(Refused, match="Both were entered for the tournament on 3 November 2026"):
        merge_players(kept_player=margaret, merged_player=maggie)


def test_two_who_can_sign_in_are_two_people(cast: Cast) -> None:
    alice, dev = (Player.objects.get(name=name) for name in ("Alice", "Dev"))
    with pytest.raises(Refused, match="Both can sign in"):
        merge_players(kept_player=alice, merged_player=dev)


def test_merges_are_undone_from_the_newest(cast: Cast, margaret: Player, maggie: Player) -> None:
    peg = make_player(cast.club, "Peg")
    first = merge_players(kept_player=margaret, merged_player=maggie)
    second = merge_players(kept_player=peg, merged_player=margaret)
    with pytest.raises(Refused, match="Undo that merge first"):
        undo_merge(merge=first)
    undo_merge(merge=second)
    undo_merge(merge=first)
    assert maggie.aliases.count() == margaret.aliases.count() == 0


def test_a_record_is_made_one_once_and_not_with_itself(
    cast: Cast, margaret: Player, maggie: Player
) -> None:
    with pytest.raises(Refused, match="Choose another record"):
        merge_players(kept_player=margaret, merged_player=margaret)
    merge_players(kept_player=margaret, merged_player=maggie)
    with pytest.raises(Refused, match="already"):
        merge_players(kept_player=make_player(cast.club, "Peg"), merged_player=maggie)


def test_likely_twins_were_never_here_together(cast: Cast, played_evenings: None) -> None:
    make_player(cast.club, "Anne")
    twins = [(row.kept_name, row.gone_name) for row in likely_duplicates(cast.club)]
    assert twins == [("Ann", "Anne"), ("Margaret Ashworth", "Maggie Ashworth")]
    ben = Player.objects.get(name="Ben")
    Player.objects.filter(pk=ben.pk).update(name="Ann Bell")
    pairs = {(row.kept_name, row.gone_name) for row in likely_duplicates(cast.club)}
    assert ("Ann", "Ann Bell") not in pairs


def duplicate_names(cast: Cast) -> list[tuple[str, str]]:
    return [(row.kept_name, row.gone_name) for row in likely_duplicates(cast.club)]


@pytest.mark.usefixtures("played_evenings")
def test_two_people_are_not_offered_again(
    cast: Cast, alice: Visitor, margaret: Player, maggie: Player
) -> None:
    page = reverse("members-twins", args=["riverside"])
    assert "Keep as two people" in alice.read(page)
    answer = reverse("member-apart", args=["riverside", margaret.pk])
    notice = (
        "Margaret Ashworth and Maggie Ashworth are kept as two people. You can undo this below."
    )
    assert alice.messages_after(answer, other=f"{maggie.pk}") == [notice]
    assert duplicate_names(cast) == []
    assert "possible duplicate" not in alice.read("/c/riverside/members/")
    assert AuditEntry.objects.latest("pk").what == "member-apart"
    log = alice.read(reverse("who-did-what", args=["riverside"]))
    assert "said that Margaret Ashworth and someone else are two people" in log
    assert alice.messages_after(answer, other=f"{maggie.pk}") == [notice]
    assert TwoPeople.objects.count() == 1
    assert alice.messages_after(answer, other=f"{margaret.pk}")[0].startswith(
        "That name is no longer"
    )
    assert "Kept as two people" in alice.read(page)
    undo = reverse("two-people-undo", args=["riverside", TwoPeople.objects.get().pk])
    message = "Margaret Ashworth and Maggie Ashworth are no longer kept as two people."
    assert alice.messages_after(undo) == [message]
    assert duplicate_names(cast) == [("Margaret Ashworth", "Maggie Ashworth")]
    assert alice.post(undo).status_code == 404


def test_two_people_can_still_be_merged_and_are_two_again_when_that_is_undone(
    cast: Cast, margaret: Player, maggie: Player
) -> None:
    make_player(cast.club, "Margret Ashworth")
    mark_as_two_people(person=margaret, other_person=maggie)
    mark_as_two_people(person=maggie, other_person=Player.objects.get(name="Margret Ashworth"))
    pairs = [("Margaret Ashworth", "Margret Ashworth")]
    assert duplicate_names(cast) == pairs
    merge = merge_players(kept_player=margaret, merged_player=maggie)
    assert duplicate_names(cast) == []
    undo_merge(merge=merge)
    assert duplicate_names(cast) == pairs


def test_merging_two_people_says_that_they_are_two(
    alice: Visitor, margaret: Player, maggie: Player
) -> None:
    page = f"{reverse('member-merge', args=['riverside', margaret.pk])}?gone={maggie.pk}"
    assert "These are noted as two people." not in alice.read(page)
    third = make_player(margaret.club, "Margret Ashworth")
    mark_as_two_people(person=maggie, other_person=margaret)
    mark_as_two_people(person=maggie, other_person=third)
    assert "These are noted as two people." in alice.read(page)
    assert [row.text for row in rows_to_move(maggie, kept_player=margaret)] == [
        "1 note that they and someone else are two people"
    ]


def test_an_answer_goes_with_an_import_that_is_undone(cast: Cast, margaret: Player) -> None:
    new = Answers(choices={2: "new"})
    member_import = import_members(club=cast.club, text="name\nMaggie Ashworth", answers=new)
    mark_as_two_people(person=margaret, other_person=Player.objects.get(name="Maggie Ashworth"))
    undo_import(member_import=member_import)
    assert not TwoPeople.objects.exists()


@pytest.mark.usefixtures("margaret", "maggie")
def test_only_the_secretary_reads_on_the_list_who_may_be_there_twice(cast: Cast) -> None:
    twins = reverse("members-twins", args=["riverside"])
    people = (cast.secretary, cast.director, cast.scorer, cast.player)
    readers = [user for user in people if twins in Visitor(user).read("/c/riverside/members/")]
    assert readers == [cast.secretary]


@pytest.mark.usefixtures("played_evenings")
def test_the_secretary_looks_makes_one_and_makes_two_again(
    alice: Visitor, margaret: Player, maggie: Player
) -> None:
    assert "possible duplicate" in alice.read("/c/riverside/members/")
    page = reverse("member-merge", args=["riverside", margaret.pk])
    assert "1 seat at a table, with its result" in alice.read(page, gone=maggie.pk)
    assert not PlayerMerge.objects.exists()
    names = "Maggie Ashworth and Margaret Ashworth"
    assert alice.messages_after(page, gone=f"{maggie.pk}") == [f"{names} have been merged."]
    response = alice.get(reverse("player", args=["riverside", maggie.pk]))
    assert response.headers["Location"] == reverse("player", args=["riverside", margaret.pk])
    changing = reverse("member-change", args=["riverside", maggie.pk])
    assert alice.get(changing).status_code == 404
    undo = reverse("merge-undo", args=["riverside", PlayerMerge.objects.get().pk])
    assert alice.messages_after(undo) == [f"{names} are separate records again."]
    assert alice.messages_after(undo) == [f"{names} are already separate records."]


@pytest.mark.parametrize(
    ("kept_as", "merged_style", "becomes"),
    [("full", "hidden", "hidden"), ("hidden", "initial", "hidden"), ("full", "initial", "initial")],
)
def test_whoever_hid_either_name_keeps_it_hidden(
    margaret: Player, maggie: Player, kept_as: str, merged_style: str, becomes: str
) -> None:
    margaret.shown_as, maggie.shown_as = kept_as, merged_style
    margaret.save()
    maggie.save()
    merge = merge_players(kept_player=margaret, merged_player=maggie)
    margaret.refresh_from_db()
    assert margaret.shown_as == becomes
    undo_merge(merge=merge)
    margaret.refresh_from_db()
    assert margaret.shown_as == kept_as


def test_why_two_cannot_be_one_is_said_on_the_page(alice: Visitor, played_evenings: None) -> None:
    ann, ben = Player.objects.get(name="Ann"), Player.objects.get(name="Ben")
    page = reverse("member-merge", args=["riverside", ann.pk])
    assert "Both sat at a table on 3 November 2026." in alice.read(page, gone=ben.pk)
    assert alice.post(page, {"gone": f"{ben.pk}"}).status_code == 200
    assert alice.get(f"{page}?gone=99999").status_code == 422
    assert alice.get(page).status_code == 200
    assert not PlayerMerge.objects.exists()
