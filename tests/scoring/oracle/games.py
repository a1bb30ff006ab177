"""Random settlements and games, the same for the same seed."""

import random

from tests.scoring.oracle.hand import Fields
from tests.scoring.oracle.playing import play
from tests.scoring.oracle.settling import LIMITS
from tests.scoring.oracle.tiles import CLAIMED, WAYS_TO_WIN

SPOILT = 0.08
SEATS = {"bmja": [2, 3, 5], "tallies": [2, 3, 5], "english": [3], "safalra": [2, 3], "baggaley": []}


def a_settlement(key: str, chance: random.Random) -> Fields:
    """A `settle` line; now and then with one thing wrong."""
    seats = seats_in_play(chance)
    winner = chance.choice([*seats, *seats, None])
    scores = {seat: a_score(key, chance) for seat in seats}
    if key == "tallies":
        least = chance.choice([0, 0, 1])
        scores = {seat: score * (least or seat == winner) for seat, score in scores.items()}
    fields: Fields = {"scores": scores, "winner": winner}
    if winner is not None:
        others = [seat for seat in seats if seat != winner]
        fields |= ending(key, others, chance)
    if key == "tallies":
        fields["dealer"] = chance.choice(seats)
    return spoil(key, fields, chance) if winner and chance.random() < SPOILT else fields


def seats_in_play(chance: random.Random) -> list[str]:
    """East and one to three others, in any order."""
    others = chance.choices(["SWN", "SW", "W", "SN", "N"], weights=[80, 6, 6, 4, 4])[0]
    return chance.sample(["E", *others], len(others) + 1)


def a_score(key: str, chance: random.Random) -> int:
    most = LIMITS.get(key, 3000)
    return min(chance.choice([0, 2 * chance.randrange(60), 4 * chance.randrange(900)]), most)


def ending(key: str, others: list[str], chance: random.Random) -> Fields:
    """How the hand was won, and who is to answer for it."""
    told: Fields = {}
    if key == "tallies" or chance.random() < 0.6:
        told["won_by"] = chance.choice(WAYS_TO_WIN)
    if told.get("won_by") in CLAIMED and (key == "tallies" or chance.random() < 0.5):
        told["discarder"] = chance.choice(others)
    if chance.random() < 0.15:
        told["pays_for_all"] = chance.choice(others)
    return told


def spoil(key: str, fields: Fields, chance: random.Random) -> Fields:
    """One thing wrong."""
    first = next(iter(fields["scores"]))
    too_much = LIMITS.get(key, -3) + 2
    wrong: list[Fields] = [
        {"scores": fields["scores"] | {first: chance.choice([-2, too_much])}},
        {"won_by": "luck"},
        {"pays_for_all": fields["winner"]},
    ]
    wrong += [{name: "X"} for name in ("winner", "discarder", "pays_for_all")]
    wrong += [{"winner": seat} for seat in "ESWN" if seat not in fields["scores"]]
    if key == "tallies":
        wrong += [{"won_by": None, "discarder": None}, {"won_by": "discard", "discarder": None}]
    return fields | chance.choice(wrong)


def a_game(key: str, chance: random.Random) -> Fields:
    """A `play` line; now and then it goes on after the end, or names nobody who plays."""
    seats = chance.choice([4, 4, 4, 4, *SEATS[key]])
    fields: Fields = {"outcomes": [], "rounds": chance.choice([1, 2, 4, None])}
    if seats != 4:
        fields["seats"] = seats
    if key == "tallies" and chance.random() < 0.5:
        fields["dealer"] = chance.choice("1234"[:seats])
    east_wins = chance.choice([0.0, 0.2, 0.6])
    for _hand in range(chance.choice([0, 1, 4, 12, 30, 60] if seats != 5 else [0, 1, 4, 12])):
        fields["outcomes"].append(an_outcome(key, fields, east_wins, chance))
    if chance.random() < 0.04:
        fields["rounds"] = None
        fields["outcomes"].append(chance.choice(["9", "nobody"]))
    return fields


def an_outcome(key: str, fields: Fields, east_wins: float, chance: random.Random) -> str:
    """A draw, or the seat of someone in play: East's as often as asked."""
    if chance.random() < 0.12:
        return "draw"
    if "seats" not in fields:
        return "1" if chance.random() < east_wins / 4 else chance.choice("1234")
    winds: dict[str, str] = play(key, fields | {"rounds": None}).hands[-1]["winds"]
    east = next(seat for seat, wind in winds.items() if wind == "E")
    return east if chance.random() < east_wins else chance.choice(sorted(winds))
