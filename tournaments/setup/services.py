"""Creates and changes tournaments, and their entry lists."""

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from math import inf
from typing import Any, Unpack

from django.db import transaction

from clubs.core.forms import ShownState
from clubs.core.locks import lock_club
from clubs.core.people_names import distinguished_name, read_one_name
from clubs.core.written_names import read_name, written_name_fault
from clubs.models import Club
from clubs.models.names import MAX_NAME, name_fault, name_key, tidy_name
from clubs.seating import Request
from scoring.scorebook import services as scorebook
from scoring.scorebook.editions import rule_set
from scoring.scorebook.models import Recording
from scoring.scorebook.refusals import ProblemLike, Refusal, Refused, refuse
from tournaments.core import lock_tournament, touch
from tournaments.models import (
    MOST_STAKE,
    Entrant,
    EntrantState,
    RoundState,
    Tournament,
    TournamentState,
    ranking_default,
)
from tournaments.rounds.services import (
    RoundSeating,
    games_at,
    next_number,
    round_seatings,
    unseated_round,
    with_stored_players,
    write_seatings,
)
from tournaments.rounds.steps import check_entrant
from tournaments.seating.services.seating import (
    check_roster,
    plan_for,
    request_for,
    roster_of,
    seatings_of_plan,
    sitters_by_key,
    store_drawing,
)
from tournaments.setup.selectors import (
    CHOICES,
    RANGES,
    SETTING_COLUMNS,
    Settings,
    begun_round_count,
    fixed_settings,
    settings_fields,
)


@transaction.atomic
def make_tournament(*, club: Club, **settings: Unpack[Settings]) -> Tournament:
    """Create a tournament that takes entries, in the newest edition of these rules or the club's.

    A round ends after so many hands, at the bell after so many minutes, or at the earlier of both;
    each player starts with ``start_stake`` points.
    """
    tournament = Tournament(book=scorebook.open_book(), club=lock_club(club.pk), rules=club.rules)
    _set_columns(tournament, _stored_settings(tournament, settings))
    if problems := list(setting_faults(tournament)):
        raise Refused(problems)
    tournament.save()
    return tournament


def setting_faults(tournament: Tournament) -> Iterator[Refusal]:
    """What is wrong with its settings, each at its field."""
    yield from _name_faults(tournament)
    for name, limits in RANGES.items():
        value = getattr(tournament, SETTING_COLUMNS[name])
        if value is not None and not limits.least <= value <= limits.most:
            yield _bad_value(limits.message, name)
    for name, (choices, message) in CHOICES.items():
        if getattr(tournament, name) not in choices:
            yield _bad_value(message, name)
    if unknown := [metric for metric in tournament.ranks_by if metric not in ranking_default()]:
        yield _bad_value(f"“{unknown[0]}” is not a ranking option.", "ranks_by")
    yield from _conflicts(tournament)


def _bad_value(message: str, field_name: str) -> Refusal:
    return Refusal("bad_value", message, field_name)


def _conflicts(tournament: Tournament) -> Iterator[Refusal]:
    """Settings that are possible, but not together."""
    if tournament.hands_a_round is None and tournament.minutes_a_round is None:
        yield _bad_value("Enter a number of hands or minutes for each round.", "hands_a_round")
    if not tournament.pays and 0 < tournament.start_stake <= MOST_STAKE:
        message = "No one pays under these rules, so there are no starting points."
        yield _bad_value(message, "start_stake")
    if not tournament.pays and tournament.record_by == Recording.TALLIES:
        message = "No one pays under these rules, so you cannot count sticks."
        yield Refusal("no_sticks", message, "record_by")
    first, rounds = tournament.by_standing_from, tournament.rounds_planned
    if first is not None and not 2 <= first <= rounds:
        message = (
            f"Round {first} cannot be the first by standings: there are {rounds} rounds, and "
            "there are no standings before round 1."
        )
        yield _bad_value(message, "by_standing_from")
    if tournament.has_final and rounds < 2:
        yield _bad_value("A final needs at least one round before it.", "has_final")


