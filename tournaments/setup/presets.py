"""Presets for tournaments; our own, as no rule book defines any. All values can be changed."""

from dataclasses import dataclass
from typing import Any, Final

from tournaments.models import SittingOut


@dataclass(frozen=True, slots=True)
class Preset:
    """A preset: rounds by hands or minutes, and the ranking metrics in order."""

    key: str
    name: str
    words: str
    rounds: int
    hands_a_round: int | None
    ranks_by: tuple[str, ...]
    minutes_a_round: int | None = None
    sitting_out_counts: str = SittingOut.AVERAGE

    def as_initial(self) -> dict[str, Any]:
        """Initial data of the form for a new tournament; unused rankings are empty."""
        ranks = (*self.ranks_by, "", "", "", "")[:4]
        return {
            "rounds": self.rounds,
            "hands_a_round": self.hands_a_round,
            "minutes_a_round": self.minutes_a_round,
            "sitting_out_counts": self.sitting_out_counts,
            **{f"rank_{place}": metric for place, metric in enumerate(ranks, start=1)},
        }


ALL_COUNT: Final = ("table_points", "total", "mahjongs", "best_hand")
PRESETS: Final = (
    Preset("day", "A day out", "Five rounds of eight hands, by table points.", 5, 8, ALL_COUNT),
    Preset(
        "afternoon",
        "An afternoon",
        "Three rounds of six hands, by total gain.",
        3,
        6,
        ("total", "mahjongs", "best_hand"),
    ),
    Preset(
        "weekend",
        "A weekend",
        "Eight rounds of sixteen hands, each a whole game of four winds, by table points.",
        8,
        16,
        ALL_COUNT,
    ),
    Preset(
        "wins",
        "Count the Mah-Jongs",
        "Four rounds of eight hands; most Mah-Jongs wins.",
        4,
        8,
        ("mahjongs", "total"),
    ),
    Preset(
        "clock",
        "Against the clock",
        "Five rounds of 75 minutes with as many hands as time allows, by table points.",
        5,
        None,
        ALL_COUNT,
        minutes_a_round=75,
    ),
)


def preset_of(key: str) -> Preset:
    """The preset of that key, or the first."""
    return next((preset for preset in PRESETS if preset.key == key), PRESETS[0])
