"""What a table reports of a hand that cannot have happened: it is noticed, and scored as reported.

Who deals and who plays: notes 8 and 22 of docs/rules/notes.md.
"""

from collections.abc import Iterator
from typing import TYPE_CHECKING, Final

from scoring.hands.hand import CLAIMS, Fact, Hand, Kind, WonBy, join_words, quantity, times_text
from scoring.hands.problems import Code, Problem
from scoring.hands.tiles import JOKER, TILE_NAMES, Wind
from scoring.rules import marks
from scoring.rules.declarations import Role
from scoring.rules.rule_set import RuleSet

if TYPE_CHECKING:
    from scoring.table.settlement import Ending

_ORDINARY_WAYS: Final = frozenset(
    {None, WonBy.WALL, WonBy.LAST_WALL_TILE, WonBy.DISCARD, WonBy.LAST_DISCARD}
)
_FULL_TABLE: Final = 4
_WINNER_FACTS: Final = frozenset(Fact) - {Fact.ORIGINAL_CALL}
_OPPOSITE_FACTS: Final = frozenset({Fact.ONLY_POSSIBLE_TILE, Fact.NOT_ONLY_POSSIBLE_TILE})


def contradictions(hand: Hand, rules: RuleSet) -> tuple[Problem, ...]:
    """A notice for everything in the report of a hand that cannot have happened."""
    plain = not hand.facts and not hand.goulash and hand.players == _FULL_TABLE
    if hand.mahjong:
        possible = hand.won_by in _ORDINARY_WAYS
        if plain and possible:
            return ()
        end = () if possible else tuple(_way_problems(hand, rules))
        if hand.facts:
            end += tuple(_fact_problems(hand, rules))
    else:
        if plain and hand.won_by is None and hand.winning_tile is None:
            return ()
        end = tuple(_loser_problems(hand))
    return end if plain else (*end, *_any_hand_problems(hand, rules))


def _loser_problems(hand: Hand) -> Iterator[Problem]:
    """What only a Mah-Jong has."""
    winner_fields = [
        ("won_by", "How the hand was won", hand.won_by),
        ("winning_tile", "A winning tile", hand.winning_tile),
        *(("facts", f"“{fact}”", fact) for fact in sorted(hand.facts & _WINNER_FACTS)),
    ]
    for path, subject, value in winner_fields:
        if value is not None:
            yield Problem(Code.NOT_A_MAHJONG, path, {"what": subject})


def _fact_problems(hand: Hand, rules: RuleSet) -> Iterator[Problem]:
    kongs = [group for group in hand.sets if group.kind is Kind.KONG]
    is_twofold = len(kongs) >= 2 and hand.won_by is WonBy.LOOSE_TILE
    if Fact.TWOFOLD_FORTUNE in hand.facts and not is_twofold:
        yield Problem(Code.NO_TWOFOLD_FORTUNE, "facts")
    if hand.facts >= _OPPOSITE_FACTS:
        yield Problem(Code.OPPOSITE_FACTS, "facts")
    if Fact.THIRTEENTH_WIN in hand.facts and not _is_dealer(hand, rules):
        yield Problem(Code.THIRTEENTH_NOT_DEALER, "facts", _dealer_params(hand.seat_wind, rules))


def _way_problems(hand: Hand, rules: RuleSet) -> Iterator[Problem]:
    """That the last tile cannot have come in the way that was reported."""
    won_by = hand.won_by
    if won_by is WonBy.LOOSE_TILE and not (hand.bonus or _has_a_kong(hand)):
        tile_source = "a kong, a flower or a season" if rules.bonus_points else "a kong"
        yield Problem(Code.NO_LOOSE_TILE, "won_by", {"after": tile_source})
    # Before the first turn nobody can have had a set on the table yet. A first draw may come after
    # sets were claimed, but not where it counts as the first turn.
    is_first_turn = won_by in {WonBy.DEALT, WonBy.FIRST_DISCARD}
    if won_by is WonBy.FIRST_DRAW and not _is_dealer(hand, rules):
        is_first_turn = any(line.when.all_of & marks.FIRST_TURN for line in rules.specials)
    if hand.sets and is_first_turn:
        sets = quantity(len(hand.sets), "set")
        yield Problem(Code.SET_BEFORE_FIRST_TURN, "won_by", {"sets": sets})
    if won_by is WonBy.DEALT and not _is_dealer(hand, rules):
        yield Problem(Code.NOT_THE_DEALER, "won_by", _dealer_params(hand.seat_wind, rules))
    if won_by is WonBy.FIRST_DISCARD and _is_dealer(hand, rules):
        yield Problem(Code.OWN_DISCARD, "won_by", {"dealer": _dealer_name(rules)})
    last = hand.winning_tile
    if won_by is WonBy.ROBBED_KONG and last is not None and last != JOKER:
        copies = hand.tiles.count(last)
        # In a goulash a joker may stand in the robbed kong for one of its tiles.
        if copies > 1 + hand.goulash:
            params: dict[str, int | str] = {"kind": TILE_NAMES[last], "times": times_text(copies)}
            yield Problem(Code.ROBBED_TILE_HELD, "winning_tile", params)


