"""A card is replaced while a phone has hands on it: they go with the new card, once."""

import pytest
from django.urls import reverse
from playwright.sync_api import BrowserContext, expect
from pytest_django.live_server_helper import LiveServer

from clubs.models import SessionTable
from clubs.table.services import replace_link
from scoring.scorebook.models import Hand
from tests.browser import test_offline
from tests.browser.test_offline import go_offline, keep, opened

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
address, phone, table = test_offline.address, test_offline.phone, test_offline.table


def test_hands_kept_under_the_old_card_are_sent_by_the_new_one(
    phone: BrowserContext, table: SessionTable, address: str, live_server: LiveServer
) -> None:
    page = opened(phone, address)
    go_offline(page)
    for number in (1, 2):
        keep(page, number, 2)
    key = replace_link(table=table, club=table.session.club)
    phone.set_offline(False)
    trouble = page.locator("[data-net-trouble]")
    expect(trouble.get_by_role("heading", name="This table card has been replaced")).to_be_visible()
    expect(trouble).to_contain_text("One more hand needs")
    assert not Hand.objects.exists()
    page.goto(f"{live_server.url}{reverse('table', args=[key])}")
    expect(page.locator(".said")).to_contain_text("Hand 2")
    expect(page.locator("[name=number]")).to_have_value("3")
    assert sorted(Hand.objects.values_list("number", flat=True)) == [1, 2]
