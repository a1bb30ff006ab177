"""Books, games, seats, hands and the ledger's entries."""

import uuid
from collections.abc import Mapping
from functools import reduce
from operator import or_
from typing import Any, Final

from django.db import models
from django.db.models import F, Q

SEAT_NUMBERS = (1, 2, 3, 4, 5)


class Book(models.Model):
    """Everything that was written about the games of one evening or tournament, in its order."""

    length = models.PositiveIntegerField(default=0)
    head = models.CharField(max_length=64, blank=True, help_text="the last link's digest")
    moves = models.JSONField(
        default=list,
        blank=True,
        help_text="of a book from elsewhere: keys that its links seal, and the keys here",
    )

    def __str__(self) -> str:
        return f"book {self.pk}"


class AgreementPolicy(models.TextChoices):
    """Who must say that a hand is right before it counts as agreed."""

    ALL = "all", "Everyone who played the hand"
    TWO = "two", "Any two players"
    SCORER = "scorer", "The scorer alone"
    NONE = "none", "No one: hands count as entered"


class Recording(models.TextChoices):
    """What a table tells of a hand."""

    TOTALS = "totals", "What each hand scored"
    TILES = "tiles", "The tiles of each hand"
    TALLIES = "tallies", "Each player’s stick count after the hand"
    WINNER = "winner", "Only who went Mah-Jong"


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


def hands_played_before(opening: Mapping[str, Any] | None) -> int:
    """How many hands the table had played, from the ``opening`` of a game."""
    return int(opening.get("hands", 0)) if opening else 0


class Game(models.Model):
    """Two to five seats that play hands one after another under one edition of a rule set."""

    rules = models.CharField(max_length=40, help_text="edition key, such as bmja/2008")
    size = models.PositiveSmallIntegerField(help_text="how many seats, 2 to 5")
    wind_rounds = models.PositiveSmallIntegerField(null=True, blank=True)
    hands_planned = models.PositiveSmallIntegerField(null=True, blank=True)
    agreement = models.CharField(
        max_length=8, choices=AgreementPolicy.choices, default=AgreementPolicy.ALL
    )
    first_dealer = models.PositiveSmallIntegerField(
        default=1, help_text="seat that deals the first hand; 1 unless the rules leave it open"
    )
    exchanges = models.JSONField(
        default=list,
        blank=True,
        help_text="[hand, seat, seat]: from that hand on the two sit in each other's place",
    )
    continues = models.OneToOneField(
        "self",
        null=True,
        blank=True,
        on_delete=models.PROTECT,
        related_name="continued_by",
        help_text="the game of the table that this one carries on",
    )
    opening = models.JSONField(
        null=True,
        blank=True,
        help_text="seats: those of the game before that each seat carries on; state: how it stood; "
        "hands: how many the table had played",
    )
    book = models.ForeignKey(
        Book, null=True, blank=True, on_delete=models.PROTECT, related_name="games"
    )
    closed_at = models.DateTimeField(null=True, blank=True)
    made_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        constraints = [
            models.CheckConstraint(name="game_has_2_to_5_seats", condition=Q(size__range=(2, 5)))
        ]

    def __str__(self) -> str:
        return f"game {self.pk} ({self.rules})"

    @property
    def hands_before(self) -> int:
        """How many hands the table had played when this game carried on another one."""
        return hands_played_before(self.opening)

    @property
    def is_closed(self) -> bool:
        return self.closed_at is not None


class Seat(models.Model):
    """A place in a game, numbered anticlockwise from the first East, with its totals so far."""

    game = models.ForeignKey(Game, on_delete=models.PROTECT, related_name="seats")
    number = models.PositiveSmallIntegerField()
    points = models.IntegerField(default=0, help_text="sum of the seat's ledger")
    hands = models.PositiveSmallIntegerField(default=0, help_text="hands played, not sat out")
    mahjongs = models.PositiveSmallIntegerField(default=0)
    best_hand = models.PositiveIntegerField(default=0, help_text="highest score of a Mah-Jong")

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
            *(
                models.CheckConstraint(
                    name=f"score_{number}_within_limit",
                    condition=Q(**{f"score_{number}__isnull": True})
                    | (
                        Q(**{f"score_{number}__gte": 0})
                        & (Q(limit__isnull=True) | Q(**{f"score_{number}__lte": F("limit")}))
                    ),
                )
                for number in SEAT_NUMBERS
            ),
        ]

    def __str__(self) -> str:
        return f"hand {self.number} of game {self.game_id}"

    @property
    def number_at_table(self) -> int:
        """As people count: hands before a change of players count too; reads the game."""
        return self.game.hands_before + self.number

    @property
    def scores(self) -> dict[int, int]:
        """Each seat's score, for the seats that have one."""
        columns = {number: getattr(self, f"score_{number}") for number in SEAT_NUMBERS}
        return {number: score for number, score in columns.items() if score is not None}

    @property
    def winner_scores(self) -> dict[int, int]:
        """The winner's score by seat: a best hand is a Mah-Jong's. Empty where it was drawn."""
        return {number: score for number, score in self.scores.items() if number == self.winner}

    @property
    def gains(self) -> dict[int, int]:
        """Each seat's net of the hand, for the seats that played it."""
        return {int(seat): getattr(self, f"gain_{seat}") for seat in self.deal["winds"]}


