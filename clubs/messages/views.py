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

from clubs.core.access import ClubRequest, get_by_key_or_404, requires, secret_link_view
from clubs.core.forms import Event, save_unless_overtaken
from clubs.core.pages import breadcrumbs, club_context, render_form, save_if_valid
from clubs.core.permissions import SEND_MESSAGES
from clubs.evenings.selectors.calendar import club_year
from clubs.language.moments import long_date
from clubs.language.words import whole_number
from clubs.members.selectors import subscriptions
from clubs.messages import selectors as rows, services
from clubs.messages.bounces import parse_json_reports
from clubs.messages.forms import TextChangeForm, WriteForm
from clubs.messages.mail import read_stop_key
from clubs.messages.message_kinds import INVITATION, MESSAGE_KINDS, WRITABLE_KINDS, Topic
from clubs.messages.papers import PrintedLetter, letters_pdf, telephone_pdf
from clubs.models import Batch, Club, Message
from clubs.paper.formats import format_from_query
from clubs.paper.response import pdf_response
from scoring.scorebook.refusals import Refused

BATCHES_PER_PAGE = 20
OUTBOX_STEPS = (("Messages", "messages"), ("Outbox", "outbox"))
MESSAGES_URL = "c/<slug:club>/messages/"
BATCH_URL = f"{MESSAGES_URL}<int:pk>/"


@requires(SEND_MESSAGES)
def new_message(request: ClubRequest, club: Club) -> HttpResponse:
    context = club_context(club, "messages", kinds=WRITABLE_KINDS, open=rows.open_batches(club))
    return render(request, "clubs/messages/messages.html", context)


@requires(SEND_MESSAGES)
def outbox(request: ClubRequest, club: Club) -> HttpResponse:
    context = club_context(club, "messages", open=rows.open_batches(club))
    context["undelivered"] = rows.undelivered_messages(club)
    return render(request, "clubs/messages/outbox.html", context)


@requires(SEND_MESSAGES)
def sent_list(request: ClubRequest, club: Club) -> HttpResponse:
    """Everything that was sent, newest first; asked with ``?q=``, whatever has these words."""
    search = request.GET.get("q", "").strip()[:80]
    batches = rows.batches_with_counts(club, search) if search else rows.earlier_batches(club)
    page = Paginator(batches, BATCHES_PER_PAGE).get_page(request.GET.get("page"))
    context = club_context(club, "messages", asked=search, page_obj=page)
    return render(request, "clubs/messages/sent.html", context)


@requires(SEND_MESSAGES)
def batch(request: ClubRequest, club: Club, pk: int) -> HttpResponse:
    """Everyone whom a message goes to, as it will go, and Send; while it is sent, how far."""
    view = rows.batch_view(rows.batch_of(club, pk))
    crumbs = breadcrumbs(club, *OUTBOX_STEPS, title=view.batch.title)
    context = club_context(club, "messages", view=view, breadcrumbs=crumbs)
    page = "_batch_sending" if request.htmx else "batch"
    return render(request, f"clubs/messages/{page}.html", context)


@requires(SEND_MESSAGES, "edited the text of {batch}")
def edit_text(request: ClubRequest, club: Club, pk: int) -> HttpResponse:
    view = rows.batch_view(rows.batch_of(club, pk))
    fields = _text_fields(view.subject, view.text)
    form = TextChangeForm(view.message_kind, request.POST or None, initial=fields)
    changed_count = save_unless_overtaken(
        form,
        Event(club, "batch", pk, {"batch-text": ""}),
        lock=lambda: services.lock_batch(view.batch),
        current=lambda: _text_fields(*rows.common_text(rows.messages_of(view.batch))),
        save=lambda: services.change_text(batch=view.batch, **form.cleaned_data),
    )
    if changed_count is not None:
        messages.success(
            request, f"{changed_count} draft{'' if changed_count == 1 else 's'} changed."
        )
        return redirect("batch", club.slug, pk)
    crumbs = batch_breadcrumbs(view, "Edit message")
    context = club_context(club, "messages", view=view, form=form, breadcrumbs=crumbs)
    return render_form(request, "clubs/messages/batch_text.html", context, form)


