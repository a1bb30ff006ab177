"""Corrections and rulings of the scorer over the API."""

from abc import abstractmethod
from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import partial
from typing import Any

from django.http import Http404
from django.urls import path
from django.utils import timezone
from rest_framework import serializers
from rest_framework.exceptions import ValidationError
from rest_framework.response import Response

from clubs.api.commands import CommandAPIView, SerializerClass, cleaned_data, command_endpoint
from clubs.api.fields import NumberField, OneOfField, TextField
from clubs.api.lists import ListsAPIView, list_endpoint
from clubs.api.retries import sent_state
from clubs.core.permissions import CORRECT_HANDS
from clubs.seating.why import join_with_and
from clubs.table.api.games import GAME_PATH, HAND_PATH, GameAPIView
from clubs.table.api.hands import ReportIn, SeatField, report_from
from clubs.table.event import PlayedTable, missing_hand_is_404
from clubs.table.forms.hands import keep_tiles
from clubs.table.forms.repairs import TO_THE_END, FiguresForm, SeatsForm
from clubs.table.pages.repairs import (
    PREVIEW_REASON,
    changes_by_table,
    find_repair,
    refusal_with_names,
    repair_action,
    rulings_after,
    rulings_after_repair,
    sheets_form,
)
from clubs.table.rows import HandView
from clubs.table.selectors.reviews import HandReview
from clubs.table.serializers import (
    CorrectionEffectSerializer,
    CorrectionSerializer,
    ListedCorrectionSerializer,
    ReviewedHandSerializer,
)
from clubs.table.services import confirm_hand, correct_hand, try_out, undo_repair
from scoring.scorebook import services as scorebook
from scoring.scorebook.models import RepairKind
from scoring.scorebook.refusals import Refused, refuse
from scoring.scorebook.reports import Report
from scoring.scorebook.selectors import hand_row, repairs_of
from scoring.scorebook.services import Mistake, RepairResult

CORRECTIONS_PATH = f"{GAME_PATH}corrections/"


class ReasonField(TextField):
    """A few words that the players can read."""

    def __init__(self, **options: Any) -> None:
        super().__init__(
            **{"max_length": 200, "help_text": "a few words that the table will read", **options}
        )


class DecisionIn(serializers.Serializer[Any]):
    """Why the hand is kept as entered."""

    reason = ReasonField()


class CorrectionIn(ReportIn):
    """The whole corrected hand, and the reason."""

    reason = ReasonField()


class DecideView(CommandAPIView, GameAPIView):
    access = CORRECT_HANDS
    log = "ruled on {hand} of {game}"

    @command_endpoint(DecisionIn, answers=ReviewedHandSerializer)
    def post(self, validated: dict[str, Any]) -> HandReview:
        """Keep a disputed hand as entered. The table can read the reason."""
        table = self.played_table
        with missing_hand_is_404():
            confirm_hand(
                table=table.event,
                hand_id=self.kwargs["hand"],
                reason=validated["reason"],
                made_by=table.sent_by,
            )
        return self.review_now()


class CorrectView(CommandAPIView, GameAPIView):
    access = CORRECT_HANDS
    log = "corrected {hand} of {game}"

    @command_endpoint(CorrectionIn, answers=CorrectionSerializer, previews=CorrectionSerializer)
    def post(self, validated: dict[str, Any]) -> Response:
        """Correct a whole hand. Later hands are recalculated, and tiles that still fit are kept."""
        table = self.played_table
        view = self.review(table).hand
        # Beside what everyone had before the hand when it was first reported.
        report = report_from(validated, table.view, view.row.number)
        previous_points = Report.from_json(view.row.report).had
        sticks_before = {
            **report.had,
            **{seat: previous_points[seat] for seat in report.tallies if seat in previous_points},
        }
        report = keep_tiles(replace(report, had=sticks_before), view.row)
        replacements = scorebook.preview_correction(hand_id=view.row.pk, report=report)
        rulings = rulings_after(table, replacements)
        if not self.is_dry_run:
            correct_hand(
                table=table.event,
                hand_id=view.row.pk,
                report=report,
                corrected_by=table.sent_by,
                reason=validated["reason"],
            )
        hands = [
            {
                "number": replacement.new.number,
                "before": HandView(hand_row(replacement.old), names),
                "after": HandView(hand_row(replacement.new), names),
            }
            for replacement in replacements
            for names in [table.names_in(replacement.new.game_id)]
        ]
        correction = {"done": not self.is_dry_run, "hands": hands, "rulings": rulings}
        return Response(CorrectionSerializer(correction, context={"table": table}).data)


