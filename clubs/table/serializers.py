"""What the API answers about a table, its hands, sheets and tiles."""

from collections.abc import Mapping
from typing import Any

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from clubs.api.answers import ProblemSerializer, ProblemsSerializer
from clubs.api.fields import OneOfField, WindField
from clubs.api.rows import serializer_of
from clubs.table.event import PlayedTable
from clubs.table.forms import sheet_rows
from clubs.table.forms.sheets import GAINS, SCORES, ColumnSum, TypedSheet
from clubs.table.rankings import PlayerMove, RankingChange
from clubs.table.rows import (
    EarlierGame,
    HandView,
    RulingChange,
    ScoreLine,
    SeatPayment,
    SeatRow,
    doubts_about,
)
from clubs.table.selectors import rules, tile_entry
from clubs.table.selectors.reviews import (
    HandRemark,
    HandRemoval,
    HandReview,
    Objection,
    Receipt,
    SeatAgreement,
)
from scoring.notes import Note, Publication
from scoring.scorebook.selectors import RepairRow
from scoring.table.progression import Deal

SeatSerializer = serializer_of(
    "SeatSerializer",
    SeatRow,
    "seat=number ids.player_id ids.entrant_id name wind is_dealer points",
    wind="null if nobody at this seat plays the next hand",
)

NextHandSerializer = serializer_of(
    "NextHandSerializer",
    Deal,
    "number winds dealer prevailing_wind goulash sits_out",
    "The deal to be played next.",
)

SeatAgreementSerializer = serializer_of(
    "SeatAgreementSerializer",
    SeatAgreement,
    "seat name wind state",
    state=OneOfField(
        choices=["agreed", "objects", "waiting", "lapsed"],
        help_text="lapsed: agreed, but the hand has changed since",
    ),
)
ObjectionSerializer = serializer_of("ObjectionSerializer", Objection, "name text since")
HandRemarkSerializer = serializer_of("HandRemarkSerializer", HandRemark, "name answer note at")
HandRemovalSerializer = serializer_of(
    "HandRemovalSerializer", HandRemoval, "was_corrected by=removed_by at reason replaced_by"
)

RulingChangeSerializer = serializer_of(
    "RulingChangeSerializer", RulingChange, "title before after note"
)

EarlierGameSerializer = serializer_of(
    "EarlierGameSerializer", EarlierGame, "game_id hands key waiting"
)

ListedCorrectionSerializer = serializer_of(
    "ListedCorrectionSerializer",
    RepairRow,
    "id where text=words reason made_at until undone_at can_be_undone",
    "A correction of several hands.",
    id=serializers.IntegerField(source="pk"),
    where=serializers.CharField(),
    until="until when it can be undone",
    can_be_undone=serializers.BooleanField(),
)

BriefHandSerializer = serializer_of(
    "BriefHandSerializer",
    HandView,
    "outcome row.winner row.scores row.gains row.winds",
    "A hand in brief.",
)

PlaceChangeSerializer = serializer_of(
    "PlaceChangeSerializer",
    PlayerMove,
    "new_row.name before=old_row.place after=new_row.place text",
    before="the place, such as 3=",
)

MovedRankingSerializer = serializer_of(
    "MovedRankingSerializer", RankingChange, "title moves", moves=PlaceChangeSerializer
)

SheetFigureSerializer = serializer_of(
    "SheetFigureSerializer", sheet_rows.ComparedFigure, "name paper book differs"
)
SheetChoiceSerializer = serializer_of(
    "SheetChoiceSerializer", sheet_rows.RowChoice, "key decision is_open"
)

LoneHandSerializer = serializer_of(
    "LoneHandSerializer",
    sheet_rows.LoneHand,
    "recorded_hand=stands choice",
    recorded_hand=BriefHandSerializer,
    choice=SheetChoiceSerializer,
)

SheetRowSerializer = serializer_of(
    "SheetRowSerializer",
    sheet_rows.SheetRow,
    "number submission_id comparison=kind hand problems is_unexplained recorded_hand=stands "
    "figures choice before=lone_hands",
    hand=BriefHandSerializer,
    recorded_hand=BriefHandSerializer(
        source="stands", allow_null=True, help_text="what the score book has"
    ),
    figures=SheetFigureSerializer(many=True),
    choice=SheetChoiceSerializer,
    before=LoneHandSerializer,
)

