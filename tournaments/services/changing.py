"""A tournament's settings are changed, as far as nothing has been played by them."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Unpack

from django.db import transaction

from clubs.core.locks import lock_club
from clubs.models.names import tidy_name
from clubs.seating import Request
from scoring.scorebook import services as scorebook
from scoring.scorebook.editions import rule_set
from scoring.scorebook.refusals import Refusal, Refused, refuse
from tournaments.models import Entrant, RoundState, Tournament, TournamentState
from tournaments.selectors.settled import SETTINGS, begun, settled
from tournaments.services.laying import LaidRound, games_at, laid, lay, unseated
from tournaments.services.locks import lock, touch
from tournaments.services.making import Settings, faults
from tournaments.services.seating import (
    check_roster,
    note_drawing,
    plan_for,
    request_for,
    roster_of,
    sitters,
    told,
)


@dataclass(frozen=True, slots=True)
class Changed:
    """The numbers of the rounds that were seated besides, and of those no longer seated."""

    seated: tuple[int, ...]
    unseated: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class _Further:
    """Rounds that are to be seated besides those that are kept, and for whom."""

    kept: int
    roster: Sequence[Entrant]
    asked: Request
    rounds: Sequence[LaidRound]


def change_tournament(
    *,
    tournament: Tournament,
    shown: Mapping[str, Any] | None = None,
    check: Callable[[Tournament], None] = lambda _: None,
    **settings: Unpack[Settings],
) -> Changed:
    """Change what a tournament is; ``rules`` empty: as they are.

    With ``shown``, the settings as they were read, only what differs from them is written.
    ``check`` looks at the tournament once it is locked, and may refuse.

    What is settled is refused at its field: the rules at the first hand, a round's length while
    one is played, rounds that have begun, all but name and day once it is finished. Rounds no
    longer planned lose their seats; rounds to be drawn besides are seated, and everyone else
    keeps a seat. Their search takes its seconds before the transaction begins.
    """
    wanted = Tournament.objects.select_related("club").get(pk=tournament.pk)
    changes = _changes(wanted, settings, shown or {})
    _put(wanted, changes)
    further = _further(wanted)
    with transaction.atomic():
        held = _hold(wanted)
        check(held)
        fixed, before = settled(held), settings_told(held)
        _put(held, changes)
        if problems := [
            *_moved(before, settings_told(held), fixed),
            *_too_few(held),
            *faults(held),
        ]:
            raise Refused(problems)
        held.save(update_fields=[_COLUMNS.get(name, name) for name in changes])
        gone = _to_unseat(held)
        lay(held, [unseated(number) for number in gone])
        _replan(held, rules_changed=held.rules != before["rules"])
        scorebook.ask_agreement(games_at(held), held.agreement)
        _seat(held, further)
        touch(held)
    seated = tuple(one.number for one in further.rounds) if further else ()
    return Changed(seated, tuple(gone))


_COLUMNS = {"rounds": "rounds_planned"}


def _changes(
    tournament: Tournament, settings: Settings, shown: Mapping[str, Any]
) -> dict[str, Any]:
    """The settings that are not as they were shown, each as it is stored."""
    clean: dict[str, Any] = {
        **settings,
        "name": tidy_name(settings["name"]),
        "rules": rule_set(settings["rules"] or tournament.rules).key,
        "ranks_by": list(settings["ranks_by"]),
    }
    return {
        name: value for name, value in clean.items() if name not in shown or value != shown[name]
    }


def _put(tournament: Tournament, changes: Mapping[str, Any]) -> None:
    """Put the settings on the row (unsaved)."""
    for name, value in changes.items():
        setattr(tournament, _COLUMNS.get(name, name), value)


def settings_told(tournament: Tournament) -> dict[str, Any]:
    """The settings as ``change_tournament`` takes them."""
    return {name: getattr(tournament, _COLUMNS.get(name, name)) for name in SETTINGS}


def _hold(tournament: Tournament) -> Tournament:
    """The tournament with the locks of whoever lays rounds, finished or not."""
    lock_club(tournament.club_id)
    scorebook.lock_games(games_at(tournament))
    return lock(tournament.pk)


def _moved(
    before: Mapping[str, Any], now: Mapping[str, Any], fixed: Mapping[str, str]
) -> Iterator[Refusal]:
    """What was to be changed though it is settled."""
    for name, sentence in fixed.items():
        if before[name] != now[name]:
            yield Refusal("settled", sentence, "rank_1" if name == "ranks_by" else name)


def _too_few(tournament: Tournament) -> Iterator[Refusal]:
    started = begun(tournament)
    if tournament.rounds_planned < started:
        have = "1 round has" if started == 1 else f"{started} rounds have"
        yield Refusal(
            "rounds_begun", f"{have} already started, so you cannot have fewer rounds.", "rounds"
        )


def _to_unseat(tournament: Tournament) -> list[int]:
    """The rounds that wait and are planned no more, or are no longer drawn in advance."""
    waiting = tournament.rounds.filter(state=RoundState.SEATED, number__gt=tournament.drawn)
    return [
        one.number
        for one in waiting
        if one.number > tournament.rounds_planned or not one.seated_in_order
    ]


def _further(tournament: Tournament) -> _Further | None:
    """The rounds to be drawn besides, if there are any and the settings can be at all."""
    if tournament.state != TournamentState.PLAYING or faults(tournament):
        return None
    gone = set(_to_unseat(tournament))
    kept = [one for one in laid(tournament.rounds.all()) if one.number not in gone]
    if (count := tournament.drawn - len(kept)) <= 0:
        return None
    roster = roster_of(tournament)
    asked = request_for(tournament, roster, rounds=count, begun=kept)
    return _Further(len(kept), roster, asked, told(plan_for(asked), sitters(roster)))


def _seat(tournament: Tournament, further: _Further | None) -> None:
    if further is None:
        return
    if tournament.rounds.count() != further.kept:
        raise refuse("rounds_changed", "The seating has changed. Save again.")
    check_roster(tournament, further.roster)
    lay(tournament, further.rounds)
    note_drawing(tournament, further.asked)


def _replan(tournament: Tournament, *, rules_changed: bool) -> None:
    """Tables of rounds not begun have so many hands; until the first hand all have the rules."""
    waiting = tournament.rounds.filter(state=RoundState.SEATED)
    games = games_at(tournament, list(waiting.values_list("number", flat=True)))
    scorebook.replan_games(
        games_at(tournament) if rules_changed else games,
        rules=tournament.rules,
        hands_planned=tournament.hands_a_round,
    )
