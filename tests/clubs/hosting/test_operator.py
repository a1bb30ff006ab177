"""The operator's list of clubs; a club that is closed can be read and not changed."""

import uuid
from collections.abc import Callable
from datetime import timedelta
from typing import Any, Final

import pytest
from django.core import mail
from django.core.files.base import ContentFile
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from clubs.accounts.services import make_token
from clubs.core.queue import finish_job, make_job, store_result
from clubs.hosting.services import deletion
from clubs.house.services import found_club, start_rehearsal
from clubs.models import Club, DeletedClub, Job, JobState, Role, Scope, User
from clubs.tenancy import club_scope
from tests.admission import PEOPLE
from tests.api import game_at, link_client
from tests.clubs.hosting.conftest import make_operator
from tests.clubs.tables import seated_evening
from tests.clubs.visits import Visitor, confirmed_visitor, errors
from tests.people import Cast, browser_of, make_club, make_user

LIST: Final = reverse("operator")
ONE: Final = reverse("operator-club", args=["riverside"])
ACTS: Final = {name: f"{ONE}{name}/" for name in ("close", "reopen", "delete", "keep")}
NOTICE: Final = timedelta(days=14)


def reload(club: Club) -> Club:
    return Club.objects.get(pk=club.pk)


@pytest.mark.parametrize("person", PEOPLE)
def test_only_operators_open_it(cast: Cast, person: str) -> None:
    browser = browser_of(cast.people()[person])
    for address in (LIST, ONE):
        answer = browser.get(address)
        if person == "nobody":
            assert answer.headers["Location"].startswith("/accounts/login/")
        else:
            assert answer.status_code == 403
    for address in ACTS.values():
        assert browser.post(address).status_code in {302, 403}
    assert reload(cast.club).closed_at is None
    assert reload(cast.club).delete_on is None


def test_an_operator_without_a_second_step_is_sent_to_set_it_up(cast: Cast) -> None:
    browser = browser_of(make_operator(has_second_step=False))
    for address in (LIST, ONE):
        assert browser.get(address).headers["Location"] == reverse("mfa_activate_totp")
    for address in ACTS.values():
        assert browser.post(address).headers["Location"] == reverse("mfa_activate_totp")
    assert reload(cast.club).closed_at is None


def test_an_operator_enters_the_password_again_before_a_change(cast: Cast) -> None:
    browser = browser_of(make_operator())
    for address in ACTS.values():
        location = browser.post(address).headers["Location"]
        assert location.startswith("/accounts/reauthenticate/")
    assert reload(cast.club).closed_at is None


def test_the_list_says_how_large_each_club_is_and_who_started_it(olga: Client) -> None:
    founded_club = found_club(name="Hill Top", email="ann@example.org").membership.club
    club = make_club()
    make_user(club, "Alice", Role.SECRETARY)
    with club_scope(club.pk):
        seated_evening(club)
        job = make_job(club=club, kind="season pack", subject_key=1)
        Job.objects.update(state=JobState.RUNNING)
        store_result(job, "pack.pdf", ContentFile(b"x" * 2_000_000))
        finish_job(job, JobState.DONE, "")
        start_rehearsal(club=club)
    with club_scope(founded_club.pk):
        founded_club.audit_entries.create(what="found_club", by="x")
    first, second = olga.get(LIST).context["clubs"]
    assert (first.club.name, first.founder, first.players) == ("Hill Top", "ann@example.org", 0)
    assert (first.used_at is not None, first.stored_bytes) == (True, 0)
    assert (second.club, second.founder) == (club, "alice@example.org")
    assert (second.evenings, second.hands, second.stored_bytes) == (1, 0, 2_000_000)
    assert second.players == club.players.count()
    page = olga.get(ONE).content.decode()
    assert "2.0 MB<" in page


def test_a_printout_from_before_sizes_were_noted_is_said_to_be_of_unknown_size(
    olga: Client,
) -> None:
    club = make_club()
    with club_scope(club.pk):
        for _ in range(2):
            job = make_job(club=club, kind="season pack", subject_key=1)
            job.result.save("pack.pdf", ContentFile(b"x"))
    assert ", 2 printouts of unknown size." in olga.get(LIST).content.decode()
    assert "0.0 MB, and 2 printouts of unknown size<" in olga.get(ONE).content.decode()


