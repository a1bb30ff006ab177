"""What the director does next, and which tables want looking at first."""

from collections.abc import Sequence
from dataclasses import dataclass

from tournaments.models import OddNumber, RoundState, Tournament, TournamentState
from tournaments.selectors.desk import RoundView, TableRow

TROUBLE_FIRST = ("trouble", "idle", "playing", "done")


@dataclass(frozen=True, slots=True)
class Step:
    """The next step: where things stand, what is missing, and the button that goes on.

    ``address`` is the name of the url that the button posts to, or leads to where
    ``is_link``; empty where there is nothing left to press.
    """

    title: str
    text: str
    address: str = ""
    button: str = ""
    missing: tuple[str, ...] = ()
    is_link: bool = False


def next_step(tournament: Tournament, rounds: Sequence[RoundView], entered: int) -> Step:
    """The one step that comes next, from the entry list to the last standing."""
    if tournament.state == TournamentState.FINISHED:
        return Step("The tournament is finished", "The standings are final.")
    if tournament.state == TournamentState.ENTERING:
        return _seat(tournament, entered)
    playing = next((one for one in rounds if one.state == RoundState.PLAYING), None)
    if playing:
        return _close(playing)
    seated = next((one for one in rounds if one.state == RoundState.SEATED), None)
    if seated:
        return _start(seated, len(rounds))
    return Step(
        "All rounds are closed",
        "Finish the tournament and the standings are final: no hand can be changed after that.",
        "tournament-finish",
        "Finish the tournament",
    )


def _seat(tournament: Tournament, entered: int) -> Step:
    over = entered % 4
    if entered < 4 or (over and tournament.odd_number == OddNumber.WAIT):
        return _enter(entered)
    count = -(-entered // 4) if tournament.odd_number == OddNumber.HOUSE else entered // 4
    tables = "1 table" if count == 1 else f"{count} tables"
    rounds = tournament.rounds_planned
    return Step(
        f"{entered} players are ready to be seated",
        f"All {rounds} rounds are drawn at once, at {tables}, so that people meet as seldom "
        f"as can be and start in every wind.{_beside(tournament, over)}",
        "tournament-seat",
        "Seat the round" if rounds == 1 else f"Seat the {rounds} rounds",
    )


def _beside(tournament: Tournament, over: int) -> str:
    """What is done with those over when the players are counted in fours."""
    if not over:
        return ""
    if tournament.odd_number == OddNumber.HOUSE:
        fills = "1 house player fills" if over == 3 else f"{4 - over} house players fill"
        return f" {fills} the last table."
    sits = "1 player sits" if over == 1 else f"{over} players sit"
    return f" {sits} out each round, in turn."


def _enter(entered: int) -> Step:
    so_far = {0: "Nobody has entered yet", 1: "1 has entered"}.get(
        entered, f"{entered} have entered"
    )
    more = 4 - entered % 4
    verb = "makes" if more == 1 else "make"
    otherwise = " Or house players fill in, or players sit out in turn." if entered > 4 else ""
    return Step(
        "Who plays?",
        f"{so_far}. Everybody sits at a table of four: {more} more {verb} {entered + more}."
        f"{otherwise}",
        "entrants",
        "Enter players",
        is_link=True,
    )


def _start(one: RoundView, rounds: int) -> Step:
    first = "Hang up the seating or show it on the wall, put the cards on the tables. "
    return Step(
        f"Round {one.number} of {rounds} is seated",
        f"{first if one.number == 1 else ''}Once it is started the tables can enter their hands.",
        "round-start",
        f"Start round {one.number}",
    )


def _close(one: RoundView) -> Step:
    missing = tuple(row.missing for row in by_trouble(one.tables) if not row.is_done)
    done = len(one.tables) - len(missing)
    return Step(
        f"Round {one.number} is being played",
        f"{done} of {len(one.tables)} tables are done."
        if missing
        else "Every table has played all its hands.",
        "round-close",
        f"Close round {one.number}",
        missing,
    )


def by_trouble(tables: Sequence[TableRow]) -> list[TableRow]:
    """The tables that want looking at first, then those with most to play, then those done."""
    return sorted(tables, key=lambda row: (TROUBLE_FIRST.index(row.sign), row.hands, row.number))
