"""When the club meets: series of evenings, days without one, who was asked and what they said."""

from django.db import models
from django.utils import timezone

from clubs.language.moments import long_date
from clubs.models.accounts import link_key
from clubs.models.evenings import Session
from clubs.models.people import Club, Player, User
from clubs.models.tenancy import OfAnEvening, OfOneClub


class Series(models.Model):
    """Evenings that come round: every so many weeks on a day, or on the second Tuesday of a month.

    ``weeks`` are those of a month, from 1; 5 is the last. Empty: ``every`` so many weeks from the
    first day on.
    """

    club = models.ForeignKey(Club, on_delete=models.CASCADE, related_name="series")
    name = models.CharField(max_length=80)
    place = models.CharField(max_length=120, blank=True)
    first_on = models.DateField()
    last_on = models.DateField()
    every = models.PositiveSmallIntegerField(default=1)
    weeks = models.JSONField(default=list, blank=True)
    starts_at = models.TimeField()
    ends_at = models.TimeField()
    feed_key = models.CharField(max_length=24, unique=True, default=link_key)

    objects = OfOneClub()

    class Meta:
        ordering = ["first_on", "pk"]
        verbose_name_plural = "series"

    def __str__(self) -> str:
        return f"{self.name}, {self.club}"


class Holiday(models.Model):
    """Days without an evening."""

    club = models.ForeignKey(Club, on_delete=models.CASCADE, related_name="holidays")
    name = models.CharField(max_length=80)
    first_on = models.DateField()
    last_on = models.DateField()

    objects = OfOneClub()

    class Meta:
        ordering = ["first_on"]

    def __str__(self) -> str:
        return f"{self.name}, {self.club}"


class Answer(models.TextChoices):
    """What someone said who was asked to come."""

    NONE = "", "no answer yet"
    YES = "yes", "can come"
    NO = "no", "cannot come"


class Invitation(models.Model):
    """Someone was asked to come on a day; ``key`` is the link on which they answer."""

    club = models.ForeignKey(Club, on_delete=models.CASCADE, related_name="invitations")
    held_on = models.DateField()
    player = models.ForeignKey(Player, on_delete=models.CASCADE, related_name="invitations")
    key = models.CharField(max_length=24, unique=True, default=link_key)
    answer = models.CharField(max_length=3, choices=Answer.choices, default=Answer.NONE, blank=True)
    answered_at = models.DateTimeField(null=True, blank=True)
    asked_at = models.DateTimeField(default=timezone.now)
    asked_by = models.ForeignKey(User, null=True, blank=True, on_delete=models.SET_NULL)

    objects = OfOneClub()

    class Meta:
        ordering = ["held_on", "asked_at"]
        constraints = [
            models.UniqueConstraint(
                name="asked_once_for_a_day", fields=["club", "held_on", "player"]
            ),
        ]

    def __str__(self) -> str:
        return f"{self.player} for {long_date(self.held_on)}"


class StandBy(models.Model):
    """Someone who is glad to fill a table at short notice."""

    club = models.ForeignKey(Club, on_delete=models.CASCADE, related_name="stand_bys")
    player = models.OneToOneField(Player, on_delete=models.CASCADE, related_name="stand_by")
    since = models.DateTimeField(default=timezone.now)

    objects = OfOneClub()

    class Meta:
        ordering = ["since"]

    def __str__(self) -> str:
        return f"{self.player} is a substitute"


class TableMoney(models.Model):
    """What someone paid at the door of an evening, in pence."""

    session = models.ForeignKey(Session, on_delete=models.CASCADE, related_name="money")
    player = models.ForeignKey(Player, on_delete=models.PROTECT, related_name="money")
    pence = models.PositiveIntegerField()
    taken_by = models.ForeignKey(User, null=True, blank=True, on_delete=models.SET_NULL)
    taken_at = models.DateTimeField(default=timezone.now)

    objects = OfAnEvening()

    class Meta:
        ordering = ["pk"]
        constraints = [
            models.UniqueConstraint(name="paid_once_an_evening", fields=["session", "player"]),
        ]

    def __str__(self) -> str:
        return f"{self.player} at {self.session}"
