"""Signing in: by password, by mailed code, with a second step; and what guards it."""

import re
from datetime import timedelta
from time import thread_time
from typing import Any

import pytest
import time_machine
from django.contrib.auth import get_user
from django.core import mail
from django.core.cache import cache
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from clubs.models import User
from tests.people import PASSWORD, Cast

pytestmark = pytest.mark.usefixtures("cast")
ALICE = "alice@example.org"
NEW = "autumn moon over water"


def sign_in(client: Client, password: str = PASSWORD, email: str = ALICE, **extra: Any) -> Any:
    data = {"login": email, "password": password}
    return client.post(reverse("account_login"), data, **extra)


def is_in(client: Client) -> bool:
    return get_user(client).is_authenticated


def test_the_page_asks_once_about_a_forgotten_password(client: Client, settings: Any) -> None:
    address = reverse("account_login")
    for backend in ("smtp", "dummy"):
        settings.EMAIL_BACKEND = f"django.core.mail.backends.{backend}.EmailBackend"
        page = client.get(address).content.decode()
        assert len(re.findall("[Ff]org[eo]t", page)) == 1


def test_an_unknown_address_and_a_wrong_password_are_answered_alike(client: Client) -> None:
    wrong = sign_in(client, "not this one")
    unknown = sign_in(client, email="nobody@example.org")
    pages = [
        re.sub(r'value="[^"]*"|name="csrf[^>]*', "", a.content.decode()) for a in (wrong, unknown)
    ]
    assert pages[0] == pages[1]
    assert "The email address or password is wrong. Check both and try again." in pages[0]


@pytest.mark.sampled(law="long plays")
def test_an_unknown_address_takes_as_long_as_a_wrong_password(
    client: Client, cast: Cast, settings: Any
) -> None:
    settings.PASSWORD_HASHERS = ["django.contrib.auth.hashers.ScryptPasswordHasher"]
    cast.secretary.set_password(PASSWORD)
    cast.secretary.save()

    def quickest(email: str) -> float:
        def measure() -> float:
            start = thread_time()
            sign_in(client, "not this one", email)
            return thread_time() - start

        return min(measure() for _ in range(5))

    known_time, unknown = quickest(ALICE), quickest("nobody@example.org")
    assert 0.5 < known_time / unknown < 2


def test_five_wrong_passwords_and_the_sixth_waits(client: Client) -> None:
    for _ in range(5):
        sign_in(client, "not this one")
    page = sign_in(client).content.decode()
    assert "Too many attempts. Wait 5 minutes and try again." in page
    assert not is_in(client)
    with time_machine.travel(timezone.now() + timedelta(minutes=5, seconds=1)):
        sign_in(client)
    assert is_in(client)


def test_another_host_name_or_another_phone_is_no_fresh_start(
    client: Client, settings: Any
) -> None:
    settings.ALLOWED_HOSTS = ["*"]
    for number in range(5):
        sign_in(client, "not this one", headers={"host": f"h{number}.example"})
    assert "Too many attempts" in sign_in(Client()).content.decode()


def test_one_address_cannot_try_everybody(client: Client) -> None:
    for number in range(20):
        sign_in(client, "not this one", f"p{number}@example.org")
    assert "Too many attempts" in sign_in(client).content.decode()
    other_browser = Client(REMOTE_ADDR="203.0.113.9")
    sign_in(other_browser)
    assert is_in(other_browser)


def test_whoever_is_not_behind_the_proxy_cannot_choose_their_address(client: Client) -> None:
    for number in range(20):
        forged_headers = {"x-forwarded-for": f"203.0.113.{number}"}
        sign_in(client, "no", f"p{number}@example.org", headers=forged_headers)
    assert "Too many attempts" in sign_in(client).content.decode()


def test_behind_the_proxy_the_address_that_it_adds_counts(client: Client, settings: Any) -> None:
    settings.ALLAUTH_TRUSTED_PROXY_COUNT = 1
    for number in range(20):
        forged_headers = {"x-forwarded-for": f"198.51.100.{number}, 203.0.113.9"}
        sign_in(client, "no", f"p{number}@example.org", headers=forged_headers)
    assert "Too many attempts" in sign_in(client, headers=forged_headers).content.decode()
    sign_in(client, headers={"x-forwarded-for": "198.51.100.1, 203.0.113.10"})
    assert is_in(client)


def test_thirty_sign_ins_a_minute_from_one_address_and_then_a_wait(client: Client) -> None:
    for _ in range(30):
        sign_in(Client())
    assert "Wait a minute and try again." in sign_in(client).content.decode()


