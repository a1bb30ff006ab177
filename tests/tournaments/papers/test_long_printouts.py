"""Printouts of a large hall: a background job creates them, and a page shows how far it is."""

from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from clubs.evenings.papers import seated_tables
from clubs.house.services import run_job
from clubs.models import Job, JobState
from tests.api import api_client, faults
from tests.paper import pages_of
from tests.people import Cast
from tests.tournaments.cups import make_cup, page_of, seated_cup
from tournaments.models import Printing, Tournament
from tournaments.papers import MAX_SHEET_TABLES, PAPERS, PrintOrder
from tournaments.printing import JOB_KIND
from tournaments.rounds.selectors import linked_tables
from tournaments.seating.services import seating

pytestmark = pytest.mark.django_db
MORE: int = MAX_SHEET_TABLES + 1


@pytest.fixture
def director(cast: Cast) -> Client:
    client = Client()
    client.force_login(cast.director)
    return client


@pytest.fixture
def hall(cast: Cast) -> Tournament:
    """One table more than a browser waits for."""
    return seated_cup(club=cast.club, entrants=4 * MORE, rounds=1, starts=False)


def start_job(director: Client, cup: Tournament, **fields: Any) -> Job:
    """The job that creates a printout, once its button is pressed."""
    address = page_of(cup, "print/long/")
    page = director.post(address, {"kind": "sheets", "round": "1", **fields})
    job = Job.objects.latest("made_at")
    assert page["Location"] == reverse("tournament-printed", args=["riverside", cup.pk, job.pk])
    return job


def read(director: Client, cup: Tournament, job: Job, page: str = "tournament-printed") -> Any:
    return director.get(reverse(page, args=["riverside", cup.pk, job.pk]))


def test_the_sheets_of_sixty_tables_come_at_once(director: Client, cast: Cast) -> None:
    cup = seated_cup(club=cast.club, entrants=4 * MAX_SHEET_TABLES, rounds=1, hands=8, starts=False)
    answer = director.get(page_of(cup, "print/sheets.pdf?round=1"))
    assert len(pages_of(answer.content)) == MAX_SHEET_TABLES


@pytest.mark.parametrize("kind", ["sheets", "emergency"])
def test_the_sheets_of_more_tables_are_offered_as_a_job(
    director: Client, hall: Tournament, kind: str
) -> None:
    page = director.get(page_of(hall, f"print/{kind}.pdf?round=1&print=large"), follow=True)
    text = page.content.decode()
    assert f"{MORE} tables, large print." in text
    assert f'name="kind" value="{kind}"' in text
    assert 'name="print" value="large"' in text
    assert not Job.objects.exists()


def test_one_table_of_a_hall_is_printed_at_once(director: Client, hall: Tournament) -> None:
    answer = director.get(page_of(hall, "print/sheets.pdf?round=1&table=7"))
    assert answer["Content-Type"] == "application/pdf"


@pytest.mark.parametrize("round_number", ["1", "all"])
@pytest.mark.parametrize("kind", ["sheets", "emergency", "seating-cards"])
def test_a_job_creates_what_a_browser_would_have_been_sent(
    director: Client, cast: Cast, kind: str, round_number: str
) -> None:
    cup = seated_cup(club=cast.club, entrants=8, rounds=2)
    options = {"print": "large", "code": "yes"}
    job = start_job(director, cup, kind=kind, round=round_number, **options)
    run_job(job.pk)
    job.refresh_from_db()
    tables = 2 if round_number == "1" else 4
    assert (job.state, job.message, job.done, job.total) == (JobState.DONE, "", tables, tables)
    response = director.get(page_of(cup, f"print/{kind}.pdf"), {"round": round_number, **options})
    assert read(director, cup, job, "tournament-printed-pdf").content == response.content
    assert job.bytes == len(response.content)


