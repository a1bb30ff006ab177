"""Stuart Baggaley's rules, all plain points; notes 25 to 27 of docs/rules/notes.md."""

from collections.abc import Iterator
from itertools import combinations, product

from tests.scoring.oracle import shapes
from tests.scoring.oracle.classic import Way, readings
from tests.scoring.oracle.hand import Hand
from tests.scoring.oracle.tiles import DRAGONS, FROM_WALL, Group, Groups, by_suit, layouts

LIMIT = None
Dragon = tuple[Group, ...]


def most_chows(_hand: Hand) -> int:
    """Any number."""
    return 4


def winners(hand: Hand) -> Iterator[Way]:
    """Every way to score a Mah-Jong: sets and a pair, seven pairs, or fourteen unrelated tiles."""
    candidates = [
        candidate for groups in readings(hand) for candidate in with_dragons(hand, groups)
    ]
    if hand.all_in_hand and not hand.is_claimed and shapes.seven_pairs(hand.tiles):
        candidates.append(Way(forty(hand), special="seven_pairs"))
    if hand.all_in_hand and shapes.orphan(hand.tiles):
        candidates.append(Way(forty(hand), special="orphan"))
    for candidate in candidates:
        yield from with_bliss(
            hand, candidate._replace(score=candidate.score + 20 + bonus_points(hand))
        )


def forty(hand: Hand) -> int:
    """The value of an irregular hand: all of it is completed by a drawn tile."""
    return 80 if is_drawn(hand) else 40


def is_drawn(hand: Hand) -> bool:
    """Whether the last tile came from the head of the wall."""
    return hand.mahjong and hand.won_by in FROM_WALL


def completed_in(hand: Hand, inside: Groups) -> Groups:
    """The groups that the last tile may have completed; the only one, where it is not known."""
    if not is_drawn(hand):
        return ()
    if hand.winning is None:
        return inside if len(inside) == 1 else ()
    return tuple(group for group in inside if group.holds(hand.winning or ""))


def with_bliss(hand: Hand, candidate: Way) -> Iterator[Way]:
    """A hundred more for East's dealt hand, which may then be named."""
    if hand.won_by != "dealt" or hand.seat != "E":
        yield candidate
        return
    raised_candidate = candidate._replace(score=candidate.score + 100)
    yield raised_candidate._replace(special="heavenly_bliss")
    if candidate.special is not None:
        yield raised_candidate


def bonus_points(hand: Hand) -> int:
    """Four a flower; thirty-two for the four of a colour instead."""
    points = 0
    for letter in "FS":
        number = sum(tile[0] == letter for tile in hand.bonus)
        points += 32 if number == 4 else 4 * number
    return points


def with_dragons(hand: Hand, groups: Groups) -> Iterator[Way]:
    """The groups with and without each dragon among their chows."""
    yield score_groups(hand, groups, ())
    chows = [group for group in groups if group.kind == "chow"]
    for three in combinations(chows, 3):
        if sorted(chow.tile[1] for chow in three) == ["1", "4", "7"]:
            candidate = score_groups(hand, groups, three)
            yield candidate
            yield candidate._replace(special=name_of(three))


def name_of(dragon: Dragon) -> str:
    return "pure_dragon" if len({chow.tile[0] for chow in dragon}) == 1 else "mixed_dragon"


def score_groups(hand: Hand, groups: Groups, dragon: Dragon) -> Way:
    """What the groups score, three chows being a dragon; the best completed one twice."""
    other_groups = list(groups)
    for chow in dragon:
        other_groups.remove(chow)
    values = [points_of(group, hand) for group in other_groups]
    completed_groups = completed_in(hand, groups[len(hand.table) :])
    doubled_values = [points_of(group, hand) for group in completed_groups if group in other_groups]
    if dragon:
        value = 32 if name_of(dragon) == "pure_dragon" else 16
        values.append(value)
        doubled_values += [value for chow in dragon if chow in completed_groups]
    return Way(sum(values) + max(doubled_values, default=0))


def points_of(group: Group, hand: Hand) -> int:
    """A group's points; a pair counts when it is of dragons or of the own wind."""
    if group.kind == "pair":
        return 2 if group.tile in (*DRAGONS, f"W{hand.seat}") else 0
    if group.kind == "kong":
        return 16 if group.exposed else 32
    return {"chow": 2, "pung": 4}[group.kind]


def losers(hand: Hand) -> Iterator[Way]:
    """The best groups that stand, suit by suit, and every dragon that they make."""
    most = [best_of_suit(hand, layouts(suit)) for suit in by_suit(hand.concealed)]
    for parts in product(*(list(of_suit.values()) for of_suit in most)):
        groups = (*hand.table, *(group for part in parts for group in part))
        for candidate in with_dragons(hand, groups):
            yield candidate._replace(score=candidate.score + bonus_points(hand))


def best_of_suit(hand: Hand, suit_layouts: tuple[Groups, ...]) -> dict[frozenset[str], Groups]:
    """Of the ways to lay out one suit that hold the same thirds of a dragon, the best."""
    best_by_thirds: dict[frozenset[str], Groups] = {}
    for groups in sorted(suit_layouts, key=lambda groups: sum(points_of(g, hand) for g in groups)):
        thirds = {g.tile[1] for g in groups if g.kind == "chow" and g.tile[1] in "147"}
        best_by_thirds[frozenset(thirds)] = groups
    return best_by_thirds
