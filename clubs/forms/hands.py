"""What a table types about one hand: who went Mah-Jong and what each seat scored."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, NamedTuple
from uuid import uuid4

from django import forms
from django.core.exceptions import ValidationError

from scoring import Wind
from scoring.scorebook.reports import Report
from scoring.scorebook.selectors import HandRow

NOBODY = "nobody"
MOST_DIGITS = 6
INCOMPLETE = dict.fromkeys(
    ("required", "invalid", "min_value", "max_value"),
    "This form is not whole. Open the table’s page again and type the hand once more.",
)


class Place(NamedTuple):
    """A seat that plays the hand."""

    number: int
    name: str
    wind: Wind


def places_of(winds: Mapping[int, Wind], names: Mapping[int, str]) -> tuple[Place, ...]:
    """The seats of a hand, East first."""
    order = list(Wind)
    seated = sorted(winds.items(), key=lambda held: order.index(held[1]))
    return tuple(Place(seat, names[seat], wind) for seat, wind in seated)


class ReportForm(forms.Form):
    """Four totals and a winner; a loser's score may stay empty and counts as 0."""

    winner = forms.CharField(required=False, widget=forms.RadioSelect, label="Who went Mah-Jong?")
    pays_for_all = forms.CharField(
        required=False,
        label="Does one player pay for everybody?",
        help_text="Only where the rules make somebody liable for the whole payment to the winner.",
    )

    def __init__(
        self,
        places: Sequence[Place],
        data: Any = None,
        initial: Mapping[str, Any] | None = None,
        *,
        with_payments: bool = True,
    ) -> None:
        super().__init__(data, initial=dict(initial or {}))
        self.places = tuple(places)
        named = [(str(place.number), place.name) for place in places]
        winner = self.fields["winner"]
        winner.widget = forms.RadioSelect(choices=[*named, (NOBODY, "Nobody")])
        pays = forms.Select(choices=[("", "No, everybody pays their own"), *named])
        self.fields["pays_for_all"].widget = pays
        if not with_payments:
            del self.fields["pays_for_all"]
        for place in places:
            self.fields[f"score_{place.number}"] = _score_field(place.name)

    @property
    def rows(self) -> Iterator[tuple[Place, forms.BoundField]]:
        """Each seat of the hand with its score's field, East first."""
        return ((place, self[f"score_{place.number}"]) for place in self.places)

    @property
    def unscored(self) -> frozenset[int]:
        """The seats that were left empty and count as 0."""
        return frozenset(
            place.number
            for place in self.places
            if self.cleaned_data.get(f"score_{place.number}") is None
        )

    @property
    def report(self) -> Report:
        """What was told, once the form is valid."""
        winner = self.cleaned_data["winner"]
        if winner is None:
            return Report(winner=None)
        totals = {seat: self.cleaned_data.get(f"score_{seat}") or 0 for seat in self._numbers()}
        pays = self.cleaned_data.get("pays_for_all")
        return Report(winner=winner, totals=totals, pays_for_all=pays)

    @property
    def typed(self) -> dict[str, str]:
        """Everything that was typed, as it was typed, to carry to the next page."""
        names = [name for name in self.fields if name in self.data]
        typed = {name: str(self.data[name]) for name in names}
        return typed | ({"winner": NOBODY} if "drawn" in self.data else {})

    def clean_winner(self) -> int | None:
        """The winner's seat, None for a drawn hand; two at once are refused."""
        told = [NOBODY] if "drawn" in self.data else _every(self.data, "winner")
        if not any(told):
            raise ValidationError("Choose who went Mah-Jong, or nobody.")
        if len(set(told)) > 1:
            raise ValidationError("Two players are marked; only one can go Mah-Jong.")
        if told[0] == NOBODY:
            return None
        return self._seat(told[0])

    def clean_pays_for_all(self) -> int | None:
        """The seat that pays for everybody, if one does."""
        told = self.cleaned_data["pays_for_all"]
        return self._seat(told) if told else None

    def clean(self) -> dict[str, Any]:
        """Scores as numbers; a drawn hand has none."""
        for place in self.places:
            self._clean_score(f"score_{place.number}")
        winner = self.cleaned_data.get("winner")
        if winner and self.cleaned_data.get(f"score_{winner}", 0) is None:
            name = next(place.name for place in self.places if place.number == winner)
            self.add_error(f"score_{winner}", f"Type what {name} scored for the Mah-Jong.")
        return self.cleaned_data

    def _clean_score(self, name: str) -> None:
        typed = self.cleaned_data.get(name, "")
        if self.cleaned_data.get("winner", NOBODY) is None:
            self.cleaned_data[name] = None
            return
        try:
            self.cleaned_data[name] = points_of(typed)
        except ValidationError as wrong:
            self.add_error(name, wrong)

    def _seat(self, told: str) -> int:
        if told not in map(str, self._numbers()):
            raise ValidationError("Choose one of the players of this hand.")
        return int(told)

    def _numbers(self) -> list[int]:
        return [place.number for place in self.places]