SheetSumSerializer = serializer_of(
    "SheetSumSerializer", ColumnSum, "seat name total typed is_wrong"
)

SetWorthSerializer = serializer_of(
    "SetWorthSerializer", rules.SetWorth, "name tiles exposed concealed"
)

TileInfoSerializer = serializer_of(
    "TileInfoSerializer", rules.TileInfo, "code name notes sets", sets=SetWorthSerializer
)

AidLineSerializer = serializer_of("AidLineSerializer", rules.AidLine, "name text worth tiles")
AidPartSerializer = serializer_of(
    "AidPartSerializer", rules.AidPart, "title note lines", lines=AidLineSerializer
)

AidSerializer = serializer_of(
    "AidSerializer",
    rules.Aid,
    "rules=rules.key own=asker.own_wind asker.prevailing tiles=rows tile parts",
    tile=TileInfoSerializer,
    parts=AidPartSerializer,
)

ChoiceSerializer = serializer_of(
    "ChoiceSerializer", tile_entry.TapChoice, "tap text=label is_chosen"
)

QuestionSerializer = serializer_of(
    "QuestionSerializer",
    tile_entry.HandQuestion,
    "name text=label choices",
    choices=ChoiceSerializer,
)

TileGroupSerializer = serializer_of(
    "TileGroupSerializer", tile_entry.GroupRow, "tiles name state turn take split joker"
)
ScoreLineSerializer = serializer_of("ScoreLineSerializer", ScoreLine, "name tiles worth source")

TappedHandSerializer = serializer_of(
    "TappedHandSerializer",
    tile_entry.Builder,
    "rules=rules.key hand was=earlier_text state refused=refusals is_mahjong=draft.won "
    "score.is_whole score.total "
    "score.basic score.doubles score.is_limited lines missing=score.lacking notices "
    "close_to=score.near_sentences waiting_tiles=score.waits groups bonus outcome ending table",
    is_whole="whether the hand is complete, so that the total is its score",
    lines=ScoreLineSerializer,
    close_to="special hands it is close to",
    waiting_tiles="tiles that would complete it",
    groups=TileGroupSerializer,
    outcome=QuestionSerializer,
    ending=QuestionSerializer,
    table=QuestionSerializer,
)

RuleBookSerializer = serializer_of(
    "RuleBookSerializer",
    Publication,
    "name text",
    name="the name that sources use",
    text="what the book is",
)

RuleNoteSerializer = serializer_of(
    "RuleNoteSerializer",
    Note,
    "number title text",
    number="the number by which sources name the note",
    title="what the note is about",
    text="what the book leaves open, how it is played here, and why",
)


class PaymentSerializer(serializers.Serializer[SeatPayment]):
    """Who pays whom, by their seats."""

    payer = serializers.IntegerField(help_text="the seat that pays")
    payee = serializers.IntegerField(help_text="the seat that is paid")
    points = serializers.IntegerField()

    @staticmethod
    def cell(row: Mapping[str, Any]) -> str:
        """``seat 2 to seat 1: 60``."""
        return f"seat {row['payer']} to seat {row['payee']}: {row['points']}"


HandSerializer = serializer_of(
    "HandSerializer",
    HandView,
    "id=row.pk row.number outcome row.winner entered_as=row.recording row.scores row.gains "
    "row.winds row.dealer row.prevailing_wind row.goulash row.state row.sent_at payments "
    "lines notices",
    entered_as="totals, tiles, tallies (counted sticks) or winner (only the winner)",
    payments=PaymentSerializer,
    lines=serializers.DictField(
        source="row.lines", help_text="the engine’s lines by seat, where tiles were sent"
    ),
)


