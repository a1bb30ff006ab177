"""A substitute sits in for an entrant; what another director entered is not replaced unseen."""

from typing import Final

from django.db import transaction
from django.db.models import QuerySet

from clubs.core.audit_log import DeedRow, last_deed
from clubs.core.stale_forms import Overtaken, Shown
from clubs.language.moments import moment
from clubs.models.names import name_fault, name_key, tidy_name
from scoring.scorebook.refusals import refuse
from tournaments.models import Capacity, Entrant, Placement, Round, RoundState, Tournament
from tournaments.selectors.worries import numbered
from tournaments.services.locks import lock, touch
from tournaments.services.stages import check_shown

SUBSTITUTES: Final = {
    "seating-changes:substitute": "substitute-entrant",
    "api-seating-substitute": "entrant",
}


@transaction.atomic
def substitute(
    *,
    tournament: Tournament,
    entrant: Entrant,
    name: str,
    number: int,
    goes_on: bool = True,
    shown: Shown | None = None,
) -> int:
    """Someone sits in for an entrant in a round and, if it goes on, in all that follow.

    What they win counts for the entrant. No name: the entrant sits again. Closed rounds stay as
    they were. Returns in how many rounds it is so.

    Refused (``Overtaken``) where the seating is no longer as it was ``shown``.
    """
    tournament = lock(tournament.pk)
    rounds = tournament.rounds.exclude(state=RoundState.CLOSED)
    rounds = rounds.filter(number__gte=number) if goes_on else rounds.filter(number=number)
    try:
        check_shown(tournament, shown)
    except Overtaken as refused:
        raise _sits_already(tournament, rounds, entrant, name) or refused from refused
    if tidy_name(name):
        _check_substitute(rounds, name)
    in_person = Capacity.HOUSE if entrant.is_house else Capacity.ENTRANT
    count = Placement.objects.filter(round__in=rounds, entrant=entrant).update(
        capacity=Capacity.SUBSTITUTE if tidy_name(name) else in_person, substitute=tidy_name(name)
    )
    if not count:
        raise refuse("no_seat", f"{entrant.name} has no seat from round {number} on.", "number")
    touch(tournament)
    return count


def _check_substitute(rounds: QuerySet[Round], name: str) -> None:
    if fault := name_fault(name):
        raise refuse("bad_name", fault, "name")
    places = (
        Placement.objects.filter(round__in=rounds)
        .select_related("entrant", "round")
        .order_by("round__number")
    )
    for place in places:
        if name_key(place.sitter) == name_key(name):
            sentence = f"{place.sitter} already has a seat in round {place.round.number}."
            raise refuse("has_a_seat", sentence, "name")


def _sits_already(
    tournament: Tournament, rounds: QuerySet[Round], entrant: Entrant, name: str
) -> Overtaken | None:
    """The refusal that names the entrant's substitute of now, and who entered them."""
    seats = Placement.objects.filter(round__in=rounds, entrant=entrant).order_by("round__number")
    found = seats.exclude(substitute="").values_list("substitute", "round__number")
    if not found:
        return None
    sitter = found[0][0]
    at = numbered("round", [number for other, number in found if other == sitter])
    is_done = {key for key, _ in found} == {tidy_name(name)} and len(found) == len(seats)
    last = _last_entered(tournament, entrant)
    by = f", entered by {last.who} at {moment(last.at)}" if last else ""
    again = "" if is_done else " Nothing was changed. Look at it again before you go on."
    sentence = f"{sitter} is already the substitute for {entrant.name} in {at}{by}.{again}"
    return Overtaken(sentence, is_done=is_done)


def _last_entered(tournament: Tournament, entrant: Entrant) -> DeedRow | None:
    """Who last changed the entrant's substitute, on a page or over the API."""
    lines = (
        last_deed(tournament.club, "tournament", tournament.pk, [act], **{key: entrant.pk})
        for act, key in SUBSTITUTES.items()
    )
    return max(filter(None, lines), key=lambda line: line.pk, default=None)
