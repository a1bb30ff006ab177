"""Who plays in a tournament, in which seat, and what they may win."""

from typing import Self

from django.db import models
from django.db.models import Q

from clubs.models import Player
from scoring.scorebook.models import Seat
from tournaments.models.tenancy import OfARound, OfATournament
from tournaments.models.tournament import Tournament


class EntrantState(models.TextChoices):
    """Whether an entrant plays."""

    ENTERED = "entered", "entered"
    WAITING = "waiting", "on the waiting list"
    WITHDRAWN = "withdrawn", "withdrawn"


class EntrantQuerySet(models.QuerySet["Entrant"]):
    """Entrants by what they are in the tournament."""

    def people(self) -> Self:
        """Everyone but house players."""
        return self.filter(is_house=False)

    def entered(self) -> Self:
        """The people who play: neither waiting nor withdrawn, no house players."""
        return self.people().filter(state=EntrantState.ENTERED)


Entrants = OfATournament.from_queryset(EntrantQuerySet)


class Entrant(models.Model):
    """Someone who plays in a tournament: a player of the club, a visitor, or a house player.

    A house player fills a table and is not ranked.
    """

    tournament = models.ForeignKey(Tournament, on_delete=models.PROTECT, related_name="entrants")
    number = models.PositiveSmallIntegerField()
    name = models.CharField(max_length=80)
    name_key = models.CharField(max_length=80)
    from_club = models.CharField(max_length=80, blank=True)
    player = models.ForeignKey(
        Player, null=True, blank=True, on_delete=models.PROTECT, related_name="entries"
    )
    team = models.CharField(max_length=80, blank=True)
    state = models.CharField(
        max_length=10, choices=EntrantState.choices, default=EntrantState.ENTERED
    )
    times_withdrawn = models.PositiveSmallIntegerField(default=0)
    is_house = models.BooleanField(default=False)
    has_paid = models.BooleanField(default=False)
    is_here = models.BooleanField(default=False, help_text="checked in on the day")

    objects = Entrants()

    class Meta:
        ordering = ["number"]
        constraints = [
            models.UniqueConstraint(name="one_entrant_number", fields=["tournament", "number"]),
            models.UniqueConstraint(name="one_entrant_name", fields=["tournament", "name_key"]),
        ]

    def __str__(self) -> str:
        return self.name


class Capacity(models.TextChoices):
    """As what someone sat in a seat."""

    ENTRANT = "entrant", "entrant"
    SUBSTITUTE = "substitute", "substitute"
    HOUSE = "house", "house player"


class Placement(models.Model):
    """Which entrant a seat of the score book counts for, and who sat in it as what."""

    round = models.ForeignKey(
        "tournaments.Round", on_delete=models.PROTECT, related_name="placements"
    )
    table = models.ForeignKey(
        "tournaments.Table", on_delete=models.PROTECT, related_name="placements"
    )
    entrant = models.ForeignKey(Entrant, on_delete=models.PROTECT, related_name="placements")
    seat = models.OneToOneField(Seat, on_delete=models.PROTECT, related_name="placement")
    capacity = models.CharField(max_length=10, choices=Capacity.choices, default=Capacity.ENTRANT)
    substitute = models.CharField(
        max_length=80, blank=True, help_text="substitute who played for the entrant"
    )

    objects = OfARound()

    class Meta:
        ordering = ["table__number", "seat__number"]
        constraints = [
            models.UniqueConstraint(name="one_seat_a_round", fields=["round", "entrant"]),
            models.CheckConstraint(
                name="a_substitute_has_a_name",
                condition=Q(capacity=Capacity.SUBSTITUTE) ^ Q(substitute=""),
            ),
        ]

    def __str__(self) -> str:
        return f"{self.entrant} at {self.table}"

    @property
    def sitter(self) -> str:
        """The name of whoever sits there."""
        return self.substitute or self.entrant.name


class PrizeKind(models.TextChoices):
    """What a prize is for."""

    PLACE = "place", "A place in the standings"
    TEAM = "team", "A place among the teams"
    BEST = "best", "The most of something"
    CLUB = "club", "Best player from a club"
    LAST = "last", "The last place"
    CHOSEN = "chosen", "Chosen by the director"


class Prize(models.Model):
    """A prize that a tournament gives; who has it follows from the standings unless chosen."""

    tournament = models.ForeignKey(Tournament, on_delete=models.PROTECT, related_name="prizes")
    number = models.PositiveSmallIntegerField(help_text="order in which they are given")
    name = models.CharField(max_length=80)
    gift = models.CharField(max_length=120, blank=True, help_text="what is given")
    kind = models.CharField(max_length=8, choices=PrizeKind.choices)
    place = models.PositiveSmallIntegerField(
        null=True, blank=True, help_text="which place, for a place"
    )
    of = models.CharField(
        max_length=80, blank=True, help_text="metric for the most of something, or a club's name"
    )
    chosen = models.ForeignKey(
        Entrant, null=True, blank=True, on_delete=models.PROTECT, related_name="prizes"
    )

    objects = OfATournament()

    class Meta:
        ordering = ["number"]
        constraints = [
            models.UniqueConstraint(name="one_prize_number", fields=["tournament", "number"]),
        ]

    def __str__(self) -> str:
        return self.name
