"""Hands as they were reported, and what the table and the scorer said of them."""

import uuid
from functools import reduce
from operator import or_

from django.db import models
from django.db.models import F, Q

from scoring.scorebook.models.games import SEAT_NUMBERS, Game


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
    report = models.JSONField(help_text="what someone at the table sent in")
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
    def made(self) -> dict[int, int]:
        """The winner's score by seat: a best hand is a Mah-Jong's. Empty where it was drawn."""
        return {number: score for number, score in self.scores.items() if number == self.winner}

    @property
    def gains(self) -> dict[int, int]:
        """Each seat's net of the hand, for the seats that played it."""
        return {int(seat): getattr(self, f"gain_{seat}") for seat in self.deal["winds"]}


def went_out_for(score: int) -> Q:
    """That someone went Mah-Jong for just so many points."""
    return reduce(or_, (Q(winner=seat, **{f"score_{seat}": score}) for seat in SEAT_NUMBERS))


class Agreement(models.Model):
    """What one seat said of a hand: right, or not right. It counts for exactly what was shown."""

    hand = models.ForeignKey(Hand, on_delete=models.PROTECT, related_name="agreements")
    seat = models.PositiveSmallIntegerField()
    agrees = models.BooleanField()
    note = models.CharField(max_length=200, blank=True, help_text="what is not right, in words")
    digest = models.CharField(max_length=64, help_text="of what was shown to the seat")
    said_by = models.CharField(max_length=40, help_text="table 12, table 12 seat 3")
    said_at = models.DateTimeField()

    class Meta:
        ordering = ["pk"]

    def __str__(self) -> str:
        return f"seat {self.seat} of {self.hand}: {'right' if self.agrees else 'not right'}"


class Decision(models.Model):
    """The scorer let a hand stand, and why."""

    hand = models.ForeignKey(Hand, on_delete=models.PROTECT, related_name="decisions")
    reason = models.CharField(max_length=200)
    made_by = models.CharField(max_length=40)
    made_at = models.DateTimeField()

    class Meta:
        ordering = ["pk"]

    def __str__(self) -> str:
        return f"{self.hand} stands: {self.reason}"


class TappedHand(models.Model):
    """One seat's tiles while they are being tapped, before the hand is sent."""

    game = models.ForeignKey(Game, on_delete=models.CASCADE, related_name="tapped")
    number = models.PositiveSmallIntegerField(help_text="of the hand that is being played")
    seat = models.PositiveSmallIntegerField()
    draft = models.CharField(max_length=400, help_text="as scoring.building writes it")
    updated_at = models.DateTimeField(auto_now=True)

    class Meta:
        ordering = ["seat"]
        constraints = [
            models.UniqueConstraint(name="a_seat_taps_one_hand", fields=["game", "number", "seat"]),
        ]

    def __str__(self) -> str:
        return f"seat {self.seat}, hand {self.number} of game {self.game_id}"
