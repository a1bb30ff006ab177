"""A club that someone starts by themselves: a form, an emailed link, a password, the club."""

import re
from datetime import timedelta
from functools import partial
from pathlib import Path
from smtplib import SMTPServerDisconnected
from typing import Any

import pytest
from django.core import mail
from django.core.checks import Warning as CheckWarning
from django.core.management import call_command
from django.test import Client
from django.urls import reverse
from django.utils import timezone
from time_machine import travel

from clubs.accounts.services import key_digest
from clubs.hosting.checks import check_founding
from clubs.hosting.services import founding
from clubs.models import AgreedTerms, Club, FoundingRequest, Membership, Series, User, link_key
from clubs.tasks import look_after_clubs
from clubs.tenancy import across_clubs
from tests.clubs.visits import errors
from tests.people import PASSWORD, browser_of
from tests.threads import at_once

START, SENT = reverse("start"), reverse("start-sent")
NEW = "seven lucky sparrows"
ASKED = {
    "name": "Hill Top Tiles",
    "person": "Margaret Hill",
    "email": "Margaret@Example.org",
    "agree": "on",
}
FOUNDED = {"name": "Hill Top Tiles", "rules": "tallies", "password1": NEW, "password2": NEW}
LINK = re.compile(r"http://localhost:8000(/start/link/\S+/)")

pytestmark = pytest.mark.usefixtures("texts_folder")


def ask(client: Client | None = None, *, ip_address: str = "203.0.113.7", **fields: str) -> Any:
    return (client or Client()).post(START, ASKED | fields, REMOTE_ADDR=ip_address)


def link_in(letter: mail.EmailMessage) -> str:
    match = LINK.search(str(letter.body))
    assert match, letter.body
    return match[1]


def link() -> str:
    """The link of a club that was just asked for."""
    assert ask().headers["Location"] == SENT
    return link_in(mail.outbox[-1])


def error_text(answer: Any) -> str:
    return " ".join(text for messages in errors(answer).values() for text in messages)


def test_the_front_page_offers_it_only_where_it_is_open(settings: Any) -> None:
    assert f'href="{START}"' in Client().get("/").content.decode()
    settings.FOUNDING = "closed"
    assert f'href="{START}"' not in Client().get("/").content.decode()
    assert Client().get(START).status_code == ask().status_code == 404
    assert Client().get(SENT).status_code == 404
    assert not mail.outbox


def test_a_club_is_started_by_an_emailed_link() -> None:
    phone, address = Client(), link()
    assert mail.outbox[-1].to == ["margaret@example.org"]
    assert "Choose a password for Hill Top Tiles" in phone.get(address).content.decode()
    assert not Club.objects.exists()
    evening = {"weekday": "1", "starts_at": "19:30", "ends_at": "22:00", "place": "Village Hall"}
    page = phone.post(address, FOUNDED | evening, follow=True)
    assert "Welcome to Hill Top Tiles. You are its secretary." in page.content.decode()
    assert "Add your members" in page.content.decode()
    membership = Membership.objects.get()
    assert (membership.role, membership.club.rules, membership.user.name) == (
        "secretary",
        "tallies",
        "Margaret Hill",
    )
    assert membership.user.check_password(NEW)
    assert membership.club.founded_by == membership.user
    assert membership.club.founded_at is not None
    with across_clubs():
        assert Series.objects.get().place == "Village Hall"
        assert list(membership.club.audit_entries.values_list("what", "by")) == [
            ("found_club", "Margaret Hill")
        ]


def test_what_was_agreed_to_is_kept_though_the_terms_change(texts_folder: Path) -> None:
    address, old_terms = link(), (texts_folder / "terms.md").read_text(encoding="utf-8")
    (texts_folder / "terms.md").write_text("# Terms\n\nOther terms.\n", encoding="utf-8")
    Client().post(address, FOUNDED)
    agreed_terms = Club.objects.get().agreed_to
    assert agreed_terms is not None
    assert agreed_terms.terms == old_terms
    ask(name="Later", email="later@example.org")
    assert AgreedTerms.objects.count() == 2


