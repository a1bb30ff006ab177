"""What tables ask the director, what the director rules, and which steps are taken back."""

from django.db import models
from django.db.models import Q

from scoring.scorebook.models import Seat
from tournaments.models.rounds import Table
from tournaments.models.tenancy import OfATable, OfATournament
from tournaments.models.tournament import Tournament


class Call(models.Model):
    """A table asks for the director; answered when someone has been there."""

    table = models.ForeignKey(Table, on_delete=models.PROTECT, related_name="calls")
    what = models.CharField(max_length=120, blank=True, help_text="what it is about, if they said")
    called_at = models.DateTimeField()
    answered_at = models.DateTimeField(null=True, blank=True)
    answered_by = models.CharField(max_length=40, blank=True)

    objects = OfATable()

    class Meta:
        ordering = ["called_at"]
        constraints = [
            models.UniqueConstraint(
                name="a_table_calls_once_at_a_time",
                fields=["table"],
                condition=Q(answered_at__isnull=True),
            ),
        ]

    def __str__(self) -> str:
        return f"{self.table} calls the director"


class RulingKind(models.TextChoices):
    """What the director rules at a table."""

    PENALTY = "penalty", "penalty"
    PAYS_FOR_ALL = "pays_for_all", "pays for everyone"
    ADJUSTMENT = "adjustment", "adjustment"


class Ruling(models.Model):
    """What the director ruled at a table and why; the score book's ledger holds the points."""

    table = models.ForeignKey(Table, on_delete=models.PROTECT, related_name="rulings")
    kind = models.CharField(max_length=12, choices=RulingKind.choices)
    what = models.CharField(max_length=200, help_text="the mistake and what it costs, in words")
    player = models.ForeignKey(Seat, on_delete=models.PROTECT, related_name="rulings")
    points = models.JSONField(help_text="what each seat gains, by seat number; nothing: a warning")
    reason = models.CharField(max_length=200)
    ruled_by = models.CharField(max_length=40)
    ruled_at = models.DateTimeField()
    submission_id = models.UUIDField(unique=True)
    takes_back = models.OneToOneField(
        "self", null=True, blank=True, on_delete=models.PROTECT, related_name="taken_back_by"
    )

    objects = OfATable()

    class Meta:
        ordering = ["pk"]

    def __str__(self) -> str:
        return f"{self.get_kind_display()} at {self.table}"


class StepBack(models.Model):
    """A step that was taken back, and why: a closed round or a finished tournament opened again."""

    tournament = models.ForeignKey(Tournament, on_delete=models.PROTECT, related_name="steps_back")
    what = models.CharField(max_length=120)
    reason = models.CharField(max_length=200)
    made_by = models.CharField(max_length=40)
    made_at = models.DateTimeField(auto_now_add=True)

    objects = OfATournament()

    class Meta:
        ordering = ["-pk"]

    def __str__(self) -> str:
        return self.what
