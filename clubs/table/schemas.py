"""What the API answers about a table, its hands, sheets and tiles."""

from typing import Any

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from clubs.api.problems import ProblemShape, ProblemsShape
from clubs.table.forms.sheets import Sheet
from clubs.table.rows import HandView, TableView, said_of
from clubs.table.selectors.rules import Cell, PrintedRow
from clubs.table.selectors.tile_entry import Builder


class SeatShape(serializers.Serializer[object]):
    """A seat at the next deal."""

    number = serializers.IntegerField()
    name = serializers.CharField()
    wind = serializers.CharField(allow_null=True)
    is_dealer = serializers.BooleanField()
    points = serializers.IntegerField()


class PaymentShape(serializers.Serializer[object]):
    """Who pays whom."""

    payer = serializers.CharField()
    payee = serializers.CharField()
    points = serializers.IntegerField()


class HandShape(serializers.Serializer[HandView]):
    """A recorded hand: scores and gains by seat number, payments by name."""

    id = serializers.IntegerField(source="row.pk")
    number = serializers.IntegerField(source="row.number")
    outcome = serializers.CharField()
    winner = serializers.IntegerField(source="row.winner", allow_null=True)
    told_by = serializers.CharField(
        source="row.way",
        help_text="totals, tiles, tallies (counted sticks) or winner (only the winner)",
    )
    scores = serializers.DictField(source="row.scores", child=serializers.IntegerField())
    gains = serializers.DictField(source="row.gains", child=serializers.IntegerField())
    winds = serializers.DictField(source="row.winds", child=serializers.CharField())
    dealer = serializers.IntegerField(source="row.dealer")
    prevailing_wind = serializers.CharField(source="row.prevailing_wind", allow_null=True)
    goulash = serializers.BooleanField(source="row.goulash")
    state = serializers.CharField(source="row.state")
    sent_at = serializers.DateTimeField(source="row.sent_at")
    payments = PaymentShape(source="transfers", many=True)
    lines = serializers.DictField(
        source="row.lines", help_text="the engine's lines by seat, where tiles were sent"
    )


class NextHandShape(serializers.Serializer[object]):
    """The deal to be played next."""

    number = serializers.IntegerField()
    winds = serializers.DictField(child=serializers.CharField())
    dealer = serializers.IntegerField()
    prevailing_wind = serializers.CharField(allow_null=True)
    goulash = serializers.BooleanField()
    sits_out = serializers.IntegerField(allow_null=True)


class TableShape(serializers.Serializer[TableView]):
    """A table: who sits where, what was played, what comes next (null when it is over)."""

    number = serializers.IntegerField()
    event = serializers.CharField()
    rules = serializers.CharField(source="game.rules")
    seats = SeatShape(many=True)
    hands = HandShape(many=True)
    next_hand = NextHandShape(source="game.next_deal", allow_null=True)


class StandsShape(ProblemsShape):
    """Another report came first: the recorded hand."""

    stands = HandShape()


class VoiceShape(serializers.Serializer[object]):
    """What one seat has said about a hand."""

    seat = serializers.IntegerField()
    name = serializers.CharField()
    wind = serializers.CharField()
    state = serializers.CharField(
        help_text="agreed, objects, waiting, or lapsed (agreed, but the hand has changed since)"
    )


class ObjectionShape(serializers.Serializer[object]):
    """Who reported a problem with a hand, in what words and when."""

    name = serializers.CharField()
    words = serializers.CharField(allow_blank=True)
    since = serializers.DateTimeField()


class SaidShape(serializers.Serializer[object]):
    """A hand and what was said about it. Send ``shown`` back to agree or report a problem."""

    hand = HandShape()
    shown = serializers.CharField(
        help_text="a mark of the current hand: send it back with your answer"
    )
    asked_of = serializers.CharField(
        source="consent.policy", help_text="who must agree: all, two, scorer or none"
    )
    voices = VoiceShape(many=True)
    objections = ObjectionShape(many=True)
    is_open = serializers.BooleanField(help_text="whether anyone still has to answer")
    sentence = serializers.CharField(help_text="who has agreed and who has not, in words")
    ruling = serializers.CharField(
        allow_blank=True, help_text="the scorer’s words, if the scorer has decided"
    )


