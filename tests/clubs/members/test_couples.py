"""A couple that stands on one line of a list."""

import pytest
from django.urls import reverse

from clubs.members.import_plan import Answers, plan_import
from clubs.members.selectors import likely_duplicates
from clubs.members.services.imports import import_members
from clubs.models import MemberImport, Player, TwoPeople
from scoring.scorebook.refusals import Refused
from tests.clubs.members.test_import_page import IMPORT, file_of, messages, press
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
    choice_labels = [
        [label for _, label in row.field.field.choices] for row in page.context["form"].couples()
    ]
    assert choice_labels == [
        ["Two new people", "Skip this line", "One new person"],
        ["Two new people", "Skip this line", "One new person"],
    ]
    assert page.context["form"].set_aside() == []
    html = page.content.decode()
    assert "4 people found" in html
    assert "Two people on one line (2)" in html
    assert "We add both as new people" in html
    assert "Probably not people" not in html
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
    notice = "Derek Finch is already a member."
    assert notice in page.content.decode()
    second_page = press(alice, page, line_2="two")
    error = "Derek Finch is already the name of another member."
    assert errors(second_page) == {
        "__all__": [f"Line 2: {error} If this is someone else, add an initial or a middle name."]
    }
    assert not MemberImport.objects.exists()
    message = "1 line was skipped: Carol and Derek Finch."
    assert messages(press(alice, page)) == [f"2 people were added. {message}"]
    assert not cast.club.players.filter(name="Carol Finch").exists()


def test_a_list_of_couples_is_imported_twice_without_a_second_copy(cast: Cast) -> None:
    import_members(club=cast.club, text=COUPLES)
    count_before = cast.club.players.count()
    assert [row.known_reasons for row in plan_import(club=cast.club, text=COUPLES).lines] == [
        ("Carol Finch is already a member.", "Derek Finch is already a member."),
        ("A. Baker is already a member.", "Mrs Baker is already a member."),
    ]
    import_members(club=cast.club, text=COUPLES)
    assert cast.club.players.count() == count_before


def test_a_couple_of_whom_one_may_be_there_is_skipped_unless_chosen(cast: Cast) -> None:
    make_player(cast.club, "Alan Baker")
    text = f"{COUPLES}Carol Finch,,\n"
    finch, baker, carol = plan_import(club=cast.club, text=text).lines
    assert finch.known_reasons == ("Carol Finch is also on another line.",)
    assert baker.known_reasons == (
        "A. Baker is already a member, Alan Baker.",
        "Mrs Baker may already be a member: Alan Baker.",
    )
    assert not finch.are_two_new
    assert not carol.faults
    member_import = import_members(club=cast.club, text=text)
    assert [Player.objects.get(pk=key).name for key in member_import.added] == ["Carol Finch"]


def test_a_line_with_one_name_is_not_two_people(cast: Cast) -> None:
    with pytest.raises(Refused, match="Line 2: choose whether Zoë is"):
        import_members(club=cast.club, text="name\nZoë\n", answers=Answers(choices={2: "two"}))


FAULTY = "name,joined,phone\nMr & Mrs Hill,March 2019,01225 1\n"


def test_a_couple_whose_line_has_a_fault_is_counted_and_waits_to_be_corrected(
    alice: Visitor, cast: Cast
) -> None:
    page = alice.post(IMPORT, {"text": f"{FAULTY}Zoë Ash,,\n"})
    form = page.context["form"]
    (row,) = form.faulty()
    assert [label for _, label in row.field.field.choices] == [
        *("Import both when corrected", "Skip this line", "One new person")
    ]
    assert form.couples() == []
    text = page.content.decode()
    assert "3 people found" in text
    assert "Lines to correct (1)" in text
    assert "Import without the line to correct" in text
    no_day = "March 2019 has no day. Use a date like 24/11/2026, or leave it out."
    assert errors(press(alice, page)) == {"__all__": [f"Line 2: {no_day}"]}
    assert not MemberImport.objects.exists()
    answer = press(alice, page, mend_2_joined="1/3/2019")
    assert messages(answer) == ["3 people were added."]
    hills = cast.club.players.filter(name__endswith="Hill", joined_on="2019-03-01", phone="01225 1")
    assert sorted(hills.values_list("name", flat=True)) == ["Mr Hill", "Mrs Hill"]


