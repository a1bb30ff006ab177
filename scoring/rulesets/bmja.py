"""The rules of the British Mah-Jong Association as Peter Gregory sets them out (seed 000)."""

from scoring.policies import Passing, Payments, Role
from scoring.rules import RuleSet
from scoring.tiles import Wind

BMJA_2008 = RuleSet(
    key="bmja/2008",
    name="BMJA rules",
    limit=1000,
    seats=(2, 3, 4, 5),
    payments=Payments(
        multiplied=Role.EAST,
        by=2,
        multiplied_with_two=False,
        losers_settle=True,
        source="rules.md 2.7",
    ),
    passing=Passing(
        order=tuple(Wind),
        prevailing=True,
        goulash_after_a_draw=True,
        source="rules.md 2.1",
    ),
)
