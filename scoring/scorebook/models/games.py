"""The book of an event: a chain of links, each sealed over the one before it."""

from django.db import models
from django.db.models import Q


class Book(models.Model):
    """Everything that was written about the games of one evening or tournament, in its order."""

    length = models.PositiveIntegerField(default=0)
    head = models.CharField(max_length=64, blank=True, help_text="the last link's digest")

    def __str__(self) -> str:
        return f"book {self.pk}"


SEAT_NUMBERS = (1, 2, 3, 4, 5)


class AgreementPolicy(models.TextChoices):
    """Who must say that a hand is right before it counts as agreed."""

    ALL = "all", "Everyone who played the hand"
    TWO = "two", "Any two players"
    SCORER = "scorer", "The scorer alone"
    NONE = "none", "No one: hands count as entered"


class Recording(models.TextChoices):
    """What a table tells of a hand."""

    TOTALS = "totals", "What each hand scored"
    TILES = "tiles", "The tiles of each hand"
    TALLIES = "tallies", "Each player’s stick count after the hand"
    WINNER = "winner", "Only who went Mah-Jong"


class Edition(models.Model):
    """House rules as they were declared; the database itself refuses to change a row.

    Games name them by their key, so a change of house rules is another edition.
    """

    key = models.CharField(max_length=40, unique=True)
    name = models.CharField(max_length=60)
    declaration = models.JSONField(help_text="as scoring.house reads it")
    made_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["pk"]

    def __str__(self) -> str:
        return f"{self.name} ({self.key})"


class Game(models.Model):
    """Two to five seats that play hands one after another under one edition of a rule set."""

    rules = models.CharField(max_length=40, help_text="edition key, such as bmja/2008")
    size = models.PositiveSmallIntegerField(help_text="how many seats, 2 to 5")
    wind_rounds = models.PositiveSmallIntegerField(null=True, blank=True)
    hands_planned = models.PositiveSmallIntegerField(null=True, blank=True)
    agreement = models.CharField(
        max_length=8, choices=AgreementPolicy.choices, default=AgreementPolicy.ALL
    )
    first_dealer = models.PositiveSmallIntegerField(
        default=1, help_text="seat that deals the first hand; 1 unless the rules leave it open"
    )
    exchanges = models.JSONField(
        default=list,
        blank=True,
        help_text="[hand, seat, seat]: from that hand on the two sit in each other's place",
    )
    book = models.ForeignKey(
        Book, null=True, blank=True, on_delete=models.PROTECT, related_name="games"
    )
    closed_at = models.DateTimeField(null=True, blank=True)
    made_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        constraints = [
            models.CheckConstraint(name="game_has_2_to_5_seats", condition=Q(size__range=(2, 5))),
        ]

    def __str__(self) -> str:
        return f"game {self.pk} ({self.rules})"

    @property
    def is_closed(self) -> bool:
        """Whether nobody may add a hand any more."""
        return self.closed_at is not None


class Seat(models.Model):
    """A place in a game, numbered anticlockwise from the first East, with its totals so far."""

    game = models.ForeignKey(Game, on_delete=models.PROTECT, related_name="seats")
    number = models.PositiveSmallIntegerField()
    points = models.IntegerField(default=0, help_text="sum of the seat's ledger")
    hands = models.PositiveSmallIntegerField(default=0, help_text="hands played, not sat out")
    mahjongs = models.PositiveSmallIntegerField(default=0)
    best_hand = models.PositiveIntegerField(default=0, help_text="highest score of a Mah-Jong")

    class Meta:
        ordering = ["game_id", "number"]
        constraints = [
            models.UniqueConstraint(name="one_seat_of_a_number", fields=["game", "number"]),
            models.CheckConstraint(name="seats_are_1_to_5", condition=Q(number__range=(1, 5))),
        ]

    def __str__(self) -> str:
        return f"seat {self.number} of game {self.game_id}"