class PreviewShape(serializers.Serializer[HandView]):
    """A hand as it would be recorded, and who would pay whom. Nothing is saved."""

    number = serializers.IntegerField(source="row.number")
    is_in_the_book = serializers.SerializerMethodField(
        help_text="true if this hand was sent before and is recorded"
    )
    outcome = serializers.CharField()
    winner = serializers.IntegerField(source="row.winner", allow_null=True)
    scores = serializers.DictField(source="row.scores", child=serializers.IntegerField())
    gains = serializers.DictField(source="row.gains", child=serializers.IntegerField())
    winds = serializers.DictField(source="row.winds", child=serializers.CharField())
    payments = PaymentShape(source="transfers", many=True)
    sentences = serializers.SerializerMethodField(help_text="who pays whom, in words")
    sticks = serializers.SerializerMethodField(help_text="which sticks are paid, in sentences")
    lines = serializers.DictField(
        source="row.lines", help_text="the engine's lines by seat, where tiles were sent"
    )

    def get_is_in_the_book(self, hand: HandView) -> bool:
        """Whether it is stored."""
        return hand.row.pk is not None

    def get_sentences(self, hand: HandView) -> list[str]:
        """``Margaret pays Dilip 120.``"""
        return said_of(hand)

    def get_sticks(self, hand: HandView) -> list[str]:
        """``Margaret passes Dilip one stick of 100.``"""
        words: list[str] = self.context["sticks"](hand)
        return words


class MovedHandShape(serializers.Serializer[object]):
    """A hand before and after a correction; null if it is new or removed."""

    number = serializers.IntegerField()
    before = PreviewShape(allow_null=True)
    after = PreviewShape(allow_null=True)


class CorrectionShape(serializers.Serializer[object]):
    """What a correction changes: the hand, and later hands whose deal changes."""

    done = serializers.BooleanField(help_text="false for a preview")
    hands = MovedHandShape(many=True)


class TakenBackShape(serializers.Serializer[object]):
    """A hand that the table undid."""

    hand = HandShape()
    taken_by = serializers.CharField()
    taken_at = serializers.DateTimeField()


class BookShape(serializers.Serializer[object]):
    """Every hand of a table with what was said about it, and hands that no longer count."""

    hands = SaidShape(many=True)
    corrected = HandShape(many=True, help_text="hands that a correction has replaced")
    taken_back = TakenBackShape(many=True)


class SeatLinkShape(serializers.Serializer[object]):
    """The link of one seat, for that player only."""

    seat = serializers.IntegerField()
    name = serializers.CharField()
    wind = serializers.CharField(allow_null=True)
    key = serializers.CharField()
    address = serializers.CharField(help_text="the page for the player to open")


class SentHandShape(serializers.Serializer[object]):
    """What happened to one of the hands that were sent."""

    submission_id = serializers.UUIDField()
    number = serializers.IntegerField()
    outcome = serializers.ChoiceField(
        choices=["saved", "was_there", "stands", "taken_back", "faulty", "not_now"],
        help_text="saved: new; was_there: already recorded; stands: another report is recorded "
        "(see hand); taken_back: the table undid it; faulty: see problems; "
        "not_now: no hand can be entered here now",
    )
    hand = HandShape(allow_null=True, help_text="the recorded hand with that number, if any")
    problems = serializers.ListField(child=serializers.DictField(child=serializers.CharField()))


class SentHandsShape(serializers.Serializer[object]):
    """What happened to each hand, in the order they were sent."""

    hands = SentHandShape(many=True)


class ComingDealShape(serializers.Serializer[object]):
    """A possible deal."""

    winds = serializers.CharField(help_text="by seat, such as 1E2S3W4N")
    dealer = serializers.IntegerField()
    prevailing = serializers.CharField(allow_blank=True)
    goulash = serializers.BooleanField()


class AheadShape(serializers.Serializer[object]):
    """The possible deals, as kinds of deal and as states that lead to one another.

    A state is a row: its key, the index of its deal, then the index of the state
    after a drawn hand and after Mah-Jong by each seat (-1: the game ends; null: not that seat).
    """

    deals = ComingDealShape(many=True)
    states = serializers.ListField(child=serializers.ListField(child=serializers.JSONField()))


class RepairShape(serializers.Serializer[object]):
    """A correction of several hands."""

    id = serializers.IntegerField(source="pk")
    where = serializers.CharField()
    words = serializers.CharField()
    reason = serializers.CharField()
    made_at = serializers.DateTimeField()
    until = serializers.DateTimeField(help_text="until when it can be undone")
    undone_at = serializers.DateTimeField(allow_null=True)
    can_be_undone = serializers.BooleanField()