class GameSerializer(serializers.Serializer[PlayedTable]):
    """A game: where it is played, who sits where, what was played, what comes next."""

    id = serializers.IntegerField(source="game.pk")
    kind = OneOfField(source="event.kind", choices=["evening", "round"])
    club = serializers.SlugField(source="event.club.slug")
    evening = serializers.SerializerMethodField(help_text="its id; null in a tournament")
    tournament = serializers.SerializerMethodField(help_text="its id; null on an evening")
    round = serializers.SerializerMethodField(help_text="its number; null on an evening")
    table = serializers.SerializerMethodField(help_text="the number of the table")
    held_on = serializers.DateField(source="event.held_on")
    event = serializers.CharField(
        source="stored_view.event", help_text="the evening or round, in words"
    )
    is_current = serializers.SerializerMethodField(
        help_text="false: the table’s players have changed, and it plays another game now"
    )
    continues = serializers.IntegerField(
        source="game.continues_id",
        allow_null=True,
        help_text="the game that the table played before its players changed",
    )
    hands_before = serializers.IntegerField(
        source="stored_view.game.hands_before",
        help_text="hands that the table played before its players changed: its hand 1 is the next",
    )
    rules = serializers.CharField(source="game.rules")
    seats = SeatSerializer(source="stored_view.seats", many=True)
    hands = HandSerializer(source="stored_view.hands", many=True)
    next_hand = NextHandSerializer(
        source="stored_view.game.next_deal", allow_null=True, help_text="null: the game is over"
    )

    def get_evening(self, table: PlayedTable) -> int | None:
        """Which evening, by its id."""
        return table.event.location_ids.get("evening")

    def get_tournament(self, table: PlayedTable) -> int | None:
        """Which tournament, by its id."""
        return table.event.location_ids.get("tournament")

    def get_round(self, table: PlayedTable) -> int | None:
        """Which round, by its number."""
        return table.event.location_ids.get("round")

    def get_table(self, table: PlayedTable) -> int:
        """Which table, by its number."""
        return table.event.location_ids["number"]

    def get_is_current(self, table: PlayedTable) -> bool:
        """Whether the table still plays this game."""
        return not table.event.is_past


class LinkSerializer(serializers.Serializer[object]):
    """What a printed link opens."""

    seat = serializers.IntegerField(
        allow_null=True, help_text="for a seat’s own link; null: the whole table’s"
    )
    game = GameSerializer()


class TableLinkSerializer(serializers.Serializer[object]):
    """A table’s secret link, as on its table card."""

    number = serializers.IntegerField()
    game_id = serializers.IntegerField()
    key = serializers.CharField()
    address = serializers.CharField()


class HandConflictSerializer(ProblemsSerializer):
    """Another report came first: the recorded hand; or the table takes none now."""

    recorded_hand = HandSerializer(
        required=False, help_text="missing unless another report is recorded"
    )


ReviewedHandSerializer = serializer_of(
    "ReviewedHandSerializer",
    HandReview,
    "hand agreement=consent.policy answers=voices objections is_open sentence ruling",
    "A hand and what was said about it.",
    hand=HandSerializer,
    agreement="who must agree that it is right: all, two, scorer or none",
    answers=SeatAgreementSerializer(source="voices", many=True, help_text="of each who played it"),
    objections=ObjectionSerializer,
)


ReceiptSerializer = serializer_of(
    "ReceiptSerializer",
    Receipt,
    "event table rules hand sealed_as=seal.number seal.code seal.sealed_at sent_by "
    "answers corrects=corrected_address undone",
    hand=HandSerializer,
    sealed_as="its place in the score book",
    code="as printed",
    answers=HandRemarkSerializer(
        many=True, help_text="what each player and the scorer said of it, in order"
    ),
    undone=HandRemovalSerializer,
)


class PreviewSerializer(serializers.Serializer[HandView]):
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
    payments = PaymentSerializer(many=True)
    sentences = serializers.SerializerMethodField(help_text="who pays whom, in words")
    sticks = serializers.SerializerMethodField(help_text="which sticks are paid, in sentences")
    lines = serializers.DictField(
        source="row.lines", help_text="the engine’s lines by seat, where tiles were sent"
    )
    notices = serializers.SerializerMethodField(
        help_text="what cannot have happened, in sentences; the hand counts as it was sent"
    )

    def get_is_in_the_book(self, hand: HandView) -> bool:
        """Whether it is stored."""
        return hand.row.pk is not None

    def get_sentences(self, hand: HandView) -> list[str]:
        """``Margaret pays Dilip 120.``"""
        return hand.payment_sentences

    def get_sticks(self, hand: HandView) -> list[str]:
        """``Margaret passes Dilip one stick of 100.``"""
        instructions: list[str] = self.context["table"].handings(hand)
        return instructions

    def get_notices(self, hand: HandView) -> list[str]:
        """``Ann’s tiles: …``, then what is impossible in how the hand ended."""
        return [*hand.notices, *doubts_about(hand, self.context["table"].rules)]


