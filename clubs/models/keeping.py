"""How long a club keeps what it holds on people, and what it has let go."""

from django.db import models

from clubs.apart import OfOneClub
from clubs.models.people import Club, Player, User


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