def test_twenty_new_passwords_a_minute_and_then_a_page_says_wait(client: Client) -> None:
    page = reverse("account_reset_password_from_key", args=["1", "not-a-link"])
    for _ in range(20):
        client.post(page)
    answer = client.post(page)
    assert answer.status_code == 429
    assert 0 < int(answer["Retry-After"]) <= 60
    assert "Wait a minute and try again." in answer.content.decode()


def test_a_mailed_code_signs_in_once(client: Client) -> None:
    client.post(reverse("account_request_login_code"), {"email": ALICE})
    (message,) = mail.outbox
    code = re.search(r"^ {4}(\S+)$", str(message.body), re.MULTILINE)
    assert message.to == [ALICE]
    assert code
    client.post(reverse("account_confirm_login_code"), {"code": "BBBB-BBBB"})
    assert not is_in(client)
    client.post(reverse("account_confirm_login_code"), {"code": code[1].lower()})
    assert is_in(client)
    second_browser = Client()
    second_browser.post(reverse("account_confirm_login_code"), {"code": code[1]})
    assert not is_in(second_browser)


def test_asking_for_a_code_never_tells_who_has_a_sign_in(client: Client) -> None:
    pages = []
    for email in (ALICE, "nobody@example.org"):
        browser = Client()
        response = browser.post(
            reverse("account_request_login_code"), {"email": email}, follow=True
        )
        html = response.content.decode().replace(email, "…")
        pages.append(re.sub(r'name="csrfmiddlewaretoken" value="[^"]*"', "", html))
    assert pages[0] == pages[1]
    assert [message.to for message in mail.outbox] == [[ALICE], ["nobody@example.org"]]
    assert "there is no account for that address." in str(mail.outbox[1].body)


def test_three_codes_and_then_a_wait_that_is_said(client: Client) -> None:
    for _ in range(3):
        Client().post(reverse("account_request_login_code"), {"email": ALICE})
    page = client.post(reverse("account_request_login_code"), {"email": ALICE}).content.decode()
    assert "Wait 10 minutes" in page
    assert len(mail.outbox) == 3


def mailed_link() -> str:
    link = re.search(r"^(http\S+)$", str(mail.outbox[-1].body), re.MULTILINE)
    assert link
    return link[1]


def reset_link(client: Client, **extra: Any) -> str:
    client.post(reverse("account_reset_password"), {"email": ALICE}, **extra)
    return mailed_link()


def test_a_forgotten_password_is_chosen_anew_by_mail(client: Client, settings: Any) -> None:
    elsewhere = Client()
    sign_in(elsewhere)
    link = reset_link(client)
    page = client.get(link.removeprefix(settings.SITE_ADDRESS), follow=True)
    password_data = {"password1": NEW, "password2": NEW}
    client.post(page.request["PATH_INFO"], password_data)
    assert User.objects.get(email=ALICE).check_password(NEW)
    assert not is_in(elsewhere), "a stolen session ends with the new password"
    assert "using a link sent to this email address" in str(mail.outbox[-1].body)
    used = Client().get(link.removeprefix(settings.SITE_ADDRESS), follow=True)
    assert "already been used" in used.content.decode()


def test_asking_for_a_new_password_never_tells_who_has_a_sign_in(client: Client) -> None:
    pages = []
    for email in (ALICE, "nobody@example.org"):
        response = Client().post(reverse("account_reset_password"), {"email": email}, follow=True)
        pages.append(response.content)
    assert pages[0] == pages[1]
    assert len(mail.outbox) == 2


def test_a_forged_host_never_comes_into_a_mail(client: Client, settings: Any) -> None:
    settings.ALLOWED_HOSTS = ["*"]
    settings.SITE_ADDRESS = "https://club.example.org"
    assert reset_link(client, headers={"host": "evil.example"}).startswith(
        "https://club.example.org/accounts/"
    )
    assert "evil.example" not in str(mail.outbox[-1].message())


def test_signing_in_gives_another_session(client: Client) -> None:
    session = client.session
    session["before"] = "planted"
    session.save()
    old_session_key = session.session_key
    sign_in(client)
    assert client.session.session_key != old_session_key


def test_the_session_cookie_is_for_this_site_and_no_script(client: Client) -> None:
    cookie = sign_in(client).cookies["sessionid"]
    assert (cookie["httponly"], cookie["samesite"]) == (True, "Lax")


