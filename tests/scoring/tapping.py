"""Drafts tapped together by chance, and a hand tapped together as a player would."""

from hypothesis import strategies as st

from scoring import RuleSet, rule_set
from scoring.building import Bag, Draft, PlayResult, Steps, groups, play
from scoring.building.draft import facts, last_tiles, ways_to_win
from scoring.hands.hand import Kind
from scoring.hands.tiles import BONUS_TILES, JOKER, PLAYING_TILES

TILES = (*PLAYING_TILES, *BONUS_TILES, JOKER)
SEVERAL = ("", "", "", "pair:", "pung:", "kong:", "chow:")
TOLD = (
    "won:yes", "won:no", "seat:S", "seat:E", "prevailing:W", "goulash:yes", "goulash:no",
    "players:2", "players:3", "dealer:yes", "dealer:no", "undo", "again",
)  # fmt: skip


def draft_after(taps: str, key: str = "bmja", start: Draft | None = None) -> Draft:
    """The draft after these taps, none of which may be refused."""
    result = play_taps(taps, key, start)
    assert result.refusals == ()
    return result.steps.draft


def play_taps(taps: str, key: str = "bmja", start: Draft | None = None) -> PlayResult:
    """What these taps lead to under the rules of that key."""
    return play(Steps(start or Draft()), taps.split(), Bag(rule_set(key)))


def offered_taps(draft: Draft, rules: RuleSet) -> list[str]:
    """Every tap that the page offers for what is there."""
    taps = [f"take:{tile}" for tile in draft.bonus]
    for group in groups(draft, rules):
        kinds = ["take"]
        if group.kind in {Kind.CHOW, Kind.PUNG, Kind.KONG}:
            kinds += ["expose", "conceal"]
        if group.kind is Kind.KONG:
            kinds.append("split")
        if group.kind is Kind.PUNG:
            kinds.append("joker")
        taps += [f"{kind}:{group.word}" for kind in kinds]
    taps += [f"way:{won_by}" for won_by in ways_to_win(draft, rules)]
    taps += [f"last:{tile}" for tile in last_tiles(draft, rules)]
    return taps + [f"fact:{fact}" for fact in facts(draft, rules)]


@st.composite
def steps(draw: st.DrawFn, rules: RuleSet) -> Steps:
    """What up to thirty taps lead to, most of them on few different tiles."""
    few_tiles = draw(st.lists(st.sampled_from(TILES), min_size=1, max_size=6))
    played_steps = Steps(Draft())
    for _ in range(draw(st.integers(0, 30))):
        tile = draw(st.sampled_from([*few_tiles, *TILES[::7]]))
        taps = [draw(st.sampled_from(SEVERAL)) + tile] * 6
        taps += [draw(st.sampled_from(TOLD)), *offered_taps(played_steps.draft, rules)[:6]]
        played_steps = play(played_steps, [draw(st.sampled_from(taps))], Bag(rules)).steps
    return played_steps
