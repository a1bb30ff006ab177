"""Printouts that a browser would wait long for: a background job creates them."""

from collections.abc import Mapping
from time import monotonic, sleep, thread_time
from typing import Any, Final
from uuid import UUID

from django.conf import settings
from django.contrib import messages
from django.db import transaction
from django.http import Http404, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import path, reverse

from clubs.api.base import detail_endpoint
from clubs.api.commands import ClubCommandAPIView, command_endpoint
from clubs.api.created import CreatedRoute
from clubs.api.fields import FlagField, NumberField, OneOfField
from clubs.api.papers import FormatIn, PaperAPIView, pdf_endpoint
from clubs.core.access import ClubRequest, requires
from clubs.core.pages import JobPage
from clubs.core.queue import (
    UNFINISHED_STATES,
    TryLater,
    delete_jobs,
    make_job,
    queue_job,
    report_progress,
    store_pdf,
)
from clubs.evenings.papers import seated_tables
from clubs.league.serializers import JobSerializer
from clubs.models import Club, Job, User
from clubs.paper.formats import FORMAT_QUESTIONS, Format, format_from_query, format_from_words
from clubs.paper.page import ReportProgress
from clubs.paper.response import pdf_response
from scoring.scorebook.refusals import refuse
from tournaments.api import TournamentAPIView
from tournaments.core import (
    PRINT_TOURNAMENT,
    get_tournament_or_404,
    lock_tournament,
    tournament_context,
)
from tournaments.models import MOST_ROUNDS, Printing, Table, Tournament
from tournaments.papers import (
    API_PRINTOUTS_PATH,
    PAPERS,
    PRINT_PATH,
    PrintOrder,
    TournamentPaper,
    round_in,
)
from tournaments.rounds.selectors import linked_tables

JOB_KIND: Final = "tournament printout"  # of job
PRINT_OPTIONS: Final = tuple(name for name, *_ in FORMAT_QUESTIONS)
PROGRESS_INTERVAL: Final = 0.5  # seconds between two notes of the progress
LONG_PATH: Final = f"{PRINT_PATH}long/"
API_LONG_PATH: Final = f"{API_PRINTOUTS_PATH}long/"


@transaction.atomic
def start_printing(*, printing: Printing, asked_by: User) -> Job:
    """Start the printout, or return the job that is creating it; older files of it are deleted."""
    cup = lock_tournament(printing.tournament_id)
    jobs = Job.objects.filter(
        club=cup.club_id,
        printing__tournament=cup,
        printing__kind=printing.kind,
        printing__round=printing.round,
        printing__form=printing.form,
        printing__with_code=printing.with_code,
    )
    under_way = jobs.filter(state__in=UNFINISHED_STATES, printing__address=printing.address).first()
    if under_way is not None:
        return under_way
    delete_jobs(jobs.exclude(state__in=UNFINISHED_STATES))
    job = make_job(club=cup.club, kind=JOB_KIND, subject_key=cup.pk, asked_by=asked_by)
    printing.job = job
    printing.save(force_insert=True)
    queue_job(job)
    return job


def draw_printing(job: Job) -> str:
    """Draw the printout of the job and store it; the message is empty."""
    printing = Printing.objects.select_related("tournament__club").get(job=job)
    cup, club = printing.tournament, printing.tournament.club
    tables = seated_tables(
        club,
        linked_tables(cup, round_number=printing.round),
        build_url=lambda key: printing.address + reverse("round-table", args=[key]),
    )
    order = PrintOrder(
        cup,
        format_from_words(printing.form, club),
        tables=tables,
        with_code=printing.with_code,
        progress=_progress(job),
    )
    paper = PAPERS[printing.kind]
    file = paper.render(order)
    if not file:  # the seating was cleared meanwhile
        raise TryLater(paper.empty_refusal[1])
    report_progress(job, done=len(tables), total=len(tables))
    return store_pdf(job, file)


