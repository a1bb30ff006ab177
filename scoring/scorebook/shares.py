"""What a phone needs to settle hands by itself: who pays how much of which score, and the totals.

The engine reckons both beforehand; the phone multiplies, adds and looks up.
"""

from collections.abc import Iterator, Sequence
from itertools import combinations, product
from typing import Any, NamedTuple

from scoring.hands.hand import WonBy
from scoring.hands.tiles import Wind
from scoring.rules.rule_set import RuleSet
from scoring.scorebook.reports import asks_who_discarded, totals_by_wind
from scoring.table.progression import ComingDeal, Deal
from scoring.table.settlement import Ending, settlement_of
from scoring.totals.possible import fold_totals

FROM_THE_WALL = "wall"


class PaymentShare(NamedTuple):
    """The payer owes the payee so many times the score of `plus_wind` less that of `minus_wind`.

    Below 0 the payee owes it. `minus_wind` is None where the whole score is paid.
    """

    payer: Wind
    payee: Wind
    plus_wind: Wind
    minus_wind: Wind | None
    times: int

    def as_json(self) -> list[Any]:
        return [self.payer, self.payee, self.plus_wind, self.minus_wind or "", self.times]


def payment_shares(winds: Sequence[Wind], ending: Ending, rules: RuleSet) -> Iterator[PaymentShare]:
    """All shares of a hand that ended so, as one point of one player shows them."""
    zero_scores = dict.fromkeys(winds, 0)
    winner = ending.winner
    if winner is None:
        return
    for paid in settlement_of(zero_scores | {winner: 1}, ending, rules).payments:
        yield PaymentShare(paid.payer, paid.payee, winner, None, paid.points)
    losers = [wind for wind in winds if wind is not winner]
    for loser, other_loser in combinations(losers, 2):
        for paid in settlement_of(zero_scores | {loser: 1}, ending, rules).payments:
            if {paid.payer, paid.payee} == {loser, other_loser}:
                yield PaymentShare(other_loser, loser, loser, other_loser, paid.points)


def shares_as_json(
    winds: Sequence[Wind], dealer: Wind, rules: RuleSet
) -> dict[str, list[list[Any]]]:
    """The shares by ending, `S.wall.`: the winner, the last tile, who pays for everyone.

    The last tile is told where it matters who discarded it: `wall` or the discarder's wind.
    """
    rows = {}
    for winner in winds:
        other_winds = [wind for wind in winds if wind is not winner]
        last_tiles = [FROM_THE_WALL, *other_winds] if asks_who_discarded(rules) else [""]
        for last_tile, liable in product(last_tiles, ["", *other_winds]):
            ending = _make_ending(winner, dealer, last_tile, liable)
            shares = [share.as_json() for share in payment_shares(winds, ending, rules)]
            rows[f"{winner}.{last_tile}.{liable}"] = shares
    return rows


def _make_ending(winner: Wind, dealer: Wind, last_tile: str, liable: str) -> Ending:
    pays_for_all = Wind(liable) if liable else None
    if not last_tile:
        return Ending(winner, dealer, None, None, pays_for_all)
    if last_tile == FROM_THE_WALL:
        return Ending(winner, dealer, WonBy.WALL, None, pays_for_all)
    return Ending(winner, dealer, WonBy.DISCARD, Wind(last_tile), pays_for_all)


def shares_ahead(states: Sequence[ComingDeal], rules: RuleSet) -> dict[str, Any] | None:
    """The shares for every deal that may come, by its winds and the dealer's: `ESWN.E`.

    None where nobody pays: everyone gains the own score.
    """
    if not rules.zero_sum:
        return None
    tables = {deal_key(state.deal): state.deal for state in states}
    return {
        key: shares_as_json(list(deal.winds.values()), deal.winds[deal.dealer], rules)
        for key, deal in tables.items()
    }


def deal_key(deal: Deal) -> str:
    """`ESWN.E`: the winds in play by seat, and the dealer's."""
    return f"{''.join(deal.winds.values())}.{deal.winds[deal.dealer]}"


def totals_ahead(states: Sequence[ComingDeal], rules: RuleSet) -> dict[str, Any]:
    """The totals that can be, for every deal that may come.

    `runs` are lists of totals, folded; `deals` says by `prevailing goulash 1E2S3W4N.1` and seat
    which of them a Mah-Jong and which another hand can have. Under house rules it takes seconds.
    """
    runs: dict[tuple[int, ...], int] = {}
    deals = {totals_key(state.deal): state.deal for state in states}
    runs_by_deal = {
        key: {
            str(seat): [
                runs.setdefault(some, len(runs)) for some in _seat_totals(deal, seat, rules)
            ]
            for seat in deal.winds
        }
        for key, deal in deals.items()
    }
    return {"runs": [fold_totals(totals) for totals in runs], "deals": runs_by_deal}


def totals_key(deal: Deal) -> str:
    """What decides which totals there are: `E goulash 1E2S3W4N.1`."""
    seat_winds = "".join(f"{seat}{wind}" for seat, wind in deal.winds.items())
    goulash = "goulash" if deal.goulash else ""
    return f"{deal.prevailing_wind or ''} {goulash} {seat_winds}.{deal.dealer}"


def _seat_totals(deal: Deal, seat: int, rules: RuleSet) -> Iterator[tuple[int, ...]]:
    """What the seat can score with a Mah-Jong, and without."""
    own_wind = deal.winds[seat]
    other_wind = next(wind for wind in deal.winds.values() if wind is not own_wind)
    for winner in (own_wind, other_wind):
        yield totals_by_wind(deal, rules, winner)[own_wind]
