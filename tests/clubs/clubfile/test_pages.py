"""The pages of the club file: a secretary downloads it, and someone brings it elsewhere."""

from io import BytesIO

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.urls import reverse
from django.utils import timezone
from pytest_django import DjangoCaptureOnCommitCallbacks

from clubs.clubfile.services import import_club
from clubs.house.first_run import set_up_code
from clubs.models import Club, Installation, Job, JobState, Membership, RoleInvitation, User
from clubs.privacy.services import erase_player
from tests.api import api_client
from tests.clubs.clubfile.moving import file_of, remove
from tests.people import Cast, browser_of, make_player
from tests.test_other_clubs import make_everything

BRING = reverse("bring-club")
YOU = {
    "person": "Alice Brown",
    "email": "Alice@example.org",
    "password1": "four winds blow",
    "password2": "four winds blow",
}


def run_job(cast: Cast, commits: DjangoCaptureOnCommitCallbacks) -> Job:
    """The job behind the page, done."""
    with commits(execute=True):
        answer = browser_of(cast.secretary).post(reverse("club-file", args=["riverside"]))
    job = Job.objects.filter(club=cast.club).latest("made_at")
    assert answer["Location"] == reverse("job", args=["riverside", job.pk])
    return job


def test_a_secretary_downloads_the_club(
    cast: Cast, django_capture_on_commit_callbacks: DjangoCaptureOnCommitCallbacks
) -> None:
    make_everything(cast.club, cast.secretary)
    job, secretary = run_job(cast, django_capture_on_commit_callbacks), browser_of(cast.secretary)
    assert (job.state, job.total) == (JobState.DONE, 3)
    page = secretary.get(reverse("job", args=["riverside", job.pk])).content.decode()
    address = reverse("club-file-download", args=["riverside", job.pk])
    assert address in page
    assert "Download the PDF" not in page
    answer = secretary.get(address)
    assert answer["Content-Disposition"] == 'attachment; filename="riverside.tongbox"'
    assert answer["Cache-Control"] == "private, no-store"
    content = b"".join(answer)
    assert secretary.get(reverse("job-result", args=["riverside", job.pk])).status_code == 404
    remove(cast.club)
    assert import_club(BytesIO(content), user=cast.secretary).club.name == cast.club.name


def test_a_new_file_replaces_the_old_one(
    cast: Cast, django_capture_on_commit_callbacks: DjangoCaptureOnCommitCallbacks
) -> None:
    first = run_job(cast, django_capture_on_commit_callbacks)
    storage, name = first.result.storage, first.result.name
    second = run_job(cast, django_capture_on_commit_callbacks)
    assert (first.pk, storage.exists(str(name))) != (second.pk, True)
    assert not storage.exists(str(name))
    assert Job.objects.get(kind="club file").pk == second.pk


def test_two_presses_make_one_file(cast: Cast) -> None:
    secretary, address = browser_of(cast.secretary), reverse("club-file", args=["riverside"])
    places = {secretary.post(address)["Location"] for _ in range(2)}
    assert len(places) == 1


def test_erasing_someone_deletes_the_file(
    cast: Cast, django_capture_on_commit_callbacks: DjangoCaptureOnCommitCallbacks
) -> None:
    player = make_player(cast.club, "Wen Li")
    job = run_job(cast, django_capture_on_commit_callbacks)
    with django_capture_on_commit_callbacks(execute=True):
        erase_player(player=player, today=timezone.localdate(), made_by=cast.secretary)
    assert not job.result.storage.exists(str(job.result.name))


def test_a_program_gets_the_file(
    cast: Cast, django_capture_on_commit_callbacks: DjangoCaptureOnCommitCallbacks
) -> None:
    client = api_client(cast.secretary)
    with django_capture_on_commit_callbacks(execute=True):
        response = client.post(
            reverse("api-club-file", args=["riverside"]), content_type="application/json"
        )
    assert response.status_code == 201
    url_args = ["riverside", response.json()["id"]]
    job = client.get(reverse("api-job-detail", args=url_args)).json()
    answer = client.get(job["result"])
    assert b"".join(answer).startswith(b"PK")
    pdf = client.get(reverse("api-job-result", args=url_args))
    assert pdf.status_code == 404


def test_a_practice_evening_is_not_downloaded(cast: Cast) -> None:
    secretary = browser_of(cast.secretary)
    secretary.post(reverse("rehearse", args=["riverside"]))
    slug = cast.club.rehearsals.get().slug
    page = secretary.post(reverse("club-file", args=[slug]), follow=True).content.decode()
    assert "A practice evening cannot be downloaded. Download the club itself." in page


@pytest.fixture
def file(cast: Cast) -> bytes:
    """The file of a club that has left, on an installation with nothing else."""
    make_everything(cast.club, cast.secretary)
    content, _ = file_of(cast.club)
    for club in Club.objects.all():
        remove(club)
    Membership.objects.all().delete()
    User.objects.all().delete()
    return content.getvalue()


def bring(client: Client, content: bytes, **fields: str) -> tuple[int, str]:
    """The status, and the page or where it leads."""
    data = {"file": SimpleUploadedFile("riverside.tongbox", content), **fields}
    answer = client.post(BRING, data)
    return answer.status_code, answer.headers.get("Location") or answer.content.decode()


def test_a_new_tongbox_takes_the_club(
    file: bytes,
    django_capture_on_commit_callbacks: DjangoCaptureOnCommitCallbacks,
    mailoutbox: list[object],
) -> None:
    client = Client(SERVER_NAME="localhost")
    assert "Bring your club from another Tongbox" in client.get("/set-up/").content.decode()
    assert client.get(BRING).status_code == 200
    with django_capture_on_commit_callbacks(execute=True):
        assert bring(client, file, **YOU) == (302, "/c/riverside/")
    page = client.get("/c/riverside/").content.decode()
    assert "imported and checked." in page
    assert Membership.objects.get().user.name == "Alice Brown"
    invitations = RoleInvitation.objects.filter(role__in=("director", "scorer"))
    assert (len(mailoutbox), invitations.count()) == (0, 3)
    assert Installation.objects.get().address == ""
    assert Client(SERVER_NAME="localhost").get(BRING).status_code == 404


def test_a_wrong_address_or_file_is_said_at_its_field(file: bytes) -> None:
    client = Client(SERVER_NAME="localhost")
    status, page = bring(client, file, **YOU | {"email": "eve@example.org"})
    assert (status, "No secretary in this file" in page) == (422, True)
    status, page = bring(client, b"no zip", **YOU)
    assert (status, "This is not a club file from Tongbox." in page) == (422, True)
    assert not Club.objects.exists()
    assert not User.objects.exists()


def test_from_outside_it_asks_for_the_code(file: bytes) -> None:
    client = Client(SERVER_NAME="localhost", REMOTE_ADDR="198.51.100.7")
    status, page = bring(client, file, **YOU)
    assert (status, "Enter the set-up code." in page) == (422, True)
    assert bring(client, file, **YOU, code=set_up_code())[0] == 302