def _progress(job: Job) -> ReportProgress:
    """Notes the progress of the job, twice a second at most.

    Where one process does everything, as on a laptop, it then rests for as long as the last table
    took, because phones wait for the same processor.
    """
    last_report_time, last_work_time = -PROGRESS_INTERVAL, thread_time()

    def progress(done: int, total: int) -> None:
        nonlocal last_report_time, last_work_time
        if monotonic() - last_report_time >= PROGRESS_INTERVAL:
            report_progress(job, done=done, total=total)
            last_report_time = monotonic()
        if not settings.REDIS_URL:
            sleep(thread_time() - last_work_time)
        last_work_time = thread_time()

    return progress


JOB_FUNCTIONS: Final = {JOB_KIND: draw_printing}


@requires(
    PRINT_TOURNAMENT,
    "created a long printout of {tournament}",
    log_for="POST api-tournament-printing",
)
def long_printout(request: ClubRequest, club: Club, pk: int) -> HttpResponse:
    """What would be printed, before a background job does; on POST, start it."""
    tournament = get_tournament_or_404(club, pk)
    data = request.POST if request.method == "POST" else request.GET
    paper, number = _paper_or_404(data), round_in(data)
    form, with_code = format_from_query(data, club), "code" in data
    rounds = {} if number is None else {"round__number": number}
    tables = Table.objects.filter(round__tournament=tournament, **rounds).count()
    if not tables:
        messages.error(request, paper.empty_refusal[1])
        return redirect(paper.return_page, club.slug, pk)
    if request.method == "POST":
        printing = Printing(
            tournament=tournament,
            kind=paper.kind,
            round=number,
            form=form.summary,
            with_code=with_code,
            address=request.build_absolute_uri("/").rstrip("/"),
        )
        job = start_printing(printing=printing, asked_by=request.user)
        return redirect("tournament-printed", club.slug, pk, job.pk)
    context = _page_context(request, tournament, paper, number)
    context |= {"tables": tables, "form": form, "options": _print_options(data)}
    return render(request, "tournaments/papers/long.html", context)


@requires(PRINT_TOURNAMENT)
def long_printout_progress(request: ClubRequest, club: Club, pk: int, job: UUID) -> HttpResponse:
    """The progress, and the file once it is ready; the page polls until it is."""
    printing = _printing_or_404(get_tournament_or_404(club, pk), job)
    paper = PAPERS[printing.kind]
    context = _page_context(request, printing.tournament, paper, printing.round)
    url_args = [club.slug, pk]
    context |= {
        "job": printing.job,
        "is_under_way": printing.job.state in UNFINISHED_STATES,
        "job_page": JobPage(
            url=reverse("tournament-printed", args=[*url_args, job]),
            pdf=reverse("tournament-printed-pdf", args=[*url_args, job]),
            return_url=reverse("tournament-papers", args=url_args),
            back_to="Back to printouts",
            product="printout",
            units="tables",
        ),
    }
    page = "clubs/house/_job.html" if request.htmx else "tournaments/papers/printed.html"
    return render(request, page, context)


@requires(PRINT_TOURNAMENT)
def long_printout_file(request: ClubRequest, club: Club, pk: int, job: UUID) -> HttpResponse:
    """The printout, or ``?pages=3,7-9`` of it."""
    return pdf_response(
        request, *_stored_file(_printing_or_404(get_tournament_or_404(club, pk), job)), keeps=True
    )


def _paper_or_404(data: Mapping[str, str]) -> TournamentPaper:
    """The printout that an address or form names; raises ``Http404`` unless it is of tables."""
    paper = PAPERS.get(data.get("kind", "emergency"))
    if paper is None or not paper.of_tables:
        raise Http404
    return paper


def _print_options(data: Mapping[str, str]) -> dict[str, str]:
    """How to print, which the form sends on from its address."""
    return {name: data[name] for name in ("round", *PRINT_OPTIONS, "code") if name in data}


