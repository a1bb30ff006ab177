"""Printouts in a bucket: a server that speaks S3 keeps them, is away, and is back."""

from collections.abc import Iterator
from contextlib import contextmanager

import boto3
import pytest
from django.core.exceptions import ImproperlyConfigured
from django.core.files.storage import default_storage
from django.test import Client
from django.utils import timezone
from moto.server import ThreadedMotoServer
from pytest_django.fixtures import Settings

from clubs import tasks
from clubs.core.files import StorageUnavailable
from clubs.league import services
from clubs.models import Erasure, Job, JobState
from clubs.privacy.services import erase_player
from config.files import storage_settings
from scoring.scorebook.refusals import Refused
from tests.clubs.nights import make_players, make_season
from tests.config.served import free_port
from tests.people import Cast

pytestmark = pytest.mark.django_db(transaction=True)

KEY, SECRET = "anna", "bamboo/7+dragons"


@contextmanager
def speaking_s3(port: int) -> Iterator[None]:
    server = ThreadedMotoServer(ip_address="127.0.0.1", port=port, verbose=False)
    server.start()
    try:
        yield
    finally:
        server.stop()


@pytest.fixture
def port(settings: Settings) -> int:
    """Where our printouts are stored, though nobody is there yet."""
    port = free_port()
    address = f"s3+http://{KEY}:{SECRET}@127.0.0.1:{port}/bucket-{port}/printouts"
    settings.STORAGES = settings.STORAGES | {"default": storage_settings(address)}
    return port


def bucket_at(port: int) -> object:
    """A new bucket; all servers of one process have the same."""
    client = boto3.resource(
        "s3",
        endpoint_url=f"http://127.0.0.1:{port}",
        aws_access_key_id=KEY,
        aws_secret_access_key=SECRET,
        region_name="us-east-1",
    )
    return client.create_bucket(Bucket=f"bucket-{port}")


def names_in(bucket: object) -> list[str]:
    return [item.key for item in bucket.objects.all()]  # type: ignore[attr-defined]


def pack_of(cast: Cast) -> Job:
    """A season's pack, asked for; the worker has tried it once."""
    season = make_season(cast.club)
    key = services.queue_pack(season=season, asked_by=cast.secretary).pk
    return Job.objects.get(pk=key)


def test_a_pack_is_stored_read_and_erased_in_the_bucket(port: int, cast: Cast) -> None:
    member = make_players(cast.club, 1)[0]
    with speaking_s3(port):
        bucket = bucket_at(port)
        job = pack_of(cast)
        assert job.state == JobState.DONE
        assert names_in(bucket) == [f"printouts/results/{job.pk}.pdf"]
        browser = Client()
        browser.force_login(cast.secretary)
        answer = browser.get(f"/c/{cast.club.slug}/jobs/{job.pk}/result/")
        assert (answer.status_code, answer.content[:5]) == (200, b"%PDF-")
        erase_player(player=member, today=timezone.localdate())
        assert (names_in(bucket), Job.objects.count()) == ([], 0)


def test_while_the_bucket_is_away_the_job_waits_and_says_so(port: int, cast: Cast) -> None:
    job = pack_of(cast)
    assert (job.state, job.message) == (
        JobState.WAITING,
        "It could not be stored, because the storage for printouts does not respond.",
    )
    with speaking_s3(port):
        bucket_at(port)
        tasks.wake_waiting_jobs()
        job.refresh_from_db()
        assert (job.state, job.message) == (JobState.DONE, "")


def test_while_the_bucket_is_away_a_page_says_so_and_nobody_is_erased(
    port: int, cast: Cast
) -> None:
    member = make_players(cast.club, 1)[0]
    with speaking_s3(port):
        bucket_at(port)
        job = pack_of(cast)
    browser = Client(raise_request_exception=False)
    browser.force_login(cast.secretary)
    answer = browser.get(f"/c/{cast.club.slug}/jobs/{job.pk}/result/")
    assert answer.status_code == 503
    assert "The storage for printouts does not respond." in answer.content.decode()
    with pytest.raises(Refused, match="Nothing has changed"):
        erase_player(player=member, today=timezone.localdate())
    assert (Erasure.objects.count(), Job.objects.count()) == (0, 1)


def test_a_file_that_is_not_there_is_missing_and_a_bucket_that_refuses_is_away(port: int) -> None:
    with speaking_s3(port):
        with pytest.raises(StorageUnavailable, match="NoSuchBucket"):
            default_storage.open("results/none.pdf")
        bucket_at(port)
        with pytest.raises(FileNotFoundError):
            default_storage.open("results/none.pdf")
        assert not default_storage.exists("results/none.pdf")


@pytest.mark.parametrize(
    ("address", "endpoint", "folder", "region"),
    [
        ("s3://anna:a%40b@s3.example.org/club", "https://s3.example.org", "", "us-east-1"),
        (
            "s3://anna:a%40b@s3.example.org:8443/club/of/ours/?region=eu-1",
            "https://s3.example.org:8443",
            "of/ours",
            "eu-1",
        ),
        ("s3+http://anna:a%40b@10.0.0.3:9000/club", "http://10.0.0.3:9000", "", "us-east-1"),
    ],
)
def test_an_address_says_where_the_bucket_is(
    address: str, endpoint: str, folder: str, region: str
) -> None:
    options = storage_settings(address)["OPTIONS"]
    assert (options["endpoint_url"], options["location"]) == (endpoint, folder)
    assert (options["bucket_name"], options["region_name"]) == ("club", region)
    assert (options["access_key"], options["secret_key"]) == ("anna", "a@b")


@pytest.mark.parametrize(
    "address",
    [
        "s3://club",
        "ftp://anna:hidden@example.org/club",
        "files",
        "webdavs://anna:hidden@example.org/club",
        "s3://anna:hidden@example.org/",
        "s3://anna:hidden@example.org:port/club",
        "s3://:hidden@example.org/club",
        "s3://anna:@example.org/club",
    ],
)
def test_an_address_that_cannot_be_read_is_refused_without_its_secret(address: str) -> None:
    with pytest.raises(ImproperlyConfigured, match="TONGBOX_FILES is not like") as error:
        storage_settings(address)
    assert "hidden" not in str(error.value)
