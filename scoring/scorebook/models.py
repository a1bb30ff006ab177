"""Games, their seats and hands, and the ledger of every gain: added to, never edited."""

import uuid

from django.db import models
from django.db.models import F, Q

SEAT_NUMBERS = (1, 2, 3, 4, 5)


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
    best_hand = models.PositiveIntegerField(default=0, help_text="highest score of one hand")

    class Meta:
        ordering = ["game_id", "number"]
        constraints = [
            models.UniqueConstraint(name="one_seat_of_a_number", fields=["game", "number"]),
            models.CheckConstraint(name="seats_are_1_to_5", condition=Q(number__range=(1, 5))),
        ]

    def __str__(self) -> str:
        return f"seat {self.number} of game {self.game_id}"


class HandState(models.TextChoices):
    """How far a hand has come; a decided hand is one the scorer has ruled on."""

    REPORTED = "reported", "reported"
    AGREED = "agreed", "agreed"
    DISPUTED = "disputed", "not agreed"
    DECIDED = "decided", "decided by the scorer"


def _scores_within_limit() -> list[models.CheckConstraint]:
    return [
        models.CheckConstraint(
            name=f"score_{number}_within_limit",
            condition=Q(**{f"score_{number}__isnull": True})
            | (
                Q(**{f"score_{number}__gte": 0})
                & (Q(limit__isnull=True) | Q(**{f"score_{number}__lte": F("limit")}))
            ),
        )
        for number in SEAT_NUMBERS
    ]


class Hand(models.Model):
    """One deal as the table reported it, beside what the engine made of it."""

    game = models.ForeignKey(Game, on_delete=models.PROTECT, related_name="hands")
    number = models.PositiveSmallIntegerField()
    is_current = models.BooleanField(default=True, help_text="false once a correction replaces it")
    submission_id = models.UUIDField(unique=True, default=uuid.uuid4)
    report = models.JSONField(help_text="what somebody at the table sent in")
    deal = models.JSONField(help_text="winds by seat, dealer, prevailing wind, goulash")
    lines = models.JSONField(default=dict, help_text="the engine's lines, by seat")
    winner = models.PositiveSmallIntegerField(null=True, blank=True, help_text="null when drawn")
    score_1 = models.IntegerField(null=True, blank=True)
    score_2 = models.IntegerField(null=True, blank=True)
    score_3 = models.IntegerField(null=True, blank=True)
    score_4 = models.IntegerField(null=True, blank=True)
    score_5 = models.IntegerField(null=True, blank=True)
    gain_1 = models.IntegerField(default=0)
    gain_2 = models.IntegerField(default=0)
    gain_3 = models.IntegerField(default=0)
    gain_4 = models.IntegerField(default=0)
    gain_5 = models.IntegerField(default=0)
    payments = models.JSONField(default=list, help_text="[payer, payee, points] by seat number")
    limit = models.PositiveIntegerField(null=True, blank=True)
    zero_sum = models.BooleanField()
    state = models.CharField(max_length=10, choices=HandState.choices, default=HandState.REPORTED)
    sent_by = models.CharField(
        max_length=40, help_text="user 7, table 12: resolved by the app above"
    )
    sent_at = models.DateTimeField()
    replaces = models.OneToOneField(
        "self", null=True, blank=True, on_delete=models.PROTECT, related_name="replaced_by"
    )
    reason = models.CharField(max_length=200, blank=True)

    class Meta:
        ordering = ["game_id", "number", "pk"]
        constraints = [
            models.UniqueConstraint(
                name="one_current_hand_of_a_number",
                fields=["game", "number"],
                condition=Q(is_current=True),
            ),
            models.CheckConstraint(
                name="gains_add_to_nothing",
                condition=Q(zero_sum=False)
                | Q(gain_1=-F("gain_2") - F("gain_3") - F("gain_4") - F("gain_5")),
            ),
            models.CheckConstraint(name="hands_count_from_1", condition=Q(number__gte=1)),
            *_scores_within_limit(),
        ]

    def __str__(self) -> str:
        return f"hand {self.number} of game {self.game_id}"

    @property
    def scores(self) -> dict[int, int]:
        """Each seat's score, for the seats that have one."""
        found = {number: getattr(self, f"score_{number}") for number in SEAT_NUMBERS}
        return {number: score for number, score in found.items() if score is not None}

    @property
    def gains(self) -> dict[int, int]:
        """Each seat's net of the hand, for the seats that played it."""
        return {int(seat): getattr(self, f"gain_{seat}") for seat in self.deal["winds"]}


class EntryKind(models.TextChoices):
    """Why a seat's total moved."""

    HAND = "hand", "hand"
    REVERSAL = "reversal", "taken back"
    ADJUSTMENT = "adjustment", "adjustment"


class LedgerEntry(models.Model):
    """What one seat gained or gave; the database itself refuses to change a row."""

    seat = models.ForeignKey(Seat, on_delete=models.PROTECT, related_name="ledger")
    hand = models.ForeignKey(
        Hand, null=True, blank=True, on_delete=models.PROTECT, related_name="entries"
    )
    kind = models.CharField(max_length=10, choices=EntryKind.choices)
    points = models.IntegerField()
    written_by = models.CharField(max_length=40)
    written_at = models.DateTimeField()
    reason = models.CharField(max_length=200, blank=True)

    class Meta:
        ordering = ["pk"]
        verbose_name_plural = "ledger entries"

    def __str__(self) -> str:
        return f"{self.points:+d} for {self.seat} ({self.kind})"