@requires(SEND_MESSAGES, "edited one message of {batch}")
def message(request: ClubRequest, club: Club, pk: int, message: int) -> HttpResponse:
    """One person's message as it goes or went; a draft's words can be changed."""
    batch_messages = rows.batch_of(club, pk).messages.select_related("player")
    current = get_object_or_404(batch_messages, pk=message)
    fields = _text_fields(current.subject, current.body)
    form = TextChangeForm(MESSAGE_KINDS[current.batch.kind], request.POST or None, initial=fields)

    def now() -> dict[str, str]:
        current.refresh_from_db(fields=["subject", "body"])
        return _text_fields(current.subject, current.body)

    if save_unless_overtaken(
        form,
        Event(club, "batch", pk, {"message": ""}, {"message": message}),
        lock=lambda: services.lock_batch(current.batch),
        current=now,
        save=lambda: services.change_message(message=current, **form.cleaned_data),
    ):
        messages.success(request, "Saved for this person only.")
        return redirect("message", club.slug, pk, message)
    view = rows.batch_view(current.batch)
    context = club_context(club, "messages", view=view, form=form, letter=view.letter(message))
    context["letters"] = (context["letter"],)
    context["breadcrumbs"] = batch_breadcrumbs(view, current.player.name)
    return render_form(request, "clubs/messages/message.html", context, form)


def _text_fields(subject: str, text: str) -> dict[str, str]:
    return {"subject": subject, "text": text}


@requires(SEND_MESSAGES, "sent {batch}")
@require_POST
def send_batch(request: ClubRequest, club: Club, pk: int) -> HttpResponse:
    def act(batch: Batch) -> str:
        seen_digest = request.POST.get("seen", "")
        sent_count = services.send_drafts(
            batch=batch, seen_digest=seen_digest, asked_by=request.user
        )
        return (
            f"{_message_count(sent_count)} being sent."
            if sent_count
            else "Nothing was left to send."
        )

    return run_on_batch(request, club, pk, act)


@requires(SEND_MESSAGES, "stopped {batch}")
@require_POST
def stop_sending(request: ClubRequest, club: Club, pk: int) -> HttpResponse:
    """Stop sending; what has not left becomes a draft again."""

    def act(batch: Batch) -> str:
        draft_count = services.stop_sending(batch=batch)
        return f"Stopped. {_message_count(draft_count)} kept as drafts."

    return run_on_batch(request, club, pk, act)


@requires(SEND_MESSAGES, "retried {batch}")
@require_POST
def resend(request: ClubRequest, club: Club, pk: int) -> HttpResponse:
    """Send undelivered messages again; only one person's with ``message``."""

    def act(batch: Batch) -> str:
        message = posted_message(request, batch)
        resent_count = services.resend_undelivered(
            batch=batch, asked_by=request.user, message=message
        )
        if not resent_count:
            return "There is no email address to try. Add one on the member’s page first."
        return f"{_message_count(resent_count)} being sent again."

    return run_on_batch(request, club, pk, act)


@requires(SEND_MESSAGES, "excluded someone from {batch}")
@require_POST
def exclude_draft(request: ClubRequest, club: Club, pk: int) -> HttpResponse:

    def act(batch: Batch) -> str:
        message = posted_message(request, batch)
        excluded_count = services.exclude_drafts(batch=batch, message=message)
        return (
            f"{message.player.name} is excluded."
            if message
            else f"{_message_count(excluded_count)} excluded."
        )

    return run_on_batch(request, club, pk, act)


@requires(SEND_MESSAGES, "included someone in {batch} again")
@require_POST
def include_again(request: ClubRequest, club: Club, pk: int) -> HttpResponse:
    def act(batch: Batch) -> str:
        message = get_object_or_404(batch.messages, pk=read_number(request.POST.get("message")))
        services.include_again(message=message, asked_by=request.user)
        return f"{message.player.name} has been included again."

    return run_on_batch(request, club, pk, act)


