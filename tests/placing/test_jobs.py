"""Jobs and sweeps where clubs are in several databases."""

import pytest

from clubs import tasks
from clubs.core.directory import without_jobs, work_in_each, working_at
from clubs.core.queue import make_job, wake
from clubs.databases import MAIN, at, current
from clubs.house.services import WORK
from clubs.models import Club, Job, JobState
from tests.placing.placed import placed_club
from tests.threads import at_once


@pytest.fixture(autouse=True)
def worked(monkeypatch: pytest.MonkeyPatch) -> list[tuple[str, str]]:
    """Where each job was done, and for which club."""
    done = list[tuple[str, str]]()

    def work(job: Job) -> str:
        done.append((current(), job.club.slug))
        return "done"

    monkeypatch.setitem(WORK, "pack", work)
    return done


def job_at(name: str, slug: str) -> tuple[Club, Job]:
    club = placed_club(name, slug)
    with at(name):
        return club, make_job(club=club, kind="pack", about=1)


def state_of(job: Job, name: str) -> str:
    with at(name):
        return Job.objects.get(pk=job.pk).state


def test_a_job_is_done_in_its_clubs_database(worked: list[tuple[str, str]]) -> None:
    _, job = job_at("north", "riverside")
    with at("north"):
        wake(job)
    assert worked == [("north", "riverside")]
    assert state_of(job, "north") == JobState.DONE


def test_the_sweep_wakes_what_waits_in_every_database(worked: list[tuple[str, str]]) -> None:
    for name in ("south", "north"):
        job_at(name, f"in-{name}")
    tasks.wake_waiting_jobs()
    assert worked == [("north", "in-north"), ("south", "in-south")]


def test_a_database_that_is_away_does_not_keep_the_others() -> None:
    done = []

    def work() -> None:
        if current() == "north":
            raise ConnectionError
        done.append(current())

    with pytest.raises(ConnectionError):
        work_in_each(work)
    assert done == [MAIN, "south"]


def test_jobs_wait_while_a_club_is_moved(worked: list[tuple[str, str]]) -> None:
    order = []

    def move() -> None:
        with without_jobs("north", "south"):
            order.append("moved")

    def work() -> None:
        with working_at("north"):
            order.append("worked")

    def elsewhere() -> None:
        with working_at(MAIN):
            order.append("elsewhere")

    with without_jobs("north"):
        order.append("begun")
        at_once([elsewhere])
    at_once([move, work])
    assert order[:2] == ["begun", "elsewhere"]
    assert sorted(order[2:]) == ["moved", "worked"]
