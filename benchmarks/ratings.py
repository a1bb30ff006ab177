"""Which of OpenSkill's models finds out who plays well: `python -m benchmarks.ratings`.

Pretend clubs of 40 whose strength is known: each has 40 evenings of 32, and at a table whoever has
the most of strength and luck ends first. Luck is 1.5 or 3 times as wide as strength.
"""

import random
from itertools import combinations
from statistics import correlation, mean

from openskill.models import (
    BradleyTerryFull,
    BradleyTerryPart,
    PlackettLuce,
    ThurstoneMostellerFull,
    ThurstoneMostellerPart,
)

MODELS = (
    PlackettLuce,
    ThurstoneMostellerFull,
    ThurstoneMostellerPart,
    BradleyTerryFull,
    BradleyTerryPart,
)
PLAYERS, HERE, EVENINGS, CLUBS = 40, 32, 40, 6
LOOKS = (8, 20, 40)


class Pretend:
    """A club that is rated by one model."""

    def __init__(self, model: type, seed: int, luck: float) -> None:
        self.model, self.luck, self.chance = model(), luck, random.Random(seed)
        self.strength = [self.chance.gauss(0, 1) for _ in range(PLAYERS)]
        self.rated = [self.model.rating() for _ in range(PLAYERS)]
        self.right: list[bool] = []

    def evening(self) -> None:
        """One evening of fours, foretold before it is played."""
        here = self.chance.sample(range(PLAYERS), HERE)
        for at in range(0, HERE, 4):
            self.table(here[at : at + 4])

    def table(self, seated: list[int]) -> None:
        """One table: how many of its six pairs ended as the ratings say, and the new ratings."""
        played = {
            number: self.strength[number] + self.chance.gauss(0, self.luck) for number in seated
        }
        for first, second in combinations(seated, 2):
            foretold = self.rated[first].mu > self.rated[second].mu
            self.right.append(foretold == (played[first] > played[second]))
        order = sorted(seated, key=lambda number: -played[number])
        rated = self.model.rate(
            [[self.rated[number]] for number in order], ranks=[1.0, 2.0, 3.0, 4.0]
        )
        for first, team in zip(order, rated, strict=True):
            self.rated[first] = team[0]

    def found(self) -> float:
        """How near the ratings are to the strengths: 1 is the same order of sizes, 0 none."""
        return correlation(self.strength, [item.mu for item in self.rated])


def main() -> None:
    """A line for each model and luck."""
    print("| luck | model | found after 8, 20, 40 evenings | pairs foretold, last 20 evenings |")
    print("| --- | --- | --- | --- |")
    for luck in (1.5, 3.0):
        for model in MODELS:
            print(f"| {luck} | {model.__name__} | {' | '.join(told(model, luck))} |")


def told(model: type, luck: float) -> tuple[str, str]:
    """What the model finds, the mean of so many clubs."""
    result: dict[int, list[float]] = {look: [] for look in LOOKS}
    foretold = []
    for seed in range(CLUBS):
        club = Pretend(model, seed, luck)
        for evening in range(1, EVENINGS + 1):
            club.right = club.right if evening > EVENINGS // 2 + 1 else []
            club.evening()
            if evening in LOOKS:
                result[evening].append(club.found())
        foretold.append(mean(club.right))
    return ", ".join(f"{mean(result[look]):.2f}" for look in LOOKS), f"{mean(foretold):.1%}"


if __name__ == "__main__":
    main()
