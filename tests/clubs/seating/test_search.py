"""The search reckons what an exchange changes; the board counted afresh must agree."""

from hypothesis import given, settings, strategies as st

from clubs.seating import Request
from clubs.seating.constructions import draft
from clubs.seating.search import Allowance, Board, Dice, Search, board_for, calls_for
from tests.clubs.seating.recount import numbered


def cost(board: Board) -> int:
    """Of every pair the meetings after the first, each dearer than the one before."""
    return sum(times * (times - 1) for row in board.price for times in row) // 4


@settings(max_examples=40, deadline=None, derandomize=True)
@given(
    st.integers(9, 15), st.sampled_from([(4, 3), (4, 5), (3, 4), (3, 5), (4,)]), st.integers(0, 99)
)
def test_an_exchange_changes_the_cost_by_what_was_reckoned(
    players: int, sizes: tuple[int, ...], seed: int
) -> None:
    request = Request(numbered(players), 3, table_sizes=sizes)
    board, dice = board_for(request), Dice(seed)
    calls = calls_for(request, range(players))
    search = Search(board, draft(board, calls, 0, dice, Allowance(9)), dice)
    for _ in range(20):
        number = dice.below(3)
        player = calls[number].players[0]
        if player not in search.table_of[number]:
            continue
        before, move = cost(board), search.best_exchange(number, player, 0)
        if move is not None:
            search.exchange(number, player, move[1])
            assert cost(board) - before == move[0]
