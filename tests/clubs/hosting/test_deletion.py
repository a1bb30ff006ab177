"""A club is deleted on the day that was announced: all of it, and nothing of another."""

import re
from datetime import timedelta
from smtplib import SMTPServerDisconnected
from typing import Any, Final

import pytest
from django.apps import apps
from django.core import mail
from django.core.management import call_command
from django.urls import reverse
from django.utils import timezone
from time_machine import travel

from clubs.core.club_rows import tables_of_club
from clubs.hosting.services import deletion
from clubs.house.services import delete_club_rows, start_rehearsal
from clubs.models import AgreedTerms, Club, DeletedClub, Job, Membership, Role, User
from clubs.tasks import look_after_clubs
from clubs.tenancy import across_clubs, club_scope
from scoring.scorebook.refusals import Refused
from tests.clubs.hosting.whole_club import make_whole_club
from tests.clubs.visits import Visitor, confirmed_visitor, errors
from tests.people import Cast, make_user

NOTICE: Final = timedelta(days=14)
PAGE: Final = reverse("club-delete", args=["riverside"])
# Rows that are of no club, or that stay on purpose.
STAYS: Final = {"DeletedClub", "Session", "Permission", "ContentType"}


def every_row() -> dict[str, list[dict[str, Any]]]:
    """All rows of all tables, by the table."""
    with across_clubs():
        return {
            model._meta.label: list(model._base_manager.order_by("pk").values())
            for model in apps.get_models()
            if model._meta.label not in {"sessions.Session"} and model.__name__ not in STAYS
        }


@pytest.fixture
def leaving(cast: Cast) -> Club:
    """The cast's club, which will be deleted in 14 days at its own wish."""
    with club_scope(cast.club.pk):
        return deletion.announce_deletion(club=cast.club, on=timezone.localdate() + NOTICE)


@pytest.mark.django_db
def test_every_row_of_the_club_is_deleted_and_no_other(
    django_capture_on_commit_callbacks: Any,
) -> None:
    terms = AgreedTerms.objects.create(digest="x", terms="x", privacy="x")
    make_whole_club("staying", "Staying Club", terms)
    rows_before = every_row()
    club = make_whole_club("leaving", "Leaving Club", terms)
    with across_clubs():
        empty = [model._meta.label for model, rows in tables_of_club(club) if not rows.exists()]
        assert empty == []
        result_file = Job.objects.exclude(result="").get(club=club).result
    unchanged_labels = {name for name, rows in every_row().items() if rows == rows_before[name]}
    assert {name for name in unchanged_labels if name.startswith("scorebook")} == {
        "scorebook.Edition"
    }
    deletion.announce_deletion(club=club, on=timezone.localdate() + NOTICE)
    with django_capture_on_commit_callbacks(execute=True):
        assert deletion.delete_due_clubs(today=timezone.localdate() + NOTICE) == 1
    assert every_row() == rows_before
    assert not Club.objects.filter(slug="leaving").exists()
    assert DeletedClub.objects.get().name == "Leaving Club"
    call_command("verify", verbosity=0)
    call_command("recount", verbosity=0)
    assert not result_file.storage.exists(str(result_file.name))


def test_the_hourly_task_deletes_what_is_due(leaving: Club) -> None:
    with travel(timezone.now() + NOTICE):
        look_after_clubs()
    assert not Club.objects.filter(pk=leaving.pk).exists()


def test_accounts_of_people_in_another_club_stay(leaving: Club, cast: Cast) -> None:
    Membership.objects.create(club=leaving, user=cast.stranger, role=Role.PLAYER)
    root = User.objects.create_superuser("root@example.org")
    Membership.objects.create(club=leaving, user=root, role=Role.SECRETARY)
    assert deletion.delete_due_clubs(today=timezone.localdate() + NOTICE) == 1
    assert set(User.objects.all()) == {cast.stranger, root}
    assert not deletion.delete_due_clubs(today=timezone.localdate() + NOTICE)


def test_nothing_is_deleted_a_day_early_or_once_it_is_cancelled(leaving: Club) -> None:
    assert not deletion.delete_due_clubs(today=timezone.localdate() + NOTICE - timedelta(days=1))
    deletion.cancel_deletion(club=leaving)
    assert not deletion.delete_due_clubs(today=timezone.localdate() + NOTICE)
    assert not deletion.delete_club(club=leaving, today=timezone.localdate() + NOTICE)
    assert Club.objects.filter(pk=leaving.pk).exists()


def test_one_club_that_cannot_be_deleted_does_not_keep_the_next(
    leaving: Club, monkeypatch: pytest.MonkeyPatch
) -> None:
    other_club = Club.objects.get(slug="hill-top")
    deletion.announce_deletion(club=other_club, on=timezone.localdate() + NOTICE)

    def fail_first(*, club: Club) -> None:
        if club.pk == leaving.pk:
            raise OSError
        delete_club_rows(club=club)

    monkeypatch.setattr(deletion, "delete_club_rows", fail_first)
    assert deletion.delete_due_clubs(today=timezone.localdate() + NOTICE) == 1
    assert list(Club.objects.values_list("slug", flat=True)) == ["riverside"]
    assert [deleted_club.name for deleted_club in DeletedClub.objects.all()] == ["Hill Top Tiles"]


