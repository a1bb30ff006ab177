"""What a table sends in about one hand, in one of four ways, and the form that is stored."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from scoring import Deal, RuleSet, Wind, possible_totals
from scoring.hands.problems import shown
from scoring.scorebook.models import Recording
from scoring.scorebook.refusals import Finding, Refusal

MOST_POINTS = 1_000_000
REPORTED_TILE_FIELDS = ("sets", "concealed", "bonus", "winning_tile", "facts")


@dataclass(frozen=True, slots=True)
class Report:
    """One hand as told: who went Mah-Jong (None: drawn), and a total or tiles for each seat.

    Or ``tallies``: the points in sticks that each seat has counted afterwards, beside what it
    ``had`` before; ``as_counted`` takes them also where no scores lead to them. Or nothing more
    than the winner (``only_winner``): the winds pass on, and nobody gains.
    """

    winner: int | None
    totals: Mapping[int, int | None] = field(default_factory=dict)
    tiles: Mapping[int, Mapping[str, Any]] = field(default_factory=dict)
    won_by: str | None = None
    discarder: int | None = None
    pays_for_all: int | None = None
    tallies: Mapping[int, int] = field(default_factory=dict)
    had: Mapping[int, int] = field(default_factory=dict)
    as_counted: bool = False
    only_winner: bool = False

    @property
    def way(self) -> Recording:
        """In which way the hand was told."""
        if self.only_winner:
            return Recording.WINNER
        if self.tallies:
            return Recording.TALLIES
        return Recording.TILES if self.tiles else Recording.TOTALS

    def faults(self) -> list[Finding]:
        """What makes this no report at all, whatever the deal: numbers and tiles of no shape."""
        seats = {name: getattr(self, name) for name in ("winner", "discarder", "pays_for_all")}
        faults: list[Finding] = [
            *(
                Refusal("bad_seat", f"{shown(seat)} is not the number of a seat.", name)
                for name, seat in seats.items()
                if seat is not None and type(seat) is not int
            ),
            *(
                Refusal("bad_score", f"{shown(total)} is not a score.", f"scores.{seat}")
                for seat, total in self.totals.items()
                if total is not None and (type(total) is not int or abs(total) > MOST_POINTS)
            ),
            *(
                Refusal("not_an_object", "These are not the tiles of a hand.", f"tiles.{seat}")
                for seat, hand in self.tiles.items()
                if not isinstance(hand, Mapping)
            ),
            *(
                Refusal("bad_score", f"{shown(count)} is not a count.", f"tallies.{seat}")
                for seat, count in (*self.tallies.items(), *self.had.items())
                if type(count) is not int or abs(count) > MOST_POINTS
            ),
        ]
        scored = bool(self.tiles) or any(total is not None for total in self.totals.values())
        if sum([scored, bool(self.tallies), self.only_winner]) > 1:
            words = "Enter the hand in one way: scores or tiles, counted sticks, or winner only."
            where = "tallies" if self.tallies else "only_winner"
            faults.append(Refusal("told_twice", words, where))
        return faults

    def as_json(self) -> dict[str, Any]:
        """The form that is stored and compared: only what was told, and of a draw only that."""
        stored: dict[str, Any] = {"winner": self.winner}
        if self.winner is None:
            return stored
        if self.totals:
            stored["totals"] = {str(seat): total for seat, total in sorted(self.totals.items())}
        if self.tiles:
            stored["tiles"] = {
                str(seat): reported_tiles(hand) for seat, hand in sorted(self.tiles.items())
            }
        for name in ("tallies", "had"):
            if counts := getattr(self, name):
                stored[name] = {str(seat): count for seat, count in sorted(counts.items())}
        for name in ("won_by", "discarder", "pays_for_all"):
            if (value := getattr(self, name)) is not None:
                stored[name] = value
        return stored | {
            name: True for name in ("as_counted", "only_winner") if getattr(self, name)
        }

    @classmethod
    def from_json(cls, stored: Mapping[str, Any]) -> "Report":
        """A stored report, read back."""
        return cls(
            winner=stored["winner"],
            totals={int(seat): total for seat, total in stored.get("totals", {}).items()},
            tiles={int(seat): hand for seat, hand in stored.get("tiles", {}).items()},
            won_by=stored.get("won_by"),
            discarder=stored.get("discarder"),
            pays_for_all=stored.get("pays_for_all"),
            tallies={int(seat): count for seat, count in stored.get("tallies", {}).items()},
            had={int(seat): count for seat, count in stored.get("had", {}).items()},
            as_counted=stored.get("as_counted", False),
            only_winner=stored.get("only_winner", False),
        )

    def matches(self, stored: Mapping[str, Any]) -> bool:
        """Whether a stored report tells the same; what each had before the table does not tell."""
        own = self.as_json()
        return _without(own, "had") == _without(stored, "had")


def asks_who_discarded(rules: RuleSet) -> bool:
    """Whether a table must tell who discarded the last tile, because he pays for it alone."""
    return rules.payments is not None and rules.payments.discarder_alone is not None


def reported_tiles(hand: Mapping[str, Any]) -> dict[str, Any]:
    """What a table tells of a seat's tiles; all else the game knows."""
    return {name: hand[name] for name in REPORTED_TILE_FIELDS if name in hand}


def _without(stored: Mapping[str, Any], name: str) -> dict[str, Any]:
    return {key: value for key, value in stored.items() if key != name}


def totals_at(deal: Deal, rules: RuleSet, winner: Wind | None) -> Mapping[Wind, tuple[int, ...]]:
    """Every total that can be, by wind, if that one went Mah-Jong."""
    return {
        wind: possible_totals(
            rules,
            won=wind == winner,
            seat_wind=wind,
            prevailing_wind=deal.prevailing_wind,
            players=len(deal.winds),
            goulash=deal.goulash,
            dealer=seat == deal.dealer,
        )
        for seat, wind in deal.winds.items()
    }
