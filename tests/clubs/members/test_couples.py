"""A couple that stands on one line of a list."""

import pytest
from django.urls import reverse

from clubs.members.selectors import Answers, likely_duplicates, plan_import
from clubs.members.services import import_members
from clubs.models import MemberImport, Player, TwoPeople
from scoring.scorebook.refusals import Refused
from tests.clubs.members.test_services_files import IMPORT, file_of, messages, press
from tests.clubs.visits import Visitor, errors
from tests.people import Cast, make_player

COUPLES = """name,email,phone
Carol and Derek Finch,finch@example.org,01632 961010
Mr & Mrs A. Baker,,
"""


def test_a_couple_becomes_two_people_unless_someone_says_otherwise(
    alice: Visitor, cast: Cast
) -> None:
    page = alice.post(IMPORT, {"file": file_of(COUPLES.encode())})
    offered = [
        [label for _, label in row.field.field.choices] for row in page.context["form"].couples()
    ]
    assert offered == [
        ["Two new people", "Skip this line", "New person"],
        ["Two new people", "Skip this line", "New person"],
    ]
    assert page.context["form"].set_aside() == []
    shown = page.content.decode()
    assert "4 people found" in shown
    assert "Two people on one line (2)" in shown
    assert "We add both as new people" in shown
    assert "Probably not people" not in shown
    answer = press(alice, page)
    assert messages(answer) == ["4 people were added."]
    bakers = cast.club.players.filter(name__endswith="Baker").order_by("name")
    assert [player.name for player in bakers] == ["A. Baker", "Mrs Baker"]
    pair = cast.club.players.filter(name__endswith="Finch").order_by("name")
    rows = pair.values_list("name", "email", "phone")
    assert list(rows) == [
        (f"{name} Finch", "finch@example.org", "01632 961010") for name in ("Carol", "Derek")
    ]
    undo = reverse("members-take-back", args=["riverside", MemberImport.objects.get().pk])
    assert TwoPeople.objects.count() == 2
    assert likely_duplicates(cast.club) == ()
    alice.post(undo)
    assert not pair.exists()
    assert not TwoPeople.objects.exists()


def test_one_of_a_couple_who_is_a_member_is_not_added_again(alice: Visitor, cast: Cast) -> None:
    make_player(cast.club, "Derek Finch")
    page = alice.post(IMPORT, {"file": file_of(COUPLES.encode())})
    told = "Derek Finch is already a member."
    assert told in page.content.decode()
    again = press(alice, page, line_2="two")
    taken = "Derek Finch is already the name of another member."
    assert errors(again) == {
        "__all__": [f"Line 2: {taken} If this is someone else, add an initial or a middle name."]
    }
    assert not MemberImport.objects.exists()
    assert messages(press(alice, page)) == ["2 people were added. 1 line was skipped."]
    assert not cast.club.players.filter(name="Carol Finch").exists()


def test_a_list_of_couples_is_imported_twice_without_a_second_copy(cast: Cast) -> None:
    import_members(club=cast.club, text=COUPLES)
    before = cast.club.players.count()
    assert [row.known for row in plan_import(club=cast.club, text=COUPLES).lines] == [
        ("Carol Finch is already a member.", "Derek Finch is already a member."),
        ("A. Baker is already a member.", "Mrs Baker is already a member."),
    ]
    import_members(club=cast.club, text=COUPLES)
    assert cast.club.players.count() == before


def test_a_couple_of_whom_one_may_be_there_is_skipped_unless_chosen(cast: Cast) -> None:
    make_player(cast.club, "Alan Baker")
    text = f"{COUPLES}Carol Finch,,\n"
    finch, baker, carol = plan_import(club=cast.club, text=text).lines
    assert finch.known == ("Carol Finch is also on another line.",)
    assert baker.known == (
        "A. Baker is already a member, Alan Baker.",
        "Mrs Baker may already be a member: Alan Baker.",
    )
    assert not finch.are_two_new
    assert not carol.faults
    made = import_members(club=cast.club, text=text)
    assert [Player.objects.get(pk=key).name for key in made.added] == ["Carol Finch"]


def test_a_line_with_one_name_is_not_two_people(cast: Cast) -> None:
    with pytest.raises(Refused, match="Line 2: choose whether Zoë is"):
        import_members(club=cast.club, text="name\nZoë\n", answers=Answers(choices={2: "two"}))
