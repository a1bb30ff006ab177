"""A club begins with a secretary; roles are given from the command line."""

import pytest
from django.core.management import CommandError, call_command

from clubs.house.services import found_club, give_role
from clubs.models import Club, Membership, Role, User
from scoring.scorebook.refusals import Refused
from tests.people import make_club

pytestmark = pytest.mark.django_db


def test_a_new_club_has_a_secretary_who_can_sign_in() -> None:
    granted_role = found_club(name="  Hill Top   Tiles ", email="Ann@Example.org")
    assert Club.objects.get().slug == "hill-top-tiles"
    assert granted_role.membership.role == Role.SECRETARY
    assert User.objects.get(email="ann@example.org").check_password(granted_role.password or "")


def test_a_new_club_plays_the_rules_it_names() -> None:
    call_command("found_club", "Hill Top", "ann@example.org", "--rules=tallies")
    assert Club.objects.get().rules == "tallies"


def test_a_club_cannot_play_rules_that_are_none() -> None:
    with pytest.raises(CommandError, match="There are no rules “whist”; there are bmja,"):
        call_command("found_club", "Hill Top", "ann@example.org", "--rules=whist")
    assert not Club.objects.exists()


@pytest.mark.parametrize(
    ("name", "email", "message"),
    [
        ("", "ann@example.org", "Enter a name."),
        ("<b>", "ann@example.org", "A name cannot contain < or >."),
        ("麻將", "ann@example.org", "The club’s name needs at least one letter from A to Z."),
        ("Hill Top", "ann", "ann is not a valid email address."),
    ],
)
def test_a_faulty_club_is_not_founded(name: str, email: str, message: str) -> None:
    with pytest.raises(Refused) as refusal:
        found_club(name=name, email=email)
    assert [problem.message for problem in refusal.value.problems] == [message]
    assert not Club.objects.exists()


def test_two_clubs_cannot_share_a_name() -> None:
    found_club(name="Hill Top", email="ann@example.org")
    with pytest.raises(CommandError, match="There is already a club with that name"):
        call_command("found_club", "Hill  top", "ben@example.org")


def test_a_role_replaces_the_one_before() -> None:
    club = make_club()
    first = give_role(club=club, email="dev@example.org", role=Role.PLAYER, name="Dev")
    second = give_role(club=club, email="dev@example.org", role=Role.DIRECTOR)
    assert first.password
    assert second.password is None
    assert list(Membership.objects.values_list("role", flat=True)) == [Role.DIRECTOR]


def test_a_role_is_given_from_the_command_line(capsys: pytest.CaptureFixture[str]) -> None:
    make_club()
    call_command("give_role", "riverside", "dev@example.org", "director", "--name", "Dev")
    assert capsys.readouterr().out.startswith("dev@example.org is now a tournament director.")
    with pytest.raises(CommandError, match="There is no club at elsewhere"):
        call_command("give_role", "elsewhere", "dev@example.org", "director")
