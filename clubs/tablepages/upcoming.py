"""Where a table stands, as its phone needs to know it to go on without a network."""

from typing import TYPE_CHECKING, Any
from zlib import crc32

from scoring.progression import table_after

if TYPE_CHECKING:
    from clubs.tablepages.page import TablePage
    from clubs.tablepages.played import PlayedTable


def table_now(page: "TablePage") -> dict[str, Any]:
    """The next hand, and which of the deals ahead it is; empty after the end of the game."""
    game = page.view.game
    if game.next_deal is None:
        return {}
    chairs = page.square(game.next_deal)
    return {
        "key": table_after(winners(page), hands=None, **played_by(page)).future,
        "number": page.next_number,
        "left": game.hands_planned and game.hands_planned - len(game.hands),
        "race": page.rules.passing.first_to is not None,
        "chairs": {chair.key: chair.position for chair in chairs if chair.plays},
        "version": version_of(page),
    }


def version_of(page: "TablePage") -> str:
    """A short text that changes with whatever a blank form shows, but for points."""
    told = (page.key, sorted(page.view.names.items()), page.stake, page.record_by)
    told_of_play = {**played_by(page), "rules": page.rules.key}
    return f"{crc32(repr((told, told_of_play)).encode()):x}"


def played_by(page: "PlayedTable") -> dict[str, Any]:
    """What the deals of the game follow from, beside the winners."""
    return {
        "rules": page.rules,
        "seats": page.game.size,
        "wind_rounds": page.game.wind_rounds,
        "exchanges": [(hand, one, other) for hand, one, other in page.game.exchanges],
        "dealer": page.game.first_dealer,
    }


def winners(page: "PlayedTable") -> list[int | None]:
    """Who went Mah-Jong in each hand so far, None where nobody did."""
    return [row.winner for row in page.view.game.hands]
