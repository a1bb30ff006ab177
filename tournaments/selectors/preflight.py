"""Before a step that is hard to take back: what it does, what is not in order, what is final."""

from collections.abc import Callable
from dataclasses import dataclass

from django.db.models import QuerySet

from clubs.models.names import ORGANISER
from scoring.scorebook.models import Hand
from tournaments.models import (
    Entrant,
    EntrantState,
    Round,
    RoundState,
    Ruling,
    StepBack,
    Tournament,
    TournamentState,
)
from tournaments.selectors.bystanding import moved_since
from tournaments.selectors.desk import TableRow, missing_in
from tournaments.selectors.people import entry_list
from tournaments.selectors.steps import seating_words
from tournaments.selectors.worries import (
    Worry,
    calls_in,
    kept_back,
    numbered,
    open_disputes,
    unagreed,
    unready,
    without_place,
)

STAYS = "A hand or a ruling has been saved, so the seating cannot be cleared."
STARTED = "A hand or a ruling has been saved, so the start cannot be undone."


@dataclass(frozen=True, slots=True)
class Preflight:
    """The page before a step.

    ``does`` says what happens, ``worries`` what is not in order and may be let be, ``missing``
    are the tables that keep a round open, ``back`` says whether and how it can be undone.
    ``blocked`` is why the step cannot be taken at all; empty where it can. ``round`` is the number
    of the round that the step is for.
    """

    title: str
    button: str
    does: tuple[str, ...]
    back: str
    worries: tuple[Worry, ...] = ()
    missing: tuple[TableRow, ...] = ()
    blocked: str = ""
    round: int | None = None
    is_danger: bool = False

    @property
    def can_go(self) -> bool:
        """Whether the step can be taken now."""
        return not self.blocked and not self.missing


def preflight(tournament: Tournament, step: str) -> Preflight:
    """The page before a step, one of ``PAGES``; at most twelve queries."""
    return PAGES[step](tournament)


def before_withdrawing(entrant: Entrant) -> Preflight:
    """The page before someone is taken off the list; at most three queries."""
    to_come = sorted(
        entrant.placements.filter(substitute="")
        .exclude(round__state=RoundState.CLOSED)
        .values_list("round__number", flat=True)
    )
    waiting = entrant.tournament.entrants.filter(state=EntrantState.WAITING).first()
    does = [f"{entrant.name} leaves the tournament."]
    if waiting and entrant.state == EntrantState.ENTERED:
        does.append(f"{waiting.name} is first on the waiting list and gets the place.")
    if entrant.placements.exists():
        does.append("Completed hands stay in the score book and the name stays in the standings.")
    sentence = (
        f"{entrant.name} has a seat in {numbered('round', to_come)}. You can add a substitute or "
        "reseat the rounds that have not started."
    )
    return Preflight(
        title=f"Withdraw {entrant.name}?",
        button=f"Withdraw {entrant.name}",
        does=tuple(does),
        back="If the player had a seat, you can add them back from the entry list with one "
        "button. Otherwise, enter them again.",
        worries=(Worry(sentence, "seating-changes"),) if to_come else (),
        is_danger=True,
    )


def steps_back(tournament: Tournament) -> tuple[StepBack, ...]:
    """Every step that was taken back, the last first; one query."""
    return tuple(tournament.steps_back.all())


def _seat(tournament: Tournament) -> Preflight:
    entered = tournament.entrants.entered().count()
    return Preflight(
        title="Draw the seating?",
        button="Draw the seating",
        does=(
            seating_words(tournament, entered),
            "Phones, projector screens and table cards are updated straight away.",
        ),
        back="You can change it, or clear it and draw again, until the first hand.",
        worries=(*unready(tournament), *without_place(tournament)),
    )


def _clear(tournament: Tournament) -> Preflight:
    worries = [Worry("Table cards and score sheets already printed will stop working.")]
    if tournament.changes.filter(undone_at=None).exists():
        worries.append(Worry("Manual changes to the seating will be lost."))
    return Preflight(
        title="Clear the seating?",
        button="Clear the seating",
        does=("No one will have a table in any round.", "Entries are open again."),
        back="This cannot be undone, but you can draw the seating again.",
        worries=tuple(worries),
        blocked=STAYS if _is_played(tournament.rounds.all()) else "",
        is_danger=True,
    )


def _start(tournament: Tournament) -> Preflight:
    round_ = tournament.rounds.filter(state=RoundState.SEATED).first()
    if round_ is None or tournament.rounds.filter(state=RoundState.PLAYING).exists():
        said = "There is no round to start. One is being played, or all are closed."
        return _not_now("Start a round?", said)
    worries = [
        Worry(f"{row.entrant.name} {row.trouble}.", "seating-changes")
        for row in entry_list(tournament).troubles
    ]
    if moved := moved_since(tournament, round_, reader=ORGANISER):
        sentence = f"The standings have changed since the round was seated. {moved}"
        worries.append(Worry(sentence, "round-by-standing"))
    return Preflight(
        title=f"Start round {round_.number}?",
        button=f"Start round {round_.number}",
        does=("Tables can enter hands from now on.", *_clock_words(tournament)),
        back="You can undo this until the first hand is entered.",
        worries=(*worries, *unready(tournament), *open_disputes(tournament)),
        round=round_.number,
    )


