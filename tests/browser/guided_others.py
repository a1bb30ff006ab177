"""The guides for administrators and developers, as far as they speak of pages."""

from django.urls import reverse

from tests.browser.guided import Walk, step
from tests.browser.tour import PASSWORD


@step("operator", "Set up a club")
def set_up(walk: Walk) -> None:
    walk.go(reverse("account_login"))
    walk.picture("sign-in", walk.page.locator("h1"))


@step("operator", "Check that it is running")
def look_after(walk: Walk) -> None:
    walk.go(reverse("ready"))
    walk.picture("ready", walk.page.locator("h1"))


@step("operator", "Help someone sign in")
def sign_in(walk: Walk) -> None:
    page = walk.page
    walk.go(reverse("account_login"))
    page.get_by_label("Email").fill("director@example.org")
    page.get_by_label("Password", exact=True).fill(PASSWORD)
    page.locator("main").get_by_role("button", name="Sign in").click()
    walk.expect("Home")
    walk.press("Your account")
    walk.picture("your-sign-in", page.locator("h1"))


@step("programmer", "Use the rules engine alone")
def read_the_rules(walk: Walk) -> None:
    walk.go(reverse("rules", args=["bmja"]))
    walk.picture("rules", walk.page.locator("h1"))


@step("programmer", "Use the API")
def make_a_key(walk: Walk) -> None:
    walk.press("API keys")
    walk.press("Enter password")
    walk.page.get_by_label("Password", exact=True).fill(PASSWORD)
    walk.page.get_by_role("button", name="Continue").click()
    walk.picture("keys", walk.page.get_by_role("heading", name="Create an API key"))


@step("programmer", "Webhooks")
def add_a_webhook(walk: Walk) -> None:
    walk.go(reverse("club", args=["riverside"]))
    walk.press("Settings")
    walk.press("Webhooks")
    walk.picture("programs", walk.page.get_by_role("heading", name="Add a webhook"))
