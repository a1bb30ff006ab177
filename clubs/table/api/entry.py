"""A score, a paper sheet or tiles sent over the API; rules and the value of their tiles."""

from collections.abc import Mapping
from typing import Any

from django.http import Http404, QueryDict
from django.urls import path
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiExample, OpenApiParameter
from rest_framework import serializers
from rest_framework.exceptions import ValidationError
from rest_framework.request import Request
from rest_framework.response import Response

from clubs.api.base import PublicAPIView, delete_endpoint, detail_endpoint
from clubs.api.commands import CommandAPIView, command_endpoint
from clubs.api.fields import FlagField, NumberField, OneOfField, TextField
from clubs.core.permissions import ENTER_HANDS
from clubs.table.api.games import GAME_PATH, GameAPIView
from clubs.table.api.hands import BySeatField, SeatField, SubmissionField, refuse_if_done
from clubs.table.forms.hands import NO_WINNER
from clubs.table.forms.rules import Tapping, read_tapping
from clubs.table.forms.sheet_rows import BOOK, PAPER
from clubs.table.forms.sheets import GAINS, MAX_SHEET_ROWS, SCORES, TypedSheet
from clubs.table.selectors.rules import Aid, Asker, aid_of, asker_of, compare_with_book
from clubs.table.selectors.tile_entry import Builder, build_hand, builder_after, builder_at
from clubs.table.serializers import (
    AidSerializer,
    ReckoningSerializer,
    RulesSerializer,
    SheetProblemsSerializer,
    SheetSerializer,
    TappedHandSerializer,
)
from clubs.table.services import post_sheet, put_tiles
from scoring import (
    BadHand,
    Deal,
    RuleSet,
    UnknownRuleSet,
    Wind,
    hand_from_json,
    reckoning_as_json,
    score,
)
from scoring.building import Draft, PlayResult, Steps, seat_draft
from scoring.hands.hand import Fact, WonBy
from scoring.scorebook.editions import base_key, rule_set
from scoring.scorebook.refusals import Refused, refuse
from scoring.scorebook.selectors import drafts_of
from scoring.scorebook.services.games import forget_tapped_tiles

CONFLICT = 409
MAX_TAPS = 60
TAP_EXAMPLES = "for example B5, pung:B5, won:yes, take:B5; each question lists its own taps"
WINDS = [wind.value for wind in Wind]
MAX_TILES = 60

PUNGS_EXAMPLE = OpenApiExample(
    "A Mah-Jong of pungs",
    value={
        "seat_wind": "S",
        "prevailing_wind": "E",
        "sets": [{"tiles": ["WE", "WE", "WE"], "exposed": True}],
        "concealed": ["B1", "B1", "B1", "C5", "C5", "C5", "O9", "O9", "O9", "DR", "DR"],
        "mahjong": True,
        "winning_tile": "DR",
        "won_by": "wall",
    },
    request_only=True,
)

AID_PARAMETERS = [
    OpenApiParameter("tile", OpenApiTypes.STR, description="the tile to describe: B5"),
    OpenApiParameter("own", OpenApiTypes.STR, enum=WINDS, description="the player’s wind"),
    OpenApiParameter("prevailing", OpenApiTypes.STR, enum=WINDS, description="the prevailing wind"),
]


class FigureField(TextField):
    """A number as written on the paper score sheet."""

    def __init__(self, **options: Any) -> None:
        super().__init__(**{"max_length": 20, "allow_blank": True, **options})


class SheetRowIn(serializers.Serializer[Any]):
    """A row of the paper score sheet: who won, and what each player scored or gained."""

    winner = SeatField(allow_null=True, default=None, help_text="who went Mah-Jong")
    is_drawn = FlagField(default=False, help_text="no one went Mah-Jong")
    goulash = FlagField(default=False, help_text="marked as a goulash on the paper")
    figures = BySeatField(
        child=FigureField(), default=dict, help_text="by seat, as written: 60, -120, 60."
    )
    as_written = FlagField(default=False, help_text="accept gains that no scores lead to")
    submission_id = SubmissionField(
        required=False, help_text="client-generated; the same id is always one hand"
    )


class SheetChoiceIn(serializers.Serializer[Any]):
    """Which is right where the paper and the score book differ."""

    key = serializers.RegexField(
        r"^choose-[a-z0-9-]{1,30}$", help_text="as given in the sheet; choose-all for all at once"
    )
    right = OneOfField(choices=[PAPER, BOOK])