def test_a_session_ends_after_fourteen_days_without_a_visit(client: Client) -> None:
    data = {"login": ALICE, "password": PASSWORD, "remember": "on"}
    client.post(reverse("account_login"), data)
    page, now = reverse("account"), timezone.now()
    for day in (7, 14, 21):
        with time_machine.travel(now + timedelta(days=day)):
            assert client.get(page).status_code == 200
    with time_machine.travel(now + timedelta(days=36)):
        cache.clear()
        assert client.get(page).status_code == 302


def test_a_visit_writes_its_session_once_a_day_at_most(
    client: Client, cast: Cast, django_assert_num_queries: Any
) -> None:
    client.force_login(cast.secretary, backend="django.contrib.auth.backends.ModelBackend")
    with django_assert_num_queries(2):  # the person, the second step
        client.get(reverse("account"))


def test_changing_the_password_ends_other_sessions_and_tells_by_mail(client: Client) -> None:
    elsewhere = Client()
    for browser in (client, elsewhere):
        sign_in(browser)
    data = {"oldpassword": PASSWORD, "password1": NEW, "password2": NEW}
    client.post(reverse("account_change_password"), data)
    assert is_in(client)
    assert not is_in(elsewhere)
    assert mail.outbox[-1].subject == "Your password was changed"


def test_signed_out_everywhere(client: Client) -> None:
    elsewhere, other_browser = Client(), Client()
    for browser in (client, elsewhere):
        sign_in(browser)
    sign_in(other_browser, email="dev@example.org")
    client.post(reverse("sign-out-everywhere"))
    assert (is_in(client), is_in(elsewhere), is_in(other_browser)) == (False, False, True)
    sign_in(client)
    assert is_in(client)


def test_an_older_secret_key_keeps_people_signed_in(client: Client, settings: Any) -> None:
    sign_in(client)
    settings.SECRET_KEY_FALLBACKS = [settings.SECRET_KEY]
    settings.SECRET_KEY = "another key of fifty letters, made for this one test alone"
    assert client.get(reverse("account")).status_code == 200


def type_password_again(client: Client) -> None:
    client.post(reverse("account_reauthenticate"), {"password": PASSWORD})


def ask_for_address(client: Client, email: str) -> Any:
    sign_in(client)
    type_password_again(client)
    return client.post(reverse("account_email"), {"email": email}, follow=True)


def test_another_address_holds_once_its_link_is_pressed(
    client: Client, cast: Cast, settings: Any
) -> None:
    ask_for_address(client, "Alice@new.example")
    link = mailed_link().removeprefix(settings.SITE_ADDRESS)
    assert mail.outbox[-1].to == ["alice@new.example"]
    assert b"alice@new.example" in client.get(link).content
    assert User.objects.get(pk=cast.secretary.pk).email == ALICE
    client.post(link)
    assert User.objects.get(pk=cast.secretary.pk).email == "alice@new.example"
    assert mail.outbox[-1].to == [ALICE], "the old address is told"
    assert client.post(link).status_code == 410


def test_a_link_for_another_address_ends_after_a_day(client: Client, settings: Any) -> None:
    ask_for_address(client, "alice@new.example")
    with time_machine.travel(timezone.now() + timedelta(hours=25)):
        link = mailed_link().removeprefix(settings.SITE_ADDRESS)
        assert client.post(link).status_code == 410


def test_nobody_takes_the_address_of_somebody_else_or_learns_that_it_is_one(
    client: Client, cast: Cast
) -> None:
    response = ask_for_address(client, "dev@example.org")
    assert "We have sent an email to dev@example.org." in response.content.decode()
    assert "nothing has changed" in str(mail.outbox[-1].body)
    assert User.objects.get(email="dev@example.org") == cast.director


def test_a_session_left_open_asks_for_the_password_before_the_address_goes(client: Client) -> None:
    sign_in(client)
    type_password_again(client)
    assert client.get(reverse("account_email")).status_code == 200
    with time_machine.travel(timezone.now() + timedelta(minutes=16)):
        answer = client.get(reverse("account_email"))
    assert answer["Location"].startswith(reverse("account_reauthenticate"))


@pytest.mark.parametrize(
    "elsewhere", ["https://evil.example/", "//evil.example", "javascript:alert(1)"]
)
def test_signing_in_never_leads_elsewhere(client: Client, elsewhere: str) -> None:
    data = {"login": ALICE, "password": PASSWORD, "next": elsewhere}
    assert client.post(reverse("account_login"), data)["Location"] == reverse("home")
