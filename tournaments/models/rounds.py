"""Rounds, their tables, and what was changed in their seating by hand."""

from django.db import models
from django.db.models import Q

from clubs.models import link_key
from scoring.scorebook.models import Game
from tournaments.models.people import Entrant
from tournaments.models.tenancy import OfARound, OfATournament
from tournaments.models.tournament import Tournament


class RoundState(models.TextChoices):
    """How far a round has come."""

    SEATED = "seated", "seated"
    PLAYING = "playing", "being played"
    CLOSED = "closed", "closed"


class Round(models.Model):
    """Every entrant at a table, once."""

    tournament = models.ForeignKey(Tournament, on_delete=models.PROTECT, related_name="rounds")
    number = models.PositiveSmallIntegerField()
    state = models.CharField(max_length=10, choices=RoundState.choices, default=RoundState.SEATED)
    sitting_out = models.ManyToManyField(Entrant, blank=True, related_name="rounds_out")
    seated_in_order = models.JSONField(
        default=list,
        blank=True,
        help_text="entrants in order when seated by standings; empty if drawn",
    )
    traded = models.JSONField(
        default=list,
        blank=True,
        help_text="what seating by standings gave up and why, as sentences",
    )
    started_at = models.DateTimeField(null=True, blank=True)
    closed_at = models.DateTimeField(null=True, blank=True)
    paused_at = models.DateTimeField(null=True, blank=True, help_text="when the clock was paused")
    paused_seconds = models.PositiveIntegerField(
        default=0, help_text="how long the clock was paused earlier"
    )
    resumed_at = models.DateTimeField(null=True, blank=True, help_text="when the clock was resumed")
    minutes_added = models.SmallIntegerField(default=0, help_text="for every table")
    rung_at = models.DateTimeField(
        null=True, blank=True, help_text="when the bell was rung early by hand"
    )

    objects = OfATournament()

    class Meta:
        ordering = ["number"]
        constraints = [
            models.UniqueConstraint(name="one_round_of_a_number", fields=["tournament", "number"]),
            models.UniqueConstraint(
                name="one_round_is_played_at_a_time",
                fields=["tournament"],
                condition=Q(state=RoundState.PLAYING),
            ),
        ]

    def __str__(self) -> str:
        return f"round {self.number} of {self.tournament}"


class Table(models.Model):
    """A table of a round, the game it plays, and its secret link."""

    round = models.ForeignKey(Round, on_delete=models.PROTECT, related_name="tables")
    number = models.PositiveSmallIntegerField()
    game = models.OneToOneField(Game, on_delete=models.PROTECT, related_name="tournament_table")
    link_key = models.CharField(max_length=24, unique=True, default=link_key)
    minutes_added = models.SmallIntegerField(default=0, help_text="for this table alone")
    stopped_at = models.DateTimeField(
        null=True, blank=True, help_text="when the table stopped playing in this round"
    )

    objects = OfARound()

    class Meta:
        ordering = ["number"]
        constraints = [
            models.UniqueConstraint(name="one_table_in_a_round", fields=["round", "number"]),
        ]

    def __str__(self) -> str:
        return f"table {self.number}, {self.round}"


class SeatingChange(models.Model):
    """A change of the seating by hand, with what was before it so that it can be undone."""

    tournament = models.ForeignKey(Tournament, on_delete=models.PROTECT, related_name="changes")
    what = models.CharField(max_length=300)
    before = models.JSONField(help_text="the changed rounds: tables, seats and who sat out")
    made_by = models.CharField(max_length=40)
    made_at = models.DateTimeField(auto_now_add=True)
    undone_at = models.DateTimeField(null=True, blank=True)

    objects = OfATournament()

    class Meta:
        ordering = ["-pk"]

    def __str__(self) -> str:
        return self.what
