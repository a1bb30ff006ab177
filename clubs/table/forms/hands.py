"""How one hand is entered: by totals, by points, in tiles, and as a correction."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final, NamedTuple
from uuid import uuid4

from django import forms
from django.core.exceptions import ValidationError
from django.http import QueryDict

from clubs.core.forms import ShownTextField, add_problems, field_of
from clubs.language.words import whole_number
from clubs.table.square import seats_in_play_order
from scoring import RuleSet, Wind
from scoring.building import BadNotation, Draft, fit_draft, missing_sentences, read_draft, to_hand
from scoring.detective import Claim, compare
from scoring.hands.hand import CLAIMS, WonBy
from scoring.scorebook.models import SEAT_NUMBERS, Recording
from scoring.scorebook.refusals import Refused
from scoring.scorebook.reports import Report, asks_who_discarded
from scoring.scorebook.selectors import HandRow
from scoring.scorebook.services import USED_SUBMISSION
from scoring.scorebook.services.games import draft_tiles

MAX_DIGITS = 6
NO_WINNER = "nobody"
FROM_THE_WALL = "wall"

RECORDING_LABELS: Final = {
    Recording.TOTALS: "Scores",
    Recording.TILES: "Tiles",
    Recording.TALLIES: "Counted sticks",
    Recording.WINNER: "Winner only",
}

FIGURE_FIELD: Final = re.compile(r"(score|count)(_[1-5])?")
ENDING_FIELDS: Final = {"last_tile", "pays_for_all"}  # not asked for beside the winner only
MAX_DRAFT_LENGTH: Final = 300
UNREADABLE_TILES: Final = "The tiles could not be read. Open the table’s page again and check them."

INCOMPLETE_ERRORS = dict.fromkeys(
    ("required", "invalid", "min_value", "max_value"),
    "Something is missing from this form. Open the table’s page again and enter the hand again.",
)


def parse_points(text: str) -> int | None:
    """Parse points, None for nothing; ``1,000`` and ``1 000`` are a thousand."""
    digits = "".join(text.split()).replace(",", "").replace("−", "-")
    if not digits:
        return None
    if not digits.removeprefix("-").isdecimal():
        raise ValidationError(
            f"“{text[:20]}” is not a number. Enter points as a number, for example 64."
        )
    if len(digits) > MAX_DIGITS:
        raise ValidationError("That is more than any hand can score. Check the number.")
    return int(digits)


class PlayingSeat(NamedTuple):
    """A seat that plays the hand."""

    number: int
    name: str
    wind: Wind


def playing_seats(winds: Mapping[int, Wind], names: Mapping[int, str]) -> tuple[PlayingSeat, ...]:
    return tuple(PlayingSeat(seat, names[seat], winds[seat]) for seat in seats_in_play_order(winds))


def hand_form_data(row: HandRow) -> dict[str, Any]:
    report = Report.from_json(row.report)
    return {
        "way": report.recording,
        "winner": row.winner or NO_WINNER,
        "pays_for_all": row.report.get("pays_for_all") or "",
        "last_tile": _last_tile_value(report),
        "as_counted": report.as_counted,
        "score": row.scores.get(row.winner or 0),
        **{f"score_{seat}": score for seat, score in row.scores.items()},
        **{f"count_{seat}": count for seat, count in report.tallies.items()},
    }


def _last_tile_value(report: Report) -> str:
    """The form's value for the last tile; empty if it was not reported."""
    if report.won_by in CLAIMS:
        return str(report.discarder or "")
    return FROM_THE_WALL if report.won_by else ""


def keep_tiles(report: Report, row: HandRow) -> Report:
    """The report with the earlier tiles, if neither total nor winner changed.

    How the hand was won also stays, unless the form changes it: then the winner's tiles are dropped
    too, because they were scored for that.
    """
    earlier_report = Report.from_json(row.report)
    if not report.totals or report.winner != earlier_report.winner:
        return report
    won_alike = report.won_by is None or _last_tile_value(report) == _last_tile_value(
        earlier_report
    )
    tiles = {
        seat: hand
        for seat, hand in earlier_report.tiles.items()
        if report.totals.get(seat) == row.scores.get(seat) and (won_alike or seat != report.winner)
    }
    totals = {seat: total for seat, total in report.totals.items() if seat not in tiles}
    ending_report = earlier_report if won_alike else report
    return replace(
        report,
        totals=totals,
        tiles=tiles,
        won_by=ending_report.won_by,
        discarder=ending_report.discarder,
    )


