"""A table calls the director, and the director comes."""

from django.db import transaction
from django.utils import timezone

from scoring.scorebook.refusals import refuse
from tournaments.models import Call, RoundState, Table
from tournaments.selectors import desk
from tournaments.services.locks import lock, touch


@transaction.atomic
def call_director(*, table: Table, what: str = "") -> Call:
    """The table asks for the director; pressed twice, or on two phones, it is one call."""
    tournament = lock(table.round.tournament_id)
    round_ = tournament.rounds.select_related("tournament").get(pk=table.round_id)
    if round_.state == RoundState.CLOSED:
        raise refuse("round_not_open", desk.why_not_open(round_))
    if there := table.calls.filter(answered_at=None).first():
        return there
    touch(tournament)
    return Call.objects.create(table=table, what=what, called_at=timezone.now())


@transaction.atomic
def answer_call(*, table: Table, answered_by: str, call: int | None = None) -> bool:
    """Someone has been at the table, or it no longer needs anyone; whether it had called.

    With a call's key only that call is answered, and no later one.
    """
    tournament = lock(table.round.tournament_id)
    calls = table.calls.filter(answered_at=None)
    calls = calls if call is None else calls.filter(pk=call)
    if not calls.exists():
        return False
    calls.update(answered_at=timezone.now(), answered_by=answered_by)
    touch(tournament)
    return True