def test_a_page_shows_how_far_a_printout_is(director: Client, hall: Tournament) -> None:
    job = start_job(director, hall)
    assert "Starting soon" in read(director, hall, job).content.decode()
    Job.objects.update(state=JobState.RUNNING, done=20, total=MORE)
    page = read(director, hall, job).content.decode()
    assert (f'max="{MORE}" value="20"' in page, 'hx-trigger="every 1s"' in page) == (True, True)
    assert read(director, hall, job, "tournament-printed-pdf").status_code == 404
    run_to_the_end(job)
    page = read(director, hall, job).content.decode()
    assert ("Download the PDF" in page, "hx-trigger" in page) == (True, False)


def run_to_the_end(job: Job) -> None:
    Job.objects.update(state=JobState.WAITING)
    run_job(job.pk)


def test_a_failed_printout_says_so(director: Client, hall: Tournament) -> None:
    job = start_job(director, hall)
    Job.objects.update(state=JobState.FAILED, message="Something went wrong. Please try again.")
    page = read(director, hall, job).content.decode()
    assert "We could not create the printout. Something went wrong. Please try again." in page


def test_a_job_says_how_far_it_is_while_it_draws(cast: Cast) -> None:
    cup = seated_cup(club=cast.club, entrants=12, rounds=1)
    tables = seated_tables(cast.club, linked_tables(cup, round_number=1), build_url=str)
    for kind in ("sheets", "emergency"):
        steps: list[tuple[int, int]] = []
        note = lambda done, total, steps=steps: steps.append((done, total))  # noqa: E731
        PAPERS[kind].render(PrintOrder(cup, tables=tables, progress=note))
        assert steps == [(1, 3), (2, 3), (3, 3)]


def test_pressing_twice_creates_one_printout(director: Client, hall: Tournament) -> None:
    assert start_job(director, hall) == start_job(director, hall)
    assert start_job(director, hall, round="all") != start_job(director, hall, kind="emergency")
    assert Job.objects.filter(kind=JOB_KIND).count() == 3


def test_a_new_printout_replaces_the_file_of_before(
    director: Client, cast: Cast, django_capture_on_commit_callbacks: Any
) -> None:
    cup = seated_cup(club=cast.club, entrants=4, rounds=1)
    first_job = start_job(director, cup)
    run_job(first_job.pk)
    first_job.refresh_from_db()
    storage, name = first_job.result.storage, str(first_job.result.name)
    assert storage.exists(name)
    with django_capture_on_commit_callbacks(execute=False) as callbacks:
        second_job = start_job(director, cup)
    for callback in callbacks:
        if "delete" in repr(callback):
            callback()
    assert not storage.exists(name)
    assert list(Printing.objects.values_list("job", flat=True)) == [second_job.pk]


def test_codes_lead_to_where_the_director_was(cast: Cast) -> None:
    cup = seated_cup(club=cast.club, entrants=4, rounds=1)
    client = Client(headers={"Host": "127.0.0.1:8080"})
    client.force_login(cast.director)
    job = start_job(client, cup)
    assert Printing.objects.get(job=job).address == "http://127.0.0.1:8080"


def test_a_printout_is_found_under_its_own_tournament_only(
    director: Client, cast: Cast, hall: Tournament
) -> None:
    job = start_job(director, hall)
    other_cup = make_cup(club=cast.club, entrants=4, rounds=1, name="Spring Cup")
    assert read(director, other_cup, job).status_code == 404


def test_only_printouts_of_tables_are_long(director: Client, hall: Tournament) -> None:
    for kind in ("badges", "nothing"):
        assert director.get(page_of(hall, f"print/long/?kind={kind}")).status_code == 404


def test_a_tournament_that_is_not_seated_prints_nothing(director: Client, cast: Cast) -> None:
    cup = make_cup(club=cast.club, entrants=4, rounds=1)
    page = director.post(page_of(cup, "print/long/"), {"kind": "sheets"}, follow=True)
    assert PAPERS["sheets"].empty_refusal[1] in page.content.decode()
    assert not Job.objects.exists()


