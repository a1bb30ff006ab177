"""Web and worker processes are killed with -9 while hands are told and papers are made."""

import random
from collections.abc import Iterator
from functools import partial

from clubs.league.services import ask_for_pack, save_season
from clubs.models import Club, Job, JobState, Season
from deploy.faults.asked import Asked, Line
from deploy.faults.checks import everything_holds
from deploy.faults.hall import lay
from deploy.faults.phones import tell
from deploy.faults.trouble import Trouble, kill_something
from deploy.stack import Stack
from deploy.stack.program import until

# A job whose worker fell silent is taken up two minutes later, by the minute's sweep.
SECONDS_FOR_A_JOB = 300


def run(stack: Stack, asked: Asked) -> Iterator[Line]:
    """Every acknowledged hand is there once; every job that was asked for is done."""
    keys = lay(asked.tables)
    for club in Club.objects.all():
        _ask_for_a_pack(club)
    trouble = Trouble(partial(kill_something, stack, random.Random()), seconds=(0.5, 2.0))
    with trouble:
        heard = tell(stack, keys, submissions=asked.submissions, phones=asked.phones)
    yield Line(bool(trouble.done), trouble.said)
    yield from everything_holds(stack, heard)
    yield _jobs()


def _ask_for_a_pack(club: Club) -> None:
    (session,) = club.sessions.all()
    day = session.held_on
    season: Season = save_season(club=club, season=None, name="Now", starts_on=day, ends_on=day)
    secretary = club.memberships.get().user
    ask_for_pack(season=season, asked_by=secretary)


def _jobs() -> Line:
    jobs = Job.objects.all()
    done = until(lambda: not jobs.exclude(state=JobState.DONE).exists(), seconds=SECONDS_FOR_A_JOB)
    tried = ", ".join(f"{job.tries}" for job in jobs)
    return Line(done, f"{jobs.count()} papers asked for meanwhile are made; tries: {tried}")