class HandNumberField(NumberField):
    """The number of a hand of the table."""

    def __init__(self, **options: Any) -> None:
        super().__init__(**{"min_value": 1, "max_value": 999, **options})


class RepairIn(serializers.Serializer[Any]):
    """The reason for a correction."""

    reason = ReasonField(
        required=False,
        default="",
        allow_blank=True,
        help_text="a few words that the table will read; a dry run needs none",
    )


class _TwoPlayersIn(RepairIn):
    seat = SeatField(help_text="one player")
    other_seat = SeatField(help_text="the other player")
    first = HandNumberField(help_text="the first hand to correct")
    last = HandNumberField(
        allow_null=True, default=None, help_text="the last hand to correct; null: up to the latest"
    )


class ChangedFiguresIn(_TwoPlayersIn):
    """Two players' scores were swapped."""


class ChangedSeatsIn(_TwoPlayersIn):
    """Two players sat in each other's seats."""

    right = OneOfField(
        choices=["names", "winds"], help_text="what the scores were written for: players or winds"
    )


class ChangedSheetsIn(RepairIn):
    """Two tables' hands were entered at the wrong table."""

    other = NumberField(min_value=1, max_value=1_000_000, help_text="the other table’s number")
    first = HandNumberField(help_text="the first hand to correct")


class OtherWinnerIn(RepairIn):
    """A hand that a different player won."""

    hand = HandNumberField(help_text="the hand’s number")
    report = ReportIn(help_text="the whole hand, as it should be")


class CorrectionsView(ListsAPIView, GameAPIView):
    access = CORRECT_HANDS
    sheet = "Corrections"

    @list_endpoint(ListedCorrectionSerializer)
    def get(self) -> list[dict[str, Any]]:
        """List the corrections of several hands in this game, newest first."""
        table = self.played_table
        return repairs_data({table.game.pk: table.view.title})


class _RepairView(CommandAPIView, GameAPIView):
    access = CORRECT_HANDS
    mark: str

    @abstractmethod
    def mistake(self, validated: Mapping[str, Any], table: PlayedTable) -> Mistake:
        """The mistake. Raises ``ValidationError`` if it is impossible."""

    def repair_hands(self, validated: dict[str, Any]) -> dict[str, Any]:
        """Correct hands of this game. Later hands are recalculated."""
        table = self.played_table
        _check_changeable(table)
        if not self.is_dry_run and not validated["reason"]:
            raise ValidationError({"reason": ["Enter a reason for the correction."]})
        act = repair_action(table, self.mistake(validated, table))
        state = sent_state(self.request)
        mark = {"mark": state} if state else {}
        step = partial(act, **{"reason": validated["reason"], **mark})
        trial, effect = _try_repair(
            table, partial(act, reason=PREVIEW_REASON), None if self.is_dry_run else step
        )
        self.mark = trial.mark
        return effect

    def state(self) -> str:
        """The hands of the tables, as the dry run found them."""
        return self.mark


def _repair_post(asks: SerializerClass, summary: str) -> Callable[..., Response]:
    step = command_endpoint(
        asks,
        answers=CorrectionEffectSerializer,
        previews=CorrectionEffectSerializer,
        reading="the dry run",
        summary=summary,
    )
    return step(_RepairView.repair_hands)


class FiguresView(_RepairView):
    post = _repair_post(ChangedFiguresIn, "Correct two players’ swapped scores")
    log = "corrected swapped scores at {game}"

    def mistake(self, validated: Mapping[str, Any], table: PlayedTable) -> Mistake:
        return _two_players_mistake(FiguresForm, validated, table)


class SeatsView(_RepairView):
    post = _repair_post(ChangedSeatsIn, "Correct two players who sat in each other’s seats")
    log = "corrected the seats at {game}"

    def mistake(self, validated: Mapping[str, Any], table: PlayedTable) -> Mistake:
        return _two_players_mistake(SeatsForm, validated, table)


class SheetsView(_RepairView):
    post = _repair_post(ChangedSheetsIn, "Correct hands entered at the wrong table")
    log = "corrected two paper score sheets that were swapped, at {game}"

    def mistake(self, validated: Mapping[str, Any], table: PlayedTable) -> Mistake:
        keys = {view.number: key for key, view in table.other_tables.items()}
        form_data = {"other": keys.get(validated["other"]), "first": validated["first"]}
        form = sheets_form(table, form_data)
        cleaned_data(form)
        return form.mistake(table.game.pk)


