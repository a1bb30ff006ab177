"""Background work is a row: claimed once, done once, and its failure is said in words."""

import logging
from datetime import timedelta
from uuid import uuid4

import pytest
from django.utils import timezone

from clubs import tasks
from clubs.core.queue import make_job
from clubs.house import services as house_services
from clubs.league import services
from clubs.models import Job, JobState
from tests.clubs.nights import make_players, make_season
from tests.clubs.outbox import write
from tests.people import Cast

pytestmark = pytest.mark.django_db


@pytest.fixture
def job(cast: Cast) -> Job:
    """The sending of a batch in which nothing is to be sent any more."""
    batch = write(cast.club, make_players(cast.club, 4), cast.secretary)
    return make_job(club=cast.club, kind="messages", subject_key=batch.pk)


def test_a_job_is_done_once(job: Job) -> None:
    house_services.run_job(job.pk)
    house_services.run_job(job.pk)
    job.refresh_from_db()
    assert (job.state, job.tries, job.message) == (JobState.DONE, 1, "0 messages have been sent.")


def test_a_job_that_is_not_there_is_nothing_to_do() -> None:
    house_services.run_job(uuid4())
    assert Job.objects.count() == 0


def test_a_job_that_fails_says_so_in_words(job: Job, caplog: pytest.LogCaptureFixture) -> None:
    Job.objects.update(about=10**6)
    with caplog.at_level(logging.ERROR):
        house_services.run_job(job.pk)
    job.refresh_from_db()
    assert (job.state, job.message) == (JobState.FAILED, "Something went wrong. Please try again.")
    assert f"job {job.pk} failed" in caplog.text


def test_the_sweep_wakes_what_nobody_began(job: Job) -> None:
    tasks.wake_waiting_jobs()
    job.refresh_from_db()
    assert job.state == JobState.DONE


@pytest.mark.parametrize(
    ("tries", "silent_minutes", "state"),
    [(1, 1, JobState.RUNNING), (1, 3, JobState.DONE), (3, 3, JobState.FAILED)],
)
def test_a_worker_that_fell_silent_is_replaced_until_the_third_try(
    job: Job, tries: int, silent_minutes: int, state: JobState
) -> None:
    heard_at = timezone.now() - timedelta(minutes=silent_minutes)
    Job.objects.update(state=JobState.RUNNING, tries=tries, heard_at=heard_at)
    tasks.wake_waiting_jobs()
    job.refresh_from_db()
    assert job.state == state


def test_a_pack_that_is_being_made_is_not_begun_twice(cast: Cast) -> None:
    season = make_season(cast.club)
    first = services.queue_pack(season=season, asked_by=cast.secretary)
    assert services.queue_pack(season=season, asked_by=cast.director) == first
    Job.objects.update(state=JobState.DONE)
    assert services.queue_pack(season=season, asked_by=cast.secretary) != first
