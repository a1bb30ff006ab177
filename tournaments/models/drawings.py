"""What was asked of the seating when rounds were drawn, so that it can be asked again."""

from django.db import models

from tournaments.apart import OfATournament
from tournaments.models.tournament import Tournament


class Drawing(models.Model):
    """A drawing of rounds: the request with names, as the seating's command line reads it."""

    tournament = models.ForeignKey(Tournament, on_delete=models.PROTECT, related_name="drawings")
    first_round = models.PositiveSmallIntegerField()
    last_round = models.PositiveSmallIntegerField()
    asked = models.JSONField(help_text="the request of `python -m clubs.seating`")
    made_at = models.DateTimeField(auto_now_add=True)

    objects = OfATournament()

    class Meta:
        ordering = ["pk"]

    def __str__(self) -> str:
        return f"rounds {self.first_round} to {self.last_round} of {self.tournament}"