def _name_faults(tournament: Tournament) -> Iterator[Refusal]:
    if tournament.club.rehearsal_of_id is not None:
        message = "You cannot practise a tournament. Create it in the club itself."
        yield Refusal("rehearsal", message, "name")
    if fault := name_fault(tournament.name):
        yield Refusal("bad_name", fault, "name")
    elif (
        tournament.club.tournaments.filter(name=tournament.name).exclude(pk=tournament.pk).exists()
    ):
        yield Refusal("name_taken", "There is already a tournament with that name.", "name")


def _stored_settings(tournament: Tournament, settings: Settings) -> dict[str, Any]:
    """These settings as the row has them; empty rules and an empty ranking stay."""
    return {
        **settings,
        "name": tidy_name(settings["name"]),
        "rules": rule_set(settings.get("rules") or tournament.rules).key,
        "ranks_by": list(settings.get("ranks_by") or tournament.ranks_by),
    }


def _set_columns(tournament: Tournament, changes: Mapping[str, Any]) -> None:
    """Set the settings on the row (unsaved)."""
    for name, value in changes.items():
        setattr(tournament, SETTING_COLUMNS[name], value)


@dataclass(frozen=True, slots=True)
class RoundChanges:
    """The numbers of the rounds that were seated in addition, and of those no longer seated."""

    seated_numbers: tuple[int, ...]
    unseated_numbers: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class _AdditionalRounds:
    """Additional rounds to seat, and their players."""

    kept_count: int
    roster: Sequence[Entrant]
    request: Request
    rounds: Sequence[RoundSeating]


def change_tournament(
    *,
    tournament: Tournament,
    initial_settings: Mapping[str, Any] | None = None,
    check: Callable[[Tournament], None] = lambda _: None,
    **settings: Unpack[Settings],
) -> RoundChanges:
    """Change a tournament's settings; empty ``rules`` stay.

    With ``initial_settings``, the settings as they were read, only what differs from them is
    written. ``check`` is called with the tournament locked, and may refuse.

    Fixed settings are refused at their field: the rules at the first hand, a round's length while
    one is played, rounds that have begun, all but name and day once it is finished. Rounds no
    longer planned lose their seats; additional drawn rounds are seated, and everyone else keeps a
    seat. The search runs for seconds before the transaction begins.
    """
    draft_tournament = Tournament.objects.select_related("club").get(pk=tournament.pk)
    changes = {
        name: value
        for name, value in _stored_settings(draft_tournament, settings).items()
        if initial_settings is None
        or name not in initial_settings
        or value != initial_settings[name]
    }
    _set_columns(draft_tournament, changes)
    additional_rounds = _additional_rounds(draft_tournament)
    with transaction.atomic():
        lock_club(draft_tournament.club_id)
        scorebook.lock_games(games_at(draft_tournament))
        current = lock_tournament(draft_tournament.pk)
        check(current)
        fixed, old_settings = fixed_settings(current), settings_fields(current)
        _set_columns(current, changes)
        if problems := [*_late_changes(current, old_settings, fixed), *setting_faults(current)]:
            raise Refused(problems)
        current.save(update_fields=[SETTING_COLUMNS[name] for name in changes])
        unseated_numbers = _rounds_to_unseat(current)
        write_seatings(current, [unseated_round(number) for number in unseated_numbers])
        _replan(current, rules_changed=current.rules != old_settings["rules"])
        scorebook.ask_agreement(games_at(current), current.agreement)
        _seat_additional(current, additional_rounds)
        touch(current)
    seated_numbers = (
        tuple(round_.number for round_ in additional_rounds.rounds) if additional_rounds else ()
    )
    return RoundChanges(seated_numbers, tuple(unseated_numbers))


def _late_changes(
    tournament: Tournament, old_settings: Mapping[str, Any], fixed: Mapping[str, str]
) -> Iterator[Refusal]:
    """Changes to fixed settings, and fewer rounds than have begun."""
    now = settings_fields(tournament)
    for name, reason in fixed.items():
        if old_settings[name] != now[name]:
            yield Refusal("settled", reason, "rank_1" if name == "ranks_by" else name)
    started_count = begun_round_count(tournament)
    if tournament.rounds_planned < started_count:
        rounds_text = "1 round has" if started_count == 1 else f"{started_count} rounds have"
        yield Refusal(
            "rounds_begun",
            f"{rounds_text} already started, so you cannot have fewer rounds.",
            "rounds",
        )


