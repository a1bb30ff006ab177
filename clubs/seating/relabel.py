"""Which player takes which place of a perfect plan, so that wishes cost none of its meetings."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from clubs.seating.board import Prices, Tables
from clubs.seating.chance import Allowance, Dice

TENURE = 8  # exchanges during which a place keeps its player, at most
LOOKS = 12  # mates whose prices are added up in the time of one look of the search
EFFORT = 300_000  # places looked at without a new best before giving up


@dataclass(slots=True)
class Cast:
    """The players in the places of a plan; `holder` -1 is the mark of an odd table.

    A plan without repeats lets each pair meet at most once, so only what a first meeting
    costs counts here: `price`, and nothing for those who are to sit together.
    """

    price: Prices
    holder: list[int]
    mates: list[list[int]]
    barred: dict[int, int] = field(default_factory=dict)

    def cost_at(self, place: int, player: int) -> int:
        """What the meetings of `player` cost in a place, were everyone else to stay."""
        row, holder = self.price[player], self.holder
        return sum([max(0, row[holder[mate]]) for mate in self.mates[place]])

    def change(self, one: int, other: int) -> int:
        """By how much the cost changes when two places exchange their players.

        Where the two places meet each other nothing changes between them; counting
        that meeting with a player and himself costs nothing, so it is added back.
        """
        first, second = self.holder[one], self.holder[other]
        shared = 2 * self.mates[one].count(other) * max(0, self.price[first][second])
        after = self.cost_at(one, second) + self.cost_at(other, first)
        return after + shared - self.cost_at(one, first) - self.cost_at(other, second)

    def unhappy(self) -> list[int]:
        """The places whose players have a meeting that costs something."""
        return [place for place, who in enumerate(self.holder) if self.cost_at(place, who) > 0]

    def cost(self) -> int:
        """What all meetings cost."""
        return sum(self.cost_at(place, who) for place, who in enumerate(self.holder)) // 2


def cast_for(plan: Sequence[Tables], price: Prices, holder: Sequence[int]) -> Cast:
    """The players as `holder` puts them into the places of `plan`."""
    mates: list[list[int]] = [[] for _ in holder]
    for tables in plan:
        for table in tables:
            for place in table:
                mates[place] += [mate for mate in table if mate != place]
    return Cast(price, list(holder), mates)


def recast(cast: Cast, dice: Dice, allowance: Allowance) -> list[int]:
    """The players exchanged until no meeting costs anything, or as little as is found."""
    if not cast.unhappy():
        return cast.holder
    best, cost = list(cast.holder), cast.cost()
    best_cost, clock = cost, 0
    patience = effort = EFFORT // max(1, len(best))
    while patience > 0 and (unhappy := cast.unhappy()) and not allowance.is_over():
        place = unhappy[dice.below(len(unhappy))]
        change, other = _best_exchange(cast, place, clock, best_cost - cost)
        allowance.spend(len(best) * len(cast.mates[place]) / LOOKS)
        cast.holder[place], cast.holder[other] = cast.holder[other], cast.holder[place]
        clock += 1
        for moved in (place, other):
            cast.barred[moved] = clock + 1 + dice.below(TENURE)
        cost += change
        patience -= len(best)
        if cost < best_cost:
            best, best_cost, patience = list(cast.holder), cost, effort
    return best


def _best_exchange(cast: Cast, place: int, clock: int, room: int) -> tuple[int, int]:
    """The change of cost and the place of the best exchange; staying put is the last resort."""
    best = (0, place)
    found = False
    for other in range(len(cast.holder)):
        if cast.holder[other] < 0 or cast.holder[place] < 0 or other == place:
            continue
        change = cast.change(place, other)
        free = max(cast.barred.get(place, 0), cast.barred.get(other, 0)) <= clock
        if (free or change < room) and (not found or change < best[0]):
            best, found = (change, other), True
    return best
