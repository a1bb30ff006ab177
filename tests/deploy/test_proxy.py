"""nginx's own reader takes the filled-in template; collected where nginx and openssl are."""

import re
import subprocess
from http.client import HTTPConnection, HTTPSConnection
from pathlib import Path
from ssl import create_default_context

from deploy.servers import DEPLOY, Nginx
from tests.config.served import free_port


def test_nginx_takes_the_template(tmp_path: Path) -> None:
    proxy = Nginx.create(tmp_path, (free_port(), free_port()), [8001, 8002])
    command = [*proxy.program.command, "-t"]
    result = subprocess.run(command, capture_output=True, text=True, check=False)  # noqa: S603
    assert result.returncode == 0, result.stderr


def answer(port: int, path: str) -> tuple[int, bytes]:
    connection = HTTPConnection("127.0.0.1", port, timeout=10)
    connection.request("GET", path)
    response = connection.getresponse()
    page = response.status, response.read()
    connection.close()
    return page


def test_a_certificate_is_renewed_while_nginx_runs(tmp_path: Path) -> None:
    """certbot, as the page starts it, lays a file where nginx shows it without HTTPS."""
    page = (DEPLOY / "install.md").read_text()
    (command,) = re.findall(r"^certbot .*$", page, re.MULTILINE)
    assert "--webroot --webroot-path $TONGBOX_WEBROOT " in command
    proxy = Nginx.create(tmp_path, (free_port(), free_port()), [8001])
    challenge = tmp_path / "webroot" / ".well-known" / "acme-challenge"
    challenge.mkdir(parents=True)
    (challenge / "token").write_text("token.key")
    proxy.start()
    try:
        assert answer(proxy.http, "/.well-known/acme-challenge/token") == (200, b"token.key")
        assert answer(proxy.http, "/c/riverside/")[0] == 301
    finally:
        proxy.stop()


def test_while_no_service_answers_visitors_read_when_to_come_back(tmp_path: Path) -> None:
    proxy = Nginx.create(tmp_path, (free_port(), free_port()), [free_port()])
    context = create_default_context(cafile=str(proxy.certificate))
    proxy.start()
    try:
        connection = HTTPSConnection("127.0.0.1", proxy.https, context=context)
        connection.request("GET", "/c/riverside/")
        response = connection.getresponse()
        page = response.read().decode()
        connection.close()
    finally:
        proxy.stop()
    assert (response.status, response.headers["Retry-After"]) == (503, "30")
    assert "<title>Back in a few minutes – Tongbox</title>" in page
