"""Where phones reach this computer: on which network, and after it has joined another."""

import os
import socket
from collections.abc import Callable
from pathlib import Path
from typing import Any

import ifaddr
import pytest
import segno
from django.core.management import call_command
from django.test import Client
from pytest_django.fixtures import Settings

from clubs.core import addresses
from clubs.core.addresses import own_ip_addresses, site_address
from clubs.models import Installation
from config.reach import Reach, is_free, is_tongbox, qr_code, set_port
from tests.config.served import free_port

ROOT = Path(__file__).resolve().parents[2]
Networks = Callable[..., None]


def network(name: str, *numbers: str) -> ifaddr.Adapter:
    ips = [ifaddr.IP(number, 24, name) for number in numbers]
    return ifaddr.Adapter(name, name, [ifaddr.IP(("fe80::1", 0, 2), 64, name), *ips])


@pytest.fixture
def networks(monkeypatch: pytest.MonkeyPatch) -> Networks:
    """Gives this computer the networks that a system may report."""
    loopback = network("lo", "127.0.0.1")

    def join_networks(*adapters: ifaddr.Adapter) -> None:
        monkeypatch.setattr(ifaddr, "get_adapters", lambda: [loopback, *adapters])

    join_networks()
    return join_networks


@pytest.fixture
def hosts(settings: Settings) -> list[str]:
    result = ["localhost", "127.0.0.1", "[::1]"]
    settings.ALLOWED_HOSTS, settings.SITE_ADDRESS, settings.NETWORK_ADDRESS = result, "", ""
    return result


@pytest.mark.parametrize(
    ("adapters", "numbers"),
    [
        ([], []),
        ([network("wlan0", "192.168.1.20")], ["192.168.1.20"]),
        ([network("docker0", "172.17.0.1"), network("cni-podman0", "10.88.0.1")], []),
        ([network("vEthernet (Default Switch)", "172.20.0.1"), network("Wi-Fi", "10.0.0.7")],
         ["10.0.0.7"]),
        ([network("tun0", "10.8.0.2"), network("en0", "192.168.0.9")],
         ["192.168.0.9", "10.8.0.2"]),
        ([network("eth0", "169.254.7.7"), network("wlan0", "192.168.0.9")],
         ["192.168.0.9", "169.254.7.7"]),
        ([network("Microsoft Wi-Fi Direct Virtual Adapter", "192.168.137.1")], ["192.168.137.1"]),
        ([network("ppp0", "81.2.69.142")], []),
    ],
)  # fmt: skip
def test_the_likeliest_network_of_this_computer_comes_first(
    networks: Networks, adapters: list[ifaddr.Adapter], numbers: list[str]
) -> None:
    networks(*adapters)
    assert own_ip_addresses() == numbers


def test_the_network_that_leads_outside_comes_before_another(
    networks: Networks, monkeypatch: pytest.MonkeyPatch
) -> None:
    networks(network("eth0", "10.0.0.5"), network("eth1", "192.168.7.7"))
    monkeypatch.setattr(addresses, "_default_ip", lambda: "192.168.7.7")
    assert own_ip_addresses() == ["192.168.7.7", "10.0.0.5"]


