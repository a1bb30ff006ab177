"""What hundreds of phones ask for after every hand, read once for each version of a tournament."""

from functools import partial
from zlib import crc32

from clubs.core.versioned_cache import made_once
from clubs.models import Player, ShownAs
from clubs.models.names import EVERYBODY, Reader
from tournaments.models import Tournament
from tournaments.selectors.board import Board, board
from tournaments.selectors.results import Results, results_of

A_MINUTE = 60  # seconds: the time of a round may be up though nothing was written


def mark_of(
    tournament: Tournament, *, through: int | None = None, reader: Reader = EVERYBODY
) -> str:
    """A text that changes with what the reader sees of the standings; one query.

    It is the same for all who read the same: whoever goes by the full name reads as everyone.
    """
    chosen = Player.objects.filter(entries__tournament=tournament).exclude(shown_as=ShownAs.FULL)
    ways = dict(chosen.order_by("pk").values_list("pk", "shown_as"))
    if not reader.is_organiser and reader.player not in ways:
        reader = Reader(at_table=reader.at_table)
    told = crc32(repr((tournament.state, reader, ways)).encode())
    return f"{tournament.wall_key}-{tournament.version}-{through}-{told:x}"


def kept_results(
    tournament: Tournament, mark: str, *, through: int | None = None, reader: Reader = EVERYBODY
) -> Results:
    """``results_of``, from the cache where someone has read the same a moment ago."""
    read = partial(results_of, tournament, through=through, reader=reader)
    return made_once(f"results-{mark}", read, seconds=A_MINUTE)


def kept_board(
    tournament: Tournament, *, through: int | None = None, mark: str | None = None
) -> Board:
    """``board`` as everyone may see it, likewise; one query without its ``mark``, three more
    where nothing is kept.
    """
    mark = mark or mark_of(tournament, through=through)
    return made_once(f"board-{mark}", partial(board, tournament, through=through), seconds=A_MINUTE)