@dataclass(frozen=True, slots=True)
class RecordingButton:
    """A way to enter a hand, as a button."""

    key: str
    label: str
    is_chosen: bool


def recordings_for(rules: RuleSet) -> tuple[Recording, ...]:
    """The ways to enter a hand; by sticks only if players pay."""
    return tuple(
        recording for recording in Recording if recording is not Recording.TALLIES or rules.zero_sum
    )


class ReportForm(forms.Form):
    """Who went Mah-Jong, and in one of the four ways what else there is to tell.

    By scores: a loser's may stay empty and counts as 0; where the winner alone scores there is one.
    By sticks: what each has now, beside what it ``sticks_before``, in points. Where the discarder
    pays otherwise than the others, the last tile is asked for. ``suggestions`` holds the figures
    that were perhaps meant, by field.
    """

    way = forms.CharField(required=False, widget=forms.HiddenInput)

    winner = forms.CharField(required=False, widget=forms.RadioSelect, label="Who went Mah-Jong?")
    last_tile = forms.CharField(
        required=False,
        widget=forms.RadioSelect,
        label="Who discarded the last tile?",
        help_text="A robbed kong counts as a discard. Winning on the dealt tiles counts as drawn.",
    )
    as_counted = forms.BooleanField(required=False, label="Save the counts anyway")
    pays_for_all = forms.CharField(
        required=False,
        widget=forms.Select,
        label="Does one player pay for everyone?",
        help_text="Only if the rules make one player pay the winner for everyone.",
    )

    def __init__(
        self,
        places: Sequence[PlayingSeat],
        data: Any = None,
        initial: Mapping[str, Any] | None = None,
        *,
        rules: RuleSet,
        recording: str = Recording.TOTALS,
        sticks_before: Mapping[int, int] | None = None,
    ) -> None:
        super().__init__(data, initial=dict(initial or {}))
        self.places, self.rules, self.sticks_before = (
            tuple(places),
            rules,
            dict(sticks_before or {}),
        )
        chosen_recording = self._sent_value("way") or str(self.initial.get("way", recording))
        self.told_by = next(
            (recording for recording in recordings_for(rules) if recording == chosen_recording),
            Recording.TOTALS,
        )
        self.initial["way"] = self.told_by
        self.suggestions: dict[str, tuple[int, ...]] = {}
        self.winner_only = not rules.losers_score
        nobody_pays = not rules.zero_sum or self.told_by == Recording.WINNER
        if nobody_pays:
            del self.fields["pays_for_all"]
        if nobody_pays or not asks_who_discarded(rules):
            del self.fields["last_tile"]
        if self.told_by != Recording.TALLIES:
            del self.fields["as_counted"]
        player_choices = [(str(place.number), place.name) for place in self.places]
        self._offer("winner", [*player_choices, (NO_WINNER, "Nobody")])
        self._offer("last_tile", [*player_choices, (FROM_THE_WALL, "Nobody (drawn from the wall)")])
        usual = "pay as the rules say" if asks_who_discarded(rules) else "everyone pays their own"
        self._offer("pays_for_all", [("", f"No, {usual}"), *player_choices])
        self.fields |= {
            name: forms.CharField(required=False, label=label)
            for name, label in self._figures().items()
        }

    def _offer(self, name: str, choices: list[tuple[str, str]]) -> None:
        if name in self.fields:
            widget: Any = self.fields[name].widget
            widget.choices = choices

    def _sent_value(self, name: str) -> str:
        return str(self.data.get(name, "") or "")

    def _figures(self) -> dict[str, str]:
        """The label of each figure that is asked for, by its field."""
        if self.told_by == Recording.WINNER:
            return {}
        if self.told_by == Recording.TALLIES:
            return {f"count_{place.number}": f"{place.name} now has" for place in self.places}
        if self.winner_only:
            return {"score": "The winner’s score"}
        return {f"score_{place.number}": f"{place.name}’s score" for place in self.places}

    @property
    def recording_buttons(self) -> Iterator[RecordingButton]:
        return (
            RecordingButton(recording, RECORDING_LABELS[recording], recording == self.told_by)
            for recording in recordings_for(self.rules)
        )

    @property
    def tells_scores(self) -> bool:
        """Whether it is told what the hands scored, in figures or in tiles."""
        return self.told_by in {Recording.TOTALS, Recording.TILES}

    @property
    def hidden_values(self) -> dict[str, str]:
        """What was entered in another way, so that nothing is lost on the way back."""
        fields = self.data or self.initial
        other_fields = {name for name in fields if FIGURE_FIELD.fullmatch(name)}
        if self.told_by == Recording.WINNER:
            other_fields |= ENDING_FIELDS & set(fields)
        return {
            name: str(fields[name])
            for name in fields
            if name in other_fields - set(self.fields) and fields[name] not in {None, ""}
        }

    @property
    def counts(self) -> Iterator[tuple[PlayingSeat, forms.BoundField, int | None]]:
        """Each seat with the field for what it has now, and what it had, from East on."""
        counted_places = self.places if self.told_by == Recording.TALLIES else ()
        return (
            (place, self[f"count_{place.number}"], self.sticks_before.get(place.number))
            for place in counted_places
        )

    @property
    def rows(self) -> Iterator[tuple[PlayingSeat, forms.BoundField]]:
        """Each seat that scores whoever wins, with its score's field, from East on."""
        scored_places = self.places if self.tells_scores and not self.winner_only else ()
        return ((place, self[self._score_of(place.number)]) for place in scored_places)

    @property
    def unscored_seats(self) -> frozenset[int]:
        """The seats that were left empty and count as 0."""
        return frozenset(
            place.number for place, field in self.rows if self.cleaned_data.get(field.name) is None
        )

    @property
    def figures(self) -> list[tuple[PlayingSeat, str]]:
        """Each seat that was given a figure, and the figure as it was typed."""
        if self.told_by == Recording.TALLIES:
            return [(place, field.value() or "0") for place, field, _ in self.counts]
        if not self.tells_scores:
            return []
        winner = self.cleaned_data["winner"]
        scored_places = [
            place for place in self.places if not self.winner_only or place.number == winner
        ]
        return [
            (place, self[self._score_of(place.number)].value() or "0") for place in scored_places
        ]

    @property
    def in_words(self) -> str:
        """What was typed, for the scorer: ``We had: Margaret 20, Dilip 60 (Mah-Jong)``."""
        winner = self.report.winner
        if winner is None:
            return "We had: nobody went Mah-Jong"
        figures = {place.number: f" {figure}" for place, figure in self.figures}
        parts = [
            f"{place.name}{figures.get(place.number, '')}{' (Mah-Jong)' * (place.number == winner)}"
            for place in self.places
            if place.number in figures or place.number == winner
        ]
        return f"We had: {', '.join(parts)}"

    @property
    def said_of_the_last_tile(self) -> str:
        """``Ann discarded the last tile`` or ``The winner drew the last tile``."""
        discarder = self.report.discarder
        discard_phrase = f"{self._name(discarder)} discarded" if discarder else "The winner drew"
        return f"{discard_phrase} the last tile"

    def _score_of(self, seat: int) -> str:
        return "score" if self.winner_only else f"score_{seat}"

    @property
    def report(self) -> Report:
        winner = self.cleaned_data["winner"]
        if winner is None:
            return Report(winner=None)
        if self.told_by == Recording.WINNER:
            return Report(winner=winner, only_winner=True)
        last_tile = self.cleaned_data.get("last_tile")
        discarder = None if last_tile in {None, FROM_THE_WALL} else last_tile
        ending = Report(
            winner=winner,
            won_by=last_tile and (WonBy.DISCARD if discarder else WonBy.WALL).value,
            discarder=discarder,
            pays_for_all=self.cleaned_data.get("pays_for_all"),
        )
        numbers = self._numbers()
        if self.told_by == Recording.TALLIES:
            return replace(
                ending,
                tallies={seat: self.cleaned_data[f"count_{seat}"] for seat in numbers},
                had={
                    seat: self.sticks_before[seat] for seat in numbers if seat in self.sticks_before
                },
                as_counted=self.cleaned_data["as_counted"],
            )
        scored_seats = [winner] if self.winner_only else numbers
        totals = {seat: self.cleaned_data.get(self._score_of(seat)) or 0 for seat in scored_seats}
        return replace(ending, totals=totals)

    @property
    def typed_values(self) -> dict[str, str]:
        """Everything that was typed, in another way too, to carry to the next page."""
        names = [name for name in self.fields if name in self.data]
        entries = {name: str(self.data[name]) for name in names}
        return (
            self.hidden_values | entries | ({"winner": NO_WINNER} if "drawn" in self.data else {})
        )

    def clean_winner(self) -> int | None:
        """The winner's seat, None for a drawn hand; two at once are refused."""
        if "drawn" in self.data:
            values = [NO_WINNER]
        elif isinstance(self.data, QueryDict):
            values = self.data.getlist("winner")
        else:
            values = [self.data.get("winner", "")]
        if not any(values):
            raise ValidationError("Choose who went Mah-Jong, or choose “Nobody (drawn hand)”.")
        if len(set(values)) > 1:
            raise ValidationError("Two players are marked. Choose the one who went Mah-Jong.")
        return self._seat(values[0]) if values[0] != NO_WINNER else None

    def clean_last_tile(self) -> str | int | None:
        """``wall``, or the seat that discarded it; nothing for a drawn hand."""
        value = self.cleaned_data["last_tile"]
        winner = self.cleaned_data.get("winner")
        if winner is None:
            return None
        if not value:
            raise ValidationError(
                "Choose who discarded the last tile, or say it was drawn from the wall."
            )
        if value == str(winner):
            raise ValidationError(
                f"{self._name(winner)} went Mah-Jong with it, so someone else discarded it."
            )
        return FROM_THE_WALL if value == FROM_THE_WALL else self._seat(value)

    def clean_pays_for_all(self) -> int | None:
        value = self.cleaned_data["pays_for_all"]
        return self._seat(value) if value else None

    def clean(self) -> dict[str, Any]:
        """Figures as numbers; a drawn hand has none."""
        is_drawn = self.cleaned_data.get("winner", NO_WINNER) is None
        for name in self._figures():
            text = self.cleaned_data.get(name, "")
            try:
                self.cleaned_data[name] = None if is_drawn else parse_points(text)
            except ValidationError as wrong:
                self.add_error(name, wrong)
        if winner := self.cleaned_data.get("winner"):
            self._lacks_a_score(winner)
            for place, field, _ in self.counts:
                if self.cleaned_data.get(field.name, 0) is None:
                    self.add_error(field.name, f"Enter what {place.name} has now, even if it is 0.")
        return self.cleaned_data

    def _lacks_a_score(self, winner: int) -> None:
        name = self._score_of(winner)
        if self.tells_scores and self.cleaned_data.get(name, 0) is None:
            self.add_error(name, f"Enter what {self._name(winner)} scored for the Mah-Jong.")

    def offer(self, refusal: Refused) -> None:
        """Say what is wrong at its field, with the figures that were perhaps meant."""
        add_problems(self, refusal)
        for finding in refusal.problems:
            name, figures = field_of(self, finding.path), getattr(finding, "suggestions", ())
            if name and figures:
                self.suggestions[name] = figures

    @property
    def guesses(self) -> dict[str, list[tuple[str, int]]]:
        """By field the figures that one tap puts in: what the button sends, and the figure."""
        return {
            name: [(f"{name}:{figure}", figure) for figure in figures]
            for name, figures in self.suggestions.items()
        }

    def _seat(self, text: str) -> int:
        if text not in map(str, self._numbers()):
            raise ValidationError("Choose one of the players of this hand.")
        return int(text)

    def _name(self, seat: int) -> str:
        return next(place.name for place in self.places if place.number == seat)

    def _numbers(self) -> list[int]:
        return [place.number for place in self.places]


