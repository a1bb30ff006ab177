"""Periodic tasks of the whole installation; a row in the database says who runs them."""

from celery import shared_task
from django.utils import timezone

from tournaments import away, backup as services


@shared_task(name="tournaments.tasks.back_up_when_due")
def back_up_when_due() -> None:
    """Start the night's backup unless it was started, and copies that are to be tried again.

    Email the operators if one failed.
    """
    services.start_if_due(now=timezone.now())
    away.start_if_due(now=timezone.now())
    services.tell_operators(now=timezone.now())
    away.tell_operators(now=timezone.now())
