"""What a step of a tournament is for: its round, and the state that its form is shown for."""

from typing import Final
from zlib import crc32

from django.db.models import Max
from django.utils import timezone

from tournaments.models import Placement, RoundState, SeatingChange, Tournament
from tournaments.selectors.clock import clock_now
from tournaments.selectors.people import last_change

RESULTS: Final = frozenset(
    {
        "tournament-finish",
        "tournament-reopen",
        "results-publish",
        "results-hide",
        "results-release",
        "results-withdraw",
    }
)
TAKEN_BACK: Final = frozenset({"tournament-finish", "tournament-reopen"})
SEATING: Final = frozenset(
    {"tournament-seat", "tournament-clear", "seating-changes", "seating-anew", "seating-list"}
)
WAITING: Final = frozenset({"round-start"})
CLOSED: Final = frozenset({"round-reopen"})
PLAYED: Final = frozenset(
    {"round-unstart", "round-close", "close-stopped", "clock-set", "clock-minutes"}
)


def round_for(tournament: Tournament, act: str) -> int | None:
    """The number of the round that the step would be for now; None where there is none."""
    rounds = {one.number: one.state for one in tournament.rounds.all()}
    if act in CLOSED:
        return max((n for n, state in rounds.items() if state == RoundState.CLOSED), default=None)
    wanted = RoundState.SEATED if act in WAITING else RoundState.PLAYING
    return min((n for n, state in rounds.items() if state == wanted), default=None)


def state_for(tournament: Tournament, act: str) -> str:
    """What a form for this step carries, to notice a later change; at most three queries."""
    if act in SEATING:
        return seating_state(tournament, last_change(tournament))
    if act == "clock-set":
        clock = clock_now(tournament, now=timezone.now())
        return "" if clock is None else clock.state
    if act == "seating-undo":
        change = last_change(tournament)
        return str(change.pk if change else 0)
    if act not in RESULTS:
        return ""
    if act not in TAKEN_BACK:
        return results_state(tournament)
    last = tournament.steps_back.aggregate(last=Max("pk"))["last"]
    return f"{results_state(tournament)}-{last or 0}"


def results_state(tournament: Tournament) -> str:
    """Whether it is finished, its last round kept back, and since when it is published."""
    published = tournament.published_at
    since = 0 if published is None else round(published.timestamp() * 1000)
    return f"{tournament.state}-{int(tournament.hides_last_round)}-{since}"


def seating_state(tournament: Tournament, last: SeatingChange | None) -> str:
    """The last round laid, the last change by hand, and who sits in; at most two queries."""
    laid = max((one.pk for one in tournament.rounds.all()), default=0)
    seats = Placement.objects.filter(round__tournament=tournament).exclude(substitute="")
    sits_in = list(seats.order_by("round", "entrant").values_list("round", "entrant", "substitute"))
    return f"{tournament.state}-{laid}-{last.pk if last else 0}-{crc32(repr(sits_in).encode()):x}"