class BriefHandShape(serializers.Serializer[HandView]):
    """A hand in brief."""

    outcome = serializers.CharField()
    winner = serializers.IntegerField(source="row.winner", allow_null=True)
    scores = serializers.DictField(source="row.scores", child=serializers.IntegerField())
    gains = serializers.DictField(source="row.gains", child=serializers.IntegerField())
    winds = serializers.DictField(source="row.winds", child=serializers.CharField())


class ChangedHandShape(serializers.Serializer[object]):
    """A hand before and after; null if it is new or removed."""

    number = serializers.IntegerField()
    before = BriefHandShape(allow_null=True)
    after = BriefHandShape(allow_null=True)


class ChangedTotalShape(serializers.Serializer[object]):
    """A player’s total before and after."""

    name = serializers.CharField()
    before = serializers.IntegerField()
    after = serializers.IntegerField()


class ChangedTableShape(serializers.Serializer[object]):
    """What changes at one table."""

    title = serializers.CharField()
    hands = ChangedHandShape(many=True)
    totals = ChangedTotalShape(many=True)


class MoverShape(serializers.Serializer[object]):
    """A player whose place or scores change."""

    name = serializers.CharField(source="after.name")
    before = serializers.CharField(source="before.place", help_text="the place, such as 3=")
    after = serializers.CharField(source="after.place")
    words = serializers.CharField()


class MovedRankingShape(serializers.Serializer[object]):
    """A ranking that changes."""

    title = serializers.CharField()
    moves = MoverShape(many=True)


class RepairedShape(serializers.Serializer[object]):
    """What a correction changes."""

    done = serializers.BooleanField(help_text="false for a preview")
    words = serializers.CharField()
    mark = serializers.CharField(help_text="of the tables in the preview")
    tables = ChangedTableShape(many=True)
    moved = MovedRankingShape(many=True)


class SheetColumnShape(serializers.Serializer[object]):
    """A column of the sheet: a seat and its starting wind."""

    seat = serializers.IntegerField()
    name = serializers.CharField()
    wind = serializers.CharField(allow_null=True)


class SheetFigureShape(serializers.Serializer[object]):
    """What the paper and the score book have for one player."""

    name = serializers.CharField()
    paper = serializers.CharField()
    book = serializers.CharField()
    differs = serializers.BooleanField()


class SheetChoiceShape(serializers.Serializer[object]):
    """A difference between the paper and the score book."""

    key = serializers.CharField()
    made = serializers.CharField(allow_blank=True, help_text="paper, book, or empty")
    is_open = serializers.BooleanField()


class LoneHandShape(serializers.Serializer[object]):
    """A recorded hand that is missing from the paper."""

    stands = BriefHandShape()
    choice = SheetChoiceShape()


class SheetRowShape(serializers.Serializer[object]):
    """A row of the paper compared with the score book."""

    number = serializers.IntegerField()
    submission_id = serializers.UUIDField()
    stands_as = serializers.CharField(
        source="kind",
        help_text="new, same, other (the score book differs) or extra (not in the score book)",
    )
    hand = BriefHandShape(allow_null=True, help_text="as it would be recorded")
    problems = serializers.ListField(child=serializers.CharField())
    is_unexplained = serializers.BooleanField(help_text="whether no scores lead to these gains")
    stands = BriefHandShape(allow_null=True, help_text="what the score book has")
    figures = SheetFigureShape(many=True)
    choice = SheetChoiceShape(allow_null=True)
    before = LoneHandShape(many=True, help_text="recorded hands that come before it")


class SheetSumShape(serializers.Serializer[object]):
    """The total of a column, and the total at the foot of the paper."""

    seat = serializers.IntegerField()
    name = serializers.CharField()
    total = serializers.IntegerField()
    typed = serializers.CharField(allow_blank=True)
    is_wrong = serializers.BooleanField()