class SheetIn(serializers.Serializer[Any]):
    """A whole paper score sheet."""

    first = NumberField(
        min_value=1, max_value=999, required=False, help_text="the hand of the first row"
    )
    kind = OneOfField(
        choices=[SCORES, GAINS], default=SCORES, help_text="what the sheet records: scores or gains"
    )
    rows = serializers.ListField(child=SheetRowIn(), max_length=MAX_SHEET_ROWS)
    totals = BySeatField(
        child=FigureField(), default=dict, help_text="the totals at the foot of the paper, if any"
    )
    choices = serializers.ListField(
        child=SheetChoiceIn(), default=list, max_length=2 * MAX_SHEET_ROWS
    )


class SheetView(CommandAPIView, GameAPIView):
    access = ENTER_HANDS
    log = "entered the paper score sheet of {game}"

    @property
    def may_correct(self) -> bool:
        """Whether the sender may correct recorded hands."""
        return self.has_permission(self.event.corrects)

    @detail_endpoint(SheetSerializer)
    def get(self) -> Response:
        """Get an empty sheet: its columns and the next row."""
        return Response(_sheet_data(self._sheet({})))

    @command_endpoint(
        SheetIn,
        answers=SheetSerializer,
        previews=SheetSerializer,
        responses={
            200: SheetSerializer,
            400: SheetProblemsSerializer,
            409: SheetProblemsSerializer,
        },
    )
    def post(self, validated: dict[str, Any]) -> Response:
        """Check a whole sheet against the score book, and save it if every row is right.

        409 if the paper and the score book differ and you have not said which is right; 400 if a
        row is impossible. A dry run answers the checked sheet either way. Sending the same
        submission ids again changes nothing.
        """
        sheet, table = self._sheet(validated), self.played_table
        if self.is_dry_run:
            return Response(_sheet_data(sheet))
        if sheet.problems or sheet.open_choices:
            fields = {"problems": _sheet_faults(sheet), "sheet": _sheet_data(sheet)}
            return Response(fields, status=400 if sheet.problems else CONFLICT)
        saved_hands = post_sheet(
            table=table.event,
            hands=sheet.ready,
            sent_by=table.sent_by,
            telling=sheet.telling if self.may_correct else None,
        )
        return Response(_sheet_data(sheet, saved_count=len(saved_hands), is_saved=True))

    def _sheet(self, validated: Mapping[str, Any]) -> TypedSheet:
        table = self.played_table
        return TypedSheet(
            table.game,
            table.view,
            table.rules,
            _sheet_form_fields(validated, table.next_number) if validated else {},
            start=table.sticks_before(1),
            may_change=self.may_correct,
        )


def _sheet_form_fields(validated: Mapping[str, Any], upcoming: int) -> dict[str, str]:
    """The sheet under the field names of the page's form."""
    first = min(validated.get("first", upcoming), upcoming)
    form_fields = {
        "kind": validated["kind"],
        "first": str(first),
        "count": str(max(len(validated["rows"]), 1)),
    }
    form_fields |= {f"total_{seat}": figure for seat, figure in validated["totals"].items()}
    form_fields |= {item["key"]: item["right"] for item in validated["choices"]}
    for number, row in enumerate(validated["rows"], start=first):
        cells = {"winner": NO_WINNER if row["is_drawn"] else str(row["winner"] or "")}
        cells |= {name: "yes" for name in ("goulash", "as_written") if row[name]}
        cells |= {f"score_{seat}": figure for seat, figure in row["figures"].items()}
        if "submission_id" in row:
            cells["submission_id"] = str(row["submission_id"])
        form_fields |= {f"{number}-{name}": value for name, value in cells.items()}
    return form_fields


def _sheet_faults(sheet: TypedSheet) -> list[dict[str, str]]:
    """The faults of every row, each where its row is, and what does not fit the score book."""
    faults = [
        {"code": "bad_row", "where": f"rows.{index}", "message": problem}
        for index, row in enumerate(sheet.rows)
        for problem in row.problems
    ]
    faults += [{"code": "does_not_fit", "where": "", "message": message} for message in sheet.unfit]
    if not faults:
        message = "The paper and the score book differ. Choose which is right."
        faults = [{"code": "differs", "where": "choices", "message": message}]
    return faults


def _sheet_data(sheet: TypedSheet, *, saved_count: int = 0, is_saved: bool = False) -> Any:
    return SheetSerializer(sheet, context={"saved": saved_count, "is_saved": is_saved}).data


class SeatTilesSerializer(serializers.Serializer[object]):
    """The tiles of one seat."""

    seat = serializers.IntegerField()
    name = serializers.CharField()
    sets = serializers.ListField(child=serializers.ListField(child=serializers.CharField()))
    is_mahjong = serializers.BooleanField(help_text="whether the player went Mah-Jong")
    total = serializers.IntegerField(allow_null=True, help_text="null until the hand is complete")
    missing = serializers.CharField(allow_blank=True, help_text="what it still needs")
    hand = serializers.CharField(help_text="the tiles as text, as used in links")


