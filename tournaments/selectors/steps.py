"""What the director does next."""

from collections.abc import Sequence
from dataclasses import dataclass

from tournaments.models import OddNumber, Round, RoundState, Tournament, TournamentState
from tournaments.selectors.desk import RoundView


@dataclass(frozen=True, slots=True)
class Step:
    """The next step: where things stand, and the button that leads on.

    ``address`` is the name of the url that the button leads to; empty where there is nothing
    left to press.
    """

    title: str
    text: str
    address: str = ""
    button: str = ""


@dataclass(frozen=True, slots=True)
class Back:
    """A way back: the name of the url of its page, and the words of the link."""

    address: str
    words: str


def next_step(
    tournament: Tournament,
    rounds: Sequence[Round],
    now: RoundView | None,
    entered: int,
    moved: str = "",
) -> Step:
    """The one step that comes next, from the entry list to the last standing.

    ``moved`` says who stands elsewhere than when the round that waits was seated by standing.
    """
    if tournament.state == TournamentState.FINISHED:
        return Step("The tournament is finished", "The standings are final.")
    if tournament.state == TournamentState.ENTERING or now is None:
        return _seat(tournament, entered)
    if now.state == RoundState.PLAYING:
        return _close(now)
    if now.state == RoundState.SEATED:
        return _seat_anew(now, moved) if moved else _start(now, tournament.rounds_planned)
    if len(rounds) < tournament.rounds_planned:
        return _seat_next(tournament, len(rounds) + 1)
    return Step(
        "All rounds are closed",
        "Finish the tournament and the standings are final.",
        "tournament-finish",
        "Finish the tournament",
    )


def ways_back(
    tournament: Tournament, rounds: Sequence[Round], now: RoundView | None, hands: int
) -> tuple[Back, ...]:
    """How the step before can be taken back; ``hands`` are those recorded in all rounds."""
    if tournament.state == TournamentState.FINISHED:
        return (Back("tournament-reopen", "Reopen the tournament"),)
    if now is None:
        return ()
    found = []
    if now.state == RoundState.PLAYING and not any(table.hands for table in now.tables):
        found.append(Back("round-unstart", "Undo the start"))
    closed = [one.number for one in rounds if one.state == RoundState.CLOSED]
    if closed and now.state != RoundState.PLAYING:
        found.append(Back("round-reopen", f"Reopen round {closed[-1]}"))
    waiting = [one for one in rounds if one.state == RoundState.SEATED and one.seated_in_order]
    if waiting and now.state == RoundState.SEATED:
        found.append(Back("round-by-standing", f"How round {waiting[0].number} was seated"))
    if not hands:
        found.append(Back("tournament-clear", "Clear the seating"))
    return tuple(found)


def _seat(tournament: Tournament, entered: int) -> Step:
    over = entered % 4
    if entered < 4 or (over and tournament.odd_number == OddNumber.WAIT):
        return _enter(entered)
    rounds = tournament.drawn
    return Step(
        f"{entered} players are ready to be seated",
        seating_words(tournament, entered),
        "tournament-seat",
        "Seat the round" if rounds == 1 else f"Seat the {rounds} rounds",
    )


def seating_words(tournament: Tournament, entered: int) -> str:
    """What is drawn for so many players, what is seated later, and what becomes of those over."""
    count = -(-entered // 4) if tournament.odd_number == OddNumber.HOUSE else entered // 4
    tables = "1 table" if count == 1 else f"{count} tables"
    return (
        f"{_drawn(tournament)}, at {tables}, so that people meet again as rarely as possible and "
        f"start in every wind.{_later(tournament)}{_beside(tournament, entered % 4)}"
    )


def _drawn(tournament: Tournament) -> str:
    drawn, rounds = tournament.drawn, tournament.rounds_planned
    if drawn == rounds:
        return f"All {rounds} rounds are drawn at once"
    return "Round 1 is drawn now" if drawn == 1 else f"Rounds 1 to {drawn} are drawn at once"


def _later(tournament: Tournament) -> str:
    first, last = tournament.drawn + 1, tournament.rounds_planned
    if first > last:
        return ""
    if first == last:
        what = "a final" if tournament.has_final else "seated by standings"
        return f" Round {last} is {what}: it is seated once round {last - 1} is closed."
    final = ", the last as a final" if tournament.has_final else ""
    return (
        f" Rounds {first} to {last} are seated by standings{final}, each once the "
        "previous round is closed."
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
    so_far = {0: "No entries yet", 1: "1 has entered"}.get(entered, f"{entered} have entered")
    more = 4 - entered % 4
    verb = "makes" if more == 1 else "make"
    otherwise = (
        " You can also use house players, or let players sit out in turn." if entered > 4 else ""
    )
    return Step(
        "Add players",
        f"{so_far}. Tables seat four: {more} more {verb} {entered + more}.{otherwise}",
        "entrants",
        "Add players",
    )


def _start(one: RoundView, rounds: int) -> Step:
    first = "Put up the seating or show it on the projector screen, and put out the table cards. "
    return Step(
        f"Round {one.number} of {rounds} is seated",
        f"{first if one.number == 1 else ''}Tables can enter hands once it has started.",
        "round-start",
        f"Start round {one.number}",
    )


def _seat_next(tournament: Tournament, number: int) -> Step:
    """The round that nobody has a seat in yet."""
    title = f"Round {number - 1} is closed"
    if number <= tournament.drawn:
        text = f"Round {number} is not seated yet. It will be drawn like the earlier rounds."
        return Step(title, text, "seating-changes", f"Seat round {number}")
    is_final = tournament.has_final and number == tournament.rounds_planned
    what = "the final" if is_final else f"round {number} by standings"
    return Step(
        title,
        "Check the seating, and the reasons for it, before you announce it.",
        "round-by-standing",
        f"Seat {what}",
    )


def _seat_anew(one: RoundView, moved: str) -> Step:
    return Step(
        f"The standings have changed since round {one.number} was seated",
        f"{moved} Reseat the round, or start it as it is.",
        "round-by-standing",
        f"Check round {one.number} again",
    )


def _close(one: RoundView) -> Step:
    done = sum(row.is_done for row in one.tables)
    return Step(
        f"Round {one.number} is being played",
        "All tables have finished."
        if done == len(one.tables)
        else f"{done} of {len(one.tables)} tables have finished.",
        "round-close",
        f"Close round {one.number}",
    )