def _printing_or_404(tournament: Tournament, job: UUID) -> Printing:
    return get_object_or_404(tournament.printings.select_related("job"), job=job)


def _stored_file(printing: Printing) -> tuple[bytes, str]:
    """The file and its name, without ``.pdf``; raises ``Http404`` until it is ready."""
    if not printing.job.result:
        raise Http404
    with printing.job.result.open("rb") as file:
        return file.read(), PAPERS[printing.kind].file_for(printing.tournament)


def _page_context(
    request: ClubRequest, cup: Tournament, paper: TournamentPaper, number: int | None
) -> dict[str, Any]:
    """What is printed in words: ``Score sheets, round 3``."""
    title = f"{paper.title}, {'all rounds' if number is None else f'round {number}'}"
    return tournament_context(
        request, cup, "tournament-papers", paper=paper, title=title, number=number
    )


class PrintingIn(FormatIn):
    """What is printed, and on what."""

    kind = OneOfField(choices=[paper.kind for paper in PAPERS.values() if paper.of_tables])
    round = NumberField(
        min_value=1,
        max_value=MOST_ROUNDS,
        required=False,
        help_text="only the tables of this round; if omitted, of all rounds",
    )
    code = FlagField(default=False, help_text="include the table’s QR code on seating cards")


class PrintingJobSerializer(JobSerializer):
    """The background job that creates a printout of a tournament."""

    def get_result(self, job: Job) -> str | None:
        """The address of the printout, once it is ready."""
        url_args = [job.club.slug, job.about, job.pk]
        return reverse("api-tournament-printed-pdf", args=url_args) if job.result else None


class PrintingsView(TournamentAPIView, ClubCommandAPIView):
    access = PRINT_TOURNAMENT

    @command_endpoint(
        PrintingIn,
        answers=PrintingJobSerializer,
        creates=CreatedRoute("api-tournament-printed", job="id"),
    )
    def post(self, validated: dict[str, Any]) -> Job:
        """Start creating a printout of many tables, or return the job already running."""
        paper, number = PAPERS[validated["kind"]], validated.get("round")
        if not linked_tables(self.tournament, round_number=number):
            raise refuse(*paper.empty_refusal)
        printing = Printing(
            tournament=self.tournament,
            kind=paper.kind,
            round=number,
            form=format_from_query(validated, self.club).summary,
            with_code=validated["code"],
            address=self.request.build_absolute_uri("/").rstrip("/"),
        )
        return start_printing(printing=printing, asked_by=self.me)


class PrintingView(TournamentAPIView):
    access = PRINT_TOURNAMENT

    @detail_endpoint(PrintingJobSerializer)
    def get(self) -> Job:
        """Get the progress of a printout. Ask every second or two until it is done or failed."""
        return _printing_or_404(self.tournament, self.kwargs["job"]).job


class PrintingPaper(PaperAPIView, TournamentAPIView):
    access = PRINT_TOURNAMENT

    @pdf_endpoint(in_formats=False)
    def get(self, _form: Format) -> tuple[bytes, str]:
        """Download the printout as a PDF, or only ``?pages=3,7-9``. It is 404 until it is ready."""
        return _stored_file(_printing_or_404(self.tournament, self.kwargs["job"]))


api_patterns = [
    path(API_LONG_PATH, PrintingsView.as_view(), name="api-tournament-printing"),
    path(f"{API_LONG_PATH}<uuid:job>/", PrintingView.as_view(), name="api-tournament-printed"),
    path(
        f"{API_LONG_PATH}<uuid:job>/result.pdf",
        PrintingPaper.as_view(),
        name="api-tournament-printed-pdf",
    ),
]

urlpatterns = [
    path(LONG_PATH, long_printout, name="tournament-printing"),
    path(f"{LONG_PATH}<uuid:job>/", long_printout_progress, name="tournament-printed"),
    path(f"{LONG_PATH}<uuid:job>/file.pdf", long_printout_file, name="tournament-printed-pdf"),
]
