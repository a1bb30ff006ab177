"""Clubs that people start by themselves: a request, an emailed link, the club."""

import logging
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime, timedelta
from functools import partial
from ipaddress import ip_address, ip_network
from smtplib import SMTPException
from threading import BoundedSemaphore
from typing import IO, Final

from allauth.account.adapter import get_adapter
from django.conf import settings
from django.core.cache import cache
from django.core.mail import send_mail
from django.db import transaction
from django.db.models import Q
from django.urls import reverse
from django.utils import timezone
from django.utils.crypto import salted_hmac

from clubs.accounts.services import key_digest
from clubs.clubfile.archive import ClubFile
from clubs.clubfile.services import ImportedClub, import_read_file, read_club_file
from clubs.core.addresses import site_address
from clubs.core.locks import lock_club
from clubs.core.mail import send_notice
from clubs.hosting.texts import digest_of_texts, text_of
from clubs.house.services import WeeklyEvening, found_with_evening, free_slug
from clubs.models import (
    AgreedTerms,
    Club,
    FoundingRequest,
    Installation,
    Membership,
    User,
    link_key,
)
from clubs.models.names import name_fault, tidy_name
from scoring.scorebook.refusals import Refused, refuse

ONE_MINUTE: Final = timedelta(minutes=1)
ONE_HOUR: Final = timedelta(hours=1)
ONE_DAY: Final = timedelta(days=1)
REQUESTS_KEPT_FOR: Final = timedelta(days=2)
REQUESTS_PER_NETWORK: Final = {ONE_HOUR: 5, ONE_DAY: 10}
REQUESTS_PER_ADDRESS: Final = 3  # emails a day
CLUBS_PER_PERSON: Final = 3
FILES_PER_PERSON: Final = 5  # a day
FILE_REQUEST_NAME: Final = ""  # instead of a club's name: somebody sent a club file
SECONDS_PER_FILE: Final = 30  # for one file, from the first byte to the last row
MAX_FILES_AT_ONCE: Final = 2  # files of strangers that one process reads
NETWORK_SALT: Final = "clubs.hosting.services.founding.network"
IPV6_PREFIX: Final = 64  # bits: one household
FULL_CODE: Final = "full_today"
USED_LINK_MESSAGE: Final = "This link has been used. Sign in to open your club."
ENDED_LINK_MESSAGE: Final = "This link is more than 24 hours old. Start again to get a new one."

log = logging.getLogger(__name__)
_file_readers = BoundedSemaphore(MAX_FILES_AT_ONCE)


def network_of(address: str) -> str:
    """A keyed digest of a network address; of an IPv6 address, of the household's network."""
    try:
        number = ip_address(address)
    except ValueError:
        network = address
    else:
        prefix = IPV6_PREFIX if number.version == 6 else number.max_prefixlen
        network = str(ip_network(f"{number}/{prefix}", strict=False))
    return salted_hmac(NETWORK_SALT, network, algorithm="sha256").hexdigest()


def request_club(*, name: str, person: str, email: str, sent_from: str) -> bool:
    """Email a link that founds the club; False if the mail server did not accept the email.

    Someone who already has an account gets an email that says so, and the caller cannot tell.
    Pressing twice sends one email. Raises ``Refused`` for a name that cannot be used, and beyond a
    limit.
    """
    email, key = email.lower(), link_key()
    free_slug(name)
    if fault := name_fault(person):
        raise refuse("bad_name", fault, "person")
    with _counting_requests():
        lately = FoundingRequest.objects.filter(asked_at__gt=timezone.now() - ONE_MINUTE)
        if lately.filter(email=email, name=tidy_name(name), sent_from=sent_from).exists():
            return True
        _refuse_too_many(sent_from=sent_from, email=email)
        application = _store_request(name, person, email, key, sent_from)
    if _send_link(application, key):
        return True
    application.delete()
    return False


def find_request(key: str) -> FoundingRequest:
    """The request of an emailed link. Raises ``Refused`` if it is too old."""
    application = FoundingRequest.objects.filter(digest=key_digest(key)).first()
    if application is None or application.has_ended:
        raise refuse("ended_link", ENDED_LINK_MESSAGE, "key")
    return application


def refuse_used_link(application: FoundingRequest) -> None:
    if application.used_at:
        raise refuse("used_link", USED_LINK_MESSAGE, "key")


@transaction.atomic
def found_by_link(
    *, key: str, name: str, rules: str, password: str, evening: WeeklyEvening | None
) -> Membership:
    """Found the club of an emailed link, and its secretary's account.

    Raises ``Refused`` for a link that was used or is too old, and if the address has had an account
    since.
    """
    application = FoundingRequest.objects.select_for_update().get(pk=find_request(key).pk)
    refuse_used_link(application)
    free_slug(name)
    _refuse_known_account(application)
    membership = found_with_evening(
        name=name,
        rules=rules,
        person=application.person,
        email=application.email,
        password=password,
        evening=evening,
    )
    _finish_request(application, membership.club)
    return membership