class SheetShape(serializers.Serializer[Sheet]):
    """A sheet, checked row by row."""

    is_saved = serializers.SerializerMethodField()
    saved = serializers.SerializerMethodField(
        help_text="how many hands were added to the score book"
    )
    first = serializers.IntegerField(help_text="the hand of the first row")
    kind = serializers.CharField()
    columns = serializers.SerializerMethodField()
    rows = serializers.SerializerMethodField(help_text="rows that are filled in")
    does_not_fit = serializers.ListField(source="unfit", child=serializers.CharField())
    open_choices = serializers.IntegerField()
    changed = serializers.IntegerField(help_text="how many recorded entries it changes")
    same = serializers.IntegerField(help_text="how many rows already match the score book")
    beyond = serializers.ListField(
        child=serializers.IntegerField(), help_text="recorded hands after the end of the paper"
    )
    can_be_saved = serializers.BooleanField()
    sums = SheetSumShape(source="foot.sums", many=True)
    foot = serializers.ListField(
        source="foot.sentences",
        child=serializers.CharField(),
        help_text="how far the total differs, and what may be wrong",
    )

    def get_is_saved(self, sheet: Sheet) -> bool:  # noqa: ARG002
        """Whether it has been saved."""
        return bool(self.context["is_saved"])

    def get_saved(self, sheet: Sheet) -> int:  # noqa: ARG002
        """How many hands are new in the score book."""
        return int(self.context["saved"])

    @extend_schema_field(SheetColumnShape(many=True))
    def get_columns(self, sheet: Sheet) -> Any:
        """The players in the order of the paper."""
        columns = [{"seat": s, "name": name, "wind": wind} for s, name, wind in sheet.columns]
        return SheetColumnShape(columns, many=True).data

    @extend_schema_field(SheetRowShape(many=True))
    def get_rows(self, sheet: Sheet) -> Any:
        """The rows that are not blank."""
        return SheetRowShape([row for row in sheet.rows if not row.is_blank], many=True).data


class SheetTroubleShape(ProblemsShape):
    """What prevents saving, and the checked sheet."""

    sheet = SheetShape(required=False, help_text="missing if the request could not be read")


class StackedSheetShape(serializers.Serializer[object]):
    """One table’s paper score sheet."""

    number = serializers.IntegerField()
    names = serializers.ListField(child=serializers.CharField())
    state = serializers.CharField(help_text="none, half, some or whole")
    words = serializers.CharField()
    typed = serializers.IntegerField(help_text="hands entered by an organiser")
    by_phone = serializers.IntegerField(help_text="hands entered at the table")
    planned = serializers.IntegerField(allow_null=True)
    disputed = serializers.IntegerField()
    is_over = serializers.BooleanField()


class SetWorthShape(serializers.Serializer[object]):
    """A set of a tile and, in words, what it is worth."""

    name = serializers.CharField()
    tiles = serializers.ListField(child=serializers.CharField())
    exposed = serializers.CharField()
    concealed = serializers.CharField()


class AboutTileShape(serializers.Serializer[object]):
    """One tile."""

    code = serializers.CharField()
    name = serializers.CharField()
    said = serializers.ListField(child=serializers.CharField())
    sets = SetWorthShape(many=True)


class AidLineShape(serializers.Serializer[object]):
    """A line of the rules."""

    name = serializers.CharField()
    words = serializers.CharField(allow_blank=True)
    worth = serializers.CharField(allow_blank=True)
    tiles = serializers.ListField(child=serializers.CharField())


class AidPartShape(serializers.Serializer[object]):
    """A table of the rules."""

    title = serializers.CharField()
    note = serializers.CharField(allow_blank=True)
    lines = AidLineShape(many=True)


class AidShape(serializers.Serializer[object]):
    """Every tile, the tile that was asked about, and the rules as a crib sheet."""

    rules = serializers.CharField(source="rules.key")
    own = serializers.CharField(source="asker.own")
    prevailing = serializers.CharField(source="asker.prevailing", allow_null=True)
    tiles = serializers.ListField(
        source="rows", child=serializers.ListField(child=serializers.CharField())
    )
    tile = AboutTileShape(allow_null=True)
    parts = AidPartShape(many=True)


class ChoiceShape(serializers.Serializer[object]):
    """An answer, and the tap that gives it."""

    tap = serializers.CharField()
    words = serializers.CharField(source="label")
    is_chosen = serializers.BooleanField()


class QuestionShape(serializers.Serializer[object]):
    """A question about the hand."""

    name = serializers.CharField()
    words = serializers.CharField(source="label")
    choices = ChoiceShape(many=True)


class GroupShape(serializers.Serializer[object]):
    """Some tiles of the hand, and the taps that turn or remove them (empty: not available)."""

    tiles = serializers.ListField(child=serializers.CharField())
    name = serializers.CharField()
    state = serializers.CharField(allow_blank=True)
    turn = serializers.CharField(allow_blank=True)
    take = serializers.CharField(allow_blank=True)
    split = serializers.CharField(allow_blank=True)
    joker = serializers.CharField(allow_blank=True)


class ScoreLineShape(serializers.Serializer[object]):
    """A line of the score."""

    name = serializers.CharField()
    tiles = serializers.ListField(child=serializers.CharField())
    worth = serializers.CharField(help_text="in words, for example 1 double or points")