def test_the_day_is_at_least_two_weeks_ahead(cast: Cast) -> None:
    with pytest.raises(Refused, match="Choose a day at least 14 days ahead"):
        deletion.announce_deletion(club=cast.club, on=timezone.localdate() + timedelta(days=13))


def test_a_practice_evening_is_not_deleted_here(cast: Cast) -> None:
    with club_scope(cast.club.pk):
        practice = start_rehearsal(club=cast.club).club
    with pytest.raises(Refused, match="deleted on its own page"):
        deletion.announce_deletion(club=practice, on=timezone.localdate() + NOTICE)
    browser = confirmed_visitor(cast.secretary)
    assert browser.get(reverse("club-delete", args=[practice.slug])).status_code == 404


def test_a_secretary_asks_with_the_password_and_the_clubs_name(cast: Cast) -> None:
    make_user(cast.club, "Second", Role.SECRETARY)
    response = Visitor(cast.secretary).post(PAGE, {"name": cast.club.name})
    assert response.headers["Location"].startswith("/accounts/reauthenticate/")
    alice = confirmed_visitor(cast.secretary)
    assert "You have 14 days to change your mind." in alice.read(PAGE)
    wrong = alice.post(PAGE, {"name": "Riverside"})
    assert errors(wrong)["name"] == ["That name does not match. Enter: Riverside Mah-Jong Club"]
    assert errors(alice.post(PAGE, {"name": ""}))["name"] == ["Enter the club’s name."]
    (message,) = alice.messages_after(PAGE, name="riverside mah-jong club")
    club = Club.objects.get(pk=cast.club.pk)
    assert club.delete_on == timezone.localdate() + NOTICE
    assert message.endswith("We have emailed its secretaries.")
    letters = {letter.to[0]: letter for letter in mail.outbox}
    assert set(letters) == {"alice@example.org", "second@example.org"}
    letter = letters["second@example.org"]
    assert letter.subject.startswith("Riverside Mah-Jong Club will be deleted on ")
    assert "A secretary of the club asked for it." in str(letter.body)
    assert f"http://localhost:8000{PAGE}" in str(letter.body)
    log = alice.read(reverse("who-did-what", args=["riverside"]))
    assert "asked to delete the club" in re.sub(r"\s+", " ", log)


def test_any_secretary_can_keep_the_club_until_then(leaving: Club, cast: Cast) -> None:
    alice = confirmed_visitor(cast.secretary)
    assert "will be deleted on" in alice.read(reverse("club", args=["riverside"]))
    (message,) = alice.messages_after(PAGE, way="keep")
    assert message.startswith("Riverside Mah-Jong Club will not be deleted.")
    assert Club.objects.get(pk=leaving.pk).delete_on is None
    assert [letter.subject for letter in mail.outbox] == [
        "Riverside Mah-Jong Club will not be deleted"
    ]
    assert "kept the club" in alice.read(reverse("who-did-what", args=["riverside"]))


def test_organisers_read_the_day_on_every_page_and_players_do_not(
    leaving: Club, cast: Cast
) -> None:
    home = reverse("club", args=["riverside"])
    assert "will be deleted on" in Visitor(cast.scorer).read(home)
    assert "will be deleted on" not in Visitor(cast.player).read(home)


def test_what_an_operator_decided_the_club_cannot_cancel(cast: Cast) -> None:
    day = timezone.localdate() + NOTICE
    deletion.announce_deletion(club=cast.club, on=day, is_by_operator=True)
    alice = confirmed_visitor(cast.secretary)
    assert "Your Tongbox administrator decided to delete the club." in alice.read(PAGE)
    (message,) = alice.messages_after(PAGE, way="keep")
    assert message == "Your Tongbox administrator decided this. Write to them to keep the club."
    (message,) = errors(alice.post(PAGE, {"name": cast.club.name}))["__all__"]
    assert message == "Riverside Mah-Jong Club is already due to be deleted. Cancel that first."
    assert Club.objects.get(pk=cast.club.pk).delete_on == day
    deletion.cancel_deletion(club=cast.club, is_by_operator=True)
    assert Club.objects.get(pk=cast.club.pk).delete_on is None


def test_who_could_not_be_emailed_is_said(cast: Cast, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: Any, **__: Any) -> None:
        raise SMTPServerDisconnected

    monkeypatch.setattr("allauth.account.adapter.DefaultAccountAdapter.send_mail", refuse)
    (message,) = confirmed_visitor(cast.secretary).messages_after(PAGE, name=cast.club.name)
    assert message.endswith("We could not email alice@example.org. Tell them.")