def test_the_link_is_stored_as_a_digest_and_the_network_as_a_keyed_one() -> None:
    key = link().split("/")[-2]
    founding_request = FoundingRequest.objects.get()
    assert founding_request.digest == key_digest(key)
    assert key not in str(vars(founding_request))
    assert "203.0.113.7" not in str(vars(founding_request))


def test_nobody_learns_who_has_an_account() -> None:
    User.objects.create_user("margaret@example.org", PASSWORD)
    known_response, unknown = ask(), ask(email="other@example.org")
    assert [answer.headers["Location"] for answer in (known_response, unknown)] == [SENT, SENT]
    to_known, to_unknown = mail.outbox
    assert to_known.subject == "You already have a Tongbox account"
    assert not LINK.search(str(to_known.body))
    assert LINK.search(str(to_unknown.body))
    assert FoundingRequest.objects.count() == 2


WRONG = [
    ({"name": ""}, "name", "Enter the name of your club."),
    ({"name": "麻將"}, "name", "The club’s name needs at least one letter from A to Z."),
    ({"name": "Tongbox Support"}, "name", "Choose another name, such as that of your town."),
    ({"name": "ADMIN"}, "name", "Choose another name, such as that of your town."),
    ({"person": "<b>"}, "person", "A name cannot contain < or >."),
    ({"email": "margaret"}, "email", "Enter an email address like name@example.org."),
    ({"agree": ""}, "agree", "Tick this to agree. Without it we cannot start your club."),
]


@pytest.mark.parametrize(("fields", "field", "message"), WRONG)
def test_a_mistake_is_said_and_no_email_is_sent(
    fields: dict[str, str], field: str, message: str
) -> None:
    answer = Client().post(START, ASKED | fields)
    assert (answer.status_code, errors(answer)) == (422, {field: [message]})
    assert not mail.outbox


def test_a_name_that_is_taken_by_then_can_be_changed_at_the_link() -> None:
    address = link()
    Club.objects.create(name="Hill Top TILES", slug="hill-top-tiles")
    answer = Client().post(address, FOUNDED)
    assert errors(answer) == {"name": ["There is already a club with that name."]}
    answer = Client().post(address, FOUNDED | {"name": "Hill Top Tiles, Leeds"})
    assert answer.headers["Location"] == "/c/hill-top-tiles-leeds/"


def test_names_that_share_an_address_get_a_number() -> None:
    Club.objects.create(name="Hill Top: Tiles", slug="hill-top-tiles")
    assert Client().post(link(), FOUNDED).headers["Location"] == "/c/hill-top-tiles-2/"


def test_a_double_tap_sends_one_email_and_founds_one_club() -> None:
    client = Client()
    assert [ask(client).headers["Location"] for _ in range(2)] == [SENT] * 2
    assert len(mail.outbox) == 1
    address = link_in(mail.outbox[0])
    places = [client.post(address, FOUNDED).headers["Location"] for _ in range(2)]
    assert places == ["/c/hill-top-tiles/", reverse("home")]
    assert client.get(places[1]).headers["Location"] == places[0]
    assert (Club.objects.count(), Membership.objects.count()) == (1, 1)


@pytest.mark.django_db(transaction=True)
def test_two_tabs_that_press_at_once_found_one_club() -> None:
    address = link()
    answers: list[Any] = at_once([partial(Client().post, address, FOUNDED) for _ in range(2)])
    places = {answer.headers["Location"] for answer in answers}
    assert places == {"/c/hill-top-tiles/", reverse("home")}
    assert Club.objects.count() == 1


