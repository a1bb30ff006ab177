"""The outbox: what waits, one batch looked at and sent, one message changed."""

from collections.abc import Callable

from django.contrib import messages
from django.core.paginator import Paginator
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.views.decorators.http import require_POST

from clubs.core.access import ClubRequest, door
from clubs.core.page_context import framed, trail
from clubs.core.permissions import SEND_MESSAGES
from clubs.core.stale_forms import Event, save_over
from clubs.forms.messages import TextChangeForm
from clubs.matters import MATTERS, WRITTEN
from clubs.models import Batch, Club, Message
from clubs.selectors import outbox as rows
from clubs.services import outbox as services
from scoring.scorebook.refusals import Refused

UNPROCESSABLE = 422
BATCHES_A_PAGE = 20
LIST = (("Messages", "messages"), ("Outbox", "outbox"))


@door(SEND_MESSAGES)
def new(request: ClubRequest, club: Club) -> HttpResponse:
    """What can be written, and that something waits to be sent."""
    context = framed(club, "messages", kinds=WRITTEN, open=rows.open_batches(club))
    return render(request, "clubs/messages.html", context)


@door(SEND_MESSAGES)
def outbox(request: ClubRequest, club: Club) -> HttpResponse:
    """What waits to be sent, and what did not arrive."""
    context = framed(
        club, "messages", open=rows.open_batches(club), undelivered=rows.undelivered(club)
    )
    return render(request, "clubs/messages_outbox.html", context)


@door(SEND_MESSAGES)
def sent(request: ClubRequest, club: Club) -> HttpResponse:
    """Everything that was sent, newest first; asked with ``?q=``, whatever has these words."""
    asked = request.GET.get("q", "").strip()[:80]
    found = rows.batches(club, asked) if asked else rows.earlier_batches(club)
    page = Paginator(found, BATCHES_A_PAGE).get_page(request.GET.get("page"))
    context = framed(club, "messages", asked=asked, page_obj=page)
    return render(request, "clubs/messages_sent.html", context)


@door(SEND_MESSAGES)
def batch(request: ClubRequest, club: Club, pk: int) -> HttpResponse:
    """Everyone whom one matter goes to, as it will go, and Send; while it is sent, how far."""
    view = rows.batch_view(batch_of(club, pk))
    crumbs = trail(club, *LIST, here=view.batch.title)
    context = framed(club, "messages", view=view, breadcrumbs=crumbs)
    page = "_batch_sending" if request.htmx else "batch"
    return render(request, f"clubs/{page}.html", context)


@door(SEND_MESSAGES)
def text(request: ClubRequest, club: Club, pk: int) -> HttpResponse:
    """One text for all drafts."""
    view = rows.batch_view(batch_of(club, pk))
    told = _texts(view.subject, view.text)
    form = TextChangeForm(view.matter, request.POST or None, initial=told)
    changed = save_over(
        form,
        Event(club, "batch", pk, {"batch-text": ""}),
        lock=lambda: services.lock_batch(view.batch),
        held=lambda: _texts(*rows.common_text(rows.messages_of(view.batch))),
        save=lambda: services.change_text(batch=view.batch, **form.cleaned_data),
    )
    if changed is not None:
        messages.success(request, f"{changed} draft{'' if changed == 1 else 's'} changed.")
        return redirect("batch", club.slug, pk)
    crumbs = below(view, "Edit message")
    context = framed(club, "messages", view=view, form=form, breadcrumbs=crumbs)
    return render(request, "clubs/batch_text.html", context, status=_status(form))


@door(SEND_MESSAGES)
def message(request: ClubRequest, club: Club, pk: int, message: int) -> HttpResponse:
    """One person's message as it goes or went; a draft's words can be changed."""
    held = get_object_or_404(batch_of(club, pk).messages.select_related("player"), pk=message)
    told = _texts(held.subject, held.body)
    form = TextChangeForm(MATTERS[held.batch.kind], request.POST or None, initial=told)
    if _saved(held, form):
        messages.success(request, "Saved for this person only.")
        return redirect("message", club.slug, pk, message)
    view = rows.batch_view(held.batch)
    context = framed(club, "messages", view=view, form=form, letter=view.letter(message))
    context["breadcrumbs"] = below(view, held.player.name)
    return render(request, "clubs/message.html", context, status=_status(form))


def _texts(subject: str, text: str) -> dict[str, str]:
    """What the form of a text holds."""
    return {"subject": subject, "text": text}


