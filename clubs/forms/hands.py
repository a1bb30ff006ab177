"""What a table types about one hand: who went Mah-Jong, and what else the rules ask for."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, NamedTuple
from uuid import uuid4

from django import forms
from django.core.exceptions import ValidationError

from clubs.chairs import round_the_table
from scoring import RuleSet, Wind
from scoring.hands import CLAIMS, WonBy
from scoring.scorebook.reports import Report, asks_who_discarded
from scoring.scorebook.selectors import HandRow

NOBODY = "nobody"
FROM_THE_WALL = "wall"
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
    """The seats of a hand as they sit, from East on."""
    return tuple(Place(seat, names[seat], winds[seat]) for seat in round_the_table(winds))


class ReportForm(forms.Form):
    """A winner and what each scored; a loser's score may stay empty and counts as 0.

    Where the winner alone scores there is one score; where the discarder pays alone, the last
    tile is asked for.
    """

    winner = forms.CharField(required=False, widget=forms.RadioSelect, label="Who went Mah-Jong?")
    last_tile = forms.CharField(
        required=False,
        widget=forms.RadioSelect,
        label="Who discarded the last tile?",
        help_text="A robbed kong counts as a discard, a dealt hand as drawn.",
    )
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
        rules: RuleSet,
    ) -> None:
        super().__init__(data, initial=dict(initial or {}))
        self.places = tuple(places)
        named = [(str(place.number), place.name) for place in places]
        winner = self.fields["winner"]
        winner.widget = forms.RadioSelect(choices=[*named, (NOBODY, "Nobody")])
        pays = forms.Select(choices=[("", "No, everybody pays their own"), *named])
        self.fields["pays_for_all"].widget = pays
        last_tile = forms.RadioSelect(choices=[*named, (FROM_THE_WALL, "Nobody, it was drawn")])
        self.fields["last_tile"].widget = last_tile
        if not rules.zero_sum:
            del self.fields["pays_for_all"]
        if not asks_who_discarded(rules):
            del self.fields["last_tile"]
        self.winner_only = not rules.losers_score
        self.fields |= self._score_fields()

    def _score_fields(self) -> dict[str, forms.Field]:
        if self.winner_only:
            return {"score": _score_field("The winner’s score")}
        return {
            f"score_{place.number}": _score_field(f"{place.name}’s score") for place in self.places
        }

    @property
    def rows(self) -> Iterator[tuple[Place, forms.BoundField]]:
        """Each seat that scores whoever wins, with its score's field, from East on."""
        scored = () if self.winner_only else self.places
        return ((place, self[self._score_of(place.number)]) for place in scored)

    @property
    def unscored(self) -> frozenset[int]:
        """The seats that were left empty and count as 0."""
        return frozenset(
            place.number for place, field in self.rows if self.cleaned_data.get(field.name) is None
        )

    @property
    def told(self) -> list[tuple[Place, str]]:
        """Each seat that was given a score, and the score as it was typed."""
        winner = self.cleaned_data["winner"]
        scored = [place for place in self.places if not self.winner_only or place.number == winner]
        return [(place, self[self._score_of(place.number)].value() or "0") for place in scored]

    @property
    def said_of_the_last_tile(self) -> str:
        """``Ann discarded the last tile`` or ``The winner drew the last tile``."""
        discarder = self.report.discarder
        who = f"{self._name(discarder)} discarded" if discarder else "The winner drew"
        return f"{who} the last tile"

    def _score_of(self, seat: int) -> str:
        return "score" if self.winner_only else f"score_{seat}"

    @property
    def report(self) -> Report:
        """What was told, once the form is valid."""
        winner = self.cleaned_data["winner"]
        if winner is None:
            return Report(winner=None)
        scored = [winner] if self.winner_only else self._numbers()
        last_tile = self.cleaned_data.get("last_tile")
        discarder = None if last_tile in {None, FROM_THE_WALL} else last_tile
        return Report(
            winner=winner,
            totals={seat: self.cleaned_data.get(self._score_of(seat)) or 0 for seat in scored},
            won_by=last_tile and (WonBy.DISCARD if discarder else WonBy.WALL).value,
            discarder=discarder,
            pays_for_all=self.cleaned_data.get("pays_for_all"),
        )

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

    def clean_last_tile(self) -> str | int | None:
        """``wall``, or the seat that discarded it; nothing for a drawn hand."""
        told = self.cleaned_data["last_tile"]
        winner = self.cleaned_data.get("winner")
        if winner is None:
            return None
        if not told:
            raise ValidationError("Say who discarded the last tile, or that it was drawn.")
        if told == str(winner):
            raise ValidationError(
                f"{self._name(winner)} went Mah-Jong with it, so somebody else discarded it."
            )
        return FROM_THE_WALL if told == FROM_THE_WALL else self._seat(told)

    def clean_pays_for_all(self) -> int | None:
        """The seat that pays for everybody, if one does."""
        told = self.cleaned_data["pays_for_all"]
        return self._seat(told) if told else None

    def clean(self) -> dict[str, Any]:
        """Scores as numbers; a drawn hand has none."""
        for name in {self._score_of(seat): None for seat in self._numbers()}:
            self._clean_score(name)
        winner = self.cleaned_data.get("winner")
        if winner and self.cleaned_data.get(self._score_of(winner), 0) is None:
            sentence = f"Type what {self._name(winner)} scored for the Mah-Jong."
            self.add_error(self._score_of(winner), sentence)
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

    def _name(self, seat: int) -> str:
        return next(place.name for place in self.places if place.number == seat)

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
    return {
        "winner": row.winner or NOBODY,
        "pays_for_all": row.report.get("pays_for_all") or "",
        "last_tile": _last_tile(Report.from_json(row.report)),
        "score": None if row.winner is None else row.scores[row.winner],
        **scores,
    }


def _last_tile(report: Report) -> str:
    """What the form has for it: empty where nothing was told."""
    if report.won_by in CLAIMS:
        return str(report.discarder or "")
    return FROM_THE_WALL if report.won_by else ""


def keeping_tiles(report: Report, row: HandRow) -> Report:
    """The report with the tiles that were told before, where neither total nor winner changed.

    How the hand was won stays as it was told, unless the form says otherwise: then the winner's
    tiles go as well, because they were scored for that.
    """
    before = Report.from_json(row.report)
    if report.winner is None or report.winner != before.winner:
        return report
    won_alike = report.won_by is None or _last_tile(report) == _last_tile(before)
    tiles = {
        seat: hand
        for seat, hand in before.tiles.items()
        if report.totals.get(seat) == row.scores.get(seat) and (won_alike or seat != report.winner)
    }
    totals = {seat: total for seat, total in report.totals.items() if seat not in tiles}
    how = before if won_alike else report
    return replace(report, totals=totals, tiles=tiles, won_by=how.won_by, discarder=how.discarder)


def _score_field(label: str) -> forms.CharField:
    return forms.CharField(required=False, label=label)


def _every(data: Any, name: str) -> list[str]:
    return list(data.getlist(name)) if hasattr(data, "getlist") else [data.get(name, "")]