def _rounds_to_unseat(tournament: Tournament) -> list[int]:
    """The waiting rounds that are no longer planned, or no longer drawn in advance."""
    waiting = tournament.rounds.filter(state=RoundState.SEATED, number__gt=tournament.drawn_rounds)
    return [
        round_.number
        for round_ in waiting
        if round_.number > tournament.rounds_planned or not round_.seated_in_order
    ]


def _additional_rounds(tournament: Tournament) -> _AdditionalRounds | None:
    """The additional rounds to draw, if there are any and the settings are valid."""
    if tournament.state != TournamentState.PLAYING or list(setting_faults(tournament)):
        return None
    unseated_numbers = set(_rounds_to_unseat(tournament))
    kept_rounds = [
        round_
        for round_ in round_seatings(tournament.rounds.all())
        if round_.number not in unseated_numbers
    ]
    if (count := tournament.drawn_rounds - len(kept_rounds)) <= 0:
        return None
    roster = roster_of(tournament)
    request = request_for(tournament, roster, rounds=count, started_rounds=kept_rounds)
    return _AdditionalRounds(
        len(kept_rounds),
        roster,
        request,
        seatings_of_plan(plan_for(request), sitters_by_key(roster)),
    )


def _seat_additional(tournament: Tournament, additional_rounds: _AdditionalRounds | None) -> None:
    if additional_rounds is None:
        return
    if tournament.rounds.count() != additional_rounds.kept_count:
        raise refuse("rounds_changed", "The seating has changed. Save again.")
    check_roster(tournament, additional_rounds.roster)
    write_seatings(
        tournament,
        with_stored_players(tournament, additional_rounds.roster, additional_rounds.rounds),
    )
    store_drawing(tournament, additional_rounds.request, additional_rounds.roster)


def _replan(tournament: Tournament, *, rules_changed: bool) -> None:
    """Update the planned hands of unstarted rounds' tables; until the first hand also the rules."""
    waiting = tournament.rounds.filter(state=RoundState.SEATED)
    games = games_at(tournament, list(waiting.values_list("number", flat=True)))
    scorebook.replan_games(
        games_at(tournament) if rules_changed else games,
        rules=tournament.rules,
        hands_planned=tournament.hands_a_round,
    )


@dataclass(frozen=True, slots=True)
class Entry:
    """Someone on an entry list; ``line`` is the line number.

    ``is_typed``: the name was written by hand, so it may be that of two people.
    """

    line: int
    name: str
    from_club: str = ""
    team: str = ""
    has_paid: bool = False
    is_typed: bool = True
    couple: str = ""


@dataclass(frozen=True, slots=True)
class FaultyEntry:
    """An entry that cannot be entered, and why."""

    entry: Entry
    problems: tuple[ProblemLike, ...]


@transaction.atomic
def enter_entrant(
    *,
    tournament: Tournament,
    name: str,
    from_club: str = "",
    team: str = "",
    couple: str = "",
    has_paid: bool = False,
) -> Entrant:
    """Add an entrant; a member of the club is found by name.

    If all places are taken, the entrant waits. An entrant added once the rounds are seated has no
    seat until the remaining rounds are reseated.
    """
    entry = Entry(1, read_name(name).with_brackets, from_club, team, has_paid, couple=couple)
    tournament = lock_tournament(tournament.pk)
    entrant = _register(tournament, [entry]).add(entry)
    entrant.save()
    touch(tournament)
    return entrant


