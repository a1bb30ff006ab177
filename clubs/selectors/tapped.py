"""What the seats of a table have tapped of the hand that is being played, as its pages show it."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Final

from clubs.selectors.building import Builder, Choice, Question, shown
from scoring import Deal, RuleSet
from scoring.building import Draft, Played, Told, groups, tell, used_by, written
from scoring.scorebook.models import Game
from scoring.scorebook.tapped import TAKES_MAHJONG_OVER, drafts_of, winner_of
from scoring.tiles import Tile, in_order

SAYS_NOT: Final = "won:no"


@dataclass(frozen=True, slots=True)
class TappedSeat:
    """One seat's tiles so far; ``text`` is the draft as a form carries it."""

    seat: int
    draft: Draft
    told: Told
    sets: tuple[tuple[Tile, ...], ...]

    @property
    def text(self) -> str:
        """The draft in the letters of ``scoring.building``."""
        return written(self.draft)

    @property
    def total(self) -> int | None:
        """The points that the tiles score, None while they make no whole hand."""
        return self.told.total if self.told.is_whole else None

    @property
    def state(self) -> str:
        """What is still missing, or empty."""
        return self.told.lacking[0] if self.told.lacking else ""


def tapped_seats(game: Game, deal: Deal, rules: RuleSet) -> dict[int, TappedSeat]:
    """What each seat has tapped that holds a tile; one query."""
    drafts = drafts_of(game, deal)
    return {seat: _tapped(seat, draft, rules) for seat, draft in drafts.items() if draft.held}


def _tapped(seat: int, draft: Draft, rules: RuleSet) -> TappedSeat:
    bonus = (in_order(draft.bonus),) if draft.bonus else ()
    sets = tuple(group.tiles for group in groups(draft, rules))
    return TappedSeat(seat, draft, tell(draft, rules), (*sets, *bonus))


def builder_at(
    before: Draft,
    played: Played,
    others: Mapping[int, Draft],
    rules: RuleSet,
    names: Mapping[int, str],
) -> Builder:
    """The builder of one seat's hand at a table where the others hold tiles too."""
    builder = shown(before, played, rules, used_by(others.values()))
    rival = winner_of(others)
    if rival is None:
        return replace(builder, table=())
    return replace(
        builder,
        table=(),
        outcome=_outcome_beside(names[rival]),
        aside=f"{names[rival]} has said Mah-Jong.",
    )


def _outcome_beside(rival: str) -> Question:
    return Question(
        "won",
        "Did this player go Mah-Jong?",
        (
            Choice(TAKES_MAHJONG_OVER, f"Mah-Jong, not {rival}", is_chosen=False),
            Choice(SAYS_NOT, "Not Mah-Jong", is_chosen=True),
        ),
    )


def said_first(name: str) -> str:
    """What is said to the second player who says Mah-Jong."""
    return (
        f"{name} has already said Mah-Jong, and only one player can. "
        f"If it was not {name}, press “Mah-Jong, not {name}”."
    )
