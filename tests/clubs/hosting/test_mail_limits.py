"""What a club that a stranger started can email, and to whom, before and after a look at it."""

from datetime import timedelta
from io import BytesIO
from typing import Any

import pytest
from django.core import mail
from django.test import Client
from django.urls import reverse
from django.utils import timezone
from time_machine import travel

from clubs.accounts import services
from clubs.clubfile.services import MOST_ORGANISERS, TOO_MANY_ROLES_MESSAGE, import_club
from clubs.core.mail_limits import (
    EMAILS_PER_ADDRESS,
    EMAILS_PER_NEW_CLUB,
    NEW_CLUB_MESSAGE,
    count_mails,
)
from clubs.messages.selectors import batch_view
from clubs.messages.services import send_drafts
from clubs.models import AgreedTerms, Batch, Club, Role, RoleInvitation, SentMails
from clubs.tasks import look_after_clubs
from clubs.tenancy import club_scope
from scoring.scorebook.refusals import Refused
from tests.clubs.clubfile.moving import Rows, change_file, file_of, remove
from tests.clubs.hosting.test_founding import ask
from tests.clubs.nights import make_players
from tests.clubs.outbox import with_emails, write
from tests.people import Cast

EVIL = "Your account is closed, see https://evil.example"


@pytest.fixture
def new(cast: Cast, texts_folder: Any) -> Club:
    """The club, as if a stranger had just started it here."""
    cast.club.agreed_to = AgreedTerms.objects.create(digest="x", terms="", privacy="")
    cast.club.name = EVIL
    cast.club.save()
    return cast.club


def press_send(batch: Batch, cast: Cast) -> int:
    return send_drafts(
        batch=batch, seen_digest=batch_view(batch).preview_digest, asked_by=cast.secretary
    )


def invite(club: Club, cast: Cast, email: str) -> RoleInvitation:
    return services.invite(club=club, email=email, role=Role.SCORER, invited_by=cast.secretary)


def test_a_new_club_sends_no_words_of_its_own_until_somebody_looked(
    new: Club, cast: Cast, olga: Client
) -> None:
    with club_scope(new.pk):
        players = make_players(new, 4)
        with_emails(players)
        batch = write(new, players, cast.secretary)
        with pytest.raises(Refused) as refusal:
            press_send(batch, cast)
        assert str(refusal.value) == NEW_CLUB_MESSAGE
    page = olga.get(reverse("operator-club", args=[new.slug])).content.decode()
    assert "cannot email its members" in page
    answer = olga.post(reverse("operator-mails", args=[new.slug]), {"a_day": "6"})
    assert answer.status_code == 302
    with club_scope(new.pk):
        batch = Batch.objects.select_related("club").get(pk=batch.pk)
        assert press_send(batch, cast) == 4
        second_batch = write(Club.objects.get(pk=new.pk), players, cast.secretary)
        with pytest.raises(Refused, match="Your club can send 6 emails a day"):
            press_send(second_batch, cast)
        with travel(timezone.now() + timedelta(days=1)):
            assert press_send(second_batch, cast) == 4


def test_an_invitation_of_a_new_club_says_nothing_of_theirs(new: Club, cast: Cast) -> None:
    cast.secretary.name = "evil.example"
    cast.secretary.save()
    with club_scope(new.pk):
        assert services.send_invitation(invitation=invite(new, cast, "victim@example.net"))
    letter = mail.outbox[-1]
    assert "evil" not in f"{letter.subject} {letter.body} {letter.from_email} {letter.reply_to}"
    assert "/invited/" in str(letter.body)


def test_a_new_club_invites_a_few_people_and_nobody_often(new: Club, cast: Cast) -> None:
    with club_scope(new.pk):
        for _ in range(EMAILS_PER_ADDRESS):
            invitation = invite(new, cast, "victim@example.net")
        with pytest.raises(Refused, match="has been sent enough invitations today"):
            services.renew_invitation(invitation=invitation)
        for number in range(EMAILS_PER_NEW_CLUB - EMAILS_PER_ADDRESS):
            invite(new, cast, f"n{number}@example.net")
        with pytest.raises(Refused, match="Your club can send 20 emails a day"):
            invite(new, cast, "one-more@example.net")
    with travel(timezone.now() + timedelta(days=4)):
        look_after_clubs()
    assert not SentMails.objects.exists()


def test_a_club_of_its_own_installation_has_no_limit(cast: Cast) -> None:
    count_mails(cast.club, [f"n{number}@example.org" for number in range(5_000)])
    assert not SentMails.objects.exists()


def test_the_email_with_the_link_says_nothing_that_was_typed(texts_folder: Any) -> None:
    for email in ("victim@example.net", "someone@example.org"):
        ask(name=EVIL, person="evil.example", email=email)
        letter = mail.outbox[-1]
        assert letter.to == [email]
        assert "evil" not in f"{letter.subject} {letter.body}"


def with_roles(organisers: int, players: int) -> Any:
    def change(rows: Rows) -> None:
        rows += [
            {"email": f"n{number}@example.net", "player": None, "role": role}
            for role, most in (("director", organisers), ("player", players))
            for number in range(most * 1000, most * 1000 + most)
        ]
        rows.sort(key=lambda row: str(row["email"]))

    return change


def test_a_file_invites_nobody_by_itself_and_bounds_its_roles(
    cast: Cast, django_capture_on_commit_callbacks: Any
) -> None:
    file, _ = file_of(cast.club)
    remove(cast.club)
    for add_roles in (with_roles(MOST_ORGANISERS, 0), with_roles(0, 60)):
        with pytest.raises(Refused) as refusal:
            import_club(
                change_file(BytesIO(file.getvalue()), "roles", add_roles), user=cast.secretary
            )
        assert str(refusal.value) == TOO_MANY_ROLES_MESSAGE
    some = change_file(BytesIO(file.getvalue()), "roles", with_roles(20, 0))
    with django_capture_on_commit_callbacks(execute=True):
        club_import = import_club(some, user=cast.secretary)
    assert not mail.outbox
    assert len(club_import.invitations) > 20
    assert all(invitation.has_ended for invitation in club_import.invitations)
