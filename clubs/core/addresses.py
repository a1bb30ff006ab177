"""The address of this installation; who opens it from nearby; what phones can reach."""

import re
import socket
from ipaddress import IPv4Address, IPv6Address, ip_address, ip_network
from typing import Final
from urllib.parse import urlsplit

import ifaddr
from django.conf import settings
from django.http import HttpRequest
from django.http.request import validate_host

from clubs.models import Installation

NEARBY: Final = "nearby"
OWN_ENDINGS: Final = (".local", ".lan", ".internal", ".home.arpa")  # of no name in the internet
PRIVATE_FOUR: Final = ("10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "169.254.0.0/16")
PRIVATE_SIX: Final = ("fc00::/7", "fe80::/10")
PRIVATE: Final = [ip_network(net) for net in (*PRIVATE_FOUR, *PRIVATE_SIX)]
SOMEWHERE: Final = ("10.255.255.255", 9)  # nothing is sent there: it only chooses the network
SECONDS: Final = 1.0
HTTP_PORT: Final = 80
# Networks within this machine, which no phone is on; and tunnels, which it is hardly ever on.
WITHIN: Final = re.compile(r"docker|podman|cni|veth|vethernet|br-|virbr|lxc|wsl|default switch")
TUNNELS: Final = re.compile(r"virtual|vbox|vmnet|tun|tap|tailscale|zerotier|wireguard|wg\d|ppp")
# What proxies, tunnels and content networks add to a request that they pass on.
FORWARDING: Final = re.compile(
    r"via|forwarded|x-(forwarded|original|envoy|proxy|cluster|amzn|azure|appengine)-.*|x-real-ip"
    r"|(.*-)?(connecting|client)-ip|cf-.*|cdn-loop|fly-.*|ngrok-.*|tailscale-.*",
    re.IGNORECASE,
)


def site_address() -> str:
    """Where links lead: TONGBOX_ADDRESS, else what was chosen in the browser, else localhost.

    Where what was chosen is of another network, the address of this computer goes before it.
    """
    own = f"http://localhost:{settings.PORT}"
    return settings.SITE_ADDRESS or settings.NETWORK_ADDRESS or chosen_address() or own


def chosen_address() -> str:
    return Installation.objects.values_list("address", flat=True).first() or ""


def opens_only_here(address: str) -> bool:
    """Whether an address leads back to whichever computer it is opened on, as localhost does."""
    host = urlsplit(address).hostname or ""
    number = _number(host)
    if number is None:
        return host == "localhost" or host.endswith(".localhost")
    return number.is_loopback or number.is_unspecified


def answers_to(host: str) -> bool:
    """Whether requests for a host (``club.example.org``, ``[::1]``) are answered: TONGBOX_HOSTS.

    ``nearby`` among them: every number, and names that exist only within a network. No page
    elsewhere can have a browser open Tongbox by one of those as if it were that page's own.
    """
    names = settings.ALLOWED_HOSTS
    if NEARBY not in names:
        return validate_host(host, names)
    own = [*OWN_ENDINGS, *(name for name in names if name != "*")]
    return is_number(host) or "." not in host or validate_host(host, own)


def is_number(host: str) -> bool:
    """Whether a host is a number, such as ``192.168.1.5``, ``2001:db8::1`` or ``[::1]``."""
    return _number(host.strip("[]")) is not None


def is_answered(address: str) -> bool:
    """Whether Tongbox answers to the host of an address, and the number, if any, is this machine's.

    The number of a public address may be that of a router before us. A container does not know the
    numbers of the machine that it runs on.
    """
    parts = urlsplit(address)
    host = parts.hostname or ""
    if not answers_to(f"[{host}]" if ":" in host else host):
        return False
    number = _number(host)
    is_elsewhere = number is None or not _is_private(number) or settings.IN_CONTAINER
    return is_elsewhere or _is_ours(host)


def reaches_phones(address: str, request: HttpRequest | None) -> bool:
    """Whether others can open the address; that of the page being read is answered."""
    if opens_only_here(address):
        return False
    here = urlsplit(request.build_absolute_uri("/")).hostname if request else None
    return urlsplit(address).hostname == here or is_answered(address)


def phone_addresses(request: HttpRequest) -> list[str]:
    """Addresses at which phones probably reach us: the one in use, and this machine's number.

    The second is only for readers nearby, whom it tells nothing new.
    """
    here = request.build_absolute_uri("/").rstrip("/")
    result = [] if opens_only_here(here) else [here]
    port = int(request.META["SERVER_PORT"] or 0)
    number = next(iter(own_numbers()), "") if port and is_nearby(request) else ""
    if number and is_answered(f"http://{number}") and _listens(number, port):
        result.append(f"http://{number}" if port == HTTP_PORT else f"http://{number}:{port}")
    return list(dict.fromkeys(result))


def is_nearby(request: HttpRequest) -> bool:
    """Whether a request comes from this machine or its own network, as far as it shows.

    Nobody may have passed it on, and it must ask for a host there: a page elsewhere that leads a
    browser to us asks for its own. Never behind HTTPS, nor in a container, where the whole internet
    may come from the number of its gateway.
    """
    if settings.BEHIND_TLS or settings.IN_CONTAINER or is_forwarded(request):
        return False
    host = urlsplit(request.build_absolute_uri("/")).hostname or ""
    if opens_only_here(f"http://{host}/"):
        host = "127.0.0.1"
    numbers = [_number(name) for name in (request.META.get("REMOTE_ADDR", ""), host)]
    return all(number is not None and _is_private(number) for number in numbers)


def is_forwarded(request: HttpRequest) -> bool:
    """Whether another web server passed the request on: it says so, or asks as no browser does.

    A server such as nginx that was given only ``proxy_pass`` adds nothing, but asks by HTTP/1.0.
    """
    is_old = request.META.get("SERVER_PROTOCOL") == "HTTP/1.0"
    return is_old or any(FORWARDING.fullmatch(name) for name in request.headers)


def _number(host: str) -> IPv4Address | IPv6Address | None:
    try:
        number = ip_address(host)
    except ValueError:
        return None
    mapped = number.ipv4_mapped if isinstance(number, IPv6Address) else None
    return mapped or number


def _is_private(number: IPv4Address | IPv6Address) -> bool:
    nets = (net for net in PRIVATE if net.version == number.version)
    return number.is_loopback or any(number in net for net in nets)


def _is_ours(number: str) -> bool:
    """Whether this machine has the number on one of its networks."""
    family = socket.AF_INET6 if ":" in number else socket.AF_INET
    with socket.socket(family, socket.SOCK_DGRAM) as trial:
        try:
            trial.bind((number, 0))
        except OSError:
            return False
    return True


def _listens(number: str, port: int) -> bool:
    """Whether a program of this machine takes connections there."""
    try:
        with socket.create_connection((number, port), timeout=SECONDS):
            return True
    except OSError:
        return False


def own_numbers() -> list[str]:
    """This machine's numbers on private networks, likeliest first: where phones may reach it.

    The network that leads to the internet comes first; tunnels, and networks where no router gave
    a number, come last. Networks that only programs of this machine share are left out.
    """
    usual = _usual_number()
    ranks: dict[str, tuple[bool, bool, bool]] = {}
    for adapter in _adapters():
        names = f"{adapter.name} {adapter.nice_name}".lower()
        for number in [ip_address(str(ip.ip)) for ip in adapter.ips if ip.is_IPv4]:
            if _is_private(number) and not number.is_loopback and not WITHIN.search(names):
                is_tunnel = bool(TUNNELS.search(names))
                ranks[str(number)] = (is_tunnel, number.is_link_local, str(number) != usual)
    return sorted(ranks, key=lambda number: ranks[number])


def _usual_number() -> str:
    """The number that this machine has on the network which leads outside; empty without one."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as trial:
        try:
            trial.connect(SOMEWHERE)
            number: str = trial.getsockname()[0]
        except OSError:
            return ""
    return number


def _adapters() -> list[ifaddr.Adapter]:
    """The networks of this machine; none where the system does not say."""
    try:
        return list(ifaddr.get_adapters())
    except OSError:
        return []