class TilesSerializer(serializers.Serializer[object]):
    """The tiles of the current hand, for the seats that have sent any."""

    number = serializers.IntegerField()
    seats = SeatTilesSerializer(many=True)


def _optional_text_field(most: int, help_text: str) -> TextField:
    return TextField(max_length=most, allow_blank=True, default="", help_text=help_text)


class TappedHandIn(serializers.Serializer[Any]):
    """A whole hand: the taps that build it from the start."""

    number = NumberField(min_value=1, max_value=999, help_text="of the current hand")
    taps = serializers.ListField(
        child=TextField(max_length=40),
        max_length=MAX_TAPS,
        allow_empty=False,
        help_text=TAP_EXAMPLES,
    )


class TilesView(GameAPIView):
    access = ENTER_HANDS
    by_link = True

    @detail_endpoint(TilesSerializer, operation_id="games_tiles_list")
    def get(self) -> dict[str, Any]:
        """Get the tiles that each seat has sent for the current hand."""
        table = self.played_table
        seats = [
            {
                "seat": tapped_seat.seat,
                "name": table.view.names[tapped_seat.seat],
                "sets": tapped_seat.sets,
                "is_mahjong": tapped_seat.draft.won,
                "total": tapped_seat.total,
                "missing": tapped_seat.state,
                "hand": tapped_seat.text,
            }
            for tapped_seat in table.tapped_seats.values()
        ]
        return {"number": table.next_number, "seats": seats}


class SeatTilesView(CommandAPIView, GameAPIView):
    access = ENTER_HANDS
    by_link = True
    log = {"": "tapped tiles for {game}", "delete": "removed tapped tiles from {game}"}

    @detail_endpoint(TappedHandSerializer)
    def get(self) -> Builder:
        """Get a seat's tiles with every line of the score and any open questions."""
        table, deal = self.played_table, self.deal
        other_drafts = drafts_of(table.game, deal)
        draft = other_drafts.pop(self.kwargs["seat"], None)
        if draft is None:
            draft = seat_draft(Draft(won=False), self.kwargs["seat"], deal, table.rules)
        return builder_at(
            draft, PlayResult(Steps(draft)), other_drafts, table.rules, table.view.names
        )

    @command_endpoint(TappedHandIn, answers=TappedHandSerializer)
    def put(self, validated: dict[str, Any]) -> Builder:
        """Replace a seat's tiles with a whole hand. All the taps are accepted, or none."""
        table, deal = self.played_table, self.deal
        tap_answer = put_tiles(game_id=table.game.pk, seat=self.kwargs["seat"], **validated)
        empty = seat_draft(Draft(won=False), self.kwargs["seat"], deal, table.rules)
        return builder_after(empty, tap_answer, table.rules, table.view.names)

    @delete_endpoint
    def delete(self) -> None:
        """Delete a seat's tiles, so that its score is entered instead."""
        deal = self.deal
        forget_tapped_tiles(
            game_id=self.played_table.game.pk, number=deal.number, seat=self.kwargs["seat"]
        )

    @property
    def deal(self) -> Deal:
        """The deal whose tiles are tapped. Refused where there is none for the seat."""
        refuse_if_done(self.played_table)
        deal = self.played_table.view.game.next_deal
        if deal is None or self.kwargs["seat"] not in deal.winds:
            raise refuse("bad_seat", "This player has no tapped tiles.")
        return deal


def parse_tapping(validated: Mapping[str, Any]) -> Tapping:
    """Parse the taps of a hand. Raises ``ValidationError``."""
    form_data = QueryDict(mutable=True)
    form_data.update({name: validated[name] for name in ("hand", "was")})
    form_data.setlist("tap", validated["taps"])
    tapping = read_tapping(form_data)
    if tapping.is_unread:
        raise ValidationError({"hand": ["This text is not a valid hand."]})
    return tapping


class RulesAPIView(PublicAPIView):
    @property
    def rules(self) -> RuleSet:
        """The rule set with that key, including house rules. Raises ``Http404``."""
        try:
            return rule_set(self.kwargs["key"])
        except UnknownRuleSet as unknown:
            raise Http404 from unknown


class TilesOfHandField(serializers.ListField):
    """Tile codes."""

    child = TextField(max_length=3)

    def __init__(self, **options: Any) -> None:
        super().__init__(**{"max_length": MAX_TILES, **options})


