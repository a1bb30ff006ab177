"""How many emails a club may send in a day, where strangers can start clubs."""

from collections.abc import Collection
from datetime import date, timedelta
from typing import Final

from django.db import transaction
from django.db.models import F
from django.utils import timezone
from django.utils.crypto import salted_hmac

from clubs.language.words import count_words
from clubs.models import Club, SentMails
from scoring.scorebook.refusals import refuse

COUNT_SALT: Final = "clubs.core.mail_limits"
EMAILS_PER_NEW_CLUB: Final = 20  # emails a day until an operator has looked at it
EMAILS_PER_ADDRESS: Final = 3  # emails a day from all new clubs together
CONFIRMATIONS_PER_ADDRESS: Final = 5  # emails a day that ask whether an address is somebody's
COUNTS_KEPT_FOR: Final = timedelta(days=2)
NEW_CLUB_MESSAGE: Final = (
    "Before a new club can email its members, a Tongbox administrator looks at it. They have been "
    "told about your club. Your messages stay here until then."
)


def is_unreviewed_club(club: Club) -> bool:
    """Whether a stranger started the club here and no operator has looked at it yet."""
    return club.agreed_to_id is not None and club.mails_a_day is None


def refuse_own_words(club: Club) -> None:
    """Raises ``Refused`` for a club that may not yet email words of its own."""
    if is_unreviewed_club(club):
        raise refuse("not_yet", NEW_CLUB_MESSAGE)


@transaction.atomic
def count_mails(club: Club, recipients: Collection[str]) -> None:
    """Count emails of a club that a stranger started, before they are sent.

    Raises ``Refused`` beyond the day's limit of the club, or of an address for all new clubs.
    """
    if club.agreed_to_id is None:
        return
    most = EMAILS_PER_NEW_CLUB if club.mails_a_day is None else club.mails_a_day
    message = (
        f"Your club can send {count_words(most, 'email')} a day. Try again tomorrow, or ask your "
        "Tongbox administrator for more."
    )
    if not _add_to_count(f"club {club.pk}", len(recipients), most):
        raise refuse("too_many_emails", message)
    for address in sorted(set(recipients)) if is_unreviewed_club(club) else ():
        if not _add_to_count(f"to {address.lower()}", 1, EMAILS_PER_ADDRESS):
            address_message = (
                f"{address} has been sent enough invitations today. Try again tomorrow."
            )
            raise refuse("too_many_emails", address_message)


@transaction.atomic
def count_confirmation(address: str) -> None:
    """Count an email to an address that somebody signed in says is theirs, before it is sent.

    Raises ``Refused`` beyond the day's limit of the address, whoever asks.
    """
    if not _add_to_count(f"to confirm {address.lower()}", 1, CONFIRMATIONS_PER_ADDRESS):
        message = f"{address} has been sent enough emails today. Try again tomorrow."
        raise refuse("too_many_emails", message, "email")


def forget_counts(*, today: date) -> int:
    """Delete the counts of earlier days; returns how many."""
    deleted_count, _ = SentMails.objects.filter(on__lt=today - COUNTS_KEPT_FOR).delete()
    return deleted_count


def _add_to_count(counter: str, number: int, most: int) -> bool:
    """Add to today's count, unless it would then be more than ``most``."""
    digest = salted_hmac(COUNT_SALT, counter, algorithm="sha256").hexdigest()
    row, _ = SentMails.objects.get_or_create(about=digest, on=timezone.localdate())
    today = SentMails.objects.filter(pk=row.pk, number__lte=most - number)
    return today.update(number=F("number") + number) == 1
