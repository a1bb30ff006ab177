"""A phone that still has the page of a table card that was replaced."""

import pytest
from django.urls import reverse
from playwright.sync_api import BrowserContext, expect

from clubs.evenings.event import EveningTable
from clubs.models import SessionTable
from clubs.table.services import replace_links
from tests.browser.telling import tell

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


def test_whoever_types_under_an_old_card_reads_it_before_the_check(
    context: BrowserContext, table: SessionTable
) -> None:
    page = context.new_page()
    page.goto(reverse("table", args=[table.link_key]))
    tell(page, 1, 20, 60, 8, 4)
    replace_links(table=EveningTable(table))
    notice = page.get_by_text("This table card has been replaced.")
    expect(notice).to_be_visible()
    expect(notice).to_contain_text("ask the organiser")
    expect(page.locator("#id_score_2")).to_have_value("60")