def run_on_batch(
    request: ClubRequest,
    club: Club,
    pk: int,
    act: Callable[[Batch], str],
    return_page: str = "batch",
) -> HttpResponse:
    try:
        messages.success(request, act(rows.batch_of(club, pk)))
    except Refused as refused:
        for problem in refused.problems:
            messages.error(request, problem.message)
    return redirect(return_page, club.slug, pk)


def batch_breadcrumbs(view: rows.BatchView, title: str) -> list[dict[str, str]]:
    *first, last = breadcrumbs(view.batch.club, *OUTBOX_STEPS, title=title)
    batch_url = reverse("batch", args=[view.batch.club.slug, view.batch.pk])
    return [*first, {"label": view.batch.title, "url": batch_url}, last]


def posted_message(request: ClubRequest, batch: Batch) -> Message | None:
    if "message" not in request.POST:
        return None
    messages = batch.messages.select_related("player", "batch")
    return get_object_or_404(messages, pk=read_number(request.POST["message"]))


def read_number(text: str | None) -> int:
    """The number in the form; 0 for anything else."""
    return whole_number(text) or 0


def _message_count(count: int) -> str:
    return "1 message is" if count == 1 else f"{count} messages are"


@requires(SEND_MESSAGES, "wrote messages")
def write_message(request: ClubRequest, club: Club, kind: str) -> HttpResponse:
    """Write drafts of a new message; its fields start with what the address says."""
    message_kind = MESSAGE_KINDS.get(kind)
    if message_kind not in WRITABLE_KINDS:
        raise Http404
    today = timezone.localdate()
    initial: dict[str, Any] = {
        name: request.GET[name] for name in ("day", "evening", "why", "who") if name in request.GET
    }
    is_invitation = message_kind is INVITATION
    if is_invitation and "day" not in initial and (coming := club_year(club, today).next):
        initial["day"] = coming.held_on
    form = WriteForm(club, message_kind, request.POST or None, initial=initial)
    draft = partial(services.write_drafts, club=club, kind=message_kind, made_by=request.user)
    if batch := save_if_valid(form, lambda: draft(fields=form.cleaned_data)):
        drafts = batch.messages.count()
        drafts_text = "One draft is" if drafts == 1 else f"{drafts} drafts are"
        messages.success(request, f"{drafts_text} written. Nothing has been sent yet.")
        return redirect("batch", club.slug, batch.pk)
    due = subscriptions(club, today).due if kind == "renewal" else ()
    context = club_context(club, "messages", form=form, message_kind=message_kind, due=due)
    context["breadcrumbs"] = breadcrumbs(club, OUTBOX_STEPS[0], title=message_kind.title)
    return render_form(request, "clubs/messages/write.html", context, form)


@requires(SEND_MESSAGES)
def contact_list(request: ClubRequest, club: Club, pk: int) -> HttpResponse:
    view = rows.batch_view(rows.batch_of(club, pk))
    calls, crumbs = rows.contact_list(view), batch_breadcrumbs(view, "Post and phone list")
    context = club_context(club, "messages", view=view, calls=calls, breadcrumbs=crumbs)
    context["form"] = format_from_query(request.GET, club)
    return render(request, "clubs/messages/batch_by_hand.html", context)


@requires(SEND_MESSAGES, "recorded who was contacted about {batch} by post or phone")
@require_POST
def mark_contacted(request: ClubRequest, club: Club, pk: int) -> HttpResponse:

    def act(batch: Batch) -> str:
        messages = batch.messages.select_related("player", "batch")
        message = get_object_or_404(messages, pk=read_number(request.POST.get("message")))
        method = "telephone" if request.POST.get("by") == "telephone" else "letter"
        services.mark_contacted(message=message, method=rows.CONTACT_ANSWERS[method])
        return f"{message.player.name} has been contacted."

    return run_on_batch(request, club, pk, act, return_page="batch-by-hand")


