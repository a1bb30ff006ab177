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

from clubs.api.base import reads
from clubs.api.commands import ActAPIView, does
from clubs.api.created import Place
from clubs.api.fields import FlagField, NumberField, OneOfField
from clubs.api.papers import FormatIn, PaperAPIView, prints
from clubs.core.access import ClubRequest, requires
from clubs.core.pages import JobPage
from clubs.core.queue import UNDER_WAY, TryLater, delete_jobs, make_job, say, store_pdf, wake
from clubs.evenings.papers import seated
from clubs.league.serializers import JobSerializer
from clubs.models import Club, Job, User
from clubs.paper.document import pdf
from clubs.paper.formats import QUESTIONS, Format, format_of, format_said
from clubs.paper.page import Progress
from scoring.scorebook.refusals import refuse
from tournaments.api import TournamentAPIView
from tournaments.core import PRINT_TOURNAMENT, about, find, lock
from tournaments.models import MOST_ROUNDS, Printing, Table, Tournament
from tournaments.papers import HERE, PAPERS, PRINT, Order, TournamentPaper, round_in
from tournaments.rounds.selectors import linked_tables

KIND: Final = "tournament printout"  # of job
OPTIONS: Final = tuple(name for name, *_ in QUESTIONS)
EVERY: Final = 0.5  # seconds between two notes of the progress


@transaction.atomic
def ask_for_printing(*, printing: Printing, asked_by: User) -> Job:
    """Start the printout, or return the job that is creating it; older files of it are deleted."""
    cup = lock(printing.tournament_id)
    jobs = Job.objects.filter(
        club=cup.club_id,
        printing__tournament=cup,
        printing__kind=printing.kind,
        printing__round=printing.round,
        printing__form=printing.form,
        printing__with_code=printing.with_code,
    )
    under_way = jobs.filter(state__in=UNDER_WAY, printing__address=printing.address).first()
    if under_way is not None:
        return under_way
    delete_jobs(jobs.exclude(state__in=UNDER_WAY))
    job = make_job(club=cup.club, kind=KIND, about=cup.pk, asked_by=asked_by)
    printing.job = job
    printing.save(force_insert=True)
    wake(job)
    return job


def make_printing(job: Job) -> str:
    """Draw the printout of the job and store it; the message is empty."""
    printing = Printing.objects.select_related("tournament__club").get(job=job)
    cup, club = printing.tournament, printing.tournament.club
    tables = seated(
        club,
        linked_tables(cup, round_number=printing.round),
        at=lambda key: printing.address + reverse("round-table", args=[key]),
    )
    order = Order(
        cup,
        format_said(printing.form, club),
        tables=tables,
        with_code=printing.with_code,
        progress=_progress(job),
    )
    paper = PAPERS[printing.kind]
    file = paper.drawn(order)
    if not file:  # the seating was cleared meanwhile
        raise TryLater(paper.nothing[1])
    say(job, done=len(tables), total=len(tables))
    return store_pdf(job, file)


def _progress(job: Job) -> Progress:
    """Notes the progress of the job, twice a second at most.

    Where one process does everything, as on a laptop, it then rests for as long as the last table
    took, because phones wait for the same processor.
    """
    noted, worked = -EVERY, thread_time()

    def progress(done: int, total: int) -> None:
        nonlocal noted, worked
        if monotonic() - noted >= EVERY:
            say(job, done=done, total=total)
            noted = monotonic()
        if not settings.REDIS_URL:
            sleep(thread_time() - worked)
        worked = thread_time()

    return progress


WORK: Final = {KIND: make_printing}


@requires(
    PRINT_TOURNAMENT,
    "created a long printout of {tournament}",
    log_for="POST api-tournament-printing",
)
def ask(request: ClubRequest, club: Club, pk: int) -> HttpResponse:
    """What would be printed, before a background job does; on POST, start it."""
    tournament = find(club, pk)
    sent = request.POST if request.method == "POST" else request.GET
    paper, number = _paper(sent), round_in(sent)
    form, with_code = format_of(sent, club), "code" in sent
    rounds = {} if number is None else {"round__number": number}
    tables = Table.objects.filter(round__tournament=tournament, **rounds).count()
    if not tables:
        messages.error(request, paper.nothing[1])
        return redirect(paper.back, club.slug, pk)
    if request.method == "POST":
        printing = Printing(
            tournament=tournament,
            kind=paper.kind,
            round=number,
            form=form.said,
            with_code=with_code,
            address=request.build_absolute_uri("/").rstrip("/"),
        )
        job = ask_for_printing(printing=printing, asked_by=request.user)
        return redirect("tournament-printed", club.slug, pk, job.pk)
    context = _about(request, tournament, paper, number)
    context |= {"tables": tables, "form": form, "options": _options(sent)}
    return render(request, "tournaments/papers/long.html", context)


