"""The shapes of what a table answers beside its hands: what was said, what would be paid."""

from rest_framework import serializers

from clubs.api.shapes import HandShape, PaymentShape
from clubs.rows import HandView
from clubs.sentences import said_of


class VoiceShape(serializers.Serializer[object]):
    """What one seat has said of a hand."""

    seat = serializers.IntegerField()
    name = serializers.CharField()
    wind = serializers.CharField()
    state = serializers.CharField(
        help_text="agreed, objects, waiting, or lapsed (agreed to what has changed since)"
    )


class ObjectionShape(serializers.Serializer[object]):
    """Who says that a hand is not right, in which words, since when."""

    name = serializers.CharField()
    words = serializers.CharField(allow_blank=True)
    since = serializers.DateTimeField()


class SaidShape(serializers.Serializer[object]):
    """A hand and what was said of it; ``shown`` goes back with whoever agrees or objects."""

    hand = HandShape()
    shown = serializers.CharField(help_text="a seal of what stands: send it with what you say")
    asked_of = serializers.CharField(
        source="consent.policy", help_text="who must agree: all, two, scorer or none"
    )
    voices = VoiceShape(many=True)
    objections = ObjectionShape(many=True)
    is_open = serializers.BooleanField(help_text="whether someone still has to say something")
    sentence = serializers.CharField(help_text="who has agreed and who has not, in words")
    ruling = serializers.CharField(
        allow_blank=True, help_text="the scorer’s words, where the scorer has ruled"
    )


class PreviewShape(serializers.Serializer[HandView]):
    """A hand as it would be in the book, and who would pay whom; nothing is kept."""

    number = serializers.IntegerField(source="row.number")
    is_in_the_book = serializers.SerializerMethodField(
        help_text="true where this very hand was sent before and stands"
    )
    outcome = serializers.CharField()
    winner = serializers.IntegerField(source="row.winner", allow_null=True)
    scores = serializers.DictField(source="row.scores", child=serializers.IntegerField())
    gains = serializers.DictField(source="row.gains", child=serializers.IntegerField())
    winds = serializers.DictField(source="row.winds", child=serializers.CharField())
    payments = PaymentShape(source="transfers", many=True)
    sentences = serializers.SerializerMethodField(help_text="who pays whom, as one says it")
    sticks = serializers.SerializerMethodField(help_text="which sticks change hands, in sentences")
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
    """A hand before and after something is put right; null where it comes new or goes."""

    number = serializers.IntegerField()
    before = PreviewShape(allow_null=True)
    after = PreviewShape(allow_null=True)


class CorrectionShape(serializers.Serializer[object]):
    """What a correction changes: the hand, and those after it that are dealt otherwise by it."""

    done = serializers.BooleanField(help_text="false where it was only looked at")
    hands = MovedHandShape(many=True)


class TakenBackShape(serializers.Serializer[object]):
    """A hand that the table took back."""

    hand = HandShape()
    taken_by = serializers.CharField()
    taken_at = serializers.DateTimeField()


class BookShape(serializers.Serializer[object]):
    """Every hand of a table with what was said of it, and what stands no longer."""

    hands = SaidShape(many=True)
    corrected = HandShape(many=True, help_text="hands that a correction has replaced")
    taken_back = TakenBackShape(many=True)


class SeatLinkShape(serializers.Serializer[object]):
    """The link of one seat: it speaks for that player alone."""

    seat = serializers.IntegerField()
    name = serializers.CharField()
    wind = serializers.CharField(allow_null=True)
    key = serializers.CharField()
    address = serializers.CharField(help_text="the page that the player opens")


class SentHandShape(serializers.Serializer[object]):
    """What became of one hand of several that were sent."""

    submission_id = serializers.UUIDField()
    number = serializers.IntegerField()
    outcome = serializers.ChoiceField(
        choices=["saved", "was_there", "stands", "taken_back", "faulty", "not_now"],
        help_text="saved: new; was_there: in the book already; stands: another report stands "
        "there (see hand); taken_back: the table has taken it back; faulty: see problems; "
        "not_now: nothing can be entered here now",
    )
    hand = HandShape(allow_null=True, help_text="what the book has under that number, if anything")
    problems = serializers.ListField(child=serializers.DictField(child=serializers.CharField()))


class SentHandsShape(serializers.Serializer[object]):
    """What became of each hand, in the order in which they were sent."""

    hands = SentHandShape(many=True)


class ComingDealShape(serializers.Serializer[object]):
    """A deal that may come."""

    winds = serializers.CharField(help_text="by seat, such as 1E2S3W4N")
    dealer = serializers.IntegerField()
    prevailing = serializers.CharField(allow_blank=True)
    goulash = serializers.BooleanField()


class AheadShape(serializers.Serializer[object]):
    """What may be dealt, as few kinds of deal, and as states that lead to one another.

    A state is a row: its key, the place of its deal among the deals, then the place of the state
    that follows a drawn hand and Mah-Jong of each seat (-1: the game ends; null: not that seat).
    """

    deals = ComingDealShape(many=True)
    states = serializers.ListField(child=serializers.ListField(child=serializers.JSONField()))


class RepairShape(serializers.Serializer[object]):
    """Something that was put right."""

    id = serializers.IntegerField(source="pk")
    where = serializers.CharField()
    words = serializers.CharField()
    reason = serializers.CharField()
    made_at = serializers.DateTimeField()
    until = serializers.DateTimeField(help_text="until when it can be taken back")
    undone_at = serializers.DateTimeField(allow_null=True)
    can_be_undone = serializers.BooleanField()


class BriefHandShape(serializers.Serializer[HandView]):
    """A hand in short."""

    outcome = serializers.CharField()
    winner = serializers.IntegerField(source="row.winner", allow_null=True)
    scores = serializers.DictField(source="row.scores", child=serializers.IntegerField())
    gains = serializers.DictField(source="row.gains", child=serializers.IntegerField())
    winds = serializers.DictField(source="row.winds", child=serializers.CharField())


class ChangedHandShape(serializers.Serializer[object]):
    """A hand before and after; null where it comes new or goes."""

    number = serializers.IntegerField()
    before = BriefHandShape(allow_null=True)
    after = BriefHandShape(allow_null=True)


class ChangedTotalShape(serializers.Serializer[object]):
    """Someone’s total before and after."""

    name = serializers.CharField()
    before = serializers.IntegerField()
    after = serializers.IntegerField()


class ChangedTableShape(serializers.Serializer[object]):
    """What changes at one table."""

    title = serializers.CharField()
    hands = ChangedHandShape(many=True)
    totals = ChangedTotalShape(many=True)


class MoverShape(serializers.Serializer[object]):
    """Someone whose place or figures change."""

    name = serializers.CharField(source="after.name")
    before = serializers.CharField(source="before.place", help_text="the place, such as 3=")
    after = serializers.CharField(source="after.place")
    words = serializers.CharField()


class MovedRankingShape(serializers.Serializer[object]):
    """A ranking in which someone moves."""

    title = serializers.CharField()
    moves = MoverShape(many=True)


class RepairedShape(serializers.Serializer[object]):
    """What a repair changes."""

    done = serializers.BooleanField(help_text="false where it was only looked at")
    words = serializers.CharField()
    mark = serializers.CharField(help_text="of the tables as they were looked at")
    tables = ChangedTableShape(many=True)
    moved = MovedRankingShape(many=True)