class TappedForm(ReportForm):
    """A report with a hidden draft for each seat that has tapped its tiles (``tiles_3``).

    A score typed beside tiles is what the player claims: it must be what the tiles score.
    """

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.drafts: dict[int, Draft] = {}
        if self.tells_scores:
            self.fields |= {
                name: forms.CharField(
                    required=False, max_length=MAX_DRAFT_LENGTH, widget=forms.HiddenInput
                )
                for name in map(tiles_field, self._numbers())
            }

    @property
    def tapped_drafts(self) -> dict[int, Draft]:
        """The drafts that count once the winner is known, each with how the hand ended for it."""
        winner = self.cleaned_data.get("winner")
        drafts = {
            seat: fit_draft(replace(draft, won=seat == winner), self.rules)
            for seat, draft in self.drafts.items()
        }
        return {
            seat: draft
            for seat, draft in drafts.items()
            if winner and (draft.won or not self.winner_only)
        }

    def clean(self) -> dict[str, Any]:
        """Tiles read and counted, each beside what its player claims."""
        self.drafts = dict(self._read())
        cleaned_data = super().clean()
        if self.tells_scores and cleaned_data.get("winner"):
            for seat, draft in self.tapped_drafts.items():
                name = self._score_of(seat)
                if missing := missing_sentences(draft, self.rules):
                    self.add_error(name, f"{self._name(seat)}’s tiles: {missing[0]}")
                elif (claimed_total := self.cleaned_data.get(name)) is not None:
                    # The likeliest slip if a player claims other points than the tiles score.
                    claim, hand = Claim(total=claimed_total), to_hand(draft, self.rules)
                    for slip in compare(claim, hand, self.rules).findings[:1]:
                        entry_text = f"{claimed_total:,} was entered for {self._name(seat)}."
                        self.add_error(name, f"{entry_text} {slip.message}")
                        self.suggestions[name] = (slip.corrected_fields["total"],)
            winner = cleaned_data["winner"]
            tiles_winner = next((seat for seat, draft in self.drafts.items() if draft.won), winner)
            if tiles_winner != winner:
                message = (
                    f"{self._name(winner)} is marked here, but {self._name(tiles_winner)}’s tiles "
                    f"say Mah-Jong. Mark {self._name(tiles_winner)}, or change those tiles."
                )
                self.add_error("winner", message)
        return cleaned_data

    def _read(self) -> Iterator[tuple[int, Draft]]:
        for seat in self._numbers():
            if text := self.cleaned_data.get(tiles_field(seat)):
                try:
                    yield seat, read_draft(text)
                except BadNotation:
                    self.add_error(None, UNREADABLE_TILES)

    def _lacks_a_score(self, winner: int) -> None:
        if winner not in self.tapped_drafts:
            super()._lacks_a_score(winner)

    def clean_last_tile(self) -> str | int | None:
        """As told; what the winner's tiles say of it needs no telling, and must fit."""
        winner, value = self.cleaned_data.get("winner"), self.cleaned_data["last_tile"]
        text = self._sent_value(tiles_field(winner)) if winner else ""
        try:
            draft = read_draft(text) if text else None
        except BadNotation:
            draft = None
        if draft is None or draft.won_by is None:
            return super().clean_last_tile()
        if draft.won_by not in CLAIMS:
            if value not in {"", FROM_THE_WALL}:
                raise ValidationError(
                    "According to the tiles, no one discarded the last tile. "
                    "Choose “Nobody (drawn from the wall)” or change the tiles."
                )
            return FROM_THE_WALL
        if value == FROM_THE_WALL:
            raise ValidationError(
                "By the tiles, the last tile was claimed. Choose who discarded it."
            )
        return super().clean_last_tile()

    @property
    def report(self) -> Report:
        """What was told, with the tiles for the scores that they make."""
        report = super().report
        if report.winner is None or not self.tells_scores:
            return report
        tapped_drafts, winner = self.tapped_drafts, report.winner
        won_by = tapped_drafts[winner].won_by if winner in tapped_drafts else None
        return replace(
            report,
            totals={
                seat: total for seat, total in report.totals.items() if seat not in tapped_drafts
            },
            tiles={seat: draft_tiles(draft, self.rules) for seat, draft in tapped_drafts.items()},
            won_by=won_by.value if won_by else report.won_by,
        )

    @property
    def unscored_seats(self) -> frozenset[int]:
        return super().unscored_seats - self.tapped_drafts.keys()


