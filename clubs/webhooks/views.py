"""The programs that a club tells of what happens: the secretary's page."""

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST

from clubs.core.access import ClubRequest, door
from clubs.core.forms import Overtaken, add_problems
from clubs.core.page_context import SETTINGS_TRAIL, framed, trail
from clubs.core.permissions import MANAGE_WEBHOOKS
from clubs.models import Club, Webhook
from clubs.webhooks import services
from clubs.webhooks.forms import WebhookForm
from clubs.webhooks.selectors import webhooks_of
from scoring.scorebook.refusals import Refused

UNPROCESSABLE = 422


@door(MANAGE_WEBHOOKS)
@never_cache
def webhooks(request: ClubRequest, club: Club) -> HttpResponse:
    """Every program that is told, what it was told, and a new one; its secret stands there once."""
    form = WebhookForm(request.POST or None)
    made: Webhook | None = None
    if form.is_valid():
        try:
            made = services.add_webhook(club=club, made_by=request.user, **form.cleaned_data)
        except Refused as refused:
            add_problems(form, refused)
        else:
            form = WebhookForm()
    crumbs = trail(club, SETTINGS_TRAIL, here="Webhooks")
    webhooks = webhooks_of(club)
    context = framed(club, "settings", form=form, made=made, told=webhooks, breadcrumbs=crumbs)
    status = UNPROCESSABLE if form.errors else 200
    return render(request, "clubs/webhooks/webhooks.html", context, status=status)


@door(MANAGE_WEBHOOKS)
@require_POST
def test(request: ClubRequest, club: Club, pk: int) -> HttpResponse:
    """Send something that only says that it arrives."""
    webhook = get_object_or_404(club.webhooks, pk=pk)
    try:
        services.try_webhook(webhook=webhook)
    except Refused as refused:
        messages.error(request, str(refused))
    else:
        messages.success(request, "Test sent. See the result below.")
    return redirect("webhooks", club.slug)


@door(MANAGE_WEBHOOKS)
@require_POST
@never_cache
def secret(request: ClubRequest, club: Club, pk: int) -> HttpResponse:
    """Another secret, which stands on the page once; for a day the former one is good too."""
    made = services.change_secret(webhook=get_object_or_404(club.webhooks, pk=pk))
    crumbs = trail(club, SETTINGS_TRAIL, here="Webhooks")
    rows, form = webhooks_of(club), WebhookForm()
    context = framed(club, "settings", form=form, made=made, told=rows, breadcrumbs=crumbs)
    return render(request, "clubs/webhooks/webhooks.html", context)


@door(MANAGE_WEBHOOKS)
@require_POST
def switch(request: ClubRequest, club: Club, pk: int) -> HttpResponse:
    """Stop a program, or start it again with what waits."""
    webhook = get_object_or_404(club.webhooks, pk=pk)
    try:
        services.switch_webhook(webhook=webhook, is_active=request.POST.get("way") == "start")
    except Overtaken as refused:
        messages.info(request, str(refused))
    else:
        messages.success(request, "Webhook restarted." if webhook.is_active else "Webhook stopped.")
    return redirect("webhooks", club.slug)


@door(MANAGE_WEBHOOKS)
@require_POST
def remove(request: ClubRequest, club: Club, pk: int) -> HttpResponse:
    """Take a program away."""
    webhook = get_object_or_404(club.webhooks, pk=pk)
    services.remove_webhook(webhook=webhook)
    messages.success(request, f"{webhook.address} has been deleted.")
    return redirect("webhooks", club.slug)
