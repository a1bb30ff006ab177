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

NEARBY_KEYWORD: Final = "nearby"
OWN_ENDINGS: Final = (".local", ".lan", ".internal", ".home.arpa")  # of no name in the internet
PRIVATE_IPV4: Final = ("10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "169.254.0.0/16")
PRIVATE_IPV6: Final = ("fc00::/7", "fe80::/10")
PRIVATE_NETWORKS: Final = [ip_network(net) for net in (*PRIVATE_IPV4, *PRIVATE_IPV6)]
PROBE_ADDRESS: Final = ("10.255.255.255", 9)  # nothing is sent there: it only chooses the network
CONNECT_SECONDS: Final = 1.0
HTTP_PORT: Final = 80
# Networks within this machine, which no phone is on; and tunnels, which it is hardly ever on.
INTERNAL_ADAPTERS: Final = re.compile(
    r"docker|podman|cni|veth|vethernet|br-|virbr|lxc|wsl|default switch"
)
TUNNEL_ADAPTERS: Final = re.compile(
    r"virtual|vbox|vmnet|tun|tap|tailscale|zerotier|wireguard|wg\d|ppp"
)
# What proxies, tunnels and content networks add to a request that they pass on.
FORWARDING_HEADERS: Final = re.compile(
    r"via|forwarded|x-(forwarded|original|envoy|proxy|cluster|amzn|azure|appengine)-.*|x-real-ip"
    r"|(.*-)?(connecting|client)-ip|cf-.*|cdn-loop|fly-.*|ngrok-.*|tailscale-.*",
    re.IGNORECASE,
)


def site_address() -> str:
    """Where links lead: TONGBOX_ADDRESS, else what was chosen in the browser, else localhost.

    Where what was chosen is of another network, the address of this computer goes before it.
    """
    local_address = f"http://localhost:{settings.PORT}"
    return settings.SITE_ADDRESS or settings.NETWORK_ADDRESS or chosen_address() or local_address


def chosen_address() -> str:
    return Installation.objects.values_list("address", flat=True).first() or ""


def is_local_only(address: str) -> bool:
    """Whether an address leads back to whichever computer it is opened on, as localhost does."""
    host = urlsplit(address).hostname or ""
    number = _parse_ip(host)
    if number is None:
        return host == "localhost" or host.endswith(".localhost")
    return number.is_loopback or number.is_unspecified


def is_served_host(host: str) -> bool:
    """Whether requests for a host (``club.example.org``, ``[::1]``) are answered: TONGBOX_HOSTS.

    ``nearby`` among them: every number, and names that exist only within a network. No page
    elsewhere can have a browser open Tongbox by one of those as if it were that page's own.
    """
    names = settings.ALLOWED_HOSTS
    if NEARBY_KEYWORD not in names:
        return validate_host(host, names)
    served_names = [*OWN_ENDINGS, *(name for name in names if name != "*")]
    return is_ip_address(host) or "." not in host or validate_host(host, served_names)


def is_ip_address(host: str) -> bool:
    """Whether a host is a number, such as ``192.168.1.5``, ``2001:db8::1`` or ``[::1]``."""
    return _parse_ip(host.strip("[]")) is not None


def is_served_address(address: str) -> bool:
    """Whether Tongbox answers to the host of an address, and the number, if any, is this machine's.

    The number of a public address may be that of a router before us. A container does not know the
    numbers of the machine that it runs on.
    """
    parts = urlsplit(address)
    host = parts.hostname or ""
    if not is_served_host(f"[{host}]" if ":" in host else host):
        return False
    number = _parse_ip(host)
    is_elsewhere = number is None or not _is_private(number) or settings.IN_CONTAINER
    return is_elsewhere or _is_own_ip(host)


def is_reachable_by_phones(address: str, request: HttpRequest | None) -> bool:
    """Whether others can open the address; that of the page being read is answered."""
    if is_local_only(address):
        return False
    current_host = urlsplit(request.build_absolute_uri("/")).hostname if request else None
    return urlsplit(address).hostname == current_host or is_served_address(address)


def phone_addresses(request: HttpRequest) -> list[str]:
    """Addresses at which phones probably reach us: the one in use, and this machine's number.

    The second is only for readers nearby, whom it tells nothing new.
    """
    current_address = request.build_absolute_uri("/").rstrip("/")
    result = [] if is_local_only(current_address) else [current_address]
    port = int(request.META["SERVER_PORT"] or 0)
    number = next(iter(own_ip_addresses()), "") if port and is_nearby(request) else ""
    if number and is_served_address(f"http://{number}") and _is_listening(number, port):
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
    if is_local_only(f"http://{host}/"):
        host = "127.0.0.1"
    numbers = [_parse_ip(name) for name in (request.META.get("REMOTE_ADDR", ""), host)]
    return all(number is not None and _is_private(number) for number in numbers)


def is_forwarded(request: HttpRequest) -> bool:
    """Whether another web server passed the request on: it says so, or asks as no browser does.

    A server such as nginx that was given only ``proxy_pass`` adds nothing, but asks by HTTP/1.0.
    """
    is_old = request.META.get("SERVER_PROTOCOL") == "HTTP/1.0"
    return is_old or any(FORWARDING_HEADERS.fullmatch(name) for name in request.headers)


def _parse_ip(host: str) -> IPv4Address | IPv6Address | None:
    try:
        number = ip_address(host)
    except ValueError:
        return None
    mapped_address = number.ipv4_mapped if isinstance(number, IPv6Address) else None
    return mapped_address or number


def _is_private(number: IPv4Address | IPv6Address) -> bool:
    nets = (net for net in PRIVATE_NETWORKS if net.version == number.version)
    return number.is_loopback or any(number in net for net in nets)


def _is_own_ip(number: str) -> bool:
    """Whether this machine has the number on one of its networks."""
    family = socket.AF_INET6 if ":" in number else socket.AF_INET
    with socket.socket(family, socket.SOCK_DGRAM) as trial:
        try:
            trial.bind((number, 0))
        except OSError:
            return False
    return True


def _is_listening(number: str, port: int) -> bool:
    """Whether a program of this machine takes connections there."""
    try:
        with socket.create_connection((number, port), timeout=CONNECT_SECONDS):
            return True
    except OSError:
        return False


def own_ip_addresses() -> list[str]:
    """This machine's numbers on private networks, likeliest first: where phones may reach it.

    The network that leads to the internet comes first; tunnels, and networks where no router gave
    a number, come last. Networks that only programs of this machine share are left out.
    """
    usual = _default_ip()
    ranks: dict[str, tuple[bool, bool, bool]] = {}
    for adapter in _adapters():
        names = f"{adapter.name} {adapter.nice_name}".lower()
        for number in [ip_address(str(ip.ip)) for ip in adapter.ips if ip.is_IPv4]:
            if (
                _is_private(number)
                and not number.is_loopback
                and not INTERNAL_ADAPTERS.search(names)
            ):
                is_tunnel = bool(TUNNEL_ADAPTERS.search(names))
                ranks[str(number)] = (is_tunnel, number.is_link_local, str(number) != usual)
    return sorted(ranks, key=lambda number: ranks[number])


def _default_ip() -> str:
    """The number that this machine has on the network which leads outside; empty without one."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as trial:
        try:
            trial.connect(PROBE_ADDRESS)
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
