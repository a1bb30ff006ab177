"""Pages of the outbox, and of writing to members."""

import json
from collections.abc import Callable
from functools import partial
from typing import Any

from django.conf import settings
from django.contrib import messages
from django.core.paginator import Paginator
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBadRequest
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import path, reverse
from django.utils import timezone
from django.utils.crypto import constant_time_compare
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_POST

from clubs.core.access import ClubRequest, by_secret_link, opened, requires
from clubs.core.forms import Event, save_over
from clubs.core.pages import accepted, form_page, framed, trail
from clubs.core.permissions import SEND_MESSAGES
from clubs.evenings.selectors.calendar import club_year
from clubs.language.moments import long_date
from clubs.language.words import whole_number
from clubs.members.selectors import subscriptions
from clubs.messages import selectors as rows, services
from clubs.messages.bounces import reports_in_json
from clubs.messages.forms import TextChangeForm, WriteForm
from clubs.messages.mail import stopped_by
from clubs.messages.message_kinds import INVITATION, KINDS, WRITTEN, Topic
from clubs.messages.papers import PrintedLetter, letters_pdf, telephone_pdf
from clubs.models import Batch, Club, Message
from clubs.paper.document import pdf
from clubs.paper.formats import format_of
from scoring.scorebook.refusals import Refused

BATCHES_A_PAGE = 20
LIST = (("Messages", "messages"), ("Outbox", "outbox"))


@requires(SEND_MESSAGES)
def new(request: ClubRequest, club: Club) -> HttpResponse:
    context = framed(club, "messages", kinds=WRITTEN, open=rows.open_batches(club))
    return render(request, "clubs/messages/messages.html", context)


@requires(SEND_MESSAGES)
def outbox(request: ClubRequest, club: Club) -> HttpResponse:
    context = framed(club, "messages", open=rows.open_batches(club))
    context["undelivered"] = rows.undelivered(club)
    return render(request, "clubs/messages/outbox.html", context)


@requires(SEND_MESSAGES)
def sent(request: ClubRequest, club: Club) -> HttpResponse:
    """Everything that was sent, newest first; asked with ``?q=``, whatever has these words."""
    wanted = request.GET.get("q", "").strip()[:80]
    batches = rows.batches(club, wanted) if wanted else rows.earlier_batches(club)
    page = Paginator(batches, BATCHES_A_PAGE).get_page(request.GET.get("page"))
    context = framed(club, "messages", asked=wanted, page_obj=page)
    return render(request, "clubs/messages/sent.html", context)


@requires(SEND_MESSAGES)
def batch(request: ClubRequest, club: Club, pk: int) -> HttpResponse:
    """Everyone whom a message goes to, as it will go, and Send; while it is sent, how far."""
    view = rows.batch_view(rows.batch_of(club, pk))
    crumbs = trail(club, *LIST, here=view.batch.title)
    context = framed(club, "messages", view=view, breadcrumbs=crumbs)
    page = "_batch_sending" if request.htmx else "batch"
    return render(request, f"clubs/messages/{page}.html", context)


@requires(SEND_MESSAGES, "edited the text of {batch}")
def text(request: ClubRequest, club: Club, pk: int) -> HttpResponse:
    view = rows.batch_view(rows.batch_of(club, pk))
    fields = _texts(view.subject, view.text)
    form = TextChangeForm(view.message_kind, request.POST or None, initial=fields)
    changed = save_over(
        form,
        Event(club, "batch", pk, {"batch-text": ""}),
        lock=lambda: services.lock_batch(view.batch),
        current=lambda: _texts(*rows.common_text(rows.messages_of(view.batch))),
        save=lambda: services.change_text(batch=view.batch, **form.cleaned_data),
    )
    if changed is not None:
        messages.success(request, f"{changed} draft{'' if changed == 1 else 's'} changed.")
        return redirect("batch", club.slug, pk)
    crumbs = below(view, "Edit message")
    context = framed(club, "messages", view=view, form=form, breadcrumbs=crumbs)
    return form_page(request, "clubs/messages/batch_text.html", context, form)


@requires(SEND_MESSAGES, "edited one message of {batch}")
def message(request: ClubRequest, club: Club, pk: int, message: int) -> HttpResponse:
    """One person's message as it goes or went; a draft's words can be changed."""
    there = rows.batch_of(club, pk).messages.select_related("player")
    current = get_object_or_404(there, pk=message)
    fields = _texts(current.subject, current.body)
    form = TextChangeForm(KINDS[current.batch.kind], request.POST or None, initial=fields)

    def now() -> dict[str, str]:
        current.refresh_from_db(fields=["subject", "body"])
        return _texts(current.subject, current.body)

    if save_over(
        form,
        Event(club, "batch", pk, {"message": ""}, {"message": message}),
        lock=lambda: services.lock_batch(current.batch),
        current=now,
        save=lambda: services.change_one(message=current, **form.cleaned_data),
    ):
        messages.success(request, "Saved for this person only.")
        return redirect("message", club.slug, pk, message)
    view = rows.batch_view(current.batch)
    context = framed(club, "messages", view=view, form=form, letter=view.letter(message))
    context["letters"] = (context["letter"],)
    context["breadcrumbs"] = below(view, current.player.name)
    return form_page(request, "clubs/messages/message.html", context, form)


