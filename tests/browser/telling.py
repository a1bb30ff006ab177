"""A hand told on a phone's screens, one question after another, as people at a table do."""

from playwright.sync_api import Page


def begin(page: Page) -> None:
    """Come to who went Mah-Jong: the hand before is left to be agreed later."""
    page.wait_for_load_state()  # the script, where there is one, has chosen the screen
    page.locator("[data-next-hand]:visible, label.seat:visible").first.wait_for()
    next_hand_button = page.locator("[data-next-hand]")
    if next_hand_button.is_visible():
        next_hand_button.click()


def choose(page: Page, winner: int) -> None:
    """Touch the winner's seat; East is 0."""
    page.locator("label.seat").nth(winner).click()


def tell(page: Page, winner: int, *scores: int | str) -> None:
    """Choose the winner and type the scores, East first."""
    begin(page)
    choose(page, winner)
    type_scores(page, *scores)


def type_scores(page: Page, *scores: int | str) -> None:
    """Type what each hand scored, East first, where a winner is chosen."""
    for figure, score in zip(page.locator(".entry input").all(), scores, strict=True):
        figure.fill(str(score))


def tell_by(page: Page, recording: str) -> None:
    """Enter the hand in another way, which the scores' screen offers."""
    page.locator("form[data-entry][data-flow]").wait_for()
    button = page.get_by_role("button", name=recording, exact=True)
    if not button.is_visible():
        page.locator(".deal__other > summary").click()
    button.click()