@requires(PRINT_TOURNAMENT)
def made(request: ClubRequest, club: Club, pk: int, job: UUID) -> HttpResponse:
    """The progress, and the file once it is ready; the page polls until it is."""
    printing = _printing(find(club, pk), job)
    paper = PAPERS[printing.kind]
    context = _about(request, printing.tournament, paper, printing.round)
    here = [club.slug, pk]
    context |= {
        "job": printing.job,
        "is_under_way": printing.job.state in UNDER_WAY,
        "job_page": JobPage(
            at=reverse("tournament-printed", args=[*here, job]),
            pdf=reverse("tournament-printed-pdf", args=[*here, job]),
            back=reverse("tournament-papers", args=here),
            back_to="Back to printouts",
            what="printout",
            units="tables",
        ),
    }
    page = "clubs/house/_job.html" if request.htmx else "tournaments/papers/printed.html"
    return render(request, page, context)


@requires(PRINT_TOURNAMENT)
def file(request: ClubRequest, club: Club, pk: int, job: UUID) -> HttpResponse:
    """The printout, or ``?pages=3,7-9`` of it."""
    return pdf(request, *_stored(_printing(find(club, pk), job)), keeps=True)


def _paper(sent: Mapping[str, str]) -> TournamentPaper:
    """The printout that an address or form names; raises ``Http404`` unless it is of tables."""
    paper = PAPERS.get(sent.get("kind", "emergency"))
    if paper is None or not paper.of_tables:
        raise Http404
    return paper


def _options(sent: Mapping[str, str]) -> dict[str, str]:
    """How to print, which the form sends on from its address."""
    return {name: sent[name] for name in ("round", *OPTIONS, "code") if name in sent}


def _printing(tournament: Tournament, job: UUID) -> Printing:
    return get_object_or_404(tournament.printings.select_related("job"), job=job)


def _stored(printing: Printing) -> tuple[bytes, str]:
    """The file and its name, without ``.pdf``; raises ``Http404`` until it is ready."""
    if not printing.job.result:
        raise Http404
    with printing.job.result.open("rb") as opened:
        return opened.read(), PAPERS[printing.kind].file_for(printing.tournament)


def _about(
    request: ClubRequest, cup: Tournament, paper: TournamentPaper, number: int | None
) -> dict[str, Any]:
    """What is printed in words: ``Score sheets, round 3``."""
    title = f"{paper.title}, {'all rounds' if number is None else f'round {number}'}"
    return about(request, cup, "tournament-papers", paper=paper, title=title, number=number)


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
        at = [job.club.slug, job.about, job.pk]
        return reverse("api-tournament-printed-pdf", args=at) if job.result else None


class PrintingsView(TournamentAPIView, ActAPIView):
    access = PRINT_TOURNAMENT

    @does(
        PrintingIn, answers=PrintingJobSerializer, creates=Place("api-tournament-printed", job="id")
    )
    def post(self, validated: dict[str, Any]) -> Job:
        """Start creating a printout of many tables, or return the job already running."""
        paper, number = PAPERS[validated["kind"]], validated.get("round")
        if not linked_tables(self.tournament, round_number=number):
            raise refuse(*paper.nothing)
        printing = Printing(
            tournament=self.tournament,
            kind=paper.kind,
            round=number,
            form=format_of(validated, self.club).said,
            with_code=validated["code"],
            address=self.request.build_absolute_uri("/").rstrip("/"),
        )
        return ask_for_printing(printing=printing, asked_by=self.me)


class PrintingView(TournamentAPIView):
    access = PRINT_TOURNAMENT

    @reads(PrintingJobSerializer)
    def get(self) -> Job:
        """Get the progress of a printout. Ask every second or two until it is done or failed."""
        return _printing(self.tournament, self.kwargs["job"]).job


class PrintingPaper(PaperAPIView, TournamentAPIView):
    access = PRINT_TOURNAMENT

    @prints(in_formats=False)
    def get(self, _form: Format) -> tuple[bytes, str]:
        """Download the printout as a PDF, or only ``?pages=3,7-9``. It is 404 until it is ready."""
        return _stored(_printing(self.tournament, self.kwargs["job"]))


LONG: Final = f"{PRINT}long/"
LONG_HERE: Final = f"{HERE}long/"

api_patterns = [
    path(LONG_HERE, PrintingsView.as_view(), name="api-tournament-printing"),
    path(f"{LONG_HERE}<uuid:job>/", PrintingView.as_view(), name="api-tournament-printed"),
    path(
        f"{LONG_HERE}<uuid:job>/result.pdf",
        PrintingPaper.as_view(),
        name="api-tournament-printed-pdf",
    ),
]

urlpatterns = [
    path(LONG, ask, name="tournament-printing"),
    path(f"{LONG}<uuid:job>/", made, name="tournament-printed"),
    path(f"{LONG}<uuid:job>/file.pdf", file, name="tournament-printed-pdf"),
]