class SetIn(serializers.Serializer[Any]):
    """A set on the table."""

    tiles = TilesOfHandField()
    exposed = FlagField(default=True, help_text="false for a concealed kong")


class HandToScoreIn(serializers.Serializer[Any]):
    """One player's hand. Tiles are B1 to B9, C1…, O1…, WE WS WW WN, DR DG DW, F1…, S1…, JK."""

    seat_wind = OneOfField(choices=WINDS, default="E")
    prevailing_wind = OneOfField(choices=WINDS, allow_null=True, default=None)
    dealer = FlagField(required=False, help_text="if omitted: whether the player is East")
    sets = serializers.ListField(child=SetIn(), default=list, max_length=10)
    concealed = TilesOfHandField(
        help_text="every tile still in the hand, including the winning tile"
    )
    bonus = TilesOfHandField(default=list, help_text="flowers and seasons")
    mahjong = FlagField(help_text="whether the player went Mah-Jong")
    winning_tile = TextField(max_length=3, allow_null=True, default=None)
    won_by = OneOfField(choices=[ending.value for ending in WonBy], allow_null=True, default=None)
    facts = serializers.ListField(
        child=OneOfField(choices=[fact.value for fact in Fact]), default=list, max_length=10
    )
    players = NumberField(min_value=2, max_value=5, default=4)
    goulash = FlagField(default=False)


class ScoredTapsIn(serializers.Serializer[Any]):
    """A hand built by tapping."""

    taps = serializers.ListField(
        child=TextField(max_length=40), max_length=MAX_TAPS, default=list, help_text=TAP_EXAMPLES
    )
    hand = _optional_text_field(200, "the hand before these taps")
    was = _optional_text_field(4000, "earlier versions of the hand, for undoing")


class ScoreView(RulesAPIView, CommandAPIView):
    @command_endpoint(HandToScoreIn, answers=ReckoningSerializer, examples=[PUNGS_EXAMPLE])
    def post(self, validated: dict[str, Any]) -> dict[str, object]:
        """Score a hand under these rules and return every line. Nothing is saved."""
        rules = self.rules
        try:
            return reckoning_as_json(score(hand_from_json(validated, rules), rules))
        except BadHand as bad:
            raise Refused(bad.problems) from bad


class ScoreTapsView(RulesAPIView, CommandAPIView):
    @command_endpoint(ScoredTapsIn, answers=TappedHandSerializer)
    def post(self, validated: dict[str, Any]) -> Builder:
        """Score a hand while it is being tapped: every line, what is missing and open questions."""
        tapping = parse_tapping(validated)
        return build_hand(tapping.steps, tapping.taps, self.rules)


class RulesView(RulesAPIView):
    @detail_endpoint(RulesSerializer)
    def get(self) -> Any:
        """Get every line of a rule set with its source, house rules beside their rule book."""
        return compare_with_book(self.rules, rule_set(base_key(self.kwargs["key"])))


def requested_aid(request: Request, rules: RuleSet, asker: Asker) -> Aid:
    """The aid for the address's parameters. Raises ``ValidationError``."""
    code = request.query_params.get("tile", "")
    aid = aid_of(
        rules,
        asker.asking(_wind_parameter(request, "own"), _wind_parameter(request, "prevailing")),
        code,
    )
    if code and aid.tile is None:
        raise ValidationError({"tile": ["These rules have no such tile."]})
    return aid


def _wind_parameter(request: Request, name: str) -> Wind | None:
    text = request.query_params.get(name)
    if text is None:
        return None
    if text not in WINDS:
        raise ValidationError({name: [f"Choose one of {', '.join(WINDS)}."]})
    return Wind(text)


class RulesAidView(RulesAPIView):
    @detail_endpoint(AidSerializer, parameters=AID_PARAMETERS)
    def get(self) -> Aid:
        """Get a beginner's aid: what a tile is and what it is worth, for any winds."""
        return requested_aid(self.request, self.rules, asker_of(self.rules))


urlpatterns = [
    path(f"{GAME_PATH}tiles/", TilesView.as_view(), name="api-game-all-tiles"),
    path(f"{GAME_PATH}tiles/<int:seat>/", SeatTilesView.as_view(), name="api-game-tiles"),
    path(f"{GAME_PATH}score-sheet/", SheetView.as_view(), name="api-game-sheet"),
    path("score/<path:key>/taps/", ScoreTapsView.as_view(), name="api-score-taps"),
    path("score/<path:key>/", ScoreView.as_view(), name="api-score"),
    path("rules/<path:key>/aid/", RulesAidView.as_view(), name="api-rules-aid"),
    path("rules/<path:key>/", RulesView.as_view(), name="api-rules-page"),
]
