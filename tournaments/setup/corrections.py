"""An entry corrected at any time, wherever it is shown."""

from collections.abc import Callable
from dataclasses import dataclass, replace

from django.db import transaction

from clubs.core.people_names import read_one_name
from clubs.models.names import name_fault, name_key, tidy_name
from scoring.scorebook import services as scorebook
from scoring.scorebook.refusals import refuse
from tournaments.core import lock_tournament, touch
from tournaments.models import Entrant, StepBack, Tournament, TournamentState
from tournaments.setup.services import check_details


@dataclass(frozen=True, slots=True, kw_only=True)
class EntrantDetails:
    """Who an entrant is: what can be corrected at any time."""

    name: str
    from_club: str = ""
    team: str = ""
    couple: str = ""


@transaction.atomic
def correct_entrant(
    *,
    tournament: Tournament,
    entrant: Entrant,
    details: EntrantDetails,
    made_by: str,
    note: str = "",
    check: Callable[[Entrant], None] = lambda _: None,
) -> Entrant:
    """Correct an entrant's name, club, team or partner, wherever they are shown.

    A member of the club is found by the new name, as on entry. In a finished tournament a note is
    needed, which stands on the desk. ``check`` is called with the entrant as now stored, and may
    refuse.
    """
    tournament = lock_tournament(tournament.pk)
    row = tournament.entrants.people().filter(pk=entrant.pk).first()
    if row is None:
        raise refuse("gone", f"{entrant.name} is no longer on the entry list.")
    check(row)
    details = replace(details, name=read_one_name(details.name).with_brackets)
    if fault := name_fault(details.name):
        raise refuse("bad_name", fault, "name")
    check_details(details.from_club, details.team, details.couple)
    if tournament.state == TournamentState.FINISHED:
        if not note.strip():
            raise refuse("reason_missing", "Enter a reason for the change.", "note")
        StepBack.objects.create(
            tournament=tournament,
            what=f"Entry of {row.name} corrected"[:120],
            reason=scorebook.clean_reason(note),
            made_by=made_by,
        )
    _write_details(tournament, row, details)
    touch(tournament)
    return row


def _write_details(tournament: Tournament, row: Entrant, details: EntrantDetails) -> None:
    key = name_key(details.name)
    other_entrants = tournament.entrants.exclude(pk=row.pk)
    if other_entrants.filter(name_key=key).exists():
        raise refuse("name_taken", f"{tidy_name(details.name)} is already entered.", "name")
    teams: dict[str, str] = {"": ""}
    for team in other_entrants.exclude(team="").values_list("team", flat=True):
        teams.setdefault(name_key(team), team)
    row.from_club, row.couple = tidy_name(details.from_club), tidy_name(details.couple)
    row.team = teams.get(name_key(details.team), tidy_name(details.team))
    if key != row.name_key or row.from_club:
        member = tournament.club.players.filter(name_key=key).first()
        row.player = None if row.from_club else member
    row.name, row.name_key = tidy_name(details.name), key
    row.save(update_fields=["name", "name_key", "from_club", "team", "couple", "player"])