def _saved(message: Message, form: TextChangeForm) -> Message | None:
    """One person's message with other words; None where the form says why not."""

    def now() -> dict[str, str]:
        message.refresh_from_db(fields=["subject", "body"])
        return _texts(message.subject, message.body)

    about = {"message": message.pk}
    return save_over(
        form,
        Event(message.batch.club, "batch", message.batch.pk, {"message": ""}, about),
        lock=lambda: services.lock_batch(message.batch),
        held=now,
        save=lambda: services.change_one(message=message, **form.cleaned_data),
    )


@door(SEND_MESSAGES)
@require_POST
def send(request: ClubRequest, club: Club, pk: int) -> HttpResponse:
    """Every draft with an address goes to the post."""

    def act(batch: Batch) -> str:
        seen = request.POST.get("seen", "")
        sent = services.send(batch=batch, seen=seen, asked_by=request.user)
        return f"{_counted(sent)} being sent." if sent else "Nothing was left to send."

    return act_on(request, club, pk, act)


@door(SEND_MESSAGES)
@require_POST
def stop(request: ClubRequest, club: Club, pk: int) -> HttpResponse:
    """What has not left yet stays here."""

    def act(batch: Batch) -> str:
        kept = services.stop(batch=batch)
        return f"Stopped. {_counted(kept)} kept as drafts."

    return act_on(request, club, pk, act)


@door(SEND_MESSAGES)
@require_POST
def again(request: ClubRequest, club: Club, pk: int) -> HttpResponse:
    """What did not arrive goes once more; only one person's with ``message``."""

    def act(batch: Batch) -> str:
        one = chosen(request, batch)
        tried = services.try_again(batch=batch, asked_by=request.user, message=one)
        if not tried:
            return "There is no email address to try. Add one on the member’s page first."
        return f"{_counted(tried)} being sent again."

    return act_on(request, club, pk, act)


@door(SEND_MESSAGES)
@require_POST
def leave_out(request: ClubRequest, club: Club, pk: int) -> HttpResponse:
    """A person's draft, or all that are left, will not be sent."""

    def act(batch: Batch) -> str:
        one = chosen(request, batch)
        left = services.leave_out(batch=batch, message=one)
        return f"{one.player.name} is excluded." if one else f"{_counted(left)} excluded."

    return act_on(request, club, pk, act)


@door(SEND_MESSAGES)
@require_POST
def take_in(request: ClubRequest, club: Club, pk: int) -> HttpResponse:
    """Someone who was left out gets the message after all."""

    def act(batch: Batch) -> str:
        one = get_object_or_404(batch.messages, pk=number(request.POST.get("message")))
        services.take_in(message=one, asked_by=request.user)
        return f"{one.player.name} has been included again."

    return act_on(request, club, pk, act)


def act_on(
    request: ClubRequest, club: Club, pk: int, act: Callable[[Batch], str], back: str = "batch"
) -> HttpResponse:
    """Do it, say what came of it, and go back to the page."""
    try:
        messages.success(request, act(batch_of(club, pk)))
    except Refused as refused:
        for problem in refused.problems:
            messages.error(request, problem.sentence)
    return redirect(back, club.slug, pk)


def below(view: rows.BatchView, here: str) -> list[dict[str, str]]:
    """The trail to a page below a batch."""
    *first, last = trail(view.batch.club, *LIST, here=here)
    at = reverse("batch", args=[view.batch.club.slug, view.batch.pk])
    return [*first, {"label": view.batch.title, "url": at}, last]


def batch_of(club: Club, pk: int) -> Batch:
    """The club’s own batch of that number."""
    return get_object_or_404(Batch.objects.select_related("club", "made_by"), club=club, pk=pk)


def chosen(request: ClubRequest, batch: Batch) -> Message | None:
    """The message that was named; None where none was."""
    if "message" not in request.POST:
        return None
    found = batch.messages.select_related("player", "batch")
    return get_object_or_404(found, pk=number(request.POST["message"]))


def number(told: str | None) -> int:
    """The number that was sent; 0 for anything else."""
    return int(told) if told and told.isdecimal() and len(told) <= len(str(2**62)) else 0


def _counted(count: int) -> str:
    return "1 message is" if count == 1 else f"{count} messages are"


def _status(form: TextChangeForm) -> int:
    return UNPROCESSABLE if form.errors else 200
