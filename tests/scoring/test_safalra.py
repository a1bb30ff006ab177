"""The one number that Safalra's page gives for a whole hand, and what was rebuilt from it."""

from itertools import combinations

from scoring import hand_from_json, rule_set, score

SAFALRA = rule_set("safalra")
KINDS = ["WE", "WS", "WW", "WN", "DR", "DG", "DW", "B1", "B5", "B9"]


def four_concealed_kongs(kongs: tuple[str, ...], pair: str) -> int:
    """East's score with these, the pair completed by the only possible tile, drawn."""
    fields = {
        "sets": [{"tiles": [tile] * 4, "exposed": False} for tile in kongs],
        "concealed": [pair, pair],
        "mahjong": True,
        "won_by": "wall",
        "winning_tile": pair,
    }
    return score(hand_from_json(fields, SAFALRA), SAFALRA).total


def test_no_hand_scores_more_than_the_page_says() -> None:
    """A concealed kong is worth more than any other set of the same tile."""
    scores = {
        (kongs, pair): four_concealed_kongs(kongs, pair)
        for kongs in combinations(KINDS, 4)
        for pair in KINDS
        if pair not in kongs
    }
    greatest = max(scores.values())
    assert greatest == 2592
    assert {hand for hand, points in scores.items() if points == greatest} == {
        (("WE", "DR", "DG", "DW"), wind) for wind in ("WS", "WW", "WN")
    }
