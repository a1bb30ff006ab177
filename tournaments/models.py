"""Tournaments, their entrants, rounds and tables; standings are derived and not stored."""

from django.db import models
from django.db.models import Q

from clubs.models import Club, Player, link_key
from scoring.scorebook.models import Game, Seat


def ranking_default() -> list[str]:
    """Table points, then total gain, then Mah-Jongs, then the best hand."""
    return ["table_points", "total", "mahjongs", "best_hand"]


class TournamentState(models.TextChoices):
    """How far a tournament has come."""

    ENTERING = "entering", "taking entries"
    PLAYING = "playing", "being played"
    FINISHED = "finished", "finished"


class Tournament(models.Model):
    """A number of rounds, each seating every entrant at a table."""

    club = models.ForeignKey(Club, on_delete=models.PROTECT, related_name="tournaments")
    name = models.CharField(max_length=80)
    held_on = models.DateField()
    rules = models.CharField(max_length=40, default="bmja", help_text="rule set key")
    rounds_planned = models.PositiveSmallIntegerField(default=5)
    hands_a_round = models.PositiveSmallIntegerField(default=8)
    ranks_by = models.JSONField(default=ranking_default, help_text="metric keys in order")
    state = models.CharField(
        max_length=10, choices=TournamentState.choices, default=TournamentState.ENTERING
    )
    version = models.PositiveIntegerField(default=0, help_text="goes up with every change shown")
    wall_key = models.CharField(max_length=24, unique=True, default=link_key)

    class Meta:
        ordering = ["-held_on", "-pk"]
        constraints = [
            models.UniqueConstraint(name="one_tournament_of_a_name", fields=["club", "name"]),
            models.CheckConstraint(
                name="a_tournament_has_rounds", condition=Q(rounds_planned__gte=1)
            ),
            models.CheckConstraint(name="a_round_has_hands", condition=Q(hands_a_round__gte=1)),
        ]

    def __str__(self) -> str:
        return self.name


class Entrant(models.Model):
    """Somebody who plays in a tournament, a player of the club or a visitor."""

    tournament = models.ForeignKey(Tournament, on_delete=models.PROTECT, related_name="entrants")
    number = models.PositiveSmallIntegerField()
    name = models.CharField(max_length=80)
    name_key = models.CharField(max_length=80)
    from_club = models.CharField(max_length=80, blank=True)
    player = models.ForeignKey(
        Player, null=True, blank=True, on_delete=models.PROTECT, related_name="entries"
    )

    class Meta:
        ordering = ["number"]
        constraints = [
            models.UniqueConstraint(name="one_entrant_number", fields=["tournament", "number"]),
            models.UniqueConstraint(name="one_entrant_name", fields=["tournament", "name_key"]),
        ]

    def __str__(self) -> str:
        return self.name


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

    class Meta:
        ordering = ["number"]
        constraints = [
            models.UniqueConstraint(name="one_table_in_a_round", fields=["round", "number"]),
        ]

    def __str__(self) -> str:
        return f"table {self.number}, {self.round}"


class Placement(models.Model):
    """Which entrant sat in a seat of the score book."""

    round = models.ForeignKey(Round, on_delete=models.PROTECT, related_name="placements")
    table = models.ForeignKey(Table, on_delete=models.PROTECT, related_name="placements")
    entrant = models.ForeignKey(Entrant, on_delete=models.PROTECT, related_name="placements")
    seat = models.OneToOneField(Seat, on_delete=models.PROTECT, related_name="placement")

    class Meta:
        ordering = ["table__number", "seat__number"]
        constraints = [
            models.UniqueConstraint(name="one_seat_a_round", fields=["round", "entrant"]),
        ]

    def __str__(self) -> str:
        return f"{self.entrant} at {self.table}"
