"""Steps of a tournament: refused if the page showed another state."""

from collections.abc import Iterable
from typing import Final
from zlib import crc32

from django.db.models import Max
from django.utils import timezone

from clubs.core.audit_log import last_entry
from clubs.core.forms import Event, Overtaken, ShownState, done_already_refusal, overtaken_refusal
from clubs.language.moments import moment
from tournaments.models import (
    Entrant,
    EntrantState,
    Placement,
    RoundState,
    SeatingChange,
    Table,
    Tournament,
)
from tournaments.rounds.clock import clock_now
from tournaments.rounds.selectors import entrant_state, last_change

SEATING_STEPS: Final = frozenset(
    {"tournament-seat", "tournament-clear", "seating-changes", "seating-anew", "seating-list"}
)


NO_CLOCK: Final = "none"
DELETION: Final = "tournament-delete"  # everyone on the entry list goes with it

ROUND_STEPS: Final = frozenset(
    {
        *("round-start", "round-unstart", "round-close", "round-reopen"),
        *("close-stopped", "close-stopped-all", "stop-tables"),
    }
)
FINISH_ACTS: Final = {
    "tournament-finish": "The tournament was already finished",
    "tournament-reopen": "The tournament was already reopened",
}
PREVIEWED_ACTS: Final = frozenset({*FINISH_ACTS, "results-publish"})
ROUND_ACTS: Final = {
    "tournament-seat": "The seating was already drawn",
    "tournament-clear": "The seating was already cleared",
    "round-start": "Round {round} was already started",
    "round-unstart": "The start of round {round} was already undone",
    "round-close": "Round {round} was already closed",
    "round-reopen": "Round {round} was already reopened",
    **FINISH_ACTS,
}
RESULTS_ACTS: Final = {
    **FINISH_ACTS,
    "results-publish": "The results were already published",
    "results-hide": "The last round was already hidden",
    "results-release": "The last round was already shown",
    "results-withdraw": "The results were already unpublished",
}
SEATING_ACTS: Final = {
    **ROUND_ACTS,
    "seating-changes": "",
    "api-seating-swap": "",
    "api-seating-substitute": "",
    "seating-takeover": "",
    "seating-anew": "",
    "seating-undo": "",
    "seating-by-hand": "",
    "seating-list": "",
    "round-by-standing": "",
}
STANDINGS_ACTS: Final = (
    *(SEATING_ACTS.keys() - {"round-by-standing"}),
    *("entrants", "entrants:rules", "entrants-import", "entrant-withdraw", "entrant-readmit"),
    *("tournament-settings", "tournament-hand", "tournament-repair", "tournament-repair-back"),
    *("api-game-correct", "api-game-decide"),
    *("table-rulings", "ruling-back"),
)
CLOCK_ACTS: Final = {**ROUND_ACTS, "clock-set": "", "clock-minutes": ""}
CLOCK_ONLY_ACTS: Final = CLOCK_ACTS.keys() - ROUND_ACTS.keys()
SEATING_ONLY_ACTS: Final = {
    "tournament-seat",
    "tournament-clear",
} | SEATING_ACTS.keys() - ROUND_ACTS.keys()
REACHED_ROUND_STATES: Final = {
    "round-start": {RoundState.PLAYING, RoundState.CLOSED},
    "round-unstart": {RoundState.SEATED},
    "round-close": {RoundState.CLOSED},
    "round-reopen": {RoundState.PLAYING},
}
REACHED_ENTRANT_STATES: Final = {
    "entrant-withdraw": EntrantState.WITHDRAWN,
    "entrant-readmit": EntrantState.ENTERED,
}


def round_for(tournament: Tournament, act: str) -> int | None:
    """The number of the round that the step would now be for; None if there is none."""
    rounds = {round_.number: round_.state for round_ in tournament.rounds.all()}
    if act == "round-reopen":
        return max((n for n, state in rounds.items() if state == RoundState.CLOSED), default=None)
    required_state = RoundState.SEATED if act == "round-start" else RoundState.PLAYING
    return min((n for n, state in rounds.items() if state == required_state), default=None)


def state_for(tournament: Tournament, act: str) -> str:
    """The state that a form for this step carries; at most three queries."""
    if act in SEATING_STEPS or act == DELETION:
        state = seating_state(tournament, last_change(tournament))
        return f"{state}-{tournament.entrants.count()}" if act == DELETION else state
    if act == "clock-set":
        clock = clock_now(tournament, now=timezone.now())
        return NO_CLOCK if clock is None else clock.state
    if act == "seating-undo":
        change = last_change(tournament)
        return str(change.pk if change else 0)
    if act in RESULTS_ACTS and act not in PREVIEWED_ACTS:
        return results_state(tournament)
    if act in ROUND_STEPS or act in PREVIEWED_ACTS:
        # What was reopened since is another round or other results, though all looks the same.
        last = tournament.steps_back.aggregate(last=Max("pk"))["last"]
        return f"{results_state(tournament)}-{last or 0}"
    return ""


