"""A tournament: what is played, what ranks, and how much of it is shown."""

from decimal import Decimal

from django.db import models
from django.db.models import Q

from clubs.language.words import counted
from clubs.models import Club, link_key
from clubs.models.tenancy import OfOneClub
from scoring.scorebook.editions import rule_set
from scoring.scorebook.models import AgreementPolicy, Book, Recording
from tournaments.models.tenancy import OfATournament

A_MEAN_PLACE = Decimal("1.75")  # table points: 4, 2, 1 and 0 shared among four


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

    WAIT = "wait", "Do not start until the number divides by four"
    HOUSE = "house", "Add house players, who are not ranked"
    SIT_OUT = "sit_out", "Let players sit out in turn"


class SittingOut(models.TextChoices):
    """What a round counts for whoever sits it out."""

    AVERAGE = "average", "The average of the player’s own rounds"
    FIXED = "fixed", "A fixed score"
    NOTHING = "nothing", "Nothing"


class AtTheBell(models.TextChoices):
    """What happens to the hand in progress when a round's time is up."""

    FINISH = "finish", "It is finished and counts"
    ONE_MORE = "one_more", "It is finished, and one more hand is played"
    STOP = "stop", "It stops and does not count"


class Tournament(models.Model):
    """A number of rounds, each seating every entrant at a table."""

    club = models.ForeignKey(Club, on_delete=models.PROTECT, related_name="tournaments")
    name = models.CharField(max_length=80)
    held_on = models.DateField()
    rules = models.CharField(max_length=40, default="bmja", help_text="rule set key")
    rounds_planned = models.PositiveSmallIntegerField(default=5)
    hands_a_round = models.PositiveSmallIntegerField(
        null=True, blank=True, default=8, help_text="maximum; empty for as many as time allows"
    )
    record_by = models.CharField(max_length=8, choices=Recording.choices, default=Recording.TOTALS)
    agreement = models.CharField(
        max_length=8, choices=AgreementPolicy.choices, default=AgreementPolicy.ALL
    )
    minutes_a_round = models.PositiveSmallIntegerField(
        null=True, blank=True, help_text="empty for no clock"
    )
    at_the_bell = models.CharField(
        max_length=8, choices=AtTheBell.choices, default=AtTheBell.FINISH
    )
    start_stake = models.PositiveIntegerField(
        default=0, help_text="starting points of each player in a round"
    )
    by_standing_from = models.PositiveSmallIntegerField(
        null=True, blank=True, help_text="this round and later ones are seated by standings"
    )
    bands = models.PositiveSmallIntegerField(
        default=1, help_text="tables in a group when seated by standings; 1: leaders together"
    )
    has_final = models.BooleanField(
        default=False, help_text="the top four play at table 1 in the last round"
    )
    one_prize_each = models.BooleanField(
        default=False, help_text="other prizes of a winner go to the next in line"
    )
    ranks_by = models.JSONField(default=ranking_default, help_text="metric keys in order")
    odd_number = models.CharField(max_length=8, choices=OddNumber.choices, default=OddNumber.WAIT)
    sitting_out_counts = models.CharField(
        max_length=8, choices=SittingOut.choices, default=SittingOut.AVERAGE
    )
    sitting_out_table_points = models.DecimalField(
        max_digits=4,
        decimal_places=2,
        default=A_MEAN_PLACE,
        help_text="for each round sat out, where the score is fixed",
    )
    sitting_out_points = models.IntegerField(
        default=0, help_text="of gain, for each round sat out, where the score is fixed"
    )
    places = models.PositiveSmallIntegerField(
        null=True, blank=True, help_text="later entries go on the waiting list"
    )
    state = models.CharField(
        max_length=10, choices=TournamentState.choices, default=TournamentState.ENTERING
    )
    version = models.PositiveIntegerField(default=0, help_text="goes up with every change shown")
    wall_key = models.CharField(max_length=24, unique=True, default=link_key)
    book = models.OneToOneField(
        Book, null=True, blank=True, on_delete=models.PROTECT, related_name="tournament"
    )
    hides_last_round = models.BooleanField(
        default=False, help_text="only officials see the last round until it is shown"
    )
    published_at = models.DateTimeField(
        null=True, blank=True, help_text="when the results were published"
    )

    objects = OfOneClub()

    class Meta:
        ordering = ["-held_on", "-pk"]
        constraints = [
            models.UniqueConstraint(name="one_tournament_of_a_name", fields=["club", "name"]),
            models.CheckConstraint(
                name="a_tournament_has_rounds", condition=Q(rounds_planned__gte=1)
            ),
            models.CheckConstraint(
                name="a_round_has_hands_or_minutes",
                condition=(Q(hands_a_round__isnull=False) | Q(minutes_a_round__isnull=False)),
            ),
            models.CheckConstraint(
                name="a_round_has_no_empty_measure",
                condition=(
                    (Q(hands_a_round__isnull=True) | Q(hands_a_round__gte=1))
                    & (Q(minutes_a_round__isnull=True) | Q(minutes_a_round__gte=1))
                ),
            ),
        ]

    def __str__(self) -> str:
        return self.name

    @property
    def pays(self) -> bool:
        """Whether players pay one another under its rules, so that points have a sign."""
        return rule_set(self.rules).zero_sum

    @property
    def played_by(self) -> str:
        """The name of its rules."""
        return rule_set(self.rules).name

    @property
    def length(self) -> str:
        """How long a round is: ``8 hands``, ``75 minutes``, ``75 minutes, at most 8 hands``."""
        hands, minutes = self.hands_a_round, self.minutes_a_round
        if minutes is None:
            return counted(hands or 0, "hand")
        at_most = "" if hands is None else f", at most {counted(hands, 'hand')}"
        return f"{counted(minutes, 'minute')}{at_most}"

    @property
    def plan(self) -> str:
        """``5 rounds of 8 hands``."""
        return f"{counted(self.rounds_planned, 'round')} of {self.length}"

    @property
    def drawn(self) -> int:
        """How many rounds are drawn before anything is played; later ones go by standing."""
        before = (self.by_standing_from or self.rounds_planned + 1) - 1
        return min(before, self.rounds_planned - self.has_final)


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


MOST_ROUNDS, MOST_HANDS, MOST_TABLES = 30, 100, 100


MOST_MINUTES, MOST_STAKE = 600, 100_000


MOST_TABLE_POINTS = 4