class MovedHandSerializer(serializers.Serializer[object]):
    """A hand before and after a correction; null if it is new or removed."""

    number = serializers.IntegerField()
    before = PreviewSerializer(allow_null=True)
    after = PreviewSerializer(allow_null=True)


class CorrectionSerializer(serializers.Serializer[object]):
    """What a correction changes: the hand, and later hands whose deal changes."""

    done = serializers.BooleanField(help_text="false for a dry run")
    hands = MovedHandSerializer(many=True)
    rulings = RulingChangeSerializer(
        many=True, help_text="rulings on these hands, worked out again"
    )


class UndoneHandSerializer(serializers.Serializer[object]):
    """A hand that the table undid."""

    hand = HandSerializer()
    undone_by = serializers.CharField()
    undone_at = serializers.DateTimeField()


class HandBookSerializer(serializers.Serializer[object]):
    """Every hand of a game with what was said about it, and hands that no longer count."""

    hands = ReviewedHandSerializer(many=True)
    corrected = HandSerializer(many=True, help_text="hands that a correction has replaced")
    undone = UndoneHandSerializer(many=True)


class SeatLinkSerializer(serializers.Serializer[object]):
    """The link of one seat, for that player only."""

    seat = serializers.IntegerField()
    name = serializers.CharField()
    wind = WindField(allow_null=True)
    key = serializers.CharField()
    address = serializers.CharField(help_text="the page for the player to open")


class SentHandSerializer(serializers.Serializer[object]):
    """What happened to one of the hands that were sent."""

    submission_id = serializers.UUIDField()
    number = serializers.IntegerField()
    outcome = serializers.ChoiceField(
        choices=["saved", "already_saved", "conflict", "undone", "faulty", "not_now"],
        help_text="saved: new; already_saved: recorded before; conflict: another report is "
        "recorded (see hand); undone: the table undid it; faulty: see problems; not_now: no hand "
        "can be entered here now",
    )
    hand = HandSerializer(allow_null=True, help_text="the recorded hand with that number, if any")
    problems = serializers.ListField(child=serializers.DictField(child=serializers.CharField()))


class SentHandsSerializer(serializers.Serializer[object]):
    """What happened to each hand, in the order they were sent."""

    hands = SentHandSerializer(many=True)


class ChangedHandSerializer(serializers.Serializer[object]):
    """A hand before and after; null if it is new or removed."""

    number = serializers.IntegerField()
    before = BriefHandSerializer(allow_null=True)
    after = BriefHandSerializer(allow_null=True)


class ChangedTotalSerializer(serializers.Serializer[object]):
    """A player’s total before and after."""

    name = serializers.CharField()
    before = serializers.IntegerField()
    after = serializers.IntegerField()


class ChangedTableSerializer(serializers.Serializer[object]):
    """What changes at one table."""

    title = serializers.CharField()
    hands = ChangedHandSerializer(many=True)
    totals = ChangedTotalSerializer(many=True)


class CorrectionEffectSerializer(serializers.Serializer[object]):
    """What a correction changes."""

    done = serializers.BooleanField(help_text="false for a dry run")
    text = serializers.CharField(source="words", help_text="what is corrected")
    tables = ChangedTableSerializer(many=True)
    rulings = RulingChangeSerializer(
        many=True, help_text="rulings on these hands, worked out again"
    )
    moved = MovedRankingSerializer(many=True)


class SheetColumnSerializer(serializers.Serializer[object]):
    """A column of the sheet: a seat and its starting wind."""

    seat = serializers.IntegerField()
    name = serializers.CharField()
    wind = WindField(allow_null=True)


