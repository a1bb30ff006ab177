"""How far a tournament's standings may be seen: the last round can wait for the prize-giving."""

from tournaments.models import Tournament


def is_hidden(tournament: Tournament, *, number: int) -> bool:
    """Whether what round ``number`` does is for officials only."""
    return tournament.hides_last_round and number >= tournament.rounds_planned


def shown_through(
    tournament: Tournament, *, asked: str = "", to_officials: bool = False
) -> int | None:
    """The last round to count, at most the one asked for (``?after=3``); None for all of them."""
    is_bound = tournament.hides_last_round and not to_officials
    bound = tournament.rounds_planned - 1 if is_bound else None
    number = int(asked) if asked.isascii() and asked.isdecimal() and len(asked) < 4 else 0
    if not number:
        return bound
    return number if bound is None else min(number, bound)
