"""Clubs that an operator closes, and clubs that are deleted on a day announced before."""

import logging
from datetime import date, timedelta
from smtplib import SMTPException
from typing import Any, Final

from allauth.account.adapter import get_adapter
from django.db import transaction
from django.db.models import Q
from django.urls import reverse
from django.utils import timezone

from clubs.accounts.services import delete_unused_accounts, secretaries_of
from clubs.core.addresses import site_address
from clubs.core.locks import lock_club
from clubs.core.mail import sends_email
from clubs.house.services import delete_club_rows
from clubs.models import Club, DeletedClub
from clubs.tenancy import club_scope
from scoring.scorebook.refusals import refuse

NOTICE_PERIOD: Final = timedelta(days=14)
ONE_HOUR: Final = timedelta(hours=1)
CLOSING_FIELDS: Final = ("closed_at", "closed_until", "closed_because")
DELETION_FIELDS: Final = ("delete_on", "is_deletion_by_operator")

log = logging.getLogger(__name__)


@transaction.atomic
def close_club(*, club: Club, because: str = "", until: date | None = None) -> Club:
    """Close a club, and its practice evening: its people can read and download, not change.

    Closing it again changes the reason and the day. Raises ``Refused`` for a day that is over.
    """
    if until and until <= timezone.localdate():
        raise refuse("bad_day", "Choose a day after today, or leave this empty.", "until")
    club = lock_club(club.pk)
    closed_at = club.closed_at or timezone.now()
    fields = {"closed_at": closed_at, "closed_until": until, "closed_because": because}
    _with_practice(club).update(**fields)
    club.refresh_from_db(fields=CLOSING_FIELDS)
    return club


@transaction.atomic
def reopen_club(*, club: Club) -> Club:
    """Open a closed club again; idempotent."""
    club = lock_club(club.pk)
    if club.closed_at:
        _with_practice(club).update(closed_at=None, closed_until=None, closed_because="")
        club.refresh_from_db(fields=CLOSING_FIELDS)
    return club


@transaction.atomic
def announce_deletion(*, club: Club, on: date, is_by_operator: bool = False) -> Club:
    """Have the club deleted on a day at least 14 days ahead.

    ``mail_organisers`` says so to its secretaries. Raises ``Refused`` for an earlier day, in a
    practice club, and if the club has another day already.
    """
    club = lock_club(club.pk)
    if club.rehearsal_of_id is not None:
        raise refuse("is_rehearsal", "A practice evening is deleted on its own page.")
    if club.delete_on == on and club.is_deletion_by_operator == is_by_operator:
        return club
    if club.delete_on:
        message = f"{club.name} is already due to be deleted. Cancel that first."
        raise refuse("announced", message)
    if on < timezone.localdate() + NOTICE_PERIOD:
        raise refuse("too_soon", f"Choose a day at least {NOTICE_PERIOD.days} days ahead.", "on")
    club.delete_on, club.is_deletion_by_operator = on, is_by_operator
    club.save(update_fields=DELETION_FIELDS)
    return club


@transaction.atomic
def cancel_deletion(*, club: Club, is_by_operator: bool = False) -> Club:
    """Keep a club that was to be deleted; idempotent.

    Raises ``Refused`` for a club's own people if an operator announced it.
    """
    club = lock_club(club.pk)
    if club.is_deletion_by_operator and not is_by_operator:
        message = "Your Tongbox administrator decided this. Write to them to keep the club."
        raise refuse("by_operator", message)
    if club.delete_on:
        club.delete_on, club.is_deletion_by_operator = None, False
        club.save(update_fields=DELETION_FIELDS)
    return club


def mail_organisers(*, club: Club, template: str) -> list[str]:
    """Email every secretary; returns the addresses for which no mail server took the email.

    ``template`` is ``club_deletion`` or ``club_kept``.
    """
    page = site_address() + reverse("club-delete" if club.delete_on else "club", args=[club.slug])
    context: dict[str, Any] = {"club": club, "link": page}
    if not sends_email():
        return list(secretaries_of(club).values_list("email", flat=True))
    failed_addresses = []
    for user in secretaries_of(club):
        try:
            get_adapter().send_mail(f"account/email/{template}", user.email, context)
        except (SMTPException, OSError):
            log.warning("a secretary of %s could not be emailed", club.slug, exc_info=True)
            failed_addresses.append(user.email)
    return failed_addresses


def delete_due_clubs(*, today: date) -> int:
    """Delete the clubs whose day has come; returns how many.

    Failures are tried again.
    """
    deleted_count = 0
    for club in Club.objects.filter(delete_on__lte=today).order_by("pk"):
        try:
            deleted_count += delete_club(club=club, today=today)
        except Exception:
            log.exception("%s could not be deleted", club.slug)
    return deleted_count


@transaction.atomic
def delete_club(*, club: Club, today: date) -> bool:
    """Delete a club whose announced day has come; whether it was done now.

    Nothing of it is left but its name on the operator's list. Accounts of its people go with it,
    unless they have a role in another club or run this installation.
    """
    current = Club.objects.select_for_update().filter(pk=club.pk, delete_on__lte=today).first()
    if current is None:
        return False
    people = list(_with_practice(current).values_list("memberships__user", flat=True))
    DeletedClub.objects.create(
        name=current.name,
        slug=current.slug,
        founded_at=current.founded_at,
        is_by_operator=current.is_deletion_by_operator,
    )
    for practice in current.rehearsals.all():
        with club_scope(practice.pk):
            delete_club_rows(club=practice)
    delete_club_rows(club=current)
    delete_unused_accounts(people)
    log.warning("%s (/c/%s/) was deleted on the day announced", current.name, current.slug)
    return True


def _with_practice(club: Club) -> Any:
    return Club.objects.filter(Q(pk=club.pk) | Q(rehearsal_of=club.pk))