def tiles_field(seat: int) -> str:
    return f"tiles_{seat}"


def add_tiles(data: QueryDict, tiles: Mapping[int, str]) -> QueryDict:
    """The form data, with the table's stored drafts replacing any that were sent."""
    form_data = data.copy()
    for name in read_tiles(data):
        del form_data[tiles_field(name)]
    for seat, text in tiles.items():
        form_data[tiles_field(seat)] = text
    return form_data


def read_tiles(data: QueryDict) -> dict[int, str]:
    return {seat: text for seat in SEAT_NUMBERS if (text := data.get(tiles_field(seat), ""))}


class HandForm(TappedForm):
    """The next hand of a game; the submission's number makes sending twice the same as once."""

    submission_id = forms.UUIDField(widget=forms.HiddenInput, error_messages=INCOMPLETE_ERRORS)
    number = forms.IntegerField(
        min_value=1, max_value=999, widget=forms.HiddenInput, error_messages=INCOMPLETE_ERRORS
    )
    company = forms.CharField(required=False, widget=forms.HiddenInput)

    def offer(self, refusal: Refused) -> None:
        """Say what is wrong; a submission that was used for another hand gives way to a new one."""
        super().offer(refusal)
        if any(problem.code == USED_SUBMISSION for problem in refusal.problems):
            data = QueryDict(mutable=True)
            data.update(self.data)
            data["submission_id"] = str(uuid4())
            self.data = data

    @property
    def tells_a_hand(self) -> bool:
        """Whether enough of it makes sense to be checked against the rules."""
        return {"submission_id", "number", "winner"} <= self.cleaned_data.keys()