def mahjong_of_score(score: int) -> Q:
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
            models.UniqueConstraint(name="a_seat_taps_one_hand", fields=["game", "number", "seat"])
        ]

    def __str__(self) -> str:
        return f"seat {self.seat}, hand {self.number} of game {self.game_id}"


class EntryKind(models.TextChoices):
    """Why a seat's total moved."""

    HAND = "hand", "hand"
    REVERSAL = "reversal", "undone"
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


class RepairKind(models.TextChoices):
    """What had gone wrong."""

    SEATS = "seats", "two players sat in each other's seats"
    FIGURES = "figures", "two players' scores were swapped"
    WINNER = "winner", "another player went Mah-Jong"
    SHEETS = "sheets", "two tables' score sheets were swapped"


class Repair(models.Model):
    """Several hands put right in one go; it can be taken back for a day."""

    kind = models.CharField(max_length=10, choices=RepairKind.choices)
    words = models.CharField(max_length=300, help_text="what was done, in a sentence")
    reason = models.CharField(max_length=200)
    made_by = models.CharField(max_length=40)
    made_at = models.DateTimeField()
    undone_at = models.DateTimeField(null=True, blank=True)
    undone_by = models.CharField(max_length=40, blank=True)

    class Meta:
        ordering = ["-pk"]

    def __str__(self) -> str:
        return self.words


class RepairedGame(models.Model):
    """One game of a repair: how it stood before, so that it can stand so again."""

    repair = models.ForeignKey(Repair, on_delete=models.PROTECT, related_name="games")
    game = models.ForeignKey(Game, on_delete=models.PROTECT, related_name="repairs")
    before = models.JSONField(
        help_text="exchanges, length, the reports of the hands that went, those disputed"
    )
    after = models.JSONField(
        help_text="exchanges and length, the keys of the hands that the repair wrote"
    )

    class Meta:
        ordering = ["pk"]
        constraints = [
            models.UniqueConstraint(name="a_repair_has_a_game_once", fields=["repair", "game"])
        ]

    def __str__(self) -> str:
        return f"{self.repair} (game {self.game_id})"


class LinkKind(models.TextChoices):
    """What was written."""

    HAND = "hand", "a hand was recorded"
    TAKEN_BACK = "taken_back", "a hand was undone"
    SAID = "said", "a player agreed a hand or reported a problem"
    DECIDED = "decided", "the scorer kept a hand as entered"
    ADJUSTED = "adjusted", "a penalty or bonus was entered"
    REPAIRED = "repaired", "several hands were corrected"
    UNDONE = "undone", "a correction was undone"


class Link(models.Model):
    """One writing in an event's book, sealed over everything before it; never changed."""

    book = models.ForeignKey(Book, on_delete=models.PROTECT, related_name="links")
    number = models.PositiveIntegerField()
    kind = models.CharField(max_length=10, choices=LinkKind.choices)
    hand = models.ForeignKey(
        Hand, null=True, blank=True, on_delete=models.PROTECT, related_name="links"
    )
    agreement = models.OneToOneField(
        Agreement, null=True, blank=True, on_delete=models.PROTECT, related_name="link"
    )
    decision = models.OneToOneField(
        Decision, null=True, blank=True, on_delete=models.PROTECT, related_name="link"
    )
    entry = models.OneToOneField(
        LedgerEntry, null=True, blank=True, on_delete=models.PROTECT, related_name="link"
    )
    repair = models.ForeignKey(
        Repair, null=True, blank=True, on_delete=models.PROTECT, related_name="links"
    )
    state = models.CharField(max_length=10, blank=True, help_text="the hand's, after it")
    sealed = models.TextField(help_text="what was written, as scoring.scorebook.ledger has it")
    digest = models.CharField(max_length=64)
    written_at = models.DateTimeField()

    class Meta:
        ordering = ["book_id", "number"]
        constraints = [
            models.UniqueConstraint(name="one_link_of_a_number", fields=["book", "number"]),
            models.CheckConstraint(name="links_count_from_1", condition=Q(number__gte=1)),
        ]
        # A copy of a club has the same links once more.
        indexes = [models.Index(name="links_by_digest", fields=["digest"])]

    def __str__(self) -> str:
        return f"link {self.number} of book {self.book_id}: {self.get_kind_display()}"


# Each table of a book, and the way from a row to it. Editions are for all books.
PATHS_TO_BOOK: Final[Mapping[type[models.Model], str]] = {
    Book: "",
    Game: "book",
    Seat: "game__book",
    Hand: "game__book",
    Agreement: "hand__game__book",
    Decision: "hand__game__book",
    LedgerEntry: "seat__game__book",
    Repair: "games__game__book",
    RepairedGame: "game__book",
    Link: "book",
    TappedHand: "game__book",
}