def results_state(tournament: Tournament) -> str:
    """Whether it is finished, its last round hidden, and since when it is published."""
    published_at = tournament.published_at
    milliseconds = 0 if published_at is None else round(published_at.timestamp() * 1000)
    return f"{tournament.state}-{int(tournament.hides_last_round)}-{milliseconds}"


def seating_state(tournament: Tournament, last: SeatingChange | None) -> str:
    """The last seated round, the last manual change, and the substitutes; at most two queries."""
    last_round_key = max((round_.pk for round_ in tournament.rounds.all()), default=0)
    last_change_key = last.pk if last else 0
    seats = Placement.objects.filter(round__tournament=tournament).exclude(substitute="")
    sits_in = list(seats.order_by("round", "entrant").values_list("round", "entrant", "substitute"))
    digest = crc32(repr(sits_in).encode())
    return f"{tournament.state}-{last_round_key}-{last_change_key}-{digest:x}"


def check_shown(tournament: Tournament, page_state: ShownState | None) -> None:
    """Refuses (``Overtaken``), under the lock, a step whose state has changed since shown."""
    if page_state is None:
        return
    if page_state.round is not None and page_state.round != round_for(tournament, page_state.act):
        states = dict(tournament.rounds.values_list("number", "state"))
        if states.get(page_state.round) not in REACHED_ROUND_STATES.get(page_state.act, ()):
            raise overtaken_by(tournament, page_state)
        acts, row_keys = [page_state.act], {"round": page_state.round}
        last = last_entry(tournament.club, "tournament", tournament.pk, acts, **row_keys)
        raise done_already_refusal(_tournament_event(tournament, page_state.act), page_state, last)
    if page_state.state and page_state.state != state_for(tournament, page_state.act):
        raise overtaken_by(tournament, page_state)


def last_step(tournament: Tournament, acts: Iterable[str]) -> str:
    """Who took the last of these steps, and when, as a sentence; empty if nobody did."""
    last = last_entry(tournament.club, "tournament", tournament.pk, acts)
    return f"{last.sentence.removesuffix('.')} at {moment(last.at)}." if last else ""


def overtaken_by(tournament: Tournament, page_state: ShownState) -> Overtaken:
    """The refusal, naming who changed it."""
    return overtaken_refusal(_tournament_event(tournament, page_state.act), page_state)


def minutes_changed(table: Table) -> Overtaken:
    """The refusal of minutes for a table that has others by now, naming who changed them."""
    act, tournament = "table-minutes", table.round.tournament
    row_keys = {"round": table.round.number, "number": table.number}
    return overtaken_refusal(
        Event(tournament.club, "tournament", tournament.pk, {act: ""}, row_keys), ShownState(act)
    )


def check_entrant(tournament: Tournament, entrant: Entrant, page_state: ShownState | None) -> None:
    """Refuses (``Overtaken``) an act on an entrant who has withdrawn or come back since.

    Called with the tournament locked and the entrant reloaded after that.
    """
    if (
        page_state is None
        or not page_state.state
        or page_state.state == entrant_state(entrant, page_state.act)
    ):
        return
    event = _entrant_event(tournament, entrant.pk, entrant.name)
    if entrant.state != REACHED_ENTRANT_STATES[page_state.act]:
        raise overtaken_refusal(event, page_state)
    last = last_entry(event.club, event.kind, event.pk, [page_state.act], **event.log_lookup)
    raise done_already_refusal(event, page_state, last)


def withdrawn_before(tournament: Tournament, entrant: int) -> Overtaken | None:
    """Who removed an entrant from the list for good; None if nobody did."""
    act = "entrant-withdraw"
    last = last_entry(tournament.club, "tournament", tournament.pk, [act], entrant=entrant)
    event = _entrant_event(tournament, entrant, "This player")
    return None if last is None else done_already_refusal(event, ShownState(act), last)


def _entrant_event(tournament: Tournament, entrant: int, name: str) -> Event:
    """One entrant's place on the list with the acts that change it."""
    done_sentences = {
        "entrant-withdraw": f"{name} was already withdrawn",
        "entrant-readmit": f"{name} was already added to the tournament",
    }
    return Event(tournament.club, "tournament", tournament.pk, done_sentences, {"entrant": entrant})


def _tournament_event(tournament: Tournament, act: str) -> Event:
    """The tournament with the acts that change what this one is for."""
    done_sentences = ROUND_ACTS
    if act in RESULTS_ACTS:
        done_sentences = RESULTS_ACTS
    elif act in SEATING_ONLY_ACTS:
        done_sentences = SEATING_ACTS
    elif act in CLOCK_ONLY_ACTS:
        done_sentences = CLOCK_ACTS
    return Event(tournament.club, "tournament", tournament.pk, done_sentences)