def test_of_a_faulty_couple_only_one_may_be_added(alice: Visitor, cast: Cast) -> None:
    page = alice.post(IMPORT, {"text": FAULTY})
    answer = press(alice, page, line_2="new", mend_2_name="Mrs Hill", mend_2_joined="")
    assert messages(answer) == ["1 person was added."]
    assert cast.club.players.filter(name="Mrs Hill").exists()


def test_a_program_is_refused_a_couple_whose_line_has_a_fault(cast: Cast) -> None:
    with pytest.raises(Refused, match="Line 2: March 2019 has no day"):
        import_members(club=cast.club, text=FAULTY)
    import_members(club=cast.club, text=FAULTY, answers=Answers(choices={2: "out"}))
    assert not cast.club.players.filter(name__endswith="Hill").exists()


def test_couples_alone_are_imported_without_the_lines_to_correct(alice: Visitor) -> None:
    page = alice.post(IMPORT, {"text": f"{FAULTY}Carol and Derek Finch,,\n"})
    assert "Import without the line to correct" in page.content.decode()
    answer = press(alice, page, rest="yes")
    assert messages(answer) == ["2 people were added. 1 line was skipped: Mr & Mrs Hill."]
    only = alice.post(IMPORT, {"text": FAULTY})
    assert "Import without" not in only.content.decode()


def test_a_couple_stays_two_people_where_another_column_holds_the_names(
    alice: Visitor, cast: Cast
) -> None:
    text = "Name,Who\nMr & Mrs Hill,Carol and Derek Finch\nZoë Ash,Vacant\n"
    page = press(alice, alice.post(IMPORT, {"text": text}), column_1="", column_2="name")
    assert "2 people found" in page.content.decode()
    assert messages(press(alice, page)) == ["2 people were added. 1 line was skipped: Vacant."]
    assert cast.club.players.filter(name__endswith="Finch").count() == 2


def test_a_correction_goes_with_the_column_that_it_was_made_for(alice: Visitor, cast: Cast) -> None:
    page = alice.post(IMPORT, {"text": "name,joined,email\nZoë,12/31/2025,zoë\n"})
    page = press(alice, page, column_2="joined, month first", mend_2_email="zoe@example.org")
    assert messages(press(alice, page)) == ["1 person was added."]
    zoe = cast.club.players.get(name="Zoë")
    assert (f"{zoe.joined_on}", zoe.email) == ("2025-12-31", "zoe@example.org")


def test_what_was_set_aside_is_a_person_again_where_the_columns_say_so(alice: Visitor) -> None:
    page = alice.post(IMPORT, {"text": "name,ring\nGuest,01225 1\nZoë,\n"})
    assert [row.planned_line.line.name for row in page.context["form"].set_aside()] == ["Guest"]
    second_page = press(alice, page, column_2="phone")
    assert second_page.context["form"]["line_2"].value() == "new"
    third_page = press(alice, second_page, line_2="out", column_2="email")
    assert third_page.context["form"]["line_2"].value() == "out"


def test_two_of_one_name_are_skipped_in_bold_unless_one_is_chosen(
    alice: Visitor, cast: Cast
) -> None:
    page = alice.post(IMPORT, {"text": "name\nDr & Dr Patel\nZoë\n"})
    (row,) = page.context["form"].couples()
    assert [label for _, label in row.field.field.choices] == ["Skip this line", "One new person"]
    bold = '<strong class="sub">We skip this line unless you choose “One new person”.</strong>'
    assert bold in page.content.decode()
    assert messages(press(alice, page, line_2="new")) == ["2 people were added."]
    assert cast.club.players.filter(name="Dr Patel").exists()


def test_the_first_of_two_lines_for_one_couple_is_imported(cast: Cast) -> None:
    text = "name\nCarol and Derek Finch\nDerek and Carol Finch\n"
    first, second = plan_import(club=cast.club, text=text).lines
    assert first.are_two_new
    assert second.known_reasons == (
        *("Derek Finch is also on another line.", "Carol Finch is also on another line."),
    )
    import_members(club=cast.club, text=text)
    assert cast.club.players.filter(name__endswith="Finch").count() == 2
