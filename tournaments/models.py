"""Tournaments: their entrants, rounds, tables, seats and rulings."""

import uuid
from collections.abc import Sequence
from decimal import Decimal
from typing import Self, TypeVar

from django.db import models
from django.db.models import Exists, Model, OuterRef, Q

from clubs.language.words import count_words
from clubs.models import Club, Job, Player, link_key
from clubs.tenancy import ClubManager
from scoring.scorebook.editions import rule_set
from scoring.scorebook.models import AgreementPolicy, Book, Game, Recording, Seat

ModelT = TypeVar("ModelT", bound=Model)
AVERAGE_TABLE_POINTS = Decimal("1.75")  # table points: 4, 2, 1 and 0 shared among four
MOST_ROUNDS, MOST_HANDS, MOST_TABLES = 30, 100, 100
MOST_MINUTES, MOST_STAKE = 600, 100_000
MOST_TABLE_POINTS = 4

EarlierSitters = Sequence[tuple[int, str]]
"""Who sat in a seat before someone else came in mid-round: last hand, and substitute or empty."""


class TournamentManager(ClubManager[ModelT]):
    club_lookup = "tournament__club"


class RoundManager(ClubManager[ModelT]):
    club_lookup = "round__tournament__club"


class TableManager(ClubManager[ModelT]):
    club_lookup = "table__round__tournament__club"


def ranking_default() -> list[str]:
    """Table points, then total gain, then Mah-Jongs, then the best hand."""
    return ["table_points", "total", "mahjongs", "best_hand"]


class TournamentState(models.TextChoices):
    ENTERING = "entering", "taking entries"
    PLAYING = "playing", "being played"
    FINISHED = "finished", "finished"


class OddNumber(models.TextChoices):
    """What happens if the number of players is not a multiple of four."""

    WAIT = "wait", "Do not start until the number divides by four"
    HOUSE = "house", "Add house players, who are not ranked"
    SIT_OUT = "sit_out", "Let players sit out in turn"


class SittingOut(models.TextChoices):
    """What a round counts for a player who sits it out."""

    AVERAGE = "average", "The average of the player’s own rounds"
    FIXED = "fixed", "A fixed score"
    NOTHING = "nothing", "Nothing"


class AtTheBell(models.TextChoices):
    """What happens to the hand in progress when a round's time is up."""

    FINISH = "finish", "It is finished and counts"
    ONE_MORE = "one_more", "It is finished, and one more hand is played"
    STOP = "stop", "It stops and does not count"


class Tournament(models.Model):
    """Several rounds, each seating every entrant at a table."""

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
        default=AVERAGE_TABLE_POINTS,
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

    objects = ClubManager()

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
        return rule_set(self.rules).name

    @property
    def length(self) -> str:
        """How long a round is: ``8 hands``, ``75 minutes``, ``75 minutes, at most 8 hands``."""
        hands, minutes = self.hands_a_round, self.minutes_a_round
        if minutes is None:
            return count_words(hands or 0, "hand")
        at_most = "" if hands is None else f", at most {count_words(hands, 'hand')}"
        return f"{count_words(minutes, 'minute')}{at_most}"

    @property
    def plan(self) -> str:
        """``5 rounds of 8 hands``."""
        return f"{count_words(self.rounds_planned, 'round')} of {self.length}"

    @property
    def drawn_rounds(self) -> int:
        """How many rounds are drawn in advance; later ones are seated by standing."""
        last_drawn_round = (self.by_standing_from or self.rounds_planned + 1) - 1
        return min(last_drawn_round, self.rounds_planned - self.has_final)


class Drawing(models.Model):
    """A drawing of rounds: the request with names, in the format of the seating's command line."""

    tournament = models.ForeignKey(Tournament, on_delete=models.PROTECT, related_name="drawings")
    first_round = models.PositiveSmallIntegerField()
    last_round = models.PositiveSmallIntegerField()
    asked = models.JSONField(help_text="the request of `python -m clubs.seating`")
    made_at = models.DateTimeField(auto_now_add=True)

    objects = TournamentManager()

    class Meta:
        ordering = ["pk"]

    def __str__(self) -> str:
        return f"rounds {self.first_round} to {self.last_round} of {self.tournament}"


class EntrantState(models.TextChoices):
    ENTERED = "entered", "entered"
    WAITING = "waiting", "on the waiting list"
    WITHDRAWN = "withdrawn", "withdrawn"