class HandForm(ReportForm):
    """The next hand of a game; the submission's number makes sending twice the same as once."""

    submission_id = forms.UUIDField(widget=forms.HiddenInput, error_messages=INCOMPLETE)
    number = forms.IntegerField(
        min_value=1, max_value=999, widget=forms.HiddenInput, error_messages=INCOMPLETE
    )

    @property
    def tells_a_hand(self) -> bool:
        """Whether enough of it makes sense to be checked against the rules."""
        return {"submission_id", "number", "winner"} <= self.cleaned_data.keys()


class CorrectionForm(ReportForm):
    """A hand as the scorer decides it."""

    reason = forms.CharField(
        max_length=200,
        label="Why is it changed?",
        help_text="A few words that the table will read.",
        error_messages={"required": "Say in a few words why the hand is changed."},
    )


def points_of(typed: str) -> int | None:
    """The points that were typed, None for nothing; ``1,000`` and ``1 000`` are a thousand."""
    digits = "".join(typed.split()).replace(",", "").replace("−", "-")
    if not digits:
        return None
    if not digits.removeprefix("-").isdecimal():
        raise ValidationError(f"“{typed[:20]}” is not a number. Type the points in figures: 64.")
    if len(digits) > MOST_DIGITS:
        raise ValidationError("That is more than any hand can score.")
    return int(digits)


def blank_hand(number: int) -> dict[str, Any]:
    """What a fresh form for the hand of this number starts with."""
    return {"submission_id": uuid4(), "number": number}


def told_number(told: Mapping[str, Any]) -> int:
    """The number of the hand that a form is for, 0 if it says none that can be."""
    number = str(told.get("number", ""))
    return int(number) if number.isdecimal() and len(number) <= 3 else 0


def told_of(row: HandRow) -> dict[str, Any]:
    """A recorded hand as a form shows it."""
    scores = {f"score_{seat}": score for seat, score in row.scores.items()}
    pays = row.report.get("pays_for_all") or ""
    return {"winner": row.winner or NOBODY, "pays_for_all": pays, **scores}


def keeping_tiles(report: Report, row: HandRow) -> Report:
    """The report with the tiles that were told before, where neither total nor winner changed."""
    before = Report.from_json(row.report)
    if report.winner is None or report.winner != before.winner:
        return report
    tiles = {
        seat: hand for seat, hand in before.tiles.items() if report.totals[seat] == row.scores[seat]
    }
    totals = {seat: total for seat, total in report.totals.items() if seat not in tiles}
    return replace(
        report, totals=totals, tiles=tiles, won_by=before.won_by, discarder=before.discarder
    )


def _score_field(name: str) -> forms.CharField:
    return forms.CharField(required=False, label=f"{name}’s score")


def _every(data: Any, name: str) -> list[str]:
    return list(data.getlist(name)) if hasattr(data, "getlist") else [data.get(name, "")]
