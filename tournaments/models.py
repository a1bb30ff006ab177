"""Tournaments, their entrants, rounds and tables; standings are derived and not stored."""

from typing import Self

from django.db import models
from django.db.models import Exists, OuterRef, Q

from clubs.models import Club, Player, link_key
from scoring import rule_set
from scoring.scorebook.models import Game, Seat


def ranking_default() -> list[str]:
    """Table points, then total gain, then Mah-Jongs, then the best hand."""
    return ["table_points", "total", "mahjongs", "best_hand"]


class TournamentState(models.TextChoices):
    """How far a tournament has come."""

    ENTERING = "entering", "taking entries"
    PLAYING = "playing", "being played"
    FINISHED = "finished", "finished"


class OddNumber(models.TextChoices):
    """What happens when the players are no multiple of four."""

    WAIT = "wait", "Wait until the number is 4, 8, 12, 16 and so on"
    HOUSE = "house", "House players fill the tables; they are not ranked"
    SIT_OUT = "sit_out", "Players sit out in turn"


class Tournament(models.Model):
    """A number of rounds, each seating every entrant at a table."""

    club = models.ForeignKey(Club, on_delete=models.PROTECT, related_name="tournaments")
    name = models.CharField(max_length=80)
    held_on = models.DateField()
    rules = models.CharField(max_length=40, default="bmja", help_text="rule set key")
    rounds_planned = models.PositiveSmallIntegerField(default=5)
    hands_a_round = models.PositiveSmallIntegerField(default=8)
    ranks_by = models.JSONField(default=ranking_default, help_text="metric keys in order")
    odd_number = models.CharField(max_length=8, choices=OddNumber.choices, default=OddNumber.WAIT)
    places = models.PositiveSmallIntegerField(
        null=True, blank=True, help_text="who enters after so many waits for a place"
    )
    state = models.CharField(
        max_length=10, choices=TournamentState.choices, default=TournamentState.ENTERING
    )
    version = models.PositiveIntegerField(default=0, help_text="goes up with every change shown")
    wall_key = models.CharField(max_length=24, unique=True, default=link_key)
    hides_last_round = models.BooleanField(
        default=False, help_text="only officials see what the last round does, until released"
    )
    published_at = models.DateTimeField(
        null=True, blank=True, help_text="since when everybody with the link reads the results"
    )

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

    @property
    def pays(self) -> bool:
        """Whether players pay one another under its rules, so that points have a sign."""
        return rule_set(self.rules).zero_sum


class EntrantState(models.TextChoices):
    """Whether an entrant plays."""

    ENTERED = "entered", "entered"
    WAITING = "waiting", "waiting for a place"
    WITHDRAWN = "withdrawn", "withdrawn"


class EntrantQuerySet(models.QuerySet["Entrant"]):
    """Entrants by what they are in the tournament."""

    def people(self) -> Self:
        """Everybody but house players."""
        return self.filter(is_house=False)

    def entered(self) -> Self:
        """The people who play: neither waiting nor withdrawn, no house players."""
        return self.people().filter(state=EntrantState.ENTERED)

    def ranked(self) -> Self:
        """Who stands in the standings: the entered, and whoever withdrew after being seated."""
        has_seat = Exists(Placement.objects.filter(entrant=OuterRef("pk")))
        is_ranked = Q(state=EntrantState.ENTERED) | Q(state=EntrantState.WITHDRAWN) & has_seat
        return self.people().filter(is_ranked)


class Entrant(models.Model):
    """Somebody who plays in a tournament: a player of the club, a visitor, or a house player.

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
    is_house = models.BooleanField(default=False)
    has_paid = models.BooleanField(default=False)
    is_here = models.BooleanField(default=False, help_text="checked in on the day")

    objects = EntrantQuerySet.as_manager()

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
    sitting_out = models.ManyToManyField(Entrant, blank=True, related_name="rounds_out")

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


class Capacity(models.TextChoices):
    """As what somebody sat in a seat."""

    ENTRANT = "entrant", "entrant"
    SUBSTITUTE = "substitute", "substitute"
    HOUSE = "house", "house player"


class Placement(models.Model):
    """Which entrant a seat of the score book counts for, and who sat in it as what."""

    round = models.ForeignKey(Round, on_delete=models.PROTECT, related_name="placements")
    table = models.ForeignKey(Table, on_delete=models.PROTECT, related_name="placements")
    entrant = models.ForeignKey(Entrant, on_delete=models.PROTECT, related_name="placements")
    seat = models.OneToOneField(Seat, on_delete=models.PROTECT, related_name="placement")
    capacity = models.CharField(max_length=10, choices=Capacity.choices, default=Capacity.ENTRANT)
    substitute = models.CharField(max_length=80, blank=True, help_text="who sat for the entrant")

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


class SeatingChange(models.Model):
    """A change of the seating by hand, with what was before it so that it can be undone."""

    tournament = models.ForeignKey(Tournament, on_delete=models.PROTECT, related_name="changes")
    what = models.CharField(max_length=300)
    before = models.JSONField(help_text="the changed rounds: tables, seats and who sat out")
    made_by = models.CharField(max_length=40)
    made_at = models.DateTimeField(auto_now_add=True)
    undone_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["-pk"]

    def __str__(self) -> str:
        return self.what


class RulingKind(models.TextChoices):
    """What the director rules at a table."""

    PENALTY = "penalty", "penalty"
    PAYS_FOR_ALL = "pays_for_all", "pays for all"
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

    class Meta:
        ordering = ["pk"]

    def __str__(self) -> str:
        return f"{self.get_kind_display()} at {self.table}"