class EntrantQuerySet(models.QuerySet["Entrant"]):
    def people(self) -> Self:
        return self.filter(is_house=False)

    def entered(self) -> Self:
        """The people who play: neither waiting nor withdrawn, no house players."""
        return self.people().filter(state=EntrantState.ENTERED)

    def ranked(self) -> Self:
        """Who stands in the standings: the entered, and whoever withdrew after being seated."""
        seats = Placement.objects.filter(entrant=OuterRef("pk"))
        has_left = Q(Exists(seats), state=EntrantState.WITHDRAWN)
        return self.people().filter(has_left | Q(state=EntrantState.ENTERED))


EntrantManager = TournamentManager.from_queryset(EntrantQuerySet)


class Entrant(models.Model):
    """A player in a tournament: from the club, a visitor, or a house player.

    A house player fills a table and is not ranked.
    """

    tournament = models.ForeignKey(Tournament, on_delete=models.PROTECT, related_name="entrants")
    number = models.PositiveSmallIntegerField()
    name = models.CharField(max_length=80)
    name_key = models.CharField(max_length=80)
    from_club = models.CharField(max_length=80, blank=True)
    player = models.ForeignKey(
        Player, null=True, blank=True, on_delete=models.PROTECT, related_name="entries"
    )
    team = models.CharField(max_length=80, blank=True)
    couple = models.CharField(
        max_length=80,
        blank=True,
        help_text="the partner's name, or a word that both share: they are seated apart",
    )
    state = models.CharField(
        max_length=10, choices=EntrantState.choices, default=EntrantState.ENTERED
    )
    times_withdrawn = models.PositiveSmallIntegerField(default=0)
    is_house = models.BooleanField(default=False)
    has_paid = models.BooleanField(default=False)
    is_here = models.BooleanField(default=False, help_text="checked in on the day")

    objects = EntrantManager()

    class Meta:
        ordering = ["number"]
        constraints = [
            models.UniqueConstraint(name="one_entrant_number", fields=["tournament", "number"]),
            models.UniqueConstraint(name="one_entrant_name", fields=["tournament", "name_key"]),
        ]

    def __str__(self) -> str:
        return self.name


def substitute_at(hand: int, earlier_sitters: EarlierSitters, now: str) -> str:
    """The substitute who played a hand of a seat; empty: the entrant did.

    ``earlier_sitters`` and ``now`` are the ``earlier_sitters`` and the ``substitute`` of its
    placement.
    """
    return next((name for last, name in earlier_sitters if hand <= last), now)


class Capacity(models.TextChoices):
    """In which capacity someone sat in a seat."""

    ENTRANT = "entrant", "entrant"
    SUBSTITUTE = "substitute", "substitute"
    HOUSE = "house", "house player"


class Placement(models.Model):
    """The entrant that a seat of the score book counts for, and who sat there in which capacity."""

    round = models.ForeignKey(
        "tournaments.Round", on_delete=models.PROTECT, related_name="placements"
    )
    table = models.ForeignKey(
        "tournaments.Table", on_delete=models.PROTECT, related_name="placements"
    )
    entrant = models.ForeignKey(Entrant, on_delete=models.PROTECT, related_name="placements")
    seat = models.OneToOneField(Seat, on_delete=models.PROTECT, related_name="placement")
    capacity = models.CharField(max_length=10, choices=Capacity.choices, default=Capacity.ENTRANT)
    substitute = models.CharField(
        max_length=80, blank=True, help_text="substitute who plays for the entrant now"
    )
    earlier_sitters = models.JSONField(
        default=list,
        blank=True,
        help_text="who sat there before a change in mid-round: last hand and substitute",
    )

    objects = RoundManager()

    class Meta:
        ordering = ["table__number", "seat__number"]
        constraints = [
            models.UniqueConstraint(name="one_seat_a_round", fields=["round", "entrant"]),
            models.CheckConstraint(
                name="a_substitute_has_a_name",
                condition=Q(capacity=Capacity.SUBSTITUTE) ^ Q(substitute=""),
            ),
        ]

    def __str__(self) -> str:
        return f"{self.entrant} at {self.table}"

    @property
    def sitter(self) -> str:
        """The name of the person who sits there now."""
        return self.substitute or self.entrant.name

    @property
    def has_withdrawn(self) -> bool:
        """Whether the entrant withdrew and no one plays for them."""
        return self.entrant.state == EntrantState.WITHDRAWN and not self.substitute

    @property
    def first_hand(self) -> int:
        """The first hand of whoever sits there now."""
        return 1 + self.earlier_sitters[-1][0] if self.earlier_sitters else 1

    def substitute_at(self, hand: int | None) -> str:
        """The substitute who played a hand (None: who plays now); empty: the entrant."""
        if hand is None:
            return self.substitute
        return substitute_at(hand, self.earlier_sitters, self.substitute)

    def seat_from(self, hand: int, substitute: str) -> None:
        """Someone sits there from that hand on: the substitute, or if empty the entrant.

        Whoever played the hands before it keeps them. Nothing is saved.
        """
        runs = [(last, name) for last, name in self.earlier_sitters if last < hand - 1]
        if hand > 1:
            previous_name = substitute_at(hand - 1, self.earlier_sitters, self.substitute)
            runs.append((hand - 1, previous_name))
        names = [*(name for _, name in runs), substitute]
        self.earlier_sitters = [
            run for run, next_name in zip(runs, names[1:], strict=True) if run[1] != next_name
        ]
        self.substitute = substitute
        if substitute:
            self.capacity = Capacity.SUBSTITUTE
        else:
            self.capacity = Capacity.HOUSE if self.entrant.is_house else Capacity.ENTRANT