def found_another(
    *, user: User, name: str, rules: str, evening: WeeklyEvening | None, sent_from: str
) -> Membership:
    """Found a club for someone who is signed in. Pressing twice founds it once.

    Raises ``Refused`` for a name that cannot be used, and beyond a limit.
    """
    with _counting_requests():
        lately = Membership.objects.select_related("club").filter(
            user=user,
            club__founded_by=user,
            club__founded_at__gt=timezone.now() - ONE_MINUTE,
            club__name=tidy_name(name),
        )
        if recent_membership := lately.first():
            return recent_membership
        free_slug(name)
        _refuse_too_many_clubs(user, sent_from)
        application = _store_request(name, str(user), user.email, link_key(), sent_from)
        membership = found_with_evening(
            name=name, rules=rules, person=str(user), email=user.email, evening=evening
        )
        _finish_request(application, membership.club)
    return membership


def import_by_link(*, key: str, file: IO[bytes], password: str) -> ImportedClub:
    """Import the club of an emailed link from its file, and make its secretary's account.

    Raises ``Refused`` for a link that was used or is too old, if the address has had an account
    since or is not a secretary's in the file, with what is wrong with the file, and after too many
    files.
    """
    founding_request = find_request(key)
    refuse_used_link(founding_request)
    _count_file(
        person=founding_request.person,
        email=founding_request.email,
        sent_from=founding_request.sent_from,
    )
    with _read_limited(file, founding_request.email) as club_file, transaction.atomic():
        application = FoundingRequest.objects.select_for_update().get(pk=founding_request.pk)
        refuse_used_link(application)
        _refuse_known_account(application)
        user = User.objects.create_user(application.email, password, name=application.person)
        return _import_file(application, club_file, user)


def import_another(*, user: User, file: IO[bytes], sent_from: str) -> ImportedClub:
    """Import a club from its file for someone who is signed in and a secretary in it.

    Raises ``Refused`` with what is wrong with the file, and beyond a limit.
    """
    _refuse_too_many_clubs(user, sent_from)
    application = _count_file(person=str(user), email=user.email, sent_from=sent_from)
    with _read_limited(file, user.email) as club_file, _counting_requests():
        _refuse_too_many_clubs(user, sent_from)
        return _import_file(application, club_file, user)


def _count_file(*, person: str, email: str, sent_from: str) -> FoundingRequest:
    """Count a file before it is read, so that a refused one counts too. Raises ``Refused``."""
    with _counting_requests():
        lately = FoundingRequest.objects.filter(
            name=FILE_REQUEST_NAME, email=email, asked_at__gt=timezone.now() - ONE_DAY
        )
        if lately.count() >= FILES_PER_PERSON:
            message = f"You have sent {FILES_PER_PERSON} club files today. Try again tomorrow."
            raise refuse("too_many_files", message, "file")
        return _store_request(FILE_REQUEST_NAME, person, email, link_key(), sent_from)


@contextmanager
def _read_limited(file: IO[bytes], email: str) -> Iterator[ClubFile]:
    """A stranger's file, open and checked; one at a time for each person, and few at once.

    Raises ``Refused`` with what is wrong with it, and while another is being read.
    """
    person = f"club-file:{salted_hmac(NETWORK_SALT, email, algorithm='sha256').hexdigest()}"
    if not cache.add(person, 1, 2 * SECONDS_PER_FILE):
        raise refuse("at_once", "Your other file is still being imported. Wait a minute.", "file")
    try:
        if not _file_readers.acquire(blocking=False):
            message = "Other clubs are being imported just now. Try again in a minute."
            raise refuse("at_once", message, "file")
        try:
            with read_club_file(file, seconds=SECONDS_PER_FILE) as club_file:
                yield club_file
        finally:
            _file_readers.release()
    finally:
        cache.delete(person)


def _import_file(application: FoundingRequest, club_file: ClubFile, user: User) -> ImportedClub:
    imported_club = import_read_file(club_file, user=user)
    imported_club.club.founded_by = user
    imported_club.club.save(update_fields=["founded_by"])
    _finish_request(application, imported_club.club)
    return imported_club


def delete_old_requests(*, now: datetime) -> int:
    """Delete requests after two days; returns how many."""
    deleted_count, _ = FoundingRequest.objects.filter(asked_at__lt=now - REQUESTS_KEPT_FOR).delete()
    return deleted_count


