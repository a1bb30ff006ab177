"""The rounds of the whole installation; a scheduler calls them, a row says who does it."""

from celery import shared_task
from django.utils import timezone

from tournaments import backup as services


@shared_task(name="tournaments.tasks.back_up_when_due")
def back_up_when_due() -> None:
    """Begin the night's backup unless someone has; write to the operators if one went wrong."""
    services.begin_if_due(now=timezone.now())
    services.tell_operators(now=timezone.now())