class BuilderShape(serializers.Serializer[Builder]):
    """A hand while it is being tapped."""

    rules = serializers.CharField(source="rules.key")
    hand = serializers.CharField(help_text="the hand as text; send it back with more taps")
    was = serializers.CharField(
        allow_blank=True, help_text="earlier versions of the hand, for undoing"
    )
    state = serializers.CharField(help_text="one sentence: what is missing, or how the hand ended")
    refused = serializers.ListField(
        child=serializers.CharField(), help_text="a sentence for each tap that had no effect"
    )
    said_mahjong = serializers.BooleanField(source="draft.won")
    is_whole = serializers.BooleanField(
        source="told.is_whole",
        help_text="whether the hand is complete, so that the total is its score",
    )
    total = serializers.IntegerField(source="told.total", allow_null=True)
    basic = serializers.IntegerField(source="told.basic", allow_null=True)
    doubles = serializers.IntegerField(source="told.doubles", allow_null=True)
    is_limited = serializers.BooleanField(source="told.limited")
    lines = ScoreLineShape(many=True)
    lacking = serializers.ListField(source="told.lacking", child=serializers.CharField())
    notices = serializers.ListField(
        child=serializers.CharField(), help_text="entries that cannot have happened"
    )
    near = serializers.ListField(
        source="told.near", child=serializers.CharField(), help_text="special hands it is close to"
    )
    waits = serializers.ListField(
        source="told.waits", child=serializers.CharField(), help_text="tiles that would complete it"
    )
    groups = GroupShape(many=True)
    bonus = serializers.ListField(child=serializers.CharField())
    outcome = QuestionShape()
    ending = QuestionShape(many=True)
    table = QuestionShape(many=True)


class ScoredLineShape(serializers.Serializer[dict[str, Any]]):
    """A line of a score; it has one of points, doubles and value, the others are null."""

    name = serializers.CharField()
    tiles = serializers.ListField(child=serializers.CharField())
    points = serializers.SerializerMethodField()
    doubles = serializers.SerializerMethodField()
    value = serializers.SerializerMethodField(method_name="get_fixed")

    def get_points(self, line: dict[str, Any]) -> int | None:
        """Points added."""
        return line.get("points")

    def get_doubles(self, line: dict[str, Any]) -> int | None:
        """How many times the total is doubled."""
        return line.get("doubles")

    def get_fixed(self, line: dict[str, Any]) -> int | None:
        """A fixed score that replaces everything else."""
        return line.get("value")


class ArrangedSetShape(serializers.Serializer[object]):
    """A set as the engine read it."""

    tiles = serializers.ListField(child=serializers.CharField())
    exposed = serializers.BooleanField()


class ReckoningShape(serializers.Serializer[object]):
    """What a hand scores."""

    total = serializers.IntegerField(help_text="after any limit")
    basic = serializers.IntegerField(allow_null=True, help_text="before doubling")
    doubles = serializers.IntegerField(allow_null=True)
    special = serializers.CharField(allow_null=True, help_text="the key of the special hand")
    fishing = serializers.BooleanField()
    limited = serializers.BooleanField(help_text="whether the limit reduced it")
    items = ScoredLineShape(many=True)
    arrangement = ArrangedSetShape(many=True)
    notices = ProblemShape(many=True, help_text="a note, not an error")


class RulesRowShape(serializers.Serializer[PrintedRow]):
    """A line of the rules."""

    cells = serializers.SerializerMethodField()
    change = serializers.CharField(
        allow_blank=True, help_text="empty: as in the rule book; otherwise what has changed"
    )

    def get_cells(self, row: PrintedRow) -> list[str]:
        """The texts of its cells."""
        return _texts(row.cells)


class RulesSectionShape(serializers.Serializer[object]):
    """A table of the rules."""

    title = serializers.CharField()
    note = serializers.CharField(allow_blank=True)
    heads = serializers.SerializerMethodField()
    rows = RulesRowShape(many=True)

    @extend_schema_field(serializers.ListField(child=serializers.CharField()))
    def get_heads(self, section: Any) -> list[str]:
        """The texts above its columns."""
        return _texts(section.heads)


class RulesShape(serializers.Serializer[object]):
    """A rule set, whole, as it is printed; the very lines that score."""

    key = serializers.CharField(source="rules.key")
    name = serializers.CharField(source="rules.name")
    limit = serializers.IntegerField(source="rules.limit", allow_null=True)
    book = serializers.CharField(source="book.key", help_text="that house rules start from")
    sections = RulesSectionShape(many=True)


def _texts(cells: tuple[Cell, ...]) -> list[str]:
    return [cell.text for cell in cells]
