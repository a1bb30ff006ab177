"""The guide for a scorer, step by step: the hand that the sample club disputes."""

from django.urls import reverse

from tests.browser.guided import Walk, step
from tests.browser.guided_secretary import SLUG, at_table, evening


@step("scorer", "Find a disputed hand")
def find(walk: Walk) -> None:
    walk.go(reverse("club", args=[SLUG]))
    walk.press("Evenings")
    walk.go(evening())


@step("scorer", "Decide it")
def decide(walk: Walk) -> None:
    page = walk.page
    walk.press("Review hand")
    page.get_by_text("Nobody (drawn hand)").click()
    page.get_by_label("Reason for the change").fill("East went Mah-Jong")
    walk.press("Preview changes")
    walk.expect("What would change")
    walk.go(evening())
    walk.press("Review hand")
    page.get_by_label("Reason for keeping it").fill("So it is on the paper sheet")
    walk.press("Keep as entered")


@step("scorer", "Correct other hands")
def correct(walk: Walk) -> None:
    walk.go(evening())
    walk.press("Enter hands")
    walk.press("Correct hand")


@step("scorer", "If something goes wrong")
def undo(walk: Walk) -> None:
    walk.go(at_table(1))
