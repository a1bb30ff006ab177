"""The secretary's page of webhooks."""

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.urls import path
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST

from clubs.core.access import ClubRequest, requires
from clubs.core.pages import (
    SETTINGS_STEP,
    breadcrumbs,
    club_context,
    render_form,
    run_action,
    save_if_valid,
)
from clubs.core.permissions import MANAGE_WEBHOOKS
from clubs.models import Club, Webhook
from clubs.webhooks import services
from clubs.webhooks.forms import WebhookForm

WEBHOOKS_URL = "c/<slug:club>/settings/webhooks/"


@requires(MANAGE_WEBHOOKS, "added a webhook", log_for="POST api-webhook-list")
@never_cache
def webhook_list(request: ClubRequest, club: Club) -> HttpResponse:
    """Every webhook and its last deliveries, and a form to add one; its secret is shown once."""
    form = WebhookForm(request.POST or None)
    webhook = save_if_valid(
        form, lambda: services.add_webhook(club=club, made_by=request.user, **form.cleaned_data)
    )
    return _webhooks_page(request, club, WebhookForm() if webhook else form, webhook)


def _webhooks_page(
    request: ClubRequest, club: Club, form: WebhookForm, webhook: Webhook | None
) -> HttpResponse:
    context = club_context(
        club,
        "settings",
        form=form,
        made=webhook,
        webhooks=services.webhooks_of(club),
        breadcrumbs=breadcrumbs(club, SETTINGS_STEP, title="Webhooks"),
    )
    return render_form(request, "clubs/webhooks/webhooks.html", context, form)


@requires(MANAGE_WEBHOOKS, "tested a webhook", log_for="POST api-webhook-test")
@require_POST
def test_webhook(request: ClubRequest, club: Club, pk: int) -> HttpResponse:
    webhook = get_object_or_404(club.webhooks, pk=pk)
    message = "Test sent. See the result below."
    run_action(request, lambda: services.try_webhook(webhook=webhook), message)
    return redirect("webhooks", club.slug)


@requires(MANAGE_WEBHOOKS, "replaced the secret of a webhook", log_for="POST api-webhook-secret")
@require_POST
@never_cache
def replace_secret(request: ClubRequest, club: Club, pk: int) -> HttpResponse:
    """Replace the secret, which is shown once; for a day the old one is valid too."""
    webhook = services.change_secret(webhook=get_object_or_404(club.webhooks, pk=pk))
    return _webhooks_page(request, club, WebhookForm(), webhook)


@requires(
    MANAGE_WEBHOOKS,
    {
        "": "stopped or restarted a webhook",
        "stop": "stopped a webhook",
        "start": "restarted a webhook",
    },
    log_for="PATCH api-webhook-detail",
)
@require_POST
def switch_webhook(request: ClubRequest, club: Club, pk: int) -> HttpResponse:
    """Stop a webhook, or restart it with the events that are waiting."""
    webhook = get_object_or_404(club.webhooks, pk=pk)
    starts = request.POST.get("way") == "start"
    message = "Webhook restarted." if starts else "Webhook stopped."
    run_action(request, lambda: services.switch_webhook(webhook=webhook, is_active=starts), message)
    return redirect("webhooks", club.slug)


@requires(MANAGE_WEBHOOKS, "deleted a webhook", log_for="DELETE api-webhook-detail")
@require_POST
def remove_webhook(request: ClubRequest, club: Club, pk: int) -> HttpResponse:
    webhook = get_object_or_404(club.webhooks, pk=pk)
    services.remove_webhook(webhook=webhook)
    messages.success(request, f"{webhook.address} has been deleted.")
    return redirect("webhooks", club.slug)


urlpatterns = [
    path(WEBHOOKS_URL, webhook_list, name="webhooks"),
    path(f"{WEBHOOKS_URL}<int:pk>/test/", test_webhook, name="webhook-test"),
    path(f"{WEBHOOKS_URL}<int:pk>/secret/", replace_secret, name="webhook-secret"),
    path(f"{WEBHOOKS_URL}<int:pk>/switch/", switch_webhook, name="webhook-switch"),
    path(f"{WEBHOOKS_URL}<int:pk>/remove/", remove_webhook, name="webhook-remove"),
]
