"""A club's rules, leagues and seasons."""

from django.db import models
from django.db.models import F, Q

from clubs.models.people import Club, Player, User
from clubs.tenancy import OfALeague, OfASeason, OfOneClub
from scoring.scorebook.models import Edition


class HouseRules(models.Model):
    """Saved house rules of a club, which can be chosen until they are retired."""

    club = models.ForeignKey(Club, on_delete=models.PROTECT, related_name="house_rules")
    edition = models.ForeignKey(Edition, on_delete=models.PROTECT, related_name="clubs")
    made_by = models.ForeignKey(User, null=True, blank=True, on_delete=models.SET_NULL)
    made_at = models.DateTimeField(auto_now_add=True)
    retired_at = models.DateTimeField(null=True, blank=True, help_text="since when not offered")

    objects = OfOneClub()

    class Meta:
        ordering = ["-pk"]
        constraints = [
            models.UniqueConstraint(name="one_edition_once_in_a_club", fields=["club", "edition"])
        ]

    def __str__(self) -> str:
        return f"{self.edition} of {self.club}"


class League(models.Model):
    """A competition that a club runs season after season."""

    club = models.ForeignKey(Club, on_delete=models.PROTECT, related_name="leagues")
    name = models.CharField(max_length=80)

    objects = OfOneClub()

    class Meta:
        constraints = [
            models.UniqueConstraint(name="one_league_of_a_name", fields=["club", "name"])
        ]

    def __str__(self) -> str:
        return self.name


class Season(models.Model):
    """A run of evenings, ranked by its rules."""

    league = models.ForeignKey(League, on_delete=models.PROTECT, related_name="seasons")
    name = models.CharField(max_length=80)
    rules = models.CharField(
        max_length=40, blank=True, help_text="rule set key; empty: as the club plays"
    )
    starts_on = models.DateField()
    ends_on = models.DateField()

    objects = OfALeague()

    class Meta:
        ordering = ["-starts_on"]
        constraints = [
            models.UniqueConstraint(name="one_season_of_a_name", fields=["league", "name"]),
            models.CheckConstraint(
                name="season_ends_after_it_starts", condition=Q(ends_on__gte=F("starts_on"))
            ),
        ]

    def __str__(self) -> str:
        return f"{self.league}, {self.name}"

    @property
    def plays(self) -> str:
        """The key of the rule set for the season's evenings."""
        return self.rules or self.league.club.rules


class SeasonRules(models.Model):
    """Versions of how a season ranks, as data; the newest adopted one is in force."""

    season = models.ForeignKey(Season, on_delete=models.CASCADE, related_name="versions")
    number = models.PositiveSmallIntegerField(help_text="1 is the first version")
    declaration = models.JSONField()
    made_by = models.ForeignKey(User, null=True, blank=True, on_delete=models.SET_NULL)
    made_at = models.DateTimeField(auto_now_add=True)
    adopted_at = models.DateTimeField(null=True, blank=True, help_text="empty: only tried so far")

    objects = OfASeason()

    class Meta:
        ordering = ["-number"]
        constraints = [
            models.UniqueConstraint(name="one_version_of_a_number", fields=["season", "number"])
        ]

    def __str__(self) -> str:
        return f"version {self.number}, {self.season}"


class Handicap(models.Model):
    """Points that a player gets or gives away at each evening of a season."""

    season = models.ForeignKey(Season, on_delete=models.CASCADE, related_name="handicaps")
    player = models.ForeignKey(Player, on_delete=models.CASCADE, related_name="handicaps")
    points = models.SmallIntegerField()

    objects = OfASeason()

    class Meta:
        constraints = [
            models.UniqueConstraint(name="one_handicap_each", fields=["season", "player"])
        ]

    def __str__(self) -> str:
        return f"{self.player}: {self.points:+d}"
