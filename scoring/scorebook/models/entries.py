"""The ledger, the links of the books' chains, and repairs of many hands at once."""

from django.db import models
from django.db.models import Q

from scoring.scorebook.models.games import Book, Game, Seat
from scoring.scorebook.models.hands import Agreement, Decision, Hand


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
            models.UniqueConstraint(name="a_repair_has_a_game_once", fields=["repair", "game"]),
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
    digest = models.CharField(max_length=64, unique=True)
    written_at = models.DateTimeField()

    class Meta:
        ordering = ["book_id", "number"]
        constraints = [
            models.UniqueConstraint(name="one_link_of_a_number", fields=["book", "number"]),
            models.CheckConstraint(name="links_count_from_1", condition=Q(number__gte=1)),
        ]

    def __str__(self) -> str:
        return f"link {self.number} of book {self.book_id}: {self.get_kind_display()}"