def _has_a_kong(hand: Hand) -> bool:
    return any(group.kind is Kind.KONG for group in hand.sets)


def _any_hand_problems(hand: Hand, rules: RuleSet) -> Iterator[Problem]:
    """What cannot be of any hand, won or not: its call, its players, its wind, its goulash."""
    if Fact.ORIGINAL_CALL in hand.facts:
        if exposed_count := sum(group.exposed for group in hand.sets):
            yield Problem(Code.ALTERED_CALL, "facts", {"sets": quantity(exposed_count, "set")})
        if hand.mahjong and hand.won_by is WonBy.DEALT:
            yield Problem(Code.EARLY_CALL, "facts")
    if hand.players not in rules.seats:
        seats = join_words(map(str, rules.seats), last="or")
        params: dict[str, int | str] = {"rules": rules.name, "seats": seats}
        yield Problem(Code.PLAYERS_NOT_SEATED, "players", params | {"players": hand.players})
    elif hand.seat_wind not in rules.passing.winds(hand.players):
        params = {"players": hand.players, "wind": hand.seat_wind.label}
        yield Problem(Code.WIND_NOT_IN_PLAY, "seat_wind", params)
    if hand.goulash and not rules.passing.goulash_after_a_draw:
        yield Problem(Code.NO_GOULASH, "goulash", {"rules": rules.name})


def _is_dealer(hand: Hand, rules: RuleSet) -> bool:
    return hand.dealer if rules.passing.deals is Role.DEALER else hand.seat_wind is Wind.E


def _dealer_name(rules: RuleSet) -> str:
    return "The dealer" if rules.passing.deals is Role.DEALER else "East"


def _dealer_params(player: Wind, rules: RuleSet) -> dict[str, int | str]:
    """Who should have been the player, and who he is."""
    role = rules.passing.deals
    return {"dealer": role.value, "player": player.label if role is Role.EAST else "not"}


def ending_contradictions(ending: "Ending", rules: RuleSet) -> Iterator[Problem]:
    """A notice for everything in the report of a settlement that cannot have happened."""
    if ending.winner is None:
        for field_name in ("won_by", "discarder", "pays_for_all"):
            if getattr(ending, field_name) is not None:
                yield Problem(Code.NOBODY_WON, field_name, {"field": field_name})
        return
    if ending.discarder is not None and ending.won_by is not None:
        yield from _discarder_problems(ending, ending.discarder, rules)
    dealer = _dealer_wind(ending, rules)
    if ending.won_by == WonBy.DEALT and ending.winner is not dealer:
        yield Problem(Code.NOT_THE_DEALER, "won_by", _dealer_params(ending.winner, rules))
    if ending.won_by == WonBy.FIRST_DISCARD and ending.winner is dealer:
        yield Problem(Code.OWN_DISCARD, "won_by", {"dealer": _dealer_name(rules)})
    if rules.payments and rules.passing.deals is Role.EAST and ending.dealer is not Wind.E:
        yield Problem(Code.EAST_DEALS, "dealer", {"rules": rules.name})


def _discarder_problems(ending: "Ending", discarder: Wind, rules: RuleSet) -> Iterator[Problem]:
    """That the last tile was not discarded, or not by this player."""
    if ending.won_by not in CLAIMS:
        yield Problem(Code.NOBODY_DISCARDED, "discarder", {"player": discarder.label})
    elif ending.won_by == WonBy.FIRST_DISCARD and discarder is not _dealer_wind(ending, rules):
        params: dict[str, int | str] = {"dealer": _dealer_name(rules), "player": discarder.label}
        yield Problem(Code.NOT_THE_FIRST_TO_DISCARD, "discarder", params)


def _dealer_wind(ending: "Ending", rules: RuleSet) -> Wind:
    return ending.dealer if rules.passing.deals is Role.DEALER else Wind.E
