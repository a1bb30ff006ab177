"""A process with its hands full tells pages to ask for news less often, and nobody else."""

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier

import pytest
from django.http import HttpRequest, HttpResponse
from django.test import RequestFactory

from config.middleware import BUSY_REQUESTS, RETRY_SECONDS, SlowPolling


def answers(addresses: list[str], status: int = 204, sent_by: str = "") -> Iterator[str]:
    """``Retry-After`` of each, or nothing, where all are answered at the same time."""
    together = Barrier(len(addresses))

    def answer(request: HttpRequest) -> HttpResponse:
        together.wait(20)
        return HttpResponse(status=status)

    middleware = SlowPolling(answer)
    requests = RequestFactory(headers={"HX-Request": sent_by} if sent_by else {})
    with ThreadPoolExecutor(len(addresses)) as pool:
        for response in pool.map(middleware, [requests.get(address) for address in addresses]):
            yield response.headers.get("Retry-After", "")
    assert middleware.in_hand == 0


def test_a_few_at_once_are_told_nothing() -> None:
    assert list(answers(["/t/key/?v=3"] * (BUSY_REQUESTS - 1))) == [""] * (BUSY_REQUESTS - 1)


@pytest.mark.parametrize("status", [200, 204])
def test_of_many_at_once_the_late_ones_are_told_to_ask_later(status: int) -> None:
    retry_afters = sorted(answers(["/t/key/?v=3"] * (BUSY_REQUESTS + 2), status))
    assert retry_afters == [""] * (BUSY_REQUESTS - 1) + [str(RETRY_SECONDS)] * 3


def test_a_part_of_a_page_is_told_to_ask_later_as_well() -> None:
    retry_seconds = list(answers(["/t/key/?totals=3"] * (BUSY_REQUESTS + 2), sent_by="true"))
    assert retry_seconds.count(str(RETRY_SECONDS)) == 3


@pytest.mark.parametrize("address", ["/t/key/", "/api/v1/games/1/"])
def test_who_does_not_ask_for_news_is_told_nothing(address: str) -> None:
    assert set(answers([address] * (BUSY_REQUESTS + 2))) == {""}


def test_what_went_wrong_keeps_its_own_pause() -> None:
    assert set(answers(["/t/key/?v=3"] * (BUSY_REQUESTS + 2), 503)) == {""}
