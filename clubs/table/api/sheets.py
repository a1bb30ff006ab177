"""A table's paper sheet over the API: a row a hand, laid beside the book, saved in one go."""

from abc import abstractmethod
from collections.abc import Callable, Mapping
from typing import Any

from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from clubs.api.commands import ActView
from clubs.api.fields import FlagField, NumberField, OneOfField, TextField
from clubs.table.api.hands import BySeatField, SeatField, SubmissionField
from clubs.table.api.tables import Acts, AtTable
from clubs.table.forms.hands import NOBODY
from clubs.table.forms.sheet_rows import BOOK, PAPER
from clubs.table.forms.sheets import GAINS, MOST_ROWS, SCORES, Sheet
from clubs.table.schemas import SheetShape, SheetTroubleShape
from clubs.table.services import post_sheet

CONFLICT = 409


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


class ChoiceIn(serializers.Serializer[Any]):
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
    rows = serializers.ListField(child=SheetRowIn(), max_length=MOST_ROWS)
    totals = BySeatField(
        child=FigureField(), default=dict, help_text="the totals at the foot of the paper, if any"
    )
    choices = serializers.ListField(child=ChoiceIn(), default=list, max_length=2 * MOST_ROWS)
    only_check = FlagField(default=False, help_text="check every row; nothing is saved")


class SheetView(AtTable, ActView):
    """A table's paper score sheet."""

    asks = SheetIn
    answers = SheetShape

    @property
    @abstractmethod
    def may_correct(self) -> bool:
        """Whether the sender may correct recorded hands."""

    @abstractmethod
    def tell(self) -> Callable[..., int]:
        """The event's own call that replaces the table's game."""

    @extend_schema(tags=["tables"], responses=SheetShape)
    def get(self, request: Request, **kwargs: Any) -> Response:  # noqa: ARG002
        """Get an empty sheet: its columns and the next row."""
        return Response(_told(self._sheet({}), saved=0, is_saved=False))

    @extend_schema(
        tags=["tables"],
        request=SheetIn,
        responses={200: SheetShape, 400: SheetTroubleShape, 409: SheetTroubleShape},
    )
    def post(self, request: Request, **kwargs: Any) -> Response:
        """Check a whole sheet against the score book, and save it if every row is right.

        409 if the paper and the score book differ and you have not said which is right; 400 if a
        row is impossible. Sending the same submission ids again changes nothing.
        """
        return super().post(request, **kwargs)

    def done(self, request: Request, *, held: Mapping[str, Any] | None = None) -> Response:
        """Check it; save it where nothing is in the way."""
        told = self.told(request.data, held=held)
        sheet = self._sheet(told)
        if told["only_check"]:
            return Response(_told(sheet, saved=0, is_saved=False))
        if sheet.problems or sheet.open_choices:
            return _trouble(sheet)
        return Response(_told(sheet, saved=self.act({"sheet": sheet}), is_saved=True))

    def act(self, told: dict[str, Any]) -> int:
        """How many hands came into the book."""
        sheet: Sheet = told["sheet"]
        table = self.at
        saved = post_sheet(
            post=table.post,
            hands=sheet.ready,
            sent_by=table.sent_by,
            tell=self.tell(),
            telling=sheet.telling if self.may_correct else None,
        )
        return len(saved)

    def _sheet(self, told: Mapping[str, Any]) -> Sheet:
        table = self.at
        return Sheet(
            table.game,
            table.view,
            table.rules,
            _as_typed(told, table.next_number) if told else {},
            start=table.had(1),
            may_change=self.may_correct,
        )


def _as_typed(told: Mapping[str, Any], upcoming: int) -> dict[str, str]:
    """The sheet under the names that its page sends."""
    first = min(told.get("first", upcoming), upcoming)
    typed = {"kind": told["kind"], "first": str(first), "count": str(max(len(told["rows"]), 1))}
    typed |= {f"total_{seat}": figure for seat, figure in told["totals"].items()}
    typed |= {one["key"]: one["right"] for one in told["choices"]}
    for number, row in enumerate(told["rows"], start=first):
        typed |= {f"{number}-{name}": value for name, value in _row_typed(row).items()}
    return typed


def _row_typed(row: Mapping[str, Any]) -> dict[str, str]:
    winner = NOBODY if row["is_drawn"] else str(row["winner"] or "")
    typed = {"winner": winner}
    typed |= {name: "yes" for name in ("goulash", "as_written") if row[name]}
    typed |= {f"score_{seat}": figure for seat, figure in row["figures"].items()}
    if "submission_id" in row:
        typed["submission_id"] = str(row["submission_id"])
    return typed


def _told(sheet: Sheet, *, saved: int, is_saved: bool) -> Any:
    return SheetShape(sheet, context={"saved": saved, "is_saved": is_saved}).data


def _trouble(sheet: Sheet) -> Response:
    """Every row's faults at their rows, and the sheet beside them."""
    found = [
        {"code": "bad_row", "where": f"rows.{at}", "message": sentence}
        for at, row in enumerate(sheet.rows)
        for sentence in row.problems
    ]
    found += [{"code": "does_not_fit", "where": "", "message": said} for said in sheet.unfit]
    if not found:
        said = "The paper and the score book differ. Choose which is right."
        found = [{"code": "differs", "where": "choices", "message": said}]
    told = {"problems": found, "sheet": _told(sheet, saved=0, is_saved=False)}
    return Response(told, status=400 if sheet.problems else CONFLICT)


SHEET: Acts = {"sheet": ("sheet/", SheetView)}
