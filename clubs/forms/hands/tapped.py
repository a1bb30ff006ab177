"""A hand of which some seats were told in tiles: the engine counts those, whatever is typed."""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any, Final

from django import forms
from django.core.exceptions import ValidationError
from django.http import QueryDict

from clubs.forms.hands.places import FROM_THE_WALL
from clubs.forms.hands.telling import ReportForm
from scoring import RuleSet
from scoring.building import BadNotation, Draft, fitted, lacking, read_draft, to_hand
from scoring.claims import Claim, compare
from scoring.detective import Finding
from scoring.hands import CLAIMS
from scoring.scorebook.models import SEAT_NUMBERS
from scoring.scorebook.reports import Report
from scoring.scorebook.tapped import tiles_of

LONGEST: Final = 300
UNREADABLE: Final = "The tiles could not be read. Open the table’s page again and check them."


class TappedForm(ReportForm):
    """A report with a hidden draft for each seat that has tapped its tiles (``tiles_3``).

    A score typed beside tiles is what the player claims: it must be what the tiles score.
    """

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.drafts: dict[int, Draft] = {}
        if self.tells_scores:
            self.fields |= {name: _draft_field() for name in map(tiles_name, self._numbers())}

    @property
    def tapped(self) -> dict[int, Draft]:
        """The drafts that count once the winner is known, each with how the hand ended for it."""
        winner = self.cleaned_data.get("winner")
        counted = {
            seat: fitted(replace(draft, won=seat == winner), self.rules)
            for seat, draft in self.drafts.items()
        }
        return {
            seat: draft
            for seat, draft in counted.items()
            if winner and (draft.won or not self.winner_only)
        }

    def clean(self) -> dict[str, Any]:
        """Tiles read and counted, each beside what its player claims."""
        self.drafts = dict(self._read())
        cleaned = super().clean()
        if self.tells_scores and cleaned.get("winner"):
            for seat, draft in self.tapped.items():
                self._count(seat, draft)
            self._agree_on_the_winner(cleaned["winner"])
        return cleaned

    def _read(self) -> Iterator[tuple[int, Draft]]:
        for seat in self._numbers():
            if text := self.cleaned_data.get(tiles_name(seat)):
                try:
                    yield seat, read_draft(text)
                except BadNotation:
                    self.add_error(None, UNREADABLE)

    def _count(self, seat: int, draft: Draft) -> None:
        name = self._score_of(seat)
        if missing := lacking(draft, self.rules):
            self.add_error(name, f"{self._name(seat)}’s tiles: {missing[0]}")
        elif (claimed := self.cleaned_data.get(name)) is not None:
            for slip in beside_the_claim(claimed, draft, self.rules):
                typed = f"{claimed:,} was entered for {self._name(seat)}."
                self.add_error(name, f"{typed} {slip.sentence}")
                self.instead[name] = (slip.corrected["total"],)

    def _agree_on_the_winner(self, winner: int) -> None:
        said = next((seat for seat, draft in self.drafts.items() if draft.won), winner)
        if said != winner:
            sentence = (
                f"{self._name(winner)} is marked here, but {self._name(said)}’s tiles say "
                f"Mah-Jong. Mark {self._name(said)}, or change those tiles."
            )
            self.add_error("winner", sentence)

    def _lacks_a_score(self, winner: int) -> None:
        if winner not in self.tapped:
            super()._lacks_a_score(winner)

    def clean_last_tile(self) -> str | int | None:
        """As told; what the winner's tiles say of it needs no telling, and must fit."""
        winner, told = self.cleaned_data.get("winner"), self.cleaned_data["last_tile"]
        draft = self._sent_draft(winner)
        if draft is None or draft.way is None:
            return super().clean_last_tile()
        if draft.way not in CLAIMS:
            if told not in {"", FROM_THE_WALL}:
                raise ValidationError(
                    "By the tiles, no one discarded the last tile. "
                    "Choose “Nobody (drawn from the wall)” or change the tiles."
                )
            return FROM_THE_WALL
        if told == FROM_THE_WALL:
            raise ValidationError(
                "By the tiles, the last tile was claimed. Choose who discarded it."
            )
        return super().clean_last_tile()

    def _sent_draft(self, seat: int | None) -> Draft | None:
        text = self._sent(tiles_name(seat)) if seat else ""
        try:
            return read_draft(text) if text else None
        except BadNotation:
            return None

    def _told(self, winner: int) -> Report:
        told, tapped = super()._told(winner), self.tapped
        way = tapped[winner].way if winner in tapped else None
        return replace(
            told,
            totals={seat: total for seat, total in told.totals.items() if seat not in tapped},
            tiles={seat: tiles_of(draft, self.rules) for seat, draft in tapped.items()},
            won_by=way.value if way else told.won_by,
        )

    @property
    def unscored(self) -> frozenset[int]:
        """The seats that were left empty and count as 0."""
        return super().unscored - self.tapped.keys()


def tiles_name(seat: int | None) -> str:
    """The field of a seat's tiles."""
    return f"tiles_{seat}"


def with_tiles(data: QueryDict, tiles: Mapping[int, str]) -> QueryDict:
    """What was typed, with the drafts that the table has kept in place of any that were sent."""
    typed = data.copy()
    for name in tiles_sent(data):
        del typed[tiles_name(name)]
    for seat, text in tiles.items():
        typed[tiles_name(seat)] = text
    return typed


def tiles_sent(data: QueryDict) -> dict[int, str]:
    """The drafts that a form carries, by seat."""
    return {seat: text for seat in SEAT_NUMBERS if (text := data.get(tiles_name(seat), ""))}


def beside_the_claim(claimed: int, draft: Draft, rules: RuleSet) -> tuple[Finding, ...]:
    """The likeliest slip where a player claims other points than the tiles score."""
    return compare(Claim(total=claimed), to_hand(draft, rules), rules).findings[:1]


def _draft_field() -> forms.CharField:
    return forms.CharField(required=False, max_length=LONGEST, widget=forms.HiddenInput)