def test_a_used_link_and_an_old_link_say_so() -> None:
    address = link()
    Client().post(address, FOUNDED)
    other_data = FOUNDED | {"password1": "another word", "password2": "another word"}
    for answer in (Client().get(address), Client().post(address, other_data)):
        assert answer.status_code == 410
        assert "This link has been used. Sign in to open your club." in answer.content.decode()
    with travel(timezone.now() + timedelta(hours=25)):
        for answer in (Client().get(address), Client().post(address, FOUNDED)):
            assert answer.status_code == 410
            assert "more than 24 hours old" in answer.content.decode()
    assert Client().get(reverse("start-link", args=[link_key()])).status_code == 410
    assert Client().get(reverse("start-link", args=["x" * 24])).status_code == 404
    assert Club.objects.count() == 1


def test_an_address_that_has_an_account_by_then_must_sign_in() -> None:
    address = link()
    User.objects.create_user("margaret@example.org", PASSWORD)
    answer = Client().post(address, FOUNDED)
    assert answer.status_code == 410
    assert "You already have an account. Sign in, then start your club." in answer.content.decode()
    assert not Club.objects.exists()


def test_mail_that_cannot_be_sent_is_said_and_can_be_tried_again(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def refuse(*_: Any, **__: Any) -> None:
        raise SMTPServerDisconnected

    with monkeypatch.context() as patches:
        patches.setattr("allauth.account.adapter.DefaultAccountAdapter.send_mail", refuse)
        answer = ask()
    assert answer.status_code == 422
    assert "We could not send the email just now" in error_text(answer)
    assert not FoundingRequest.objects.exists()
    assert ask().headers["Location"] == SENT


def test_one_network_can_ask_five_times_an_hour_and_ten_times_a_day() -> None:
    now = timezone.now()
    for number in range(10):
        with travel(now + timedelta(minutes=61 if number > 4 else 0), tick=False):
            answer = ask(name=f"Club {number}", email=f"n{number}@example.org")
            assert answer.headers["Location"] == SENT
            if number == 4:
                message = error_text(ask(name="One more", email="more@example.org"))
                assert (
                    message
                    == "Too many clubs were requested from your network. Try again in an hour."
                )
    with travel(now + timedelta(hours=3), tick=False):
        message = error_text(ask(name="One more", email="more@example.org"))
        assert message == "Too many clubs were requested from your network. Try again tomorrow."
        assert ask(ip_address="203.0.113.8", email="more@example.org").headers["Location"] == SENT


def test_a_household_is_one_network_under_ipv6() -> None:
    home = {founding.network_of(f"2001:db8:0:1::{n}") for n in range(1, 5)}
    assert len(home) == 1
    assert home != {founding.network_of("2001:db8:0:2::1")}
    assert founding.network_of("198.51.100.1") != founding.network_of("198.51.100.2")


def test_an_address_gets_three_emails_a_day() -> None:
    for number in range(3):
        assert ask(name=f"Club {number}").headers["Location"] == SENT
    assert errors(ask(name="Club 4"))["email"][0].startswith(
        "We have sent 3 emails to this address"
    )
    assert len(mail.outbox) == 3


def test_at_the_days_limit_the_operators_are_emailed_once(settings: Any) -> None:
    settings.FOUNDING_A_DAY = 2
    for number in range(2):
        ask(name=f"Club {number}", email=f"n{number}@example.org")
    mail.outbox.clear()
    for number in range(2, 4):
        message = error_text(ask(name=f"Club {number}", email=f"n{number}@example.org"))
        assert message == "No more clubs can be started here today. Try again tomorrow."
    assert [(letter.to, letter.subject) for letter in mail.outbox] == [
        (["ops@example.org"], "Tongbox: no more new clubs today")
    ]
    with travel(timezone.now() + timedelta(hours=25)):
        assert ask(email="n4@example.org").headers["Location"] == SENT


def test_someone_signed_in_starts_another_club_without_an_email() -> None:
    user = User.objects.get(email="someone@example.org")
    browser = browser_of(user)
    assert "Start another club" in browser.get(START).content.decode()
    data = {"name": "Second Club", "rules": "bmja", "agree": "on"}
    assert browser.post(START, {**data, "agree": ""}).status_code == 422
    assert [browser.post(START, data).headers["Location"] for _ in range(2)] == [
        "/c/second-club/"
    ] * 2
    assert Club.objects.get().agreed_to is not None
    for name in ("Third", "Fourth"):
        assert browser.post(START, {**data, "name": name}).status_code == 302
    message = error_text(browser.post(START, {**data, "name": "Fifth"}))
    assert message.startswith("You have started 3 clubs here.")
    assert not mail.outbox


def test_requests_are_deleted_after_two_days() -> None:
    Client().post(link(), FOUNDED)
    ask(name="Never", email="never@example.org")
    look_after_clubs()
    assert FoundingRequest.objects.count() == 2
    with travel(timezone.now() + timedelta(days=2, minutes=1)):
        look_after_clubs()
    assert not FoundingRequest.objects.exists()
    assert Club.objects.count() == 1


def test_an_empty_installation_is_set_up_first() -> None:
    User.objects.all().delete()
    assert Client().get(START).headers["Location"] == reverse("set-up")


MISSING = [
    ("SITE_ADDRESS", "", "Set TONGBOX_ADDRESS"),
    ("EMAIL_BACKEND", "django.core.mail.backends.filebased.EmailBackend", "Set EMAIL_URL"),
    ("DEFAULT_FROM_EMAIL", "Tongbox <tongbox@localhost>", "Set TONGBOX_FROM"),
    ("OPERATORS", [], "Set TONGBOX_ADMINS"),
    ("TEXTS", "/nowhere", "Write the terms"),
]


@pytest.mark.parametrize(("name", "value", "message"), MISSING)
def test_it_stays_closed_until_nothing_is_missing(
    settings: Any, name: str, value: Any, message: str
) -> None:
    assert check_founding() == []
    setattr(settings, name, value)
    warnings = check_founding()
    assert warnings[0].msg.startswith(message)
    assert isinstance(warnings[0], CheckWarning)
    assert Client().get(START).status_code == 404


def test_a_gap_in_the_terms_keeps_it_closed(texts_folder: Path) -> None:
    (texts_folder / "terms.md").write_text("# Terms\n\n[FILL IN: all of it]\n", encoding="utf-8")
    (warning,) = check_founding()
    assert warning.msg.startswith("Finish the terms")
    assert Client().get(START).status_code == Client().get(reverse("terms")).status_code == 404


def test_an_unknown_value_of_the_setting_is_an_error(settings: Any) -> None:
    settings.FOUNDING = "yes"
    (error,) = check_founding()
    assert error.msg == "TONGBOX_FOUNDING is “yes”. It can be “open” or “closed”."
    assert Client().get(START).status_code == 404


def test_the_texts_are_pages_linked_from_every_foot(texts_folder: Path) -> None:
    foot = Client().get("/").content.decode()
    for kind, heading in (("terms", "Terms"), ("privacy", "Privacy notice")):
        assert f'<a href="/{kind}/">{heading}</a>' in foot
        assert f"<h1>{heading}</h1>" in Client().get(f"/{kind}/").content.decode()
    (texts_folder / "terms.md").write_text(
        "# Our terms\n\nBe <b>kind</b>.\n\n## More\n\n- [Us](https://example.org/)\n"
        "- [x](../../../../../etc/passwd)\n",
        encoding="utf-8",
    )
    page = Client().get("/terms/").content.decode()
    assert "Be &lt;b&gt;kind&lt;/b&gt;." in page
    assert '<a href="https://example.org/">Us</a>' in page
    assert "passwd" not in page
    (texts_folder / "privacy.md").unlink()
    assert "Privacy notice" not in Client().get("/").content.decode()


def test_drafts_are_written_once(settings: Any, tmp_path: Path) -> None:
    settings.TEXTS = str(tmp_path / "new")
    call_command("draft_terms", stdout=None)
    terms = tmp_path / "new" / "terms.md"
    assert "[FILL IN" in terms.read_text(encoding="utf-8")
    terms.write_text("# Ours", encoding="utf-8")
    call_command("draft_terms", stdout=None)
    assert terms.read_text(encoding="utf-8") == "# Ours"
