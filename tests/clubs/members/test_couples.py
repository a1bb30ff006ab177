"""A couple that stands on one line of a list."""

import pytest
from django.urls import reverse

from clubs.members.selectors import Answers
from clubs.members.services import import_members
from clubs.models import MemberImport
from scoring.scorebook.refusals import Refused
from tests.clubs.members.test_services_files import IMPORT, file_of, messages, press
from tests.clubs.visits import Visitor, errors
from tests.people import Cast, make_player

COUPLES = """name,email,phone
Carol and Derek Finch,finch@example.org,01632 961010
Mr & Mrs A. Baker,,
"""


def test_a_couple_becomes_two_people_where_that_is_chosen(alice: Visitor, cast: Cast) -> None:
    page = alice.post(IMPORT, {"file": file_of(COUPLES.encode())})
    offered = [
        [label for _, label in row.field.field.choices] for row in page.context["form"].couples()
    ]
    assert offered == [
        ["Skip this line", "Two new people", "New person"],
        ["Skip this line", "Two new people", "New person"],
    ]
    assert page.context["form"].set_aside() == []
    shown = page.content.decode()
    assert "Two people on one line (2)" in shown
    assert "Probably not people" not in shown
    answer = press(alice, page, line_2="two", line_3="two")
    assert messages(answer) == ["4 people were added."]
    bakers = cast.club.players.filter(name__endswith="Baker").order_by("name")
    assert [player.name for player in bakers] == ["A. Baker", "Mrs Baker"]
    pair = cast.club.players.filter(name__endswith="Finch").order_by("name")
    rows = pair.values_list("name", "email", "phone")
    assert list(rows) == [
        (f"{name} Finch", "finch@example.org", "01632 961010") for name in ("Carol", "Derek")
    ]
    undo = reverse("members-take-back", args=["riverside", MemberImport.objects.get().pk])
    alice.post(undo)
    assert not pair.exists()


def test_one_of_a_couple_who_is_a_member_is_not_added_again(alice: Visitor, cast: Cast) -> None:
    make_player(cast.club, "Derek Finch")
    page = alice.post(IMPORT, {"file": file_of(COUPLES.encode())})
    again = press(alice, page, line_2="two")
    taken = "Derek Finch is already the name of another member."
    assert errors(again) == {
        "__all__": [f"Line 2: {taken} If this is someone else, add an initial or a middle name."]
    }
    assert not MemberImport.objects.exists()


def test_a_line_with_one_name_is_not_two_people(cast: Cast) -> None:
    with pytest.raises(Refused, match="Line 2: choose whether Zoë is"):
        import_members(club=cast.club, text="name\nZoë\n", answers=Answers(choices={2: "two"}))