class PrizeKind(models.TextChoices):
    PLACE = "place", "A place in the standings"
    TEAM = "team", "A place among the teams"
    BEST = "best", "The most of something"
    CLUB = "club", "Best player from a club"
    LAST = "last", "The last place"
    CHOSEN = "chosen", "Chosen by the director"


class Prize(models.Model):
    """A prize of a tournament; its winner follows from the standings unless chosen."""

    tournament = models.ForeignKey(Tournament, on_delete=models.PROTECT, related_name="prizes")
    number = models.PositiveSmallIntegerField(help_text="order in which they are given")
    name = models.CharField(max_length=80)
    gift = models.CharField(max_length=120, blank=True, help_text="what is given")
    kind = models.CharField(max_length=8, choices=PrizeKind.choices)
    place = models.PositiveSmallIntegerField(
        null=True, blank=True, help_text="which place, for a place"
    )
    of = models.CharField(
        max_length=80, blank=True, help_text="metric for the most of something, or a club's name"
    )
    chosen = models.ForeignKey(
        Entrant, null=True, blank=True, on_delete=models.PROTECT, related_name="prizes"
    )

    objects = TournamentManager()

    class Meta:
        ordering = ["number"]
        constraints = [
            models.UniqueConstraint(name="one_prize_number", fields=["tournament", "number"])
        ]

    def __str__(self) -> str:
        return self.name


class RoundState(models.TextChoices):
    SEATED = "seated", "seated"
    PLAYING = "playing", "being played"
    CLOSED = "closed", "closed"


class Round(models.Model):
    """Every entrant at a table, once."""

    tournament = models.ForeignKey(Tournament, on_delete=models.PROTECT, related_name="rounds")
    number = models.PositiveSmallIntegerField()
    state = models.CharField(max_length=10, choices=RoundState.choices, default=RoundState.SEATED)
    sitting_out = models.ManyToManyField(Entrant, blank=True, related_name="rounds_out")
    seated_in_order = models.JSONField(
        default=list,
        blank=True,
        help_text="entrants in order when seated by standings; empty if drawn",
    )
    traded = models.JSONField(
        default=list,
        blank=True,
        help_text="what seating by standings gave up and why, as sentences",
    )
    started_at = models.DateTimeField(null=True, blank=True)
    closed_at = models.DateTimeField(null=True, blank=True)
    paused_at = models.DateTimeField(null=True, blank=True, help_text="when the clock was paused")
    paused_seconds = models.PositiveIntegerField(
        default=0, help_text="how long the clock was paused earlier"
    )
    resumed_at = models.DateTimeField(null=True, blank=True, help_text="when the clock was resumed")
    minutes_added = models.SmallIntegerField(default=0, help_text="for every table")
    rung_at = models.DateTimeField(
        null=True, blank=True, help_text="when the bell was rung early by hand"
    )

    objects = TournamentManager()

    class Meta:
        ordering = ["number"]
        constraints = [
            models.UniqueConstraint(name="one_round_of_a_number", fields=["tournament", "number"]),
            models.UniqueConstraint(
                name="one_round_is_played_at_a_time",
                fields=["tournament"],
                condition=Q(state=RoundState.PLAYING),
            ),
        ]

    def __str__(self) -> str:
        return f"round {self.number} of {self.tournament}"


class Table(models.Model):
    """A table of a round, the game it plays, and its secret link."""

    round = models.ForeignKey(Round, on_delete=models.PROTECT, related_name="tables")
    number = models.PositiveSmallIntegerField()
    game = models.OneToOneField(Game, on_delete=models.PROTECT, related_name="tournament_table")
    link_key = models.CharField(max_length=24, unique=True, default=link_key)
    minutes_added = models.SmallIntegerField(default=0, help_text="for this table alone")
    stopped_at = models.DateTimeField(
        null=True, blank=True, help_text="when the table stopped playing in this round"
    )

    objects = RoundManager()

    class Meta:
        ordering = ["number"]
        constraints = [
            models.UniqueConstraint(name="one_table_in_a_round", fields=["round", "number"])
        ]

    def __str__(self) -> str:
        return f"table {self.number}, {self.round}"