@dataclass(slots=True)
class _Register:
    """The entry list while names are added to it.

    ``taken_names`` and ``members`` know only the names that are to be added, by their keys;
    ``teams`` has the name of every team by its key, as it was first written; ``lines`` where each
    added name stands on the list.
    """

    tournament: Tournament
    taken_names: set[str]
    members: Mapping[str, int]
    next_number: int
    places_left: float
    teams: dict[str, str]
    lines: dict[str, int] = field(default_factory=dict)

    def team_of(self, team_name: str) -> str:
        """The team's name as it was first written: Greens, GREENS and greens are one team."""
        return self.teams.setdefault(name_key(team_name), tidy_name(team_name))

    def add(self, entry: Entry) -> Entrant:
        """The new entrant, not saved. Raises ``Refused``."""
        _check_unfinished(self.tournament)
        fault = written_name_fault(entry.name) if entry.is_typed else name_fault(entry.name)
        if fault:
            raise refuse("bad_name", fault, "name")
        check_details(entry.from_club, entry.team, entry.couple)
        if entry.is_typed:
            read_one_name(entry.name)
        key = name_key(entry.name)
        alternative_key = member_key(entry)
        if lines := [
            self.lines[line_key] for line_key in (key, alternative_key) if line_key in self.lines
        ]:
            message = f"{tidy_name(entry.name)} is on line {lines[0]} too."
            raise refuse("name_taken", message, "name")
        if {key, alternative_key} & self.taken_names:
            raise refuse("name_taken", f"{tidy_name(entry.name)} is already entered.", "name")
        entrant = Entrant(
            tournament=self.tournament,
            number=self.next_number,
            name=tidy_name(entry.name),
            name_key=key,
            from_club=tidy_name(entry.from_club),
            team=self.team_of(entry.team),
            couple=tidy_name(entry.couple),
            has_paid=entry.has_paid,
            state=EntrantState.ENTERED if self.places_left > 0 else EntrantState.WAITING,
            player_id=None
            if entry.from_club
            else self.members.get(key, self.members.get(alternative_key)),
        )
        self.lines[key] = entry.line
        self.next_number += 1
        self.places_left -= 1
        return entrant


def member_key(entry: Entry) -> str:
    """The key of the name without a short form in brackets, by which a member is known."""
    return name_key(distinguished_name(read_name(entry.name)) if entry.is_typed else entry.name)


def check_details(from_club: str, team: str, couple: str) -> None:
    """Refuses what cannot be written as a club, team or partner of an entrant."""
    for value, field_name, label in (
        (from_club, "from_club", "club"),
        (team, "team", "team"),
        (couple, "couple", "partner"),
    ):
        if len(tidy_name(value)) > MAX_NAME:
            message = f"Use {MAX_NAME} characters or fewer for a {label}’s name."
            raise refuse("bad_name", message, field_name)
        if tidy_name(value) and (fault := name_fault(value)):
            raise refuse("bad_name", fault, field_name)


def _register(tournament: Tournament, entries: Collection[Entry]) -> _Register:
    """What these entries need to know of the locked tournament; five queries for any number."""
    keys = {key for entry in entries for key in (name_key(entry.name), member_key(entry))}
    members = tournament.club.players.filter(name_key__in=keys).values_list("name_key", "pk")
    taken_keys = tournament.entrants.filter(name_key__in=keys).values_list("name_key", flat=True)
    return _Register(
        tournament,
        set(taken_keys),
        dict(members),
        next_number(tournament),
        _places_left(tournament),
        teams_by_key(tournament),
    )


def teams_by_key(tournament: Tournament) -> dict[str, str]:
    """The name of every team by its key, as it was first written; one query."""
    teams: dict[str, str] = {"": ""}
    for team in tournament.entrants.exclude(team="").values_list("team", flat=True):
        teams.setdefault(name_key(team), team)
    return teams


def _places_left(tournament: Tournament) -> float:
    """How many more may play; infinite if there is no limit."""
    if tournament.places is None:
        return inf
    return tournament.places - tournament.entrants.entered().count()


def enter_names(*, tournament: Tournament, names: Sequence[str]) -> int:
    """Add entrants by name, all or none; returns how many. Refusals count empty lines too."""
    entries = [
        Entry(line, read_name(name).with_brackets)
        for line, name in enumerate(names, start=1)
        if name.strip()
    ]
    return enter_entries(tournament=tournament, entries=entries)


def enter_members(*, tournament: Tournament, names: Sequence[str]) -> int:
    """The same by names as they stand in the members' list."""
    entries = [Entry(line, name, is_typed=False) for line, name in enumerate(names, start=1)]
    return enter_entries(tournament=tournament, entries=entries)


@transaction.atomic
def enter_entries(*, tournament: Tournament, entries: Collection[Entry]) -> int:
    """Add these entrants in order, all or none; returns how many.

    As many queries for a hall as for a table.
    """
    tournament = lock_tournament(tournament.pk)
    new_entrants, faulty = check_entries(tournament, entries)
    if problems := [problem for row in faulty for problem in row.problems]:
        raise Refused(problems)
    Entrant.objects.bulk_create(new_entrants)
    if new_entrants:
        touch(tournament)
    return len(new_entrants)


