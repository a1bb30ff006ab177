"""A moment in words."""

from datetime import datetime

from django.utils import timezone


def moment(when: datetime) -> str:
    """The time of day, with the day where it was not today: ``14:05``, ``14:05 on 21 November``."""
    there = timezone.localtime(when)
    if there.date() == timezone.localdate():
        return f"{there:%H:%M}"
    return f"{there:%H:%M} on {there.day} {there:%B}"