def test_a_seating_that_is_cleared_meanwhile_is_waited_for(director: Client, cast: Cast) -> None:
    cup = seated_cup(club=cast.club, entrants=4, rounds=1, starts=False)
    job = start_job(director, cup)
    seating.clear_rounds(tournament=cup)
    run_job(job.pk)
    job.refresh_from_db()
    assert (job.state, job.message) == (JobState.WAITING, PAPERS["sheets"].empty_refusal[1])


def api_at(cup: Tournament, path: str) -> str:
    return f"/api/v1/clubs/riverside/tournaments/{cup.pk}/printouts/{path}"


@pytest.mark.parametrize("kind", ["sheets", "emergency"])
def test_a_program_that_asks_for_more_tables_reads_where_a_job_is_started(
    cast: Cast, hall: Tournament, kind: str
) -> None:
    program = api_client(cast.director)
    answer = program.get(api_at(hall, f"{kind}.pdf?round=1"))
    assert (answer.status_code, faults(answer)) == (400, [("long_printout", "")])
    assert f"{MORE} tables. POST to {api_at(hall, 'long/')} instead." in answer.content.decode()
    assert program.get(api_at(hall, f"{kind}.pdf?round=1&table=7")).status_code == 200


@pytest.mark.parametrize("number", [1, None])
@pytest.mark.parametrize("kind", ["sheets", "emergency", "cards", "seating-cards"])
def test_a_job_creates_for_a_program_what_it_would_have_been_sent(
    cast: Cast, kind: str, number: int | None
) -> None:
    cup = seated_cup(club=cast.club, entrants=8, rounds=2)
    program = api_client(cast.director)
    body = {"kind": kind, "print": "large", "code": True}
    body |= {"round": number} if number else {}
    response = program.post(api_at(cup, "long/"), body, content_type="application/json")
    assert response.status_code == 201
    second_response = program.post(api_at(cup, "long/"), body, content_type="application/json")
    assert second_response.json()["id"] == response.json()["id"]
    job = Job.objects.get(pk=response.json()["id"])
    progress = api_at(cup, f"long/{job.pk}/")
    waiting = program.get(progress).json()
    assert (waiting["state"], waiting["result"]) == ("waiting", None)
    assert program.get(f"{progress}result.pdf").status_code == 404
    run_job(job.pk)
    assert (finished_job := program.get(progress).json())["state"] == "done"
    assert finished_job["result"] == f"{progress}result.pdf"
    options: dict[str, Any] = {"print": "large"}
    if number or kind == "emergency":
        options["round"] = number or "all"
    if kind == "seating-cards":
        options["code"] = "true"
    at_once = program.get(api_at(cup, f"{kind}.pdf"), options)
    assert program.get(finished_job["result"]).content == at_once.content
    assert len(pages_of(program.get(f"{finished_job['result']}?pages=1").content)) == 1


@pytest.mark.parametrize(
    ("body", "fault"),
    [
        ({"kind": "badges"}, ("invalid_choice", "kind")),
        ({}, ("required", "kind")),
        ({"kind": "sheets", "round": 0}, ("min_value", "round")),
        ({"kind": "sheets", "round": 7}, ("nobody_seated", "")),
        ({"kind": "sheets", "paper": "vellum"}, ("invalid_choice", "paper")),
    ],
)
def test_a_program_reads_what_cannot_be_printed(
    cast: Cast, body: dict[str, Any], fault: tuple[str, str]
) -> None:
    cup = seated_cup(club=cast.club, entrants=4, rounds=1)
    program = api_client(cast.director)
    answer = program.post(api_at(cup, "long/"), body, content_type="application/json")
    status = 409 if fault[0] == "nobody_seated" else 400
    assert (answer.status_code, faults(answer)) == (status, [fault])
    assert not Job.objects.exists()