def _texts(subject: str, text: str) -> dict[str, str]:
    return {"subject": subject, "text": text}


@requires(SEND_MESSAGES, "sent {batch}")
@require_POST
def send(request: ClubRequest, club: Club, pk: int) -> HttpResponse:
    def act(batch: Batch) -> str:
        seen = request.POST.get("seen", "")
        sent = services.send(batch=batch, seen=seen, asked_by=request.user)
        return f"{_counted(sent)} being sent." if sent else "Nothing was left to send."

    return act_on(request, club, pk, act)


@requires(SEND_MESSAGES, "stopped {batch}")
@require_POST
def stop(request: ClubRequest, club: Club, pk: int) -> HttpResponse:
    """Stop sending; what has not left becomes a draft again."""

    def act(batch: Batch) -> str:
        kept = services.stop(batch=batch)
        return f"Stopped. {_counted(kept)} kept as drafts."

    return act_on(request, club, pk, act)


@requires(SEND_MESSAGES, "retried {batch}")
@require_POST
def again(request: ClubRequest, club: Club, pk: int) -> HttpResponse:
    """Send undelivered messages again; only one person's with ``message``."""

    def act(batch: Batch) -> str:
        message = chosen(request, batch)
        tried = services.try_again(batch=batch, asked_by=request.user, message=message)
        if not tried:
            return "There is no email address to try. Add one on the member’s page first."
        return f"{_counted(tried)} being sent again."

    return act_on(request, club, pk, act)


@requires(SEND_MESSAGES, "excluded someone from {batch}")
@require_POST
def leave_out(request: ClubRequest, club: Club, pk: int) -> HttpResponse:

    def act(batch: Batch) -> str:
        message = chosen(request, batch)
        left = services.leave_out(batch=batch, message=message)
        return f"{message.player.name} is excluded." if message else f"{_counted(left)} excluded."

    return act_on(request, club, pk, act)


@requires(SEND_MESSAGES, "included someone in {batch} again")
@require_POST
def take_in(request: ClubRequest, club: Club, pk: int) -> HttpResponse:
    def act(batch: Batch) -> str:
        message = get_object_or_404(batch.messages, pk=number(request.POST.get("message")))
        services.take_in(message=message, asked_by=request.user)
        return f"{message.player.name} has been included again."

    return act_on(request, club, pk, act)


def act_on(
    request: ClubRequest, club: Club, pk: int, act: Callable[[Batch], str], back: str = "batch"
) -> HttpResponse:
    try:
        messages.success(request, act(rows.batch_of(club, pk)))
    except Refused as refused:
        for problem in refused.problems:
            messages.error(request, problem.sentence)
    return redirect(back, club.slug, pk)


def below(view: rows.BatchView, here: str) -> list[dict[str, str]]:
    *first, last = trail(view.batch.club, *LIST, here=here)
    at = reverse("batch", args=[view.batch.club.slug, view.batch.pk])
    return [*first, {"label": view.batch.title, "url": at}, last]


def chosen(request: ClubRequest, batch: Batch) -> Message | None:
    if "message" not in request.POST:
        return None
    messages = batch.messages.select_related("player", "batch")
    return get_object_or_404(messages, pk=number(request.POST["message"]))


def number(text: str | None) -> int:
    """The number in the form; 0 for anything else."""
    return whole_number(text) or 0


def _counted(count: int) -> str:
    return "1 message is" if count == 1 else f"{count} messages are"


@requires(SEND_MESSAGES, "wrote messages")
def write(request: ClubRequest, club: Club, kind: str) -> HttpResponse:
    """Write drafts of a new message; its fields start with what the address says."""
    message_kind = KINDS.get(kind)
    if message_kind not in WRITTEN:
        raise Http404
    today = timezone.localdate()
    initial: dict[str, Any] = {
        name: request.GET[name] for name in ("day", "evening", "why", "who") if name in request.GET
    }
    is_invitation = message_kind is INVITATION
    if is_invitation and "day" not in initial and (coming := club_year(club, today).next):
        initial["day"] = coming.held_on
    form = WriteForm(club, message_kind, request.POST or None, initial=initial)
    draft = partial(services.write, club=club, kind=message_kind, made_by=request.user)
    if batch := accepted(form, lambda: draft(fields=form.cleaned_data)):
        drafts = batch.messages.count()
        written = "One draft is" if drafts == 1 else f"{drafts} drafts are"
        messages.success(request, f"{written} written. Nothing has been sent yet.")
        return redirect("batch", club.slug, batch.pk)
    due = subscriptions(club, today).due if kind == "renewal" else ()
    context = framed(club, "messages", form=form, message_kind=message_kind, due=due)
    context["breadcrumbs"] = trail(club, LIST[0], here=message_kind.title)
    return form_page(request, "clubs/messages/write.html", context, form)


