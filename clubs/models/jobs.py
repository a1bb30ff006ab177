"""Work that runs behind the pages."""

import uuid

from django.db import models

from clubs.apart import OfOneClub
from clubs.models.people import Club, User


class JobState(models.TextChoices):
    """How far a piece of background work has come."""

    WAITING = "waiting", "waiting"
    RUNNING = "running", "being created"
    DONE = "done", "ready"
    FAILED = "failed", "could not be created"


class Job(models.Model):
    """Background work as a row: the broker only wakes a worker, the truth is here."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4)
    club = models.ForeignKey(Club, on_delete=models.CASCADE, related_name="jobs")
    kind = models.CharField(max_length=40)
    about = models.PositiveBigIntegerField(help_text="the row the work is about, by kind")
    state = models.CharField(max_length=10, choices=JobState.choices, default=JobState.WAITING)
    done = models.PositiveIntegerField(default=0)
    total = models.PositiveIntegerField(default=0)
    tries = models.PositiveSmallIntegerField(default=0)
    message = models.CharField(max_length=200, blank=True)
    result = models.FileField(upload_to="results/", blank=True)
    asked_by = models.ForeignKey(User, null=True, blank=True, on_delete=models.SET_NULL)
    made_at = models.DateTimeField(auto_now_add=True)
    heard_at = models.DateTimeField(auto_now=True, help_text="last sign of life")

    objects = OfOneClub()

    class Meta:
        ordering = ["-made_at"]

    def __str__(self) -> str:
        return f"{self.kind} ({self.get_state_display()})"
