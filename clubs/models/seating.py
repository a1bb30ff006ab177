"""What a club wishes of its seating, from one evening to the next."""

from django.db import models
from django.db.models import F, Q
from django.utils import timezone

from clubs.apart import OfOneClub
from clubs.models.people import Club, Player, User


class WishKind(models.TextChoices):
    """What is asked for a player, or for two."""

    APART = "apart", "not at one table"
    TOGETHER = "together", "at one table"
    HELPER = "helper", "a beginner, with a helper"
    TABLE = "table", "always at this table"


class Wish(models.Model):
    """What the seating heeds on every evening until it is taken back.

    ``other`` is the second player (the helper, for a beginner); ``table`` a table's number.
    """

    club = models.ForeignKey(Club, on_delete=models.CASCADE, related_name="wishes")
    kind = models.CharField(max_length=10, choices=WishKind.choices)
    player = models.ForeignKey(Player, on_delete=models.CASCADE, related_name="wishes")
    other = models.ForeignKey(
        Player, null=True, blank=True, on_delete=models.CASCADE, related_name="wishes_of_others"
    )
    table = models.PositiveSmallIntegerField(null=True, blank=True)
    until = models.DateField(null=True, blank=True, help_text="the last evening it holds for")
    reason = models.CharField(max_length=120, blank=True, help_text="for the secretary only")
    made_by = models.ForeignKey(User, null=True, blank=True, on_delete=models.SET_NULL)
    made_at = models.DateTimeField(default=timezone.now)

    objects = OfOneClub()

    class Meta:
        ordering = ["pk"]
        constraints = [
            models.UniqueConstraint(
                name="one_wish_of_a_kind_for_two",
                fields=["kind", "player", "other"],
                condition=Q(other__isnull=False),
            ),
            models.UniqueConstraint(
                name="one_table_always",
                fields=["player"],
                condition=Q(kind="table"),
            ),
            models.CheckConstraint(
                name="a_wish_names_a_player_or_a_table",
                condition=Q(kind="table", other__isnull=True, table__isnull=False)
                | (~Q(kind="table") & Q(other__isnull=False, table__isnull=True)),
            ),
            models.CheckConstraint(
                name="nobody_is_their_own_company", condition=~Q(other=F("player"))
            ),
        ]

    def __str__(self) -> str:
        return f"{self.player}: {self.get_kind_display()}"