@requires(SEND_MESSAGES)
def by_hand(request: ClubRequest, club: Club, pk: int) -> HttpResponse:
    view = rows.batch_view(rows.batch_of(club, pk))
    calls, crumbs = rows.calls_of(view), below(view, "Post and phone list")
    context = framed(club, "messages", view=view, calls=calls, breadcrumbs=crumbs)
    context["form"] = format_of(request.GET, club)
    return render(request, "clubs/messages/batch_by_hand.html", context)


@requires(SEND_MESSAGES, "recorded who was contacted about {batch} by post or phone")
@require_POST
def told(request: ClubRequest, club: Club, pk: int) -> HttpResponse:

    def act(batch: Batch) -> str:
        messages = batch.messages.select_related("player", "batch")
        message = get_object_or_404(messages, pk=number(request.POST.get("message")))
        by = "telephone" if request.POST.get("by") == "telephone" else "letter"
        services.mark_contacted(message=message, by=rows.CONTACTED[by])
        return f"{message.player.name} has been contacted."

    return act_on(request, club, pk, act, back="batch-by-hand")


@requires(SEND_MESSAGES)
def letters(request: ClubRequest, club: Club, pk: int) -> HttpResponse:
    """A letter to everyone to contact by post, or only that of ``?message=12``."""
    view = rows.batch_view(rows.batch_of(club, pk))
    letter = view.letter(number(request.GET.get("message")))
    chosen = [letter] if letter else view.to_print
    printed = [
        PrintedLetter(letter.name, letter.subject, letter.printed_blocks) for letter in chosen
    ]
    day = long_date(view.batch.made_at)
    paper = letters_pdf(club.name, day, printed, format_of(request.GET, club))
    return pdf(request, paper, f"{club.slug}-letters-{pk}")


@requires(SEND_MESSAGES)
def telephone(request: ClubRequest, club: Club, pk: int) -> HttpResponse:
    view = rows.batch_view(rows.batch_of(club, pk))
    paper = telephone_pdf(
        club.name, view.batch.title, rows.calls_of(view), format_of(request.GET, club)
    )
    return pdf(request, paper, f"{club.slug}-telephone-{pk}")


@csrf_exempt  # mail programs press it; the link says whose emails, and no cookie is read
@by_secret_link
def stop_emails(request: HttpRequest, key: str) -> HttpResponse:
    """Stop emails by the link in each; opening the page changes nothing."""
    player_key, topic = stopped_by(key) or (0, Topic.MESSAGES)
    player = rows.current_record(opened(rows.people_by_key, pk=player_key))
    if request.method == "POST" and player.erased_on is None:
        services.stop_emails(player=player, topic=topic, is_stopped="undo" not in request.POST)
    context = {"club": player.club, "topic": topic, "player": player}
    context["is_stopped"] = topic.is_refused_by(player)
    return render(request, "clubs/messages/stop_emails.html", context)


@csrf_exempt  # a mail service calls it; the address is the secret
@require_POST
@by_secret_link
def mail_reports(request: HttpRequest, key: str) -> HttpResponse:
    """Take in what a mail service says became of emails."""
    if not settings.BOUNCES_KEY or not constant_time_compare(key, settings.BOUNCES_KEY):
        raise Http404
    try:
        reports = list(reports_in_json(json.loads(request.body)))
    except (ValueError, RecursionError):
        return HttpResponseBadRequest("This is not valid JSON.", content_type="text/plain")
    taken = [services.take_in_report(report=it, today=timezone.localdate()) for it in reports]
    # A service that is answered 503 sends the same again in a while.
    return HttpResponse(status=204 if all(taken) else 503)


MESSAGES = "c/<slug:club>/messages/"
BATCH = f"{MESSAGES}<int:pk>/"

urlpatterns = [
    path("mail-reports/<str:key>/", mail_reports, name="mail-reports"),
    path("stop-emails/<str:key>/", stop_emails, name="stop-emails"),
    path(MESSAGES, new, name="messages"),
    path(f"{MESSAGES}outbox/", outbox, name="outbox"),
    path(f"{MESSAGES}sent/", sent, name="messages-sent"),
    path(f"{MESSAGES}write/<slug:kind>/", write, name="messages-write"),
    path(BATCH, batch, name="batch"),
    path(f"{BATCH}text/", text, name="batch-text"),
    path(f"{BATCH}send/", send, name="batch-send"),
    path(f"{BATCH}stop/", stop, name="batch-stop"),
    path(f"{BATCH}again/", again, name="batch-again"),
    path(f"{BATCH}leave-out/", leave_out, name="batch-leave-out"),
    path(f"{BATCH}take-in/", take_in, name="batch-take-in"),
    path(f"{BATCH}by-hand/", by_hand, name="batch-by-hand"),
    path(f"{BATCH}told/", told, name="batch-told"),
    path(f"{BATCH}letters.pdf", letters, name="batch-letters-pdf"),
    path(f"{BATCH}telephone.pdf", telephone, name="batch-phone-pdf"),
    path(f"{BATCH}<int:message>/", message, name="message"),
]