def test_the_storage_is_not_asked_for_the_sizes(
    olga: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    club = make_club()
    with club_scope(club.pk):
        job = make_job(club=club, kind="season pack", subject_key=1)
        Job.objects.update(state=JobState.RUNNING)
        store_result(job, "pack.pdf", ContentFile(b"x" * 600_000))
        finish_job(job, JobState.DONE, "")
    for name in ("exists", "size"):
        monkeypatch.delattr(f"django.core.files.storage.FileSystemStorage.{name}")
    assert "0.6 MB of printouts." in olga.get(LIST).content.decode()


def test_the_list_is_searched_filtered_and_paged(olga: Client) -> None:
    for number in range(27):
        make_club(f"Club {number:02}", f"club-{number:02}")
    club = found_club(name="Seaside", email="ann@example.org").membership.club
    with club_scope(club.pk):
        club.audit_entries.create(what="found_club", by="x")
    shut_club, leaving = Club.objects.filter(slug__startswith="club-")[:2]
    Club.objects.filter(pk=shut_club.pk).update(closed_at=timezone.now())
    Club.objects.filter(pk=leaving.pk).update(delete_on=timezone.localdate())

    def names(**query: str) -> list[str]:
        return [row.club.name for row in olga.get(LIST, query).context["clubs"]]

    assert len(names()) == 25
    assert names(page="2") == ["Club 25", "Club 26", "Seaside"]
    assert names(search="ann@ex") == names(search="SEAS") == ["Seaside"]
    assert names(state="closed") == [shut_club.name]
    assert names(state="leaving") == [leaving.name]
    assert len(names(state="open", unused="6", search="club")) == 25
    assert "Seaside" not in names(unused="12", page="2")
    assert len(names(state="nonsense")) == 25


@pytest.mark.parametrize("clubs", [1, 3])
def test_the_list_takes_as_many_queries_however_many_clubs(
    olga: Client, clubs: int, django_assert_num_queries: Any
) -> None:
    for number in range(clubs):
        club = make_club(f"Club {number}", f"club-{number}")
        with club_scope(club.pk):
            make_job(club=club, kind="season pack", subject_key=1)
    # Session, user, second step; how many clubs, the clubs, their files; requests, limit; deleted.
    with django_assert_num_queries(8):
        assert len(olga.get(LIST).context["clubs"]) == clubs


def test_founding_is_described_on_the_list(olga: Client, settings: Any, texts_folder: Any) -> None:
    assert "the limit is 50" in olga.get(LIST).content.decode()
    settings.OPERATORS = []
    assert "Set TONGBOX_ADMINS" in olga.get(LIST).content.decode()
    settings.FOUNDING = "closed"
    assert "People cannot start clubs here" in olga.get(LIST).content.decode()


def test_a_deleted_club_is_on_the_list(olga: Client) -> None:
    DeletedClub.objects.create(name="Gone Club", slug="gone", is_by_operator=True)
    assert "Gone Club" in olga.get(LIST).content.decode()


def test_an_operator_closes_and_reopens_a_club(olga: Client, cast: Cast) -> None:
    last_day = timezone.localdate() + timedelta(days=30)
    answer = olga.post(ACTS["close"], {"because": "We must talk.", "until": f"{last_day}"})
    assert answer.headers["Location"] == ONE
    club = reload(cast.club)
    assert club.closed_at is not None
    assert club.closed_sentence.endswith("so nothing can be changed. We must talk.")
    olga.post(ACTS["close"], {"because": "Nearly done."})
    reloaded_club = reload(cast.club)
    assert (reloaded_club.closed_at, reloaded_club.closed_because) == (
        club.closed_at,
        "Nearly done.",
    )
    assert [olga.post(ACTS["reopen"]).status_code for _ in range(2)] == [302, 302]
    assert reload(cast.club).closed_sentence == ""
    log = Visitor(cast.secretary).read(reverse("who-did-what", args=["riverside"]))
    assert "Olga closed the club" in log
    assert "Olga reopened the club" in log


def test_a_day_that_is_over_is_refused(olga: Client, cast: Cast) -> None:
    answer = olga.post(ACTS["close"], {"until": f"{timezone.localdate()}"})
    assert answer.context["close"].errors["until"] == [
        "Choose a day after today, or leave this empty."
    ]
    assert reload(cast.club).closed_at is None


def test_an_operator_announces_a_deletion_and_cancels_it(olga: Client, cast: Cast) -> None:
    day = timezone.localdate() + NOTICE
    early_answer = olga.post(ACTS["delete"], {"on": f"{day - timedelta(days=1)}"})
    assert early_answer.context["announce"].errors["on"] == ["Choose a day at least 14 days ahead."]
    olga.post(ACTS["delete"], {"on": f"{day}"})
    assert (reload(cast.club).delete_on, reload(cast.club).is_deletion_by_operator) == (day, True)
    assert "Your Tongbox administrator decided this." in str(mail.outbox[-1].body)
    assert "Keep club" in olga.get(ONE).content.decode()
    olga.post(ACTS["keep"])
    olga.post(ACTS["keep"])
    assert reload(cast.club).delete_on is None
    assert [letter.subject for letter in mail.outbox][1:] == [
        "Riverside Mah-Jong Club will not be deleted"
    ]


def test_a_club_that_is_not_there_is_not_found(olga: Client) -> None:
    assert olga.get(ONE).status_code == 404
    assert olga.post(ACTS["close"]).status_code == 404


@pytest.fixture
def closed_club(cast: Cast) -> Club:
    """The cast's club with an evening, closed."""
    with club_scope(cast.club.pk):
        seated_evening(cast.club)
        start_rehearsal(club=cast.club)
        return deletion.close_club(club=cast.club, because="The hall is shut.")


def test_a_closed_club_is_read_and_downloaded(closed_club: Club, cast: Cast) -> None:
    alice = Visitor(cast.secretary)
    for name in ("club", "members", "members-csv", "settings", "evenings", "who-did-what-csv"):
        assert alice.get(reverse(name, args=["riverside"])).status_code == 200
    page = alice.read(reverse("club", args=["riverside"]))
    assert "Riverside Mah-Jong Club is closed, so nothing can be changed. The hall is shut." in page
    assert "is closed" in Visitor(cast.player).read(reverse("club", args=["riverside"]))


def test_a_closed_club_can_be_taken_away_by_its_page_and_by_a_key(
    closed_club: Club, cast: Cast
) -> None:
    page = reverse("club-file", args=["riverside"])
    assert "/jobs/" in confirmed_visitor(cast.secretary).post(page).headers["Location"]
    key = make_token(user=cast.secretary, name="x", scopes=list(Scope)).key
    answer = Client().post(
        reverse("api-club-file", args=["riverside"]),
        content_type="application/json",
        headers={"authorization": f"Bearer {key}"},
    )
    assert answer.status_code == 201
    assert answer.json()["id"] == str(Job.objects.get(club=closed_club).pk)


Post = Callable[[Cast, Any], Any]


def by_the_secretary(cast: Cast, _: Any) -> Any:
    address = reverse("member-add", args=["riverside"])
    return Visitor(cast.secretary).post(address, {"name": "Zoë Late"})


def by_a_superuser(cast: Cast, _: Any) -> Any:
    address = reverse("member-add", args=["riverside"])
    olga = User.objects.filter(is_superuser=True).first() or make_operator()
    return browser_of(olga).post(address, {"name": "Zoë Late"})


def by_a_key(cast: Cast, _: Any) -> Any:
    key = make_token(user=cast.secretary, name="x", scopes=list(Scope)).key
    return Client().post(
        reverse("api-player-list", args=["riverside"]),
        {"name": "Zoë Late"},
        content_type="application/json",
        headers={"authorization": f"Bearer {key}"},
    )


def by_a_phone(_: Cast, table: Any) -> Any:
    return Client().post(reverse("table", args=[table.link_key]), {"submission_id": uuid.uuid4()})


def by_a_phone_that_sends_later(_: Cast, table: Any) -> Any:
    return Client().post(reverse("table-send", args=[table.link_key]), {"id": uuid.uuid4()})


def by_a_program_at_the_link(_: Cast, table: Any) -> Any:
    address = f"{game_at(table)}hands/"
    return link_client(table.link_key).post(address, {}, content_type="application/json")


WRITES = [
    by_the_secretary,
    by_a_superuser,
    by_a_key,
    by_a_phone,
    by_a_phone_that_sends_later,
    by_a_program_at_the_link,
]


@pytest.mark.parametrize("write", WRITES)
def test_no_one_changes_a_closed_club(closed_club: Club, cast: Cast, write: Post) -> None:
    with club_scope(closed_club.pk):
        table = closed_club.sessions.get().tables.get()
        player_count = closed_club.players.count()
    answer = write(cast, table)
    assert answer.status_code == 403
    assert "Riverside Mah-Jong Club is closed" in answer.content.decode()
    with club_scope(closed_club.pk):
        assert closed_club.players.count() == player_count
        assert not table.game.hands.exists()
        deletion.reopen_club(club=closed_club)
    assert write(cast, table).status_code != 403


def test_a_phone_still_shows_the_table_of_a_closed_club(closed_club: Club) -> None:
    with club_scope(closed_club.pk):
        table = closed_club.sessions.get().tables.get()
    assert Client().get(reverse("table", args=[table.link_key])).status_code == 200
    assert link_client(table.link_key).get(game_at(table)).status_code == 200


def test_its_practice_evening_is_closed_with_it(closed_club: Club, cast: Cast) -> None:
    practice = closed_club.rehearsals.get()
    restart_address = reverse("rehearsal-again", args=[practice.slug])
    assert confirmed_visitor(cast.secretary).post(restart_address).status_code == 403
    deletion.reopen_club(club=closed_club)
    assert confirmed_visitor(cast.secretary).post(restart_address).status_code == 302


def test_a_closed_club_can_still_be_deleted_and_kept(closed_club: Club, cast: Cast) -> None:
    alice, page = confirmed_visitor(cast.secretary), reverse("club-delete", args=["riverside"])
    assert errors(alice.post(page, {"name": "x"}))
    assert alice.post(page, {"name": closed_club.name}).status_code == 302
    assert reload(closed_club).delete_on
    assert alice.post(page, {"way": "keep"}).status_code == 302
    assert reload(closed_club).delete_on is None
