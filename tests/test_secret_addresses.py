"""No secret of an address comes into a log: those of every address are known, and masked."""

import re
from pathlib import Path
from typing import Final

import pytest

from config import gunicorn
from config.logs import mask_text
from tests.addresses import addresses

ROOT: Final = Path(__file__).parents[1]
SECRET: Final = "3kLmPq9xYzAbCdEf"
TEXT: Final = re.compile(r"<(?:str|slug|path|uuid):(?P<name>\w+)>|\(\?P<(?P<old>\w+)>[^)]*\)")
OPEN: Final = {
    "club": "the club’s own address",
    "day": "a date",
    "kind": "a kind of message or preference",
    "who": "whose guide",
    "area": "a part of the API’s description",
    "rest": "an address that there is not",
    "uidb36": "the number of an account",
    "job": "only who may see the club reads its jobs",
    "pk": "only who may see the club reads its jobs",
    "printout": "the name of a printout",
}
OF_A_BOOK: Final = re.compile(r"/(rules|score|books)/<path:key>/")  # the key of a rule set


def with_a_secret() -> list[str]:
    """Every address that has a secret, which stands where it is."""

    def fill_in(match: re.Match[str]) -> str:
        return "riverside" if (match["name"] or match["old"]) in OPEN else SECRET

    filled_addresses = (
        re.sub(r"<int:\w+>", "3", TEXT.sub(fill_in, OF_A_BOOK.sub(r"/\1/bmja/", address)))
        for address, _ in addresses()
    )
    return sorted({address for address in filled_addresses if SECRET in address})


def test_addresses_with_secrets_are_found() -> None:
    rooms = {address.strip("/").partition("/")[0] for address in with_a_secret()}
    assert {"t", "r", "w", "e", "come", "cal", "receipt", "invited", "start"} <= rooms
    assert {"mail-reports", "stop-emails", "accounts", "api"} <= rooms


@pytest.mark.parametrize("prefix", ["Not Found: ", "Service Unavailable: ", '"GET '])
def test_no_secret_of_an_address_is_in_the_log(prefix: str) -> None:
    assert [
        address for address in with_a_secret() if SECRET in mask_text(f"{prefix}{address}")
    ] == []


def test_a_web_process_writes_no_log_of_addresses() -> None:
    assert gunicorn.accesslog is None


def test_the_web_server_writes_no_secret_of_an_address() -> None:
    """What nginx writes of an address is what its map makes of it, and errors repeat none."""
    template = (ROOT / "deploy" / "nginx.conf.template").read_text(encoding="utf-8")
    places = re.findall(r'^    "~(\S+)" \S*KEY;$', template, re.MULTILINE)
    assert len(places) == 2
    key_patterns = [re.compile(place.replace("(?<", "(?P<")) for place in places]
    secret = [
        address
        for address in with_a_secret()
        if not any(place.match(address) for place in key_patterns)
    ]
    assert secret == []
    (of_a_log,) = re.findall(r"^log_format tongbox (.+?);$", template, re.MULTILINE | re.DOTALL)
    assert not set(re.findall(r"\$\w+", of_a_log)) & {"$request", "$request_uri", "$uri"}
    assert re.findall(r"^ *error_log \S+ (\w+);$", template, re.MULTILINE) == ["crit"]


@pytest.mark.parametrize("address", ["/c/riverside/members/", "/rules/bmja/", "/api/v1/clubs/"])
def test_addresses_without_a_secret_are_in_the_log(address: str) -> None:
    assert mask_text(f"Not Found: {address}") == f"Not Found: {address}"