class SheetSerializer(serializers.Serializer[TypedSheet]):
    """A sheet, checked row by row."""

    is_saved = serializers.SerializerMethodField()
    saved = serializers.SerializerMethodField(
        help_text="how many hands were added to the score book"
    )
    first = serializers.IntegerField(help_text="the hand of the first row")
    kind = OneOfField(choices=[SCORES, GAINS])
    columns = serializers.SerializerMethodField()
    rows = serializers.SerializerMethodField(help_text="rows that are filled in")
    does_not_fit = serializers.ListField(source="unfit", child=serializers.CharField())
    open_choices = serializers.IntegerField()
    changed = serializers.IntegerField(
        source="change_count", help_text="how many recorded entries it changes"
    )
    matching_rows = serializers.IntegerField(
        source="identical_count", help_text="how many rows already match the score book"
    )
    after_last_row = serializers.ListField(
        source="beyond",
        child=serializers.IntegerField(),
        help_text="numbers of recorded hands after the end of the paper",
    )
    can_be_saved = serializers.BooleanField()
    sums = SheetSumSerializer(source="foot.sums", many=True)
    total_notes = serializers.ListField(
        source="foot.sentences",
        child=serializers.CharField(),
        help_text="how far the total differs, and what may be wrong",
    )

    def get_is_saved(self, sheet: TypedSheet) -> bool:  # noqa: ARG002
        """Whether it has been saved."""
        return bool(self.context["is_saved"])

    def get_saved(self, sheet: TypedSheet) -> int:  # noqa: ARG002
        """How many hands are new in the score book."""
        return int(self.context["saved"])

    @extend_schema_field(SheetColumnSerializer(many=True))
    def get_columns(self, sheet: TypedSheet) -> Any:
        """The players in the order of the paper."""
        columns = [{"seat": s, "name": name, "wind": wind} for s, name, wind in sheet.columns]
        return SheetColumnSerializer(columns, many=True).data

    @extend_schema_field(SheetRowSerializer(many=True))
    def get_rows(self, sheet: TypedSheet) -> Any:
        """The rows that are not blank."""
        return SheetRowSerializer([row for row in sheet.rows if not row.is_blank], many=True).data


class SheetProblemsSerializer(ProblemsSerializer):
    """What prevents saving, and the checked sheet."""

    sheet = SheetSerializer(required=False, help_text="missing if the request could not be read")


class ScoredLineSerializer(serializers.Serializer[dict[str, Any]]):
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


class ArrangedSetSerializer(serializers.Serializer[object]):
    """A set as the engine read it."""

    tiles = serializers.ListField(child=serializers.CharField())
    exposed = serializers.BooleanField()


class ReckoningSerializer(serializers.Serializer[object]):
    """What a hand scores."""

    total = serializers.IntegerField(help_text="after any limit")
    basic = serializers.IntegerField(allow_null=True, help_text="before doubling")
    doubles = serializers.IntegerField(allow_null=True)
    special = serializers.CharField(allow_null=True, help_text="the key of the special hand")
    fishing = serializers.BooleanField()
    limited = serializers.BooleanField(help_text="whether the limit reduced it")
    items = ScoredLineSerializer(many=True)
    arrangement = ArrangedSetSerializer(many=True)
    notices = ProblemSerializer(many=True, help_text="a note, not an error")


class CellField(serializers.CharField):
    """A cell of the rules as its text."""

    def to_representation(self, value: Any) -> str:
        """Without what kind of cell it is."""
        return str(value.text)


RulesRowSerializer = serializer_of(
    "RulesRowSerializer",
    rules.PrintedRow,
    "cells change",
    cells=serializers.ListField(
        child=CellField(), read_only=True, help_text="The texts of its cells."
    ),
)

RulesSectionSerializer = serializer_of(
    "RulesSectionSerializer",
    rules.PrintedSection,
    "title note heads rows",
    heads=serializers.ListField(child=CellField(), read_only=True),
    rows=RulesRowSerializer,
)


RulesSerializer = serializer_of(
    "RulesSerializer",
    rules.PrintedRules,
    "rules.key rules.name rules.limit book=book.key sections books notes",
    book="that house rules start from",
    sections=RulesSectionSerializer,
    books=RuleBookSerializer,
    notes=RuleNoteSerializer,
)
