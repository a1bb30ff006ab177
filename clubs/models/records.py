"""What the club keeps of its own running: the audit log, jobs, backups and retention."""

import uuid

from django.db import models

from clubs.language.moments import logged_moment
from clubs.models.people import Club, Player, User
from clubs.models.tenancy import OfOneClub


class Deed(models.Model):
    """One change, by whom and by which door; the sentence is made when it is read."""

    club = models.ForeignKey(
        Club, null=True, blank=True, on_delete=models.CASCADE, related_name="deeds"
    )
    made_by = models.ForeignKey(
        User, null=True, blank=True, on_delete=models.SET_NULL, related_name="deeds"
    )
    by = models.CharField(max_length=80, blank=True, help_text="program or command, if no browser")
    what = models.CharField(max_length=60, help_text="the name of the address or of the event")
    about = models.JSONField(default=dict, help_text="what the address named: numbers and keys")
    request_id = models.CharField(max_length=64, blank=True)
    at = models.DateTimeField(auto_now_add=True)

    objects = OfOneClub()

    class Meta:
        ordering = ["-pk"]
        indexes = [models.Index(name="deeds_of_a_club", fields=["club", "-at"])]

    def __str__(self) -> str:
        return f"{self.what} at {logged_moment(self.at)}"


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


class Backup(models.Model):
    """One backup: what was written, and whether it gave the same digest when it was put back."""

    night = models.DateField(
        null=True,
        blank=True,
        unique=True,
        help_text="the first worker of the night makes it; by hand: none",
    )
    made_at = models.DateTimeField()
    file = models.CharField(max_length=300)
    bytes = models.PositiveBigIntegerField(default=0)
    digest = models.CharField(
        max_length=64, blank=True, help_text="of standings and chain heads as they were"
    )
    tried_at = models.DateTimeField(null=True, blank=True, help_text="when it was put back")
    is_good = models.BooleanField(null=True, help_text="empty: not tried yet")
    fault = models.CharField(max_length=300, blank=True, help_text="a sentence, if it is not good")
    put_back_at = models.DateTimeField(
        null=True, blank=True, help_text="when the book that this is in was put back from it"
    )
    let_go_at = models.DateTimeField(null=True, blank=True, help_text="when its file was deleted")
    told_at = models.DateTimeField(
        null=True, blank=True, help_text="when the operators were alerted that something is wrong"
    )

    class Meta:
        ordering = ["-made_at"]

    def __str__(self) -> str:
        return f"backup of {logged_moment(self.made_at)}"


class Retention(models.Model):
    """A club's timetable, in months; empty: kept until someone erases it by hand."""

    club = models.OneToOneField(Club, on_delete=models.CASCADE, related_name="retention")
    guests = models.PositiveSmallIntegerField(
        null=True, blank=True, default=12, help_text="after a guest's last visit"
    )
    lapsed = models.PositiveSmallIntegerField(
        null=True, blank=True, default=24, help_text="after a member has left"
    )
    letters = models.PositiveSmallIntegerField(
        null=True, blank=True, default=12, help_text="messages, invitations and imports"
    )
    money = models.PositiveSmallIntegerField(
        null=True, blank=True, default=84, help_text="who paid for an evening"
    )
    deeds = models.PositiveSmallIntegerField(
        null=True, blank=True, default=24, help_text="the activity log"
    )
    ran_on = models.DateField(null=True, blank=True, help_text="when it last ran")

    objects = OfOneClub()

    def __str__(self) -> str:
        return f"retention schedule of {self.club}"


class Erasure(models.Model):
    """What was let go, when and by whom; it names nobody who is gone."""

    club = models.ForeignKey(Club, on_delete=models.CASCADE, related_name="erasures")
    player = models.ForeignKey(
        Player, null=True, blank=True, on_delete=models.SET_NULL, related_name="erasures"
    )
    what = models.CharField(max_length=200)
    made_by = models.ForeignKey(
        User,
        null=True,
        blank=True,
        on_delete=models.SET_NULL,
        help_text="empty: the retention schedule",
    )
    made_at = models.DateTimeField(auto_now_add=True)

    objects = OfOneClub()

    class Meta:
        ordering = ["-pk"]

    def __str__(self) -> str:
        return self.what