class SeatingChange(models.Model):
    """A manual change of the seating, with the former seats so that it can be undone."""

    tournament = models.ForeignKey(Tournament, on_delete=models.PROTECT, related_name="changes")
    what = models.CharField(max_length=300)
    before = models.JSONField(help_text="the changed rounds: tables, seats and who sat out")
    made_by = models.CharField(max_length=40)
    made_at = models.DateTimeField(auto_now_add=True)
    undone_at = models.DateTimeField(null=True, blank=True)

    objects = TournamentManager()

    class Meta:
        ordering = ["-pk"]

    def __str__(self) -> str:
        return self.what


class Call(models.Model):
    """A table's call for the director; answered once someone has been there."""

    table = models.ForeignKey(Table, on_delete=models.PROTECT, related_name="calls")
    what = models.CharField(max_length=120, blank=True, help_text="what it is about, if they said")
    called_at = models.DateTimeField()
    answered_at = models.DateTimeField(null=True, blank=True)
    answered_by = models.CharField(max_length=40, blank=True)

    objects = TableManager()

    class Meta:
        ordering = ["called_at"]
        constraints = [
            models.UniqueConstraint(
                name="a_table_calls_once_at_a_time",
                fields=["table"],
                condition=Q(answered_at__isnull=True),
            )
        ]

    def __str__(self) -> str:
        return f"{self.table} calls the director"


class RulingKind(models.TextChoices):
    PENALTY = "penalty", "penalty"
    PAYS_FOR_ALL = "pays_for_all", "pays for everyone"
    ADJUSTMENT = "adjustment", "adjustment"


class Ruling(models.Model):
    """A ruling of the director at a table, and why; the points are in the score book's ledger."""

    table = models.ForeignKey(Table, on_delete=models.PROTECT, related_name="rulings")
    kind = models.CharField(max_length=12, choices=RulingKind.choices)
    what = models.CharField(max_length=200, help_text="the mistake and what it costs, in words")
    player = models.ForeignKey(Seat, on_delete=models.PROTECT, related_name="rulings")
    mistake = models.CharField(
        max_length=40, blank=True, help_text="key of the mistake in the rules' scale, if it is one"
    )
    hand_number = models.PositiveSmallIntegerField(
        null=True, blank=True, help_text="the hand that it is about, if it is about one"
    )
    points = models.JSONField(help_text="what each seat gains, by seat number; nothing: a warning")
    reason = models.CharField(max_length=200)
    ruled_by = models.CharField(max_length=40)
    ruled_at = models.DateTimeField()
    submission_id = models.UUIDField(unique=True, default=uuid.uuid4)
    takes_back = models.OneToOneField(
        "self", null=True, blank=True, on_delete=models.PROTECT, related_name="taken_back_by"
    )

    objects = TableManager()

    class Meta:
        ordering = ["pk"]

    def __str__(self) -> str:
        return f"{self.get_kind_display()} at {self.table}"


class StepBack(models.Model):
    """A step that was taken back, and why: a closed round or finished tournament reopened."""

    tournament = models.ForeignKey(Tournament, on_delete=models.PROTECT, related_name="steps_back")
    what = models.CharField(max_length=120)
    reason = models.CharField(max_length=200)
    made_by = models.CharField(max_length=40)
    made_at = models.DateTimeField(auto_now_add=True)

    objects = TournamentManager()

    class Meta:
        ordering = ["-pk"]

    def __str__(self) -> str:
        return self.what


class Printing(models.Model):
    """A long printout that a background job creates: what is on it, and how it is printed."""

    job = models.OneToOneField(
        Job, primary_key=True, on_delete=models.CASCADE, related_name="printing"
    )
    tournament = models.ForeignKey(Tournament, on_delete=models.CASCADE, related_name="printings")
    kind = models.CharField(max_length=20, help_text="which printout, as in its address")
    round = models.PositiveSmallIntegerField(null=True, blank=True, help_text="empty: all rounds")
    form = models.CharField(max_length=40, blank=True, help_text="the print options in words")
    with_code = models.BooleanField(default=False)
    address = models.CharField(max_length=200, help_text="where phones open Tongbox")

    objects = TournamentManager()

    class Meta:
        ordering = ["-job__made_at"]

    def __str__(self) -> str:
        return f"{self.kind} of {self.tournament}"
