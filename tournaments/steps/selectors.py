"""The director's next step, and what to know before it."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Annotated, Final

from django.db.models import QuerySet

from clubs.language.words import count_words
from clubs.models.names import ORGANISER_READER
from scoring.scorebook.editions import rule_set
from scoring.scorebook.models import Game
from tournaments.models import (
    Entrant,
    EntrantState,
    OddNumber,
    Round,
    RoundState,
    StepBack,
    Tournament,
    TournamentState,
)
from tournaments.results.selectors.standings import NO_HAND_POINTS
from tournaments.rounds.selectors import RoundView, TableRow, entry_list, numbers_text, round_view
from tournaments.rounds.services import has_hands
from tournaments.seating.selectors import moved_since
from tournaments.steps.worries import (
    Worry,
    open_calls,
    open_disputes,
    rounds_without_hands,
    short_of_players,
    stopped_early,
    trouble_at_start,
    unagreed_hands,
    unready_entrants,
    waiting_entrants,
    withdrawn_seats,
)

MAX_SHORTAGES: Final = 3  # tables that are told with who is left
SHARED_EQUALLY: Final = f"players share the table points equally: {NO_HAND_POINTS} each."
LAST_ROUND_HIDDEN = "The last round is still hidden: only officials can see it."
UNDO_FIRST = "If it was only a trial, undo the hand or cancel the ruling first."
CLEAR_BLOCKED = f"A hand or a ruling has been saved, so the seating cannot be cleared. {UNDO_FIRST}"
UNSTART_BLOCKED = f"A hand or a ruling has been saved, so the start cannot be undone. {UNDO_FIRST}"
DELETE_BLOCKED = (
    f"A hand or a ruling has been saved, so the tournament cannot be deleted. {UNDO_FIRST}"
)
FINISH_FIRST = "You can publish results once the tournament is finished. Finish it first."


@dataclass(frozen=True, slots=True)
class StepLink:
    """A way back, or another way on: the URL name of its page, and the link's text."""

    address: str
    text: str


CHANGE_SEATING_LINK: Final = StepLink("seating-changes", "Change the seating")


@dataclass(frozen=True, slots=True)
class Step:
    """The next step: the situation, and the button for it.

    ``address`` is the URL name of the button's page; empty if there is nothing left to do.
    ``other_link`` is what the director may do first instead.
    """

    title: str
    text: str
    address: Annotated[str, "under the API; empty: nothing is left"] = ""
    button: Annotated[str, "the label of the step; empty: nothing is left"] = ""
    other_link: StepLink | None = None


def next_step(
    tournament: Tournament,
    rounds: Sequence[Round],
    now: RoundView | None,
    entrant_count: int,
    movers_text: str = "",
) -> Step:
    """The next step, from the entry list to the final standing.

    ``movers_text`` says who has moved since the waiting round was seated by standing.
    """
    if tournament.state == TournamentState.FINISHED:
        return _finished_step(tournament)
    if tournament.state == TournamentState.ENTERING or now is None:
        return _seat_step(tournament, entrant_count)
    if now.state == RoundState.PLAYING:
        return _close_step(now)
    if now.state == RoundState.SEATED:
        return _start_step(now, tournament, movers_text)
    if len(rounds) < tournament.rounds_planned:
        return _seat_next_step(tournament, len(rounds) + 1)
    return Step(
        "All rounds are closed",
        "Finish the tournament and the standings are final.",
        "tournament-finish",
        "Finish the tournament",
    )


