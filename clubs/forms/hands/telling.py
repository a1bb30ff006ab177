"""What a table tells of one hand: who went Mah-Jong, and what else the rules ask for."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, Final

from django import forms
from django.core.exceptions import ValidationError

from clubs.core.forms import add_problems, field_of
from clubs.forms.hands.figures import points_of, score_field
from clubs.forms.hands.places import FROM_THE_WALL, NOBODY, Place
from clubs.forms.hands.ways import Way, way_told, ways_beside
from scoring import RuleSet
from scoring.hands import WonBy
from scoring.scorebook.models import Recording
from scoring.scorebook.refusals import Refused
from scoring.scorebook.reports import Report, asks_who_discarded

FIGURE: Final = re.compile(r"(score|count)(_[1-5])?")


class ReportForm(forms.Form):
    """Who went Mah-Jong, and in one of the four ways what else there is to tell.

    By scores: a loser's may stay empty and counts as 0; where the winner alone scores there is one.
    By sticks: what each has now, beside what it ``had``, in points. Where the discarder pays alone,
    the last tile is asked for. ``instead`` holds the figures that were perhaps meant, by field.
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
        label="Does one player pay for everyone?",
        help_text="Only if the rules make one player pay the winner for everyone.",
    )

    def __init__(
        self,
        places: Sequence[Place],
        data: Any = None,
        initial: Mapping[str, Any] | None = None,
        *,
        rules: RuleSet,
        way: str = Recording.TOTALS,
        had: Mapping[int, int] | None = None,
    ) -> None:
        super().__init__(data, initial=dict(initial or {}))
        self.places, self.rules, self.had = tuple(places), rules, dict(had or {})
        self.told_by = way_told(self._sent("way") or str(self.initial.get("way", way)), rules)
        self.initial["way"] = self.told_by
        self.instead: dict[str, tuple[int, ...]] = {}
        self.winner_only = not rules.losers_score
        self._name_the_players()
        self._leave_out_what_is_not_asked()
        self.fields |= self._figures()

    def _sent(self, name: str) -> str:
        return str(self.data.get(name, "") or "")

    def _name_the_players(self) -> None:
        named = [(str(place.number), place.name) for place in self.places]
        asked = {
            "winner": forms.RadioSelect(choices=[*named, (NOBODY, "Nobody")]),
            "pays_for_all": forms.Select(choices=[("", "No, everyone pays their own"), *named]),
            "last_tile": forms.RadioSelect(
                choices=[*named, (FROM_THE_WALL, "Nobody (drawn from the wall)")]
            ),
        }
        for name, widget in asked.items():
            self.fields[name].widget = widget

    def _leave_out_what_is_not_asked(self) -> None:
        nobody_pays = not self.rules.zero_sum or self.told_by == Recording.WINNER
        if nobody_pays:
            del self.fields["pays_for_all"]
        if nobody_pays or not asks_who_discarded(self.rules):
            del self.fields["last_tile"]
        if self.told_by != Recording.TALLIES:
            del self.fields["as_counted"]

    def _figures(self) -> dict[str, forms.Field]:
        """A field for every figure of the way in which the hand is told."""
        if self.told_by == Recording.WINNER:
            return {}
        if self.told_by == Recording.TALLIES:
            return {
                f"count_{one.number}": score_field(f"{one.name} now has") for one in self.places
            }
        if self.winner_only:
            return {"score": score_field("The winner’s score")}
        return {f"score_{one.number}": score_field(f"{one.name}’s score") for one in self.places}

    @property
    def ways(self) -> Iterator[Way]:
        """The ways in which the hand can be told."""
        return ways_beside(self.told_by, self.rules)

    @property
    def tells_scores(self) -> bool:
        """Whether it is told what the hands scored, in figures or in tiles."""
        return self.told_by in {Recording.TOTALS, Recording.TILES}

    @property
    def kept(self) -> dict[str, str]:
        """The figures that were typed in another way, so that nothing is lost on the way back."""
        told = self.data or self.initial
        return {
            name: str(told[name])
            for name in told
            if FIGURE.fullmatch(name) and name not in self.fields and told[name] not in {None, ""}
        }

    @property
    def counts(self) -> Iterator[tuple[Place, forms.BoundField, int | None]]:
        """Each seat with the field for what it has now, and what it had, from East on."""
        counted = self.places if self.told_by == Recording.TALLIES else ()
        return (
            (place, self[f"count_{place.number}"], self.had.get(place.number)) for place in counted
        )

    @property
    def rows(self) -> Iterator[tuple[Place, forms.BoundField]]:
        """Each seat that scores whoever wins, with its score's field, from East on."""
        scored = self.places if self.tells_scores and not self.winner_only else ()
        return ((place, self[self._score_of(place.number)]) for place in scored)

    @property
    def unscored(self) -> frozenset[int]:
        """The seats that were left empty and count as 0."""
        return frozenset(
            place.number for place, field in self.rows if self.cleaned_data.get(field.name) is None
        )

    @property
    def told(self) -> list[tuple[Place, str]]:
        """Each seat that was given a figure, and the figure as it was typed."""
        if self.told_by == Recording.TALLIES:
            return [(place, field.value() or "0") for place, field, _ in self.counts]
        if not self.tells_scores:
            return []
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
        if self.told_by == Recording.WINNER:
            return Report(winner=winner, only_winner=True)
        if self.told_by == Recording.TALLIES:
            return replace(self._ending(winner), **self._counted())
        return self._told(winner)

    def _told(self, winner: int) -> Report:
        """The report by scores."""
        scored = [winner] if self.winner_only else self._numbers()
        totals = {seat: self.cleaned_data.get(self._score_of(seat)) or 0 for seat in scored}
        return replace(self._ending(winner), totals=totals)

    def _ending(self, winner: int) -> Report:
        """Who won, how, and who pays for all."""
        last_tile = self.cleaned_data.get("last_tile")
        discarder = None if last_tile in {None, FROM_THE_WALL} else last_tile
        return Report(
            winner=winner,
            won_by=last_tile and (WonBy.DISCARD if discarder else WonBy.WALL).value,
            discarder=discarder,
            pays_for_all=self.cleaned_data.get("pays_for_all"),
        )

    def _counted(self) -> dict[str, Any]:
        """What each has now beside what it had."""
        numbers = self._numbers()
        return {
            "tallies": {seat: self.cleaned_data[f"count_{seat}"] for seat in numbers},
            "had": {seat: self.had[seat] for seat in numbers if seat in self.had},
            "as_counted": self.cleaned_data["as_counted"],
        }

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
            raise ValidationError("Choose who went Mah-Jong, or choose “Nobody (drawn hand)”.")
        if len(set(told)) > 1:
            raise ValidationError("Two players are marked. Choose the one who went Mah-Jong.")
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
            raise ValidationError(
                "Choose who discarded the last tile, or say it was drawn from the wall."
            )
        if told == str(winner):
            raise ValidationError(
                f"{self._name(winner)} went Mah-Jong with it, so someone else discarded it."
            )
        return FROM_THE_WALL if told == FROM_THE_WALL else self._seat(told)

    def clean_pays_for_all(self) -> int | None:
        """The seat that pays for everyone, if one does."""
        told = self.cleaned_data["pays_for_all"]
        return self._seat(told) if told else None

    def clean(self) -> dict[str, Any]:
        """Figures as numbers; a drawn hand has none."""
        for name in self._figures():
            self._clean_figure(name)
        if winner := self.cleaned_data.get("winner"):
            self._lacks_a_score(winner)
            self._lacks_counts()
        return self.cleaned_data

    def _lacks_a_score(self, winner: int) -> None:
        name = self._score_of(winner)
        if self.tells_scores and self.cleaned_data.get(name, 0) is None:
            self.add_error(name, f"Enter what {self._name(winner)} scored for the Mah-Jong.")

    def _lacks_counts(self) -> None:
        for place, field, _ in self.counts:
            if self.cleaned_data.get(field.name, 0) is None:
                self.add_error(field.name, f"Enter what {place.name} has now, even if it is 0.")

    def _clean_figure(self, name: str) -> None:
        typed = self.cleaned_data.get(name, "")
        if self.cleaned_data.get("winner", NOBODY) is None:
            self.cleaned_data[name] = None
            return
        try:
            self.cleaned_data[name] = points_of(typed)
        except ValidationError as wrong:
            self.add_error(name, wrong)

    def offer(self, refused: Refused) -> None:
        """Say what is wrong at its field, with the figures that were perhaps meant."""
        add_problems(self, refused)
        for found in refused.problems:
            name, figures = field_of(self, found.where), getattr(found, "instead", ())
            if name and figures:
                self.instead[name] = figures

    @property
    def guesses(self) -> dict[str, list[tuple[str, int]]]:
        """By field the figures that one tap puts in: what the button sends, and the figure."""
        return {
            name: [(f"{name}:{figure}", figure) for figure in figures]
            for name, figures in self.instead.items()
        }

    def _seat(self, told: str) -> int:
        if told not in map(str, self._numbers()):
            raise ValidationError("Choose one of the players of this hand.")
        return int(told)

    def _name(self, seat: int) -> str:
        return next(place.name for place in self.places if place.number == seat)

    def _numbers(self) -> list[int]:
        return [place.number for place in self.places]


def _every(data: Any, name: str) -> list[str]:
    return list(data.getlist(name)) if hasattr(data, "getlist") else [data.get(name, "")]
