"""A club that comes to a hosted address in its file."""

from datetime import timedelta
from pathlib import Path
from threading import BoundedSemaphore
from typing import Any

import pytest
from django.core import mail
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.urls import reverse
from django.utils import timezone
from time_machine import travel

from clubs.clubfile.archive import NO_CLUB_FILE_MESSAGE, ClubFile
from clubs.hosting.services import founding
from clubs.models import Club, FoundingRequest, Job, Membership, Role, User
from clubs.tenancy import across_clubs
from tests.clubs.clubfile.moving import file_of, remove
from tests.clubs.hosting.test_founding import NEW, ask, link_in
from tests.clubs.visits import errors
from tests.people import Cast, browser_of
from tests.test_other_clubs import make_everything

BRING_ANOTHER = reverse("start-bring")
OPERATOR_BRING = reverse("operator-bring")
WORDS = {"password1": NEW, "password2": NEW}


@pytest.fixture
def content(cast: Cast) -> bytes:
    """The file of a club that has left; its people are still here."""
    make_everything(cast.club, cast.secretary)
    file, _ = file_of(cast.club)
    remove(cast.club)
    return file.getvalue()


def bring(browser: Client, address: str, content: bytes, **fields: str) -> Any:
    return browser.post(
        address, {"file": SimpleUploadedFile("riverside.tongbox", content), **fields}
    )


@pytest.fixture
def bring_link(content: bytes, texts_folder: Path) -> str:
    """The emailed link of the club's secretary, who has no account here; to bring the club."""
    with across_clubs():
        Membership.objects.all().delete()
    User.objects.exclude(email="someone@example.org").delete()
    ask(email="alice@example.org", name="Riverside")
    link = link_in(mail.outbox[-1])
    assert f'href="{link}bring/"' in Client().get(link).content.decode()
    return f"{link}bring/"


def test_a_club_is_brought_by_an_emailed_link(content: bytes, bring_link: str) -> None:
    browser = Client()
    assert bring(browser, bring_link, content, **WORDS).headers["Location"] == "/c/riverside/"
    page = browser.get("/c/riverside/").content.decode()
    assert "imported and checked." in page
    club = Club.objects.get(slug="riverside")
    assert (club.agreed_to is not None, club.founded_by) == (
        True,
        User.objects.get(email="alice@example.org"),
    )
    second_response = bring(browser, bring_link, content, **WORDS)
    assert (
        second_response.status_code,
        founding.USED_LINK_MESSAGE in second_response.content.decode(),
    ) == (410, True)


def test_whoever_is_no_secretary_in_the_file_brings_nothing(
    content: bytes, bring_link: str
) -> None:
    FoundingRequest.objects.update(email="eve@example.org")
    answer = bring(Client(), bring_link, content, **WORDS)
    assert answer.status_code == 422
    assert "No secretary in this file" in answer.content.decode()
    assert not Club.objects.filter(slug="riverside").exists()
    assert not User.objects.filter(email="eve@example.org").exists()


def test_a_password_that_anyone_guesses_is_refused(content: bytes, bring_link: str) -> None:
    answer = bring(Client(), bring_link, content, password1="12345678", password2="12345678")
    assert answer.status_code == 422
    assert not Club.objects.filter(slug="riverside").exists()


@pytest.mark.usefixtures("texts_folder")
def test_someone_signed_in_brings_their_club(content: bytes, cast: Cast) -> None:
    browser = browser_of(cast.secretary)
    assert BRING_ANOTHER in browser.get(reverse("start")).content.decode()
    assert bring(browser, BRING_ANOTHER, content).status_code == 422
    response = bring(browser, BRING_ANOTHER, content, agree="on")
    assert response.headers["Location"] == "/c/riverside/"
    assert Club.objects.get(slug="riverside").agreed_to is not None
    second_response = bring(browser, BRING_ANOTHER, content, agree="on")
    assert (second_response.status_code, "already here" in second_response.content.decode()) == (
        422,
        True,
    )


def test_where_no_one_can_start_a_club_no_one_brings_any(content: bytes, cast: Cast) -> None:
    assert bring(browser_of(cast.secretary), BRING_ANOTHER, content, agree="on").status_code == 404
    assert not Club.objects.filter(slug="riverside").exists()


def test_an_operator_imports_any_club(content: bytes, olga: Client, cast: Cast) -> None:
    for user, status in ((None, 302), (cast.secretary, 403), (cast.player, 403)):
        assert bring(browser_of(user), OPERATOR_BRING, content).status_code == status
    assert OPERATOR_BRING in olga.get(reverse("operator")).content.decode()
    response = bring(olga, OPERATOR_BRING, content)
    assert response.headers["Location"] == reverse("operator-club", args=["riverside"])
    second_response = bring(olga, OPERATOR_BRING, content)
    assert (second_response.status_code, "already here" in second_response.content.decode()) == (
        422,
        True,
    )


def test_an_operator_downloads_a_closed_club(olga: Client, cast: Cast) -> None:
    olga.post(reverse("operator-close", args=["riverside"]), {"because": "They moved."})
    address = reverse("club-file", args=["riverside"])
    assert address in olga.get(reverse("operator-club", args=["riverside"])).content.decode()
    assert olga.post(address).status_code == 302
    with across_clubs():
        assert Job.objects.filter(club=cast.club, kind="club file").exists()


def test_a_secretary_downloads_a_closed_club(olga: Client, cast: Cast) -> None:
    olga.post(reverse("operator-close", args=["riverside"]), {"because": "They moved."})
    assert cast.secretary.memberships.get().role == Role.SECRETARY
    browser = browser_of(cast.secretary)
    assert browser.post(reverse("club-file", args=["riverside"])).status_code == 302
    with across_clubs():
        assert Job.objects.filter(club=cast.club, kind="club file").exists()


def test_a_refused_file_counts(content: bytes, cast: Cast, texts_folder: Path) -> None:
    browser = browser_of(cast.secretary)
    for _ in range(5):
        answer = bring(browser, BRING_ANOTHER, content[:-40], agree="on")
        assert errors(answer) == {"file": [NO_CLUB_FILE_MESSAGE]}
    browser.defaults["REMOTE_ADDR"] = "203.0.113.9"
    answer = bring(browser, BRING_ANOTHER, content, agree="on")
    assert errors(answer) == {"file": ["You have sent 5 club files today. Try again tomorrow."]}
    with travel(timezone.now() + timedelta(days=1, minutes=1)):
        browser = browser_of(cast.secretary)
        assert bring(browser, BRING_ANOTHER, content, agree="on").status_code == 302


def test_one_person_has_one_file_read_at_a_time(
    content: bytes, cast: Cast, texts_folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    answers = []

    def check(self: ClubFile, labels: object) -> None:
        monkeypatch.undo()
        answers.append(bring(browser_of(cast.secretary), BRING_ANOTHER, content, agree="on"))

    monkeypatch.setattr(ClubFile, "check", check)
    assert bring(browser_of(cast.secretary), BRING_ANOTHER, content, agree="on").status_code == 302
    message = "Your other file is still being imported. Wait a minute."
    assert errors(answers[0]) == {"file": [message]}


def test_a_process_reads_two_files_of_strangers_at_once(
    content: bytes, cast: Cast, texts_folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(founding, "_file_readers", BoundedSemaphore(1))
    assert founding._file_readers.acquire(blocking=False)
    answer = bring(browser_of(cast.secretary), BRING_ANOTHER, content, agree="on")
    message = "Other clubs are being imported just now. Try again in a minute."
    assert errors(answer) == {"file": [message]}