def undo_links(
    tournament: Tournament, rounds: Sequence[Round], now: RoundView | None, hands: int
) -> tuple[StepLink, ...]:
    """How to take back the last step; ``hands`` are those recorded in all rounds."""
    if tournament.state == TournamentState.FINISHED:
        return (StepLink("tournament-reopen", "Reopen the tournament"),)
    if now is None:
        return ()
    result = []
    if now.state == RoundState.PLAYING and not any(table.hands for table in now.tables):
        result.append(StepLink("round-unstart", "Undo the start"))
    closed_numbers = [round_.number for round_ in rounds if round_.state == RoundState.CLOSED]
    if closed_numbers and now.state != RoundState.PLAYING:
        result.append(StepLink("round-reopen", f"Reopen round {closed_numbers[-1]}"))
    waiting = [
        round_ for round_ in rounds if round_.state == RoundState.SEATED and round_.seated_in_order
    ]
    if waiting and now.state == RoundState.SEATED:
        result.append(StepLink("round-by-standing", f"How round {waiting[0].number} was seated"))
    if not hands:
        result.append(StepLink("tournament-clear", "Clear the seating"))
    return tuple(result)


def _seat_step(tournament: Tournament, entrant_count: int) -> Step:
    remainder = entrant_count % 4
    if entrant_count < 4 or (remainder and tournament.odd_number == OddNumber.WAIT):
        entries = (
            f"{count_words(entrant_count, 'player')} {'has' if entrant_count == 1 else 'have'} "
            "entered"
        )
        so_far = entries if entrant_count else "No entries yet"
        missing_count = 4 - remainder
        verb = "makes" if missing_count == 1 else "make"
        alternatives = " You can also use house players, or let players sit out in turn."
        otherwise = alternatives if entrant_count > 4 else ""
        return Step(
            "Add players",
            f"{so_far}. Tables seat four: {missing_count} more {verb} "
            f"{entrant_count + missing_count}.{otherwise}",
            "entrants",
            "Add players",
        )
    rounds = tournament.drawn_rounds
    title = f"{entrant_count} players are ready to be seated"
    button = "Seat the round" if rounds == 1 else f"Seat the {rounds} rounds"
    return Step(title, seating_words(tournament, entrant_count), "tournament-seat", button)


