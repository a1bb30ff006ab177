"""The retention timetable: agreed to once, run once a day, stopped at any time."""

import logging
from collections.abc import Mapping
from datetime import date, datetime, time
from typing import Final

from django.db import transaction
from django.utils import timezone

from clubs.core.audit_log import TIMETABLE, note
from clubs.core.locks import lock_club
from clubs.models import Batch, Club, Deed, Erasure, Retention
from clubs.models.tenancy import across_clubs, within
from clubs.selectors.keeping import Due, due, months_before
from clubs.services.erasing import erase_people
from scoring.scorebook.refusals import Refused

MONTHS_OF_DEEDS: Final = 24

log = logging.getLogger(__name__)


@transaction.atomic
def agree(*, club: Club, terms: Mapping[str, int | None], today: date) -> Retention:
    """Keep to these terms (months by name; None: kept) from tomorrow on, never on the same day."""
    lock_club(club.pk)
    agreed, _ = Retention.objects.update_or_create(club=club, defaults={**terms, "ran_on": today})
    return agreed


@transaction.atomic
def stop(*, club: Club) -> None:
    """Let nothing go by itself any more."""
    lock_club(club.pk)
    Retention.objects.filter(club=club).delete()


def run_all(*, today: date) -> int:
    """Every club whose day has come, each by itself; how many ran. One that fails is tried anew."""
    ran = 0
    let_go_of_deeds(today=today)
    for club in _waiting(today):
        try:
            with within(club.pk):
                ran += run(club=club, today=today)
        except Refused as refused:
            log.warning("%s keeps everything for now: %s", club, refused)
        except Exception:
            log.exception("the timetable of %s could not be run", club)
    return ran


def let_go_of_deeds(*, today: date) -> int:
    """Who did what goes after two years where a club agreed to no timetable; how many lines went.

    What the machine writes down by itself it lets go by itself, and so for clubs that are gone.
    """
    first_kept = datetime.combine(months_before(today, MONTHS_OF_DEEDS), time())
    with across_clubs():
        old = Deed.objects.filter(club__retention=None, at__lt=timezone.make_aware(first_kept))
        gone, _ = old.delete()
    return gone


def _waiting(today: date) -> list[Club]:
    with across_clubs():
        terms = Retention.objects.filter(ran_on__lt=today, club__rehearsal_of=None).order_by("pk")
        return [one.club for one in terms.select_related("club")]


@transaction.atomic
def run(*, club: Club, today: date) -> bool:
    """Let go what the club's terms say, unless that was done today; whether it was done now."""
    lock_club(club.pk)
    terms = Retention.objects.filter(club=club).first()
    if terms is None or terms.ran_on is None or terms.ran_on >= today:
        return False
    told = due(club, terms, today)
    if not told.is_nothing:
        note(club=club.pk, what="timetable", by=TIMETABLE)
    _let_go_people(club, told, today)
    _let_go_rows(club, told)
    terms.ran_on = today
    terms.save(update_fields=["ran_on"])
    return True


def _let_go_people(club: Club, told: Due, today: date) -> None:
    if told.people:
        why = {one.player_id: one.why.partition(";")[0] for one in told.people}
        erase_people(club=club, people=why, today=today)


def _let_go_rows(club: Club, told: Due) -> None:
    if words := told.counted:
        Erasure.objects.create(club=club, what=", ".join(words))
    emptied = list(Batch.objects.filter(messages__in=told.messages).values_list("pk", flat=True))
    for rows in told.rows:
        rows.delete()
    Batch.objects.filter(pk__in=emptied, messages=None).delete()
