"""The shapes of what a table answers beside its hands: what was said, what would be paid."""

from rest_framework import serializers

from clubs.api.shapes import HandShape, PaymentShape
from clubs.rows import HandView
from clubs.sentences import said_of


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
        told: list[str] = self.context["sticks"](hand)
        return told


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