def check_entries(
    tournament: Tournament, entries: Collection[Entry]
) -> tuple[list[Entrant], list[FaultyEntry]]:
    """The new entrants, not saved, and the entries that cannot be added."""
    register = _register(tournament, entries)
    new_entrants, faulty = [], []
    for entry in entries:
        try:
            new_entrants.append(register.add(entry))
        except Refused as refused:
            problems = tuple(
                Refusal(finding.code, f"Line {entry.line}: {finding.message}", "names")
                for finding in refused.problems
            )
            faulty.append(FaultyEntry(entry, problems))
    return new_entrants, faulty


@transaction.atomic
def withdraw(
    *, tournament: Tournament, entrant: Entrant, page_state: ShownState | None = None
) -> None:
    """Withdraw an entrant, kept on the list if seated; the first who waits gets the place."""
    tournament, entrant = _lock_entrant(tournament, entrant, page_state)
    if entrant.is_house:
        raise refuse("is_house", "House players are added and removed automatically.")
    if entrant.placements.exists() or entrant.rounds_out.exists():
        if entrant.state != EntrantState.WITHDRAWN:
            entrant.times_withdrawn += 1
        entrant.state = EntrantState.WITHDRAWN
        entrant.is_here = False
        entrant.save(update_fields=["state", "is_here", "times_withdrawn"])
    else:
        entrant.delete()
    _admit_waiting(tournament)
    touch(tournament)


@transaction.atomic
def readmit(
    *, tournament: Tournament, entrant: Entrant, page_state: ShownState | None = None
) -> None:
    """Let someone who withdrew, or waits, play."""
    tournament, entrant = _lock_entrant(tournament, entrant, page_state)
    entrant.state = EntrantState.ENTERED
    entrant.save(update_fields=["state"])
    touch(tournament)


@transaction.atomic
def tick_entrant(
    *,
    tournament: Tournament,
    entrant: Entrant,
    has_paid: bool | None = None,
    is_here: bool | None = None,
) -> None:
    """Tick, or untick, that someone has paid or has arrived; None leaves a tick as it is."""
    tournament = lock_tournament(tournament.pk)
    fields = {"has_paid": has_paid, "is_here": is_here}
    ticks = {name: value for name, value in fields.items() if value is not None}
    tournament.entrants.people().filter(pk=entrant.pk).update(**ticks)
    touch(tournament)


@transaction.atomic
def set_entry_rules(
    *,
    tournament: Tournament,
    odd_number: str,
    places: int | None,
    check: Callable[[Tournament], None] = lambda _: None,
) -> None:
    """Set how many may enter, and what happens if their number is not a multiple of four.

    ``check`` is called with the tournament locked, and may refuse.
    """
    tournament = lock_tournament(tournament.pk)
    check(tournament)
    _check_unfinished(tournament)
    if places is not None and places < 4:
        raise refuse("bad_value", "Enter 4 places or more.", "places")
    tournament.odd_number, tournament.places = odd_number, places
    tournament.save(update_fields=["odd_number", "places"])
    _admit_waiting(tournament)
    touch(tournament)


def _admit_waiting(tournament: Tournament) -> None:
    """Give the free places to those who wait, in order of entry."""
    for entrant in tournament.entrants.filter(state=EntrantState.WAITING):
        if _places_left(tournament) <= 0:
            return
        entrant.state = EntrantState.ENTERED
        entrant.save(update_fields=["state"])


def _lock_entrant(
    tournament: Tournament, entrant: Entrant, page_state: ShownState | None
) -> tuple[Tournament, Entrant]:
    """The tournament, locked, and the entrant as now on the list; refused once it is finished."""
    tournament = lock_tournament(tournament.pk)
    row = tournament.entrants.filter(pk=entrant.pk).first()
    if row is None:
        raise refuse("gone", f"{entrant.name} is no longer on the entry list.")
    check_entrant(tournament, row, page_state)
    _check_unfinished(tournament)
    return tournament, row


def _check_unfinished(tournament: Tournament) -> None:
    if tournament.state == TournamentState.FINISHED:
        raise refuse(
            "tournament_finished", "This tournament is finished, so its entries cannot change."
        )
