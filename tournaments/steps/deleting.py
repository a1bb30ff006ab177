"""Deletes a tournament that was made by mistake, with all that belongs to it."""

from django.db import transaction

from clubs.core.audit_log import log_detail
from clubs.core.forms import ShownState
from clubs.core.queue import delete_jobs
from clubs.models import Job
from scoring.scorebook import services as scorebook
from scoring.scorebook.refusals import refuse
from tournaments.models import Call, Placement, Ruling, Table, Tournament
from tournaments.seating.services.seating import lock_for_seating
from tournaments.steps.selectors import deletion_refusal


@transaction.atomic
def delete_tournament(*, tournament: Tournament, page_state: ShownState | None = None) -> str:
    """Delete a tournament in which nothing counts; returns what was done, in a sentence.

    Refused once a hand or a ruling counts or someone is marked as paid, and when it is finished.
    """
    tournament = lock_for_seating(tournament, page_state)
    paid = tournament.entrants.filter(has_paid=True).count()
    if reason := deletion_refusal(tournament, paid):
        raise refuse("something_counts", reason)
    delete_jobs(Job.objects.filter(printing__tournament=tournament))
    _delete_rounds(tournament)
    tournament.changes.all().delete()
    tournament.drawings.all().delete()
    tournament.prizes.all().delete()
    tournament.steps_back.all().delete()
    tournament.entrants.all().delete()
    book = tournament.book_id
    tournament.delete()
    scorebook.remove_books([book] if book else [])
    log_detail("name", tournament.name)
    log_detail("held_on", str(tournament.held_on))
    return f"{tournament.name} has been deleted."


def _delete_rounds(tournament: Tournament) -> None:
    """Delete every round with its tables; what was only tried out at them goes too."""
    tables = Table.objects.filter(round__tournament=tournament)
    rulings = Ruling.objects.filter(table__in=tables)
    rulings.exclude(takes_back=None).delete()
    rulings.delete()
    Call.objects.filter(table__in=tables).delete()
    Placement.objects.filter(table__in=tables).delete()
    tables.delete()
    tournament.rounds.all().delete()
