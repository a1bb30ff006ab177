"""People who are invited to take a role in a club."""

from datetime import datetime, timedelta

from django.db import models
from django.utils import timezone

from clubs.apart import OfOneClub
from clubs.models.keys import link_key
from clubs.models.people import Club, Player, Role, User

OPEN_FOR = timedelta(days=14)


class RoleInvitation(models.Model):
    """An emailed invitation to take a role; deleted once it is accepted or withdrawn."""

    club = models.ForeignKey(Club, on_delete=models.CASCADE, related_name="role_invitations")
    email = models.EmailField()
    role = models.CharField(max_length=10, choices=Role.choices)
    player = models.ForeignKey(
        Player,
        null=True,
        blank=True,
        on_delete=models.CASCADE,
        related_name="role_invitations",
        help_text="who they are on the list of members",
    )
    key = models.CharField(max_length=32, unique=True, default=link_key)
    invited_by = models.ForeignKey(
        User, null=True, blank=True, on_delete=models.SET_NULL, related_name="+"
    )
    sent_at = models.DateTimeField(default=timezone.now)

    objects = OfOneClub()

    class Meta:
        ordering = ["email"]
        constraints = [
            models.UniqueConstraint(name="one_invitation_of_an_address", fields=["club", "email"]),
        ]

    def __str__(self) -> str:
        return f"{self.email}: {self.get_role_display()}"

    @property
    def ends_at(self) -> datetime:
        """When its link stops working."""
        return self.sent_at + OPEN_FOR

    @property
    def has_ended(self) -> bool:
        """Whether its link has stopped working."""
        return timezone.now() >= self.ends_at