def _clock_words(tournament: Tournament) -> tuple[str, ...]:
    minutes = tournament.minutes_a_round
    if minutes is None:
        return ()
    return (f"Its clock of {minutes} minutes starts, or you can start it once everyone is seated.",)


def _unstart(tournament: Tournament) -> Preflight:
    title = "Undo the start?"
    if (round_ := _playing(tournament)) is None:
        return _not_now(title, "No round is being played.")
    is_played = _is_played(Round.objects.filter(pk=round_.pk))
    return Preflight(
        title=f"Undo the start of round {round_.number}?",
        button="Undo the start",
        does=(
            f"Round {round_.number} goes back to “not started”: tables cannot enter hands.",
            "Its clock is reset.",
        ),
        back="You can start the round again at any time.",
        blocked=STARTED if is_played else "",
        round=round_.number,
    )


def _close(tournament: Tournament) -> Preflight:
    if (round_ := _playing(tournament)) is None:
        return _not_now("Close the round?", "No round is being played.")
    return Preflight(
        title=f"Close round {round_.number}?",
        button=f"Close round {round_.number}",
        does=(
            f"Tables will no longer be able to enter hands for round {round_.number}.",
            "Organisers can still correct hands that have been entered.",
        ),
        back=f"You can reopen round {round_.number}, with a reason, until the next round starts.",
        worries=(*calls_in(round_), *unagreed(tournament, round_)),
        missing=tuple(missing_in(round_)),
        round=round_.number,
    )


def _reopen(tournament: Tournament) -> Preflight:
    title = "Reopen a round?"
    round_ = tournament.rounds.filter(state=RoundState.CLOSED).last()
    if round_ is None:
        return _not_now(title, "No round has been closed.")
    blocked = ""
    if tournament.state == TournamentState.FINISHED:
        blocked = "The tournament is finished. Reopen the tournament first."
    elif playing := _playing(tournament):
        blocked = f"Round {playing.number} has started, so earlier rounds cannot be reopened."
    return Preflight(
        title=f"Reopen round {round_.number}?",
        button=f"Reopen round {round_.number}",
        does=(
            f"The tables of round {round_.number} can enter hands again.",
            "The next round cannot start until this one is closed again.",
        ),
        back="Close the round again when everything is correct.",
        blocked=blocked,
        round=round_.number,
    )


def _finish(tournament: Tournament) -> Preflight:
    return Preflight(
        title="Finish the tournament?",
        button="Finish the tournament",
        does=(
            "The standings are final and prizes can be given.",
            "After this, hands cannot be changed and rulings cannot be made.",
        ),
        back="You can reopen it by giving a reason.",
        worries=(*open_disputes(tournament), *unagreed(tournament), *kept_back(tournament)),
        blocked=_unclosed(tournament),
    )


def _resume(tournament: Tournament) -> Preflight:
    is_public = tournament.published_at is not None
    is_finished = tournament.state == TournamentState.FINISHED
    return Preflight(
        title="Reopen the tournament?",
        button="Reopen the tournament",
        does=(
            "The standings are provisional again.",
            "Hands can be corrected, and the last round can be reopened.",
            *(("The results will be unpublished until you publish them again.",) * is_public),
        ),
        back="Finish it again when everything is correct.",
        worries=(Worry("People may already have seen the results."),) * is_public,
        blocked="" if is_finished else "The tournament is not finished.",
    )


def _publish(tournament: Tournament) -> Preflight:
    is_finished = tournament.state == TournamentState.FINISHED
    return Preflight(
        title="Publish the results?",
        button="Publish the results",
        does=(
            (
                "Anyone with the link can see the final standings, with names shown as each player "
                "chose."
            ),
            *(("Everyone will see the last round.",) * tournament.hides_last_round),
        ),
        back="You can unpublish the page, but people may already have seen it.",
        blocked=""
        if is_finished
        else "You can publish results once the tournament is finished. Finish it first.",
    )


PAGES: dict[str, Callable[[Tournament], Preflight]] = {
    "seat": _seat,
    "clear": _clear,
    "start": _start,
    "unstart": _unstart,
    "close": _close,
    "reopen": _reopen,
    "finish": _finish,
    "resume": _resume,
    "publish": _publish,
}


def _not_now(title: str, why: str) -> Preflight:
    return Preflight(title=title, button="", does=(), back="", blocked=why)


def _playing(tournament: Tournament) -> Round | None:
    playing = tournament.rounds.filter(state=RoundState.PLAYING)
    return playing.select_related("tournament").first()


def _is_played(rounds: QuerySet[Round]) -> bool:
    """Whether a hand is recorded in them, or the director has ruled there."""
    hands = Hand.objects.filter(game__tournament_table__round__in=rounds)
    return hands.exists() or Ruling.objects.filter(table__round__in=rounds).exists()


def _unclosed(tournament: Tournament) -> str:
    if tournament.state != TournamentState.PLAYING:
        is_over = tournament.state == TournamentState.FINISHED
        return "It is already finished." if is_over else "No round has been seated yet."
    if (number := tournament.rounds.count() + 1) <= tournament.rounds_planned:
        return f"Round {number} has not been seated."
    open_ = tournament.rounds.exclude(state=RoundState.CLOSED)
    if numbers := list(open_.values_list("number", flat=True)):
        verb = "has" if len(numbers) == 1 else "have"
        return f"{numbered('Round', numbers)} {verb} not been closed."
    return ""