@requires(SEND_MESSAGES)
def letters_paper(request: ClubRequest, club: Club, pk: int) -> HttpResponse:
    """A letter to everyone to contact by post, or only that of ``?message=12``."""
    view = rows.batch_view(rows.batch_of(club, pk))
    letter = view.letter(read_number(request.GET.get("message")))
    letters = [letter] if letter else view.to_print
    printed_letters = [
        PrintedLetter(letter.name, letter.subject, letter.printed_blocks) for letter in letters
    ]
    day = long_date(view.batch.made_at)
    paper = letters_pdf(club.name, day, printed_letters, format_from_query(request.GET, club))
    return pdf_response(request, paper, f"{club.slug}-letters-{pk}")


@requires(SEND_MESSAGES)
def phone_list_paper(request: ClubRequest, club: Club, pk: int) -> HttpResponse:
    view = rows.batch_view(rows.batch_of(club, pk))
    paper = telephone_pdf(
        club.name, view.batch.title, rows.contact_list(view), format_from_query(request.GET, club)
    )
    return pdf_response(request, paper, f"{club.slug}-telephone-{pk}")


@csrf_exempt  # mail programs press it; the link says whose emails, and no cookie is read
@secret_link_view
def stop_emails(request: HttpRequest, key: str) -> HttpResponse:
    """Stop emails by the link in each; opening the page changes nothing."""
    player_key, topic = read_stop_key(key) or (0, Topic.MESSAGES)
    player = rows.current_record(get_by_key_or_404(rows.people_by_key, pk=player_key))
    if request.method == "POST" and player.erased_on is None:
        services.stop_emails(player=player, topic=topic, is_stopped="undo" not in request.POST)
    context = {"club": player.club, "topic": topic, "player": player}
    context["is_stopped"] = topic.is_refused_by(player)
    return render(request, "clubs/messages/stop_emails.html", context)


@csrf_exempt  # a mail service calls it; the address is the secret
@require_POST
@secret_link_view
def mail_reports(request: HttpRequest, key: str) -> HttpResponse:
    """Take in what a mail service says became of emails."""
    if not settings.BOUNCES_KEY or not constant_time_compare(key, settings.BOUNCES_KEY):
        raise Http404
    try:
        reports = list(parse_json_reports(json.loads(request.body)))
    except (ValueError, RecursionError):
        return HttpResponseBadRequest("This is not valid JSON.", content_type="text/plain")
    results = [
        services.apply_report(report=report, today=timezone.localdate()) for report in reports
    ]
    # A service that is answered 503 sends the same again in a while.
    return HttpResponse(status=204 if all(results) else 503)


urlpatterns = [
    path("mail-reports/<str:key>/", mail_reports, name="mail-reports"),
    path("stop-emails/<str:key>/", stop_emails, name="stop-emails"),
    path(MESSAGES_URL, new_message, name="messages"),
    path(f"{MESSAGES_URL}outbox/", outbox, name="outbox"),
    path(f"{MESSAGES_URL}sent/", sent_list, name="messages-sent"),
    path(f"{MESSAGES_URL}write/<slug:kind>/", write_message, name="messages-write"),
    path(BATCH_URL, batch, name="batch"),
    path(f"{BATCH_URL}text/", edit_text, name="batch-text"),
    path(f"{BATCH_URL}send/", send_batch, name="batch-send"),
    path(f"{BATCH_URL}stop/", stop_sending, name="batch-stop"),
    path(f"{BATCH_URL}again/", resend, name="batch-again"),
    path(f"{BATCH_URL}leave-out/", exclude_draft, name="batch-leave-out"),
    path(f"{BATCH_URL}take-in/", include_again, name="batch-take-in"),
    path(f"{BATCH_URL}by-hand/", contact_list, name="batch-by-hand"),
    path(f"{BATCH_URL}told/", mark_contacted, name="batch-told"),
    path(f"{BATCH_URL}letters.pdf", letters_paper, name="batch-letters-pdf"),
    path(f"{BATCH_URL}telephone.pdf", phone_list_paper, name="batch-phone-pdf"),
    path(f"{BATCH_URL}<int:message>/", message, name="message"),
]
