"""The entry list: who enters, waits, pays, arrives, withdraws and comes back."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from django.db import transaction

from clubs.core.stale_forms import Shown
from clubs.members.lines import csv_rows
from clubs.models import Player
from clubs.models.names import MAX_NAME, name_fault, name_key, tidy_name
from scoring.scorebook.refusals import Finding, Refusal, Refused, refuse
from tournaments.core.locks import lock, touch
from tournaments.models import Entrant, EntrantState, Tournament, TournamentState
from tournaments.rounds.services import next_number
from tournaments.rounds.steps import check_entrant


@dataclass(frozen=True, slots=True)
class Entry:
    """Someone to enter; ``line`` is where they stand in the list, from 1."""

    line: int
    name: str
    from_club: str = ""
    team: str = ""
    has_paid: bool = False


@transaction.atomic
def enter(
    *,
    tournament: Tournament,
    name: str,
    from_club: str = "",
    team: str = "",
    has_paid: bool = False,
    player: Player | None = None,
) -> Entrant:
    """One more entrant; a member of the club is known by the name.

    Where all places are taken the entrant waits. Whoever enters once the rounds are seated has
    no seat before the rounds to come are seated anew.
    """
    tournament = lock(tournament.pk)
    _unfinished(tournament)
    if fault := name_fault(name):
        raise refuse("bad_name", fault, "name")
    for told, where, what in ((from_club, "from_club", "club"), (team, "team", "team")):
        if len(tidy_name(told)) > MAX_NAME:
            sentence = f"Use {MAX_NAME} characters or fewer for a {what}'s name."
            raise refuse("bad_name", sentence, where)
        if tidy_name(told) and (fault := name_fault(told)):
            raise refuse("bad_name", fault, where)
    if tournament.entrants.filter(name_key=name_key(name)).exists():
        raise refuse("name_taken", f"{tidy_name(name)} is already entered.", "name")
    if player is None and not from_club:
        player = tournament.club.players.filter(name_key=name_key(name)).first()
    entrant = Entrant.objects.create(
        tournament=tournament,
        number=next_number(tournament),
        name=tidy_name(name),
        name_key=name_key(name),
        from_club=tidy_name(from_club),
        team=tidy_name(team),
        has_paid=has_paid,
        state=EntrantState.ENTERED if _has_place(tournament) else EntrantState.WAITING,
        player=player,
    )
    touch(tournament)
    return entrant


def _has_place(tournament: Tournament) -> bool:
    return tournament.places is None or tournament.entrants.entered().count() < tournament.places


def enter_many(*, tournament: Tournament, names: Sequence[str]) -> int:
    """Entrants by name, all or none.

    Empty lines are passed over; a refusal counts them. Returns how many entered.
    """
    entries = [Entry(line, name) for line, name in enumerate(names, start=1) if name.strip()]
    return enter_entries(tournament=tournament, entries=entries)


@transaction.atomic
def enter_entries(*, tournament: Tournament, entries: Iterable[Entry]) -> int:
    """These entrants in their order, all or none; returns how many."""
    problems: list[Refusal] = []
    count = 0
    for entry in entries:
        try:
            enter(
                tournament=tournament,
                name=entry.name,
                from_club=entry.from_club,
                team=entry.team,
                has_paid=entry.has_paid,
            )
            count += 1
        except Refused as refused:
            problems += [
                Refusal(found.code, f"Line {entry.line}: {found.sentence}", "names")
                for found in refused.problems
            ]
    if problems:
        raise Refused(problems)
    return count


@transaction.atomic
def withdraw(*, tournament: Tournament, entrant: Entrant, shown: Shown | None = None) -> None:
    """Take an entrant off the list; whoever has a seat stays in the books as withdrawn.

    The first who waits gets the place. ``shown``: what the act was shown for.
    """
    tournament = lock(tournament.pk)
    entrant = _as_listed(tournament, entrant)
    check_entrant(tournament, entrant, shown)
    _unfinished(tournament)
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
def readmit(*, tournament: Tournament, entrant: Entrant, shown: Shown | None = None) -> None:
    """Someone who withdrew, or waits, plays after all."""
    tournament = lock(tournament.pk)
    entrant = _as_listed(tournament, entrant)
    check_entrant(tournament, entrant, shown)
    _unfinished(tournament)
    entrant.state = EntrantState.ENTERED
    entrant.save(update_fields=["state"])
    touch(tournament)


@transaction.atomic
def note(
    *,
    tournament: Tournament,
    entrant: Entrant,
    has_paid: bool | None = None,
    is_here: bool | None = None,
) -> None:
    """Tick, or untick, that someone has paid or has arrived; None leaves a tick as it is."""
    tournament = lock(tournament.pk)
    told = {"has_paid": has_paid, "is_here": is_here}
    ticks = {name: value for name, value in told.items() if value is not None}
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
    """How many may enter, and what is done about a number that is no multiple of four.

    ``check`` looks at the tournament once it is locked, and may refuse.
    """
    tournament = lock(tournament.pk)
    check(tournament)
    _unfinished(tournament)
    if places is not None and places < 4:
        raise refuse("bad_value", "Enter 4 places or more.", "places")
    tournament.odd_number, tournament.places = odd_number, places
    tournament.save(update_fields=["odd_number", "places"])
    _admit_waiting(tournament)
    touch(tournament)


def _admit_waiting(tournament: Tournament) -> None:
    """Those who wait get the places that are free, in the order in which they came."""
    for entrant in tournament.entrants.filter(state=EntrantState.WAITING):
        if not _has_place(tournament):
            return
        entrant.state = EntrantState.ENTERED
        entrant.save(update_fields=["state"])


def _as_listed(tournament: Tournament, entrant: Entrant) -> Entrant:
    """The entrant as the list has them now; the tournament is locked."""
    row = tournament.entrants.filter(pk=entrant.pk).first()
    if row is None:
        raise refuse("gone", f"{entrant.name} is no longer on the entry list.")
    return row


def _unfinished(tournament: Tournament) -> None:
    if tournament.state == TournamentState.FINISHED:
        raise refuse(
            "tournament_finished", "This tournament is finished, so its entries cannot change."
        )


COLUMNS = "name, and club, team and paid if you have them"
YES = {"yes", "y", "x", "1", "true", "paid", "✓"}


def read_entries(text: str) -> list[Entry]:
    """The people of a CSV file with the columns name, club, team and paid.

    Raises ``Refused`` for a file that cannot be read as such a list.
    """
    return [
        Entry(
            line,
            row["name"],
            row.get("club", ""),
            row.get("team", ""),
            row.get("paid", "").strip().casefold() in YES,
        )
        for line, row in csv_rows(text, columns=COLUMNS)
    ]


def preview_entries(*, tournament: Tournament, entries: list[Entry]) -> tuple[Finding, ...]:
    """Everything that ``enter_entries`` would refuse now; nothing is stored."""
    with transaction.atomic():
        try:
            enter_entries(tournament=tournament, entries=entries)
        except Refused as refused:
            return refused.problems
        transaction.set_rollback(True)
    return ()