class PlayedForm(ReportForm):
    """A hand of the book told again: in figures, because only the next hand can be tapped."""

    def __init__(
        self,
        places: Sequence[PlayingSeat],
        data: Any = None,
        initial: Mapping[str, Any] | None = None,
        **options: Any,
    ) -> None:
        fields = dict(initial or {})
        if fields.get("way") == Recording.TILES:
            fields["way"] = Recording.TOTALS
        super().__init__(places, data, fields, **options)

    @property
    def recording_buttons(self) -> Iterator[RecordingButton]:
        return (button for button in super().recording_buttons if button.key != Recording.TILES)


class CorrectionForm(PlayedForm):
    """A hand as the scorer decides it."""

    reason = ShownTextField(
        max_length=200,
        label="Reason for the change",
        help_text="The table will see this.",
        error_messages={"required": "Enter a reason for the change."},
    )


def blank_hand(number: int, company: str) -> dict[str, Any]:
    return {"submission_id": uuid4(), "number": number, "company": company}


def hand_number(fields: Mapping[str, Any]) -> int:
    """The number of the hand that a form is for, 0 if it is invalid."""
    return whole_number(str(fields.get("number", "")), most=999) or 0


def refill_form(form_data: QueryDict) -> dict[str, Any]:
    """The form data to show again; ``tell:tallies`` switches to that way."""
    fields = {name: value for name, value in form_data.items() if name != "csrfmiddlewaretoken"}
    step, _, recording = form_data.get("step", "").partition(":")
    return fields | {"way": recording} if step == "tell" else fields


def apply_figure_button(form_data: QueryDict) -> QueryDict:
    """The form data with the figure of the button that was pressed: ``put=score_3:36``."""
    name, _, figure = form_data.get("put", "").partition(":")
    if not figure:
        return form_data
    changed_data = form_data.copy()
    changed_data[name] = figure
    return changed_data