def seating_words(tournament: Tournament, entrant_count: int) -> str:
    """What is drawn for so many players, what is seated later, and what the rest do."""
    drawn_count, rounds = tournament.drawn_rounds, tournament.rounds_planned
    if drawn_count == rounds:
        now = f"All {rounds} rounds are drawn at once"
    else:
        now = (
            "Round 1 is drawn now"
            if drawn_count == 1
            else f"Rounds 1 to {drawn_count} are drawn at once"
        )
    count = (
        -(-entrant_count // 4) if tournament.odd_number == OddNumber.HOUSE else entrant_count // 4
    )
    return (
        f"{now}, at {count_words(count, 'table')}, so that people meet again as rarely as possible "
        f"and start in every wind.{_later_rounds_text(tournament)}"
        f"{_remainder_text(tournament, entrant_count % 4)}"
    )


def _later_rounds_text(tournament: Tournament) -> str:
    first, last = tournament.drawn_rounds + 1, tournament.rounds_planned
    if first > last:
        return ""
    if first == last:
        description = "a final" if tournament.has_final else "seated by standings"
        return f" Round {last} is {description}: it is seated once round {last - 1} is closed."
    final = ", the last as a final" if tournament.has_final else ""
    return (
        f" Rounds {first} to {last} are seated by standings{final}, each once the "
        "previous round is closed."
    )


def _remainder_text(tournament: Tournament, remainder: int) -> str:
    """What happens to the remainder if the players are divided by four."""
    if not remainder:
        return ""
    if tournament.odd_number == OddNumber.HOUSE:
        fills = "1 house player fills" if remainder == 3 else f"{4 - remainder} house players fill"
        return f" {fills} the last table."
    sits = "1 player sits" if remainder == 1 else f"{remainder} players sit"
    return f" {sits} out each round, in turn."


def _start_step(round_: RoundView, tournament: Tournament, movers_text: str) -> Step:
    if movers_text:
        return Step(
            f"The standings have changed since round {round_.number} was seated",
            f"{movers_text} Reseat the round, or start it as it is.",
            "round-by-standing",
            f"Check round {round_.number} again",
        )
    if shortages := short_of_players(round_):
        return _short_start_step(round_, tournament, shortages)
    first = "Put up the seating or show it on the projector screen, and put out the table cards. "
    return Step(
        f"Round {round_.number} of {tournament.rounds_planned} is seated",
        f"{first if round_.number == 1 else ''}Tables can enter hands once it has started.",
        "round-start",
        f"Start round {round_.number}",
    )


def _short_start_step(round_: RoundView, tournament: Tournament, shortages: Sequence[str]) -> Step:
    """The start of a round in which tables lack a player: who is left, and what can be done."""
    tables = "a table is" if len(shortages) == 1 else f"{len(shortages)} tables are"
    rounds = tournament.rounds_planned
    return Step(
        f"Round {round_.number} of {rounds} is seated, but {tables} short of players",
        f"{_shortages_text(shortages)} Reseat the round, or let someone else play."
        f"{_three_players_text(round_, tournament)}",
        "round-start",
        f"Start round {round_.number}",
        CHANGE_SEATING_LINK,
    )


def _three_players_text(round_: RoundView, tournament: Tournament) -> str:
    """How three play on; empty where no table has three, or where losers' hands are not scored."""
    has_three = any(len(table.withdrawn_places) == 1 for table in round_.tables)
    if not has_three or not rule_set(tournament.rules).losers_score:
        return ""
    return " A table of three can also play without them: enter 0 for the empty seat in every hand."


def _shortages_text(shortages: Sequence[str]) -> str:
    further_count = len(shortages) - MAX_SHORTAGES
    further_texts = [
        f"{count_words(further_count, 'more table')} {'is' if further_count == 1 else 'are'} short."
    ] * (further_count > 0)
    return " ".join((*shortages[:MAX_SHORTAGES], *further_texts))


def _seat_next_step(tournament: Tournament, number: int) -> Step:
    """The next round without seats."""
    title = f"Round {number - 1} is closed"
    if number <= tournament.drawn_rounds:
        text = f"Round {number} is not seated yet. It will be drawn like the earlier rounds."
        return Step(title, text, "seating-changes", f"Seat round {number}")
    is_final = tournament.has_final and number == tournament.rounds_planned
    round_title = "the final" if is_final else f"round {number} by standings"
    return Step(
        title,
        "Check the seating, and the reasons for it, before you announce it.",
        "round-by-standing",
        f"Seat {round_title}",
    )


def _finished_step(tournament: Tournament) -> Step:
    """What brings the final standings to the players."""
    if tournament.published_at:
        return Step(
            "The results are published", "Anyone with the link can read them without signing in."
        )
    return Step(
        "The tournament is finished",
        "The standings are final. Once the results are published, players can read them at home.",
        "results-publish",
        "Show last round and publish" if tournament.hides_last_round else "Publish the results",
    )


def _close_step(round_: RoundView) -> Step:
    done_count, shortages = sum(row.is_done for row in round_.tables), short_of_players(round_)
    text = (
        f"{done_count} of {len(round_.tables)} tables {'has' if done_count == 1 else 'have'} "
        "finished."
    )
    if done_count == len(round_.tables):
        text = "All tables have finished."
    if shortages:
        text += f" {_shortages_text(shortages)} Someone else can play: add a substitute."
    return Step(
        f"Round {round_.number} is being played",
        text,
        "round-close",
        f"Close round {round_.number}",
        CHANGE_SEATING_LINK if shortages else None,
    )


@dataclass(frozen=True, slots=True)
class Preflight:
    """Before a step: what it does, warnings, and how to undo it."""

    title: str
    button: str
    effects: tuple[str, ...]
    undo_text: Annotated[str, "whether and how it can be undone"]
    worries: tuple[Worry, ...] = ()
    missing: Annotated[tuple[TableRow, ...], "tables that keep the round open"] = ()
    block_reason: Annotated[str, "why it cannot be done; empty if it can"] = ""
    round: Annotated[int | None, "the round of the step: send it back with the step"] = None
    is_danger: bool = False

    @property
    def still_playing(self) -> tuple[TableRow, ...]:
        """The tables that can be marked as stopped: all that keep the round open undisputed."""
        return tuple(table for table in self.missing if not table.disputed_hands)

    @property
    def without_hand(self) -> tuple[TableRow, ...]:
        """Those of them that have no hand yet."""
        return tuple(table for table in self.still_playing if not table.hands)

    @property
    def if_stopped(self) -> Annotated[str, "what stopping tables without a hand means, or empty"]:
        """``3 of them have no hand. …``"""
        if not self.without_hand:
            return ""
        number, playing_count = len(self.without_hand), len(self.still_playing)
        if number == 1:
            table = f"Table {self.without_hand[0].number} has no hand yet. If it is stopped, its"
            return f"{table} {SHARED_EQUALLY}"
        which = (
            "None of them has a hand"
            if number == playing_count
            else f"{number} of them have no hand"
        )
        return f"{which} yet. If they are stopped, their {SHARED_EQUALLY}"

    @property
    def can_go(self) -> Annotated[bool, "whether the step can be taken now"]:
        return not self.block_reason and not self.missing


def preflight(tournament: Tournament, step: str) -> Preflight:
    """The page before a step, one of ``PREFLIGHTS``; at most twelve queries."""
    return PREFLIGHTS[step](tournament)


def preflight_withdrawal(entrant: Entrant) -> Preflight:
    """The page before someone is removed from the list; at most three queries."""
    to_come = sorted(
        entrant.placements.filter(substitute="")
        .exclude(round__state=RoundState.CLOSED)
        .values_list("round__number", flat=True)
    )
    waiting = entrant.tournament.entrants.filter(state=EntrantState.WAITING).first()
    effects = [f"{entrant.name} leaves the tournament."]
    if waiting and entrant.state == EntrantState.ENTERED:
        effects.append(f"{waiting.name} is first on the waiting list and gets the place instead.")
    if entrant.placements.exists():
        effects.append(
            "Completed hands stay in the score book and the name stays in the standings."
        )
    text = (
        f"{entrant.name} has a seat in {numbers_text('round', to_come)}. You can add a substitute "
        "or reseat the rounds that have not started."
    )
    return Preflight(
        title=f"Withdraw {entrant.name}?",
        button=f"Withdraw {entrant.name}",
        effects=tuple(effects),
        undo_text="If the player had a seat, you can add them back from the entry list with one "
        "button. Otherwise, enter them again.",
        worries=(Worry(text, "seating-changes"),) if to_come else (),
        is_danger=True,
    )


def undone_steps(tournament: Tournament) -> tuple[StepBack, ...]:
    """Every step that was taken back, newest first; one query."""
    return tuple(tournament.steps_back.all())


def _preflight_seat(tournament: Tournament) -> Preflight:
    entrant_count = tournament.entrants.entered().count()
    return Preflight(
        title="Draw the seating?",
        button="Draw the seating",
        effects=(
            seating_words(tournament, entrant_count),
            "Phones, projector screens and table cards are updated straight away.",
        ),
        undo_text="You can change it, or clear it and draw again, until the first hand.",
        worries=(*unready_entrants(tournament), *waiting_entrants(tournament)),
    )


def _preflight_clear(tournament: Tournament) -> Preflight:
    worries = [Worry("Table cards and score sheets already printed will stop working.")]
    if tournament.changes.filter(undone_at=None).exists():
        worries.append(Worry("Manual changes to the seating will be lost."))
    return Preflight(
        title="Clear the seating?",
        button="Clear the seating",
        effects=("No one will have a table in any round.", "Entries are open again."),
        undo_text="This cannot be undone, but you can draw the seating again.",
        worries=tuple(worries),
        block_reason=CLEAR_BLOCKED if _is_played(tournament.rounds.all()) else "",
        is_danger=True,
    )


def _preflight_start(tournament: Tournament) -> Preflight:
    round_ = tournament.rounds.filter(state=RoundState.SEATED).first()
    if round_ is None or tournament.rounds.filter(state=RoundState.PLAYING).exists():
        message = "There is no round to start. One is being played, or all are closed."
        return _blocked_preflight("Start a round?", message)
    worries = [
        Worry(trouble_at_start(row), "seating-changes") for row in entry_list(tournament).troubles
    ]
    if movers_text := moved_since(tournament, round_, reader=ORGANISER_READER):
        text = f"The standings have changed since the round was seated. {movers_text}"
        worries.append(Worry(text, "round-by-standing"))
    clock = []
    if (minutes := tournament.minutes_a_round) is not None:
        alternative = "or you can start it once everyone is seated."
        clock = [f"Its clock of {minutes} minutes starts, {alternative}"]
    return Preflight(
        title=f"Start round {round_.number}?",
        button=f"Start round {round_.number}",
        effects=("Tables can enter hands from now on.", *clock),
        undo_text="You can undo this until the first hand is entered.",
        worries=(*worries, *unready_entrants(tournament), *open_disputes(tournament)),
        round=round_.number,
    )


def _preflight_unstart(tournament: Tournament) -> Preflight:
    if (round_ := _playing_round(tournament)) is None:
        return _blocked_preflight("Undo the start?", "No round is being played.")
    is_played = _is_played(Round.objects.filter(pk=round_.pk))
    return Preflight(
        title=f"Undo the start of round {round_.number}?",
        button="Undo the start",
        effects=(
            f"Round {round_.number} goes back to “not started”: tables cannot enter hands.",
            "Its clock is reset.",
        ),
        undo_text="You can start the round again at any time.",
        block_reason=UNSTART_BLOCKED if is_played else "",
        round=round_.number,
    )


def _preflight_close(tournament: Tournament) -> Preflight:
    if (round_ := _playing_round(tournament)) is None:
        return _blocked_preflight("Close the round?", "No round is being played.")
    view = round_view(round_, round_.tournament, reader=ORGANISER_READER)
    return Preflight(
        title=f"Close round {round_.number}?",
        button=f"Close round {round_.number}",
        effects=(
            f"Tables will no longer be able to enter hands for round {round_.number}.",
            "Organisers can still correct hands that have been entered.",
        ),
        undo_text=(
            f"You can reopen round {round_.number}, with a reason, until the next round starts."
        ),
        worries=(
            *open_calls(round_),
            *withdrawn_seats(view),
            *stopped_early(view),
            *unagreed_hands(tournament, round_),
        ),
        missing=tuple(table for table in view.tables if not table.is_done),
        round=round_.number,
    )


def _preflight_reopen(tournament: Tournament) -> Preflight:
    round_ = tournament.rounds.filter(state=RoundState.CLOSED).last()
    if round_ is None:
        return _blocked_preflight("Reopen a round?", "No round has been closed.")
    reason = ""
    if tournament.state == TournamentState.FINISHED:
        reason = "The tournament is finished. Reopen the tournament first."
    elif playing := _playing_round(tournament):
        reason = f"Round {playing.number} has started, so earlier rounds cannot be reopened."
    return Preflight(
        title=f"Reopen round {round_.number}?",
        button=f"Reopen round {round_.number}",
        effects=(
            f"The tables of round {round_.number} can enter hands again.",
            "The next round cannot start until this one is closed again.",
        ),
        undo_text="Close the round again when everything is correct.",
        block_reason=reason,
        round=round_.number,
    )


def _preflight_finish(tournament: Tournament) -> Preflight:
    reason = ""
    open_ = tournament.rounds.exclude(state=RoundState.CLOSED)
    if tournament.state != TournamentState.PLAYING:
        is_over = tournament.state == TournamentState.FINISHED
        reason = "It is already finished." if is_over else "No round has been seated yet."
    elif (number := tournament.rounds.count() + 1) <= tournament.rounds_planned:
        reason = f"Round {number} has not been seated."
    elif numbers := list(open_.values_list("number", flat=True)):
        verb = "has" if len(numbers) == 1 else "have"
        reason = f"{numbers_text('Round', numbers)} {verb} not been closed."
    return Preflight(
        title="Finish the tournament?",
        button="Finish the tournament",
        effects=(
            "The standings are final and prizes can be given.",
            "After this, hands cannot be changed and rulings cannot be made.",
        ),
        undo_text="You can reopen it by giving a reason.",
        worries=(
            *open_disputes(tournament),
            *rounds_without_hands(tournament),
            *unagreed_hands(tournament),
            *((Worry(LAST_ROUND_HIDDEN, "standings"),) * tournament.hides_last_round),
        ),
        block_reason=reason,
    )


def _preflight_resume(tournament: Tournament) -> Preflight:
    is_public = tournament.published_at is not None
    is_finished = tournament.state == TournamentState.FINISHED
    return Preflight(
        title="Reopen the tournament?",
        button="Reopen the tournament",
        effects=(
            "The standings are provisional again.",
            "Hands can be corrected, and the last round can be reopened.",
            *(("The results will be unpublished until you publish them again.",) * is_public),
        ),
        undo_text="Finish it again when everything is correct.",
        worries=(Worry("People may already have seen the results."),) * is_public,
        block_reason="" if is_finished else "The tournament is not finished.",
    )


def _preflight_publish(tournament: Tournament) -> Preflight:
    is_finished = tournament.state == TournamentState.FINISHED
    return Preflight(
        title="Publish the results?",
        button="Publish the results",
        effects=(
            "Anyone with the link can see the final standings.",
            (
                "Players appear with their full names, unless they chose a shorter name or to be "
                "hidden."
            ),
            *(("Everyone will see the last round.",) * tournament.hides_last_round),
        ),
        undo_text="You can unpublish the page, but people may already have seen it.",
        block_reason="" if is_finished else FINISH_FIRST,
    )


def _preflight_delete(tournament: Tournament) -> Preflight:
    count = tournament.entrants.people().count()
    paid = tournament.entrants.filter(has_paid=True).count()
    rounds, prizes = tournament.rounds.count(), tournament.prizes.count()
    losses = [f"The entry list ({count_words(count, 'person', 'people')}) is deleted."] * bool(
        count
    )
    if rounds:
        seating = f"The seating of {count_words(rounds, 'round')} is deleted"
        losses.append(f"{seating}, and printed table cards stop working.")
    losses += [f"Its prizes ({prizes}) are deleted."] * bool(prizes)
    return Preflight(
        title="Delete this tournament?",
        button="Delete tournament",
        effects=(f"{tournament.name} is no longer in the list. No result is lost.", *losses),
        undo_text="This cannot be undone. To hold it after all, create it again.",
        block_reason=deletion_refusal(tournament, paid),
        is_danger=True,
    )


def deletion_refusal(tournament: Tournament, paid: int) -> str:
    """Why a tournament in which so many have paid cannot be deleted; empty if it can."""
    if _is_played(tournament.rounds.all()):
        return DELETE_BLOCKED
    if tournament.state == TournamentState.FINISHED:
        return "The tournament is finished, so it cannot be deleted."
    if paid:
        players_text = "1 player is" if paid == 1 else f"{paid} players are"
        return f"{players_text} marked as paid. Remove the marks on the entry list first."
    return ""


PREFLIGHTS: dict[str, Callable[[Tournament], Preflight]] = {
    "seat": _preflight_seat,
    "clear": _preflight_clear,
    "start": _preflight_start,
    "unstart": _preflight_unstart,
    "close": _preflight_close,
    "reopen": _preflight_reopen,
    "finish": _preflight_finish,
    "resume": _preflight_resume,
    "publish": _preflight_publish,
    "delete": _preflight_delete,
}


def _blocked_preflight(title: str, reason: str) -> Preflight:
    return Preflight(title=title, button="", effects=(), undo_text="", block_reason=reason)


def _playing_round(tournament: Tournament) -> Round | None:
    playing = tournament.rounds.filter(state=RoundState.PLAYING)
    return playing.select_related("tournament").first()


def _is_played(rounds: QuerySet[Round]) -> bool:
    """Whether a hand or a ruling counts in them; what was undone does not."""
    return has_hands(Game.objects.filter(tournament_table__round__in=rounds))