class WinnerView(_RepairView):
    post = _repair_post(OtherWinnerIn, "Correct who went Mah-Jong")
    log = "corrected who went Mah-Jong at {game}"

    def mistake(self, validated: Mapping[str, Any], table: PlayedTable) -> Mistake:
        """The hand as it was; tiles that nobody changed stay."""
        view = next(
            (view for view in table.view.hands if view.row.number == validated["hand"]), None
        )
        if view is None:
            raise ValidationError({"hand": ["There is no hand with this number."]})
        report = report_from(validated["report"], table.view, view.row.number)
        return Mistake(
            kind=RepairKind.WINNER,
            game_id=table.game.pk,
            first=view.row.number,
            report=keep_tiles(report, view.row),
        )


class UndoCorrectionView(CommandAPIView, GameAPIView):
    access = CORRECT_HANDS
    log = "undid a correction at {game}"

    @command_endpoint(answers=CorrectionEffectSerializer, previews=CorrectionEffectSerializer)
    def post(self) -> dict[str, Any]:
        """Undo a correction within a day, as long as its tables have not changed since."""
        table = self.played_table
        _check_changeable(table)
        repair = find_repair(table.game, self.kwargs["repair"])
        if repair is None:
            raise Http404
        act = partial(undo_repair, table=table.event, repair=repair, undone_by=table.sent_by)
        _, effect = _try_repair(table, act, None if self.is_dry_run else act)
        return effect


def repairs_data(titles: Mapping[int, str]) -> list[dict[str, Any]]:
    """Corrections at these tables, by the keys of their games."""
    now = timezone.now()
    return [
        {
            "pk": repair.pk,
            "where": join_with_and([titles[key] for key in repair.game_ids if key in titles]),
            "words": repair.words,
            "reason": repair.reason,
            "made_at": repair.made_at,
            "until": repair.until,
            "undone_at": repair.undone_at,
            "can_be_undone": repair.can_be_undone(now),
        }
        for repair in repairs_of(titles.keys())
    ]


def _check_changeable(table: PlayedTable) -> None:
    if not table.may_change:
        raise refuse("session_closed", table.closed_because)


def _two_players_mistake(
    form: type[FiguresForm | SeatsForm], validated: Mapping[str, Any], table: PlayedTable
) -> Mistake:
    view = table.view
    form_data = {
        **validated,
        "last": TO_THE_END if validated["last"] is None else validated["last"],
    }
    bound_form = form(view.names, view.hands, form_data)
    cleaned_data(bound_form)
    return bound_form.mistake(table.game.pk)


def _try_repair(
    table: PlayedTable, look: Callable[[], RepairResult], act: Callable[[], RepairResult] | None
) -> tuple[RepairResult, dict[str, Any]]:
    """The repair as tried out, and its effect; ``act`` carries it out; None: it is a dry run."""
    try:
        trial = try_out(look, table.event)
        table_changes = changes_by_table(table, trial.repair_result)
        rulings = rulings_after_repair(table, trial.repair_result)
        if act is not None:
            act()
    except Refused as refused:
        raise refusal_with_names(refused, table.tables) from refused
    return trial.repair_result, {
        "done": act is not None,
        "words": trial.repair_result.repair.words,
        "tables": [
            {
                "title": change.title,
                "hands": [
                    {"number": hand.number, "before": hand.old, "after": hand.new}
                    for hand in change.hands
                ],
                "totals": [
                    {"name": name, "before": total_before, "after": total_after}
                    for name, total_before, total_after in change.totals
                ],
            }
            for change in table_changes
        ],
        "rulings": rulings,
        "moved": trial.rank_changes,
    }


urlpatterns = [
    path(f"{HAND_PATH}decide/", DecideView.as_view(), name="api-game-decide"),
    path(f"{HAND_PATH}correct/", CorrectView.as_view(), name="api-game-correct"),
    path(CORRECTIONS_PATH, CorrectionsView.as_view(), name="api-game-corrections"),
    path(f"{CORRECTIONS_PATH}scores/", FiguresView.as_view(), name="api-game-correct-scores"),
    path(f"{CORRECTIONS_PATH}seats/", SeatsView.as_view(), name="api-game-correct-seats"),
    path(f"{CORRECTIONS_PATH}sheets/", SheetsView.as_view(), name="api-game-correct-sheets"),
    path(f"{CORRECTIONS_PATH}winner/", WinnerView.as_view(), name="api-game-correct-winner"),
    path(
        f"{CORRECTIONS_PATH}<int:repair>/undo/",
        UndoCorrectionView.as_view(),
        name="api-game-correction-undo",
    ),
]
