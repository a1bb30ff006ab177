"""Those without email: letters to print, a list to telephone by, and who has been contacted."""

from django.http import HttpResponse
from django.shortcuts import get_object_or_404, render
from django.views.decorators.http import require_POST

from clubs.core.access import ClubRequest, door
from clubs.core.page_context import framed
from clubs.core.permissions import SEND_MESSAGES
from clubs.models import Batch, Club
from clubs.paper.downloads import pdf
from clubs.paper.formats import format_of
from clubs.pdf.letters import PrintedLetter, letters_pdf, telephone_pdf
from clubs.selectors.byhand import calls_of
from clubs.selectors.outbox import batch_view
from clubs.services import outbox as services
from clubs.views.messages import act_on, batch_of, below, number

HOW = {"telephone": "contacted by phone", "letter": "contacted by letter"}


@door(SEND_MESSAGES)
def by_hand(request: ClubRequest, club: Club, pk: int) -> HttpResponse:
    """Everyone who is to be told by letter or telephone, each with a press for “told”."""
    view = batch_view(batch_of(club, pk))
    context = framed(club, "messages", view=view, calls=calls_of(view), form=format_of(request.GET))
    context["breadcrumbs"] = below(view, "Contact by post or phone")
    return render(request, "clubs/batch_by_hand.html", context)


@door(SEND_MESSAGES)
@require_POST
def told(request: ClubRequest, club: Club, pk: int) -> HttpResponse:
    """Someone has been contacted."""

    def act(batch: Batch) -> str:
        messages = batch.messages.select_related("player", "batch")
        one = get_object_or_404(messages, pk=number(request.POST.get("message")))
        services.told(message=one, by=HOW.get(request.POST.get("by", ""), HOW["letter"]))
        return f"{one.player.name} has been contacted."

    return act_on(request, club, pk, act, back="batch-by-hand")


@door(SEND_MESSAGES)
def letters(request: ClubRequest, club: Club, pk: int) -> HttpResponse:
    """A letter to everyone who is to be told by hand, or that of ``?message=12`` alone."""
    view = batch_view(batch_of(club, pk))
    one = view.letter(number(request.GET.get("message")))
    chosen = [one] if one else view.by_hand or view.letters
    printed = [PrintedLetter(letter.name, letter.subject, letter.blocks) for letter in chosen]
    paper = letters_pdf(club.name, printed, format_of(request.GET))
    return pdf(request, paper, f"{club.slug}-letters-{pk}")


@door(SEND_MESSAGES)
def telephone(request: ClubRequest, club: Club, pk: int) -> HttpResponse:
    """The list to telephone by."""
    view = batch_view(batch_of(club, pk))
    calls = calls_of(view)
    paper = telephone_pdf(club.name, view.batch.title, calls, format_of(request.GET))
    return pdf(request, paper, f"{club.slug}-telephone-{pk}")