@contextmanager
def _counting_requests() -> Iterator[None]:
    """A transaction in which requests are counted, one after the other.

    If it is refused because the day's limit is reached, the operators get an email, once a day.
    """
    try:
        with transaction.atomic():
            Installation.objects.get_or_create(pk=1)
            Installation.objects.select_for_update().get(pk=1)
            yield
    except Refused as refused:
        if any(problem.code == FULL_CODE for problem in refused.problems):
            _notify_operators()
        raise


def _refuse_known_account(application: FoundingRequest) -> None:
    if User.objects.filter(email=application.email).exists():
        message = "You already have an account. Sign in, then start your club."
        raise refuse("email_taken", message, "key")


def _refuse_too_many_clubs(user: User, sent_from: str) -> None:
    if Club.objects.filter(founded_by=user).count() >= CLUBS_PER_PERSON:
        message = (
            f"You have started {CLUBS_PER_PERSON} clubs here. To start another, write to your "
            "Tongbox "
            "administrator."
        )
        raise refuse("too_many_clubs", message)
    _refuse_too_many(sent_from=sent_from, email=user.email)


def _refuse_too_many(*, sent_from: str, email: str) -> None:
    now = timezone.now()
    today = FoundingRequest.objects.filter(asked_at__gt=now - ONE_DAY)
    for span, most in REQUESTS_PER_NETWORK.items():
        if today.filter(sent_from=sent_from, asked_at__gt=now - span).count() >= most:
            retry_time = "in an hour" if span == ONE_HOUR else "tomorrow"
            message = f"Too many clubs were requested from your network. Try again {retry_time}."
            raise refuse("too_many_requests", message)
    if today.filter(email=email).exclude(name=FILE_REQUEST_NAME).count() >= REQUESTS_PER_ADDRESS:
        message = (
            f"We have sent {REQUESTS_PER_ADDRESS} emails to this address today. Look in your spam "
            "folder, or try again tomorrow."
        )
        raise refuse("too_many_emails", message, "email")
    if today.count() >= settings.FOUNDING_A_DAY:
        raise refuse(FULL_CODE, "No more clubs can be started here today. Try again tomorrow.")


def _store_request(name: str, person: str, email: str, key: str, sent_from: str) -> FoundingRequest:
    terms, _ = AgreedTerms.objects.get_or_create(
        digest=digest_of_texts(),
        defaults={kind: text_of(kind).body for kind in ("terms", "privacy")},
    )
    return FoundingRequest.objects.create(
        name=tidy_name(name),
        person=tidy_name(person),
        email=email,
        digest=key_digest(key),
        sent_from=sent_from,
        terms=terms,
    )


def _finish_request(application: FoundingRequest, club: Club) -> None:
    application.used_at, application.club = timezone.now(), club
    application.save(update_fields=["used_at", "club"])
    club.agreed_to = application.terms
    club.save(update_fields=["agreed_to"])
    text = (
        f"Someone started {club.name} at {site_address()}. Until you have looked at it, it can "
        "invite a few people but send no messages. Look at it, and say how many emails it can send "
        "a day:\n"
        f"{site_address()}{reverse('operator-club', args=[club.slug])}\n"
    )
    tell = partial(
        send_notice, "Tongbox: a new club", text, list(settings.OPERATORS), fail_silently=True
    )
    transaction.on_commit(tell, robust=True)


@transaction.atomic
def allow_mails(*, club: Club, a_day: int) -> Club:
    """Let a hosted club send so many emails a day, in its own words: it has been looked at."""
    club = lock_club(club.pk)
    club.mails_a_day = a_day
    club.save(update_fields=["mails_a_day"])
    return club


def _send_link(application: FoundingRequest, key: str) -> bool:
    """Email the link; to someone who has an account, that they have one."""
    has_account = User.objects.filter(email=application.email).exists()
    template = "club_has_account" if has_account else "club_start"
    page = reverse("start") if has_account else reverse("start-link", args=[key])
    context = {"request_to_start": application, "link": site_address() + page}
    try:
        get_adapter().send_mail(f"account/email/{template}", application.email, context)
    except (SMTPException, OSError):
        log.warning("the email about a new club could not be sent", exc_info=True)
        return False
    return True


def _notify_operators() -> None:
    today = timezone.localdate()
    installation = Installation.objects.filter(pk=1)
    is_new = Q(founding_full_on=None) | Q(founding_full_on__lt=today)
    if installation.filter(is_new).update(founding_full_on=today):
        text = (
            f"{settings.FOUNDING_A_DAY} clubs were requested at {site_address()} within a day, "
            "which is the limit (TONGBOX_FOUNDING_A_DAY). No more can be requested for now.\n\n"
            f"Look at the new clubs: {site_address()}{reverse('operator')}\n"
        )
        recipients = list(settings.OPERATORS)
        send_mail("Tongbox: no more new clubs today", text, None, recipients, fail_silently=True)