def test_a_system_that_does_not_say_its_networks_has_none(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse() -> None:
        raise OSError(13, "Permission denied")

    monkeypatch.setattr(ifaddr, "get_adapters", refuse)
    assert own_ip_addresses() == []


@pytest.mark.django_db
def test_tongbox_answers_to_its_own_numbers_and_to_no_other(
    networks: Networks, hosts: list[str]
) -> None:
    networks(network("wlan0", "192.168.1.20"))
    reach = Reach(8000)
    assert reach.look()
    assert reach.phones == ["http://192.168.1.20:8000"]
    name = socket.gethostname().lower().partition(".")[0]
    assert {"192.168.1.20", name, f"{name}.local"} <= {*hosts}
    for host, status in (("192.168.1.20:8000", 200), ("192.168.1.21", 400), ("evil.test", 400)):
        assert Client().get("/healthz/", headers={"host": host}).status_code == status
    assert not reach.look()


@pytest.mark.django_db
def test_who_is_answered_to_can_be_said_in_the_environment(
    networks: Networks, hosts: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TONGBOX_HOSTS", "localhost")
    networks(network("wlan0", "192.168.1.20"))
    hosts_before = [*hosts]
    Reach(8000).look()
    assert hosts == hosts_before


@pytest.mark.django_db
def test_qr_codes_follow_the_computer_to_another_network(
    networks: Networks, hosts: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    own_addresses = {"192.168.1.20"}
    monkeypatch.setattr(addresses, "_is_own_ip", lambda number: number in own_addresses)
    networks(network("wlan0", "192.168.1.20"))
    reach = Reach(8000)
    reach.look()
    assert site_address() == "http://localhost:8000"  # a club that is not there chooses its own
    call_command("found_club", "Hill Top", "ann@example.org")
    reach.look()
    assert site_address() == "http://192.168.1.20:8000"
    Installation.objects.update_or_create(pk=1, defaults={"address": "http://192.168.1.20:8000"})
    networks(network("wlan0", "10.1.1.4"))
    own_addresses.clear()
    assert reach.look()
    assert site_address() == "http://10.1.1.4:8000"
    networks()
    assert reach.look()
    assert site_address() == "http://192.168.1.20:8000"
    Installation.objects.update(address="https://club.example.org")
    networks(network("wlan0", "10.1.1.4"))
    reach.look()
    assert site_address() == "https://club.example.org"


@pytest.mark.django_db
def test_it_says_where_to_open_it(
    networks: Networks, hosts: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    reach = Reach(8000)
    reach.look()
    reach.describe()
    assert "it is not on a Wi-Fi network" in capsys.readouterr().out
    networks(network("wlan0", "192.168.1.20"), network("tun0", "10.8.0.2"))
    reach.look()
    reach.describe()
    assert capsys.readouterr().out.splitlines()[3:] == [
        "  On this computer   http://localhost:8000",
        "  On phones          http://192.168.1.20:8000",
        "  Or try             http://10.8.0.2:8000",
    ]


@pytest.mark.django_db
def test_links_lead_to_the_port_that_is_served(
    hosts: list[str], settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TONGBOX_PORT", "")
    settings.PORT = 8000
    set_port(8180)
    assert site_address() == "http://localhost:8180"
    assert os.environ["TONGBOX_PORT"] == "8180"  # for what our child processes write


def test_make_run_speaks_of_the_port_that_it_serves() -> None:
    recipe = (ROOT / "Makefile").read_text().partition("\nrun: ready\n")[2].partition("\n\n")[0]
    assert recipe.splitlines()[0] == "\tTONGBOX_PORT=$(PORT) $(BIN)/python manage.py sample_data"


def test_the_qr_code_on_the_screen_is_that_of_the_address() -> None:
    address = "http://192.168.1.20:8000"
    squares = {" ": (1, 1), "▀": (0, 1), "▄": (1, 0), "█": (0, 0)}
    rows: list[tuple[int, ...]] = []
    for line in qr_code(address).splitlines():
        pairs = [squares[letter] for letter in line[2:]]
        rows += [tuple(pair[0] for pair in pairs), tuple(pair[1] for pair in pairs)]
    matrix = segno.make(address, micro=False, error="m").matrix_iter(border=2)
    expected = [tuple(int(square) for square in row) for row in matrix]
    assert rows[: len(expected)] == expected


def test_a_port_is_free_or_tongboxs_or_anothers(live_server: Any) -> None:
    port = free_port()
    assert (is_free(port), is_tongbox(port)) == (True, False)
    with socket.create_server(("127.0.0.1", port)) as listener:
        listener.settimeout(5)
        assert not is_free(port)
    tongbox = int(live_server.url.rpartition(":")[2])
    assert (is_free(tongbox), is_tongbox(tongbox)) == (False, True)
