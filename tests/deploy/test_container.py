"""The image, built and played: from an empty volume to an evening that is still there later."""

import json
import os
import re
import threading
from collections.abc import Iterator
from http.cookiejar import CookieJar
from pathlib import Path
from urllib.parse import urlencode
from urllib.request import HTTPCookieProcessor, build_opener

import pytest

from tests.config.served import wait_until
from tests.config.test_api import example
from tests.deploy.containers import HARDENED, IMAGE, LIMITS, NEEDED, Container, Engine, missing

PASSWORD = "seven lucky sparrows"
EMAIL = "margaret@example.org"
NAMES = ("Ann", "Ben", "Cy", "Di", "Eve", "Flo", "Gus", "Hal")
CODE = re.compile(r"set-up code, which is ([A-Z2-7-]{19})$", re.MULTILINE)
TOKEN = re.compile(r'name="csrfmiddlewaretoken" value="(\w+)"')


@pytest.fixture(scope="module")
def engine(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Engine]:
    """Podman, with the image of this source."""
    assert missing() == [], f"install {', '.join(NEEDED)}, and be root"
    new_engine = Engine(tmp_path_factory.mktemp("container"))
    try:
        new_engine.make_base()
        new_engine.build()
        yield new_engine
    finally:
        new_engine.close()


@pytest.fixture
def container(engine: Engine, request: pytest.FixtureRequest) -> Container:
    """One with an empty volume and no settings at all, as strictly kept as can be."""
    name = request.node.name
    return Container(engine, name, *HARDENED, "--volume", f"{name}:/data")


def set_up(container: Container) -> None:
    """Fill in the first page, with the code from the log."""
    browser = build_opener(HTTPCookieProcessor(CookieJar()))
    with browser.open(container.address) as page:
        (token,) = TOKEN.findall(page.read().decode())
    (code,) = CODE.findall(container.log())
    fields = {"name": "Hill Top Tiles", "rules": "bmja", "person": "Margaret Hill", "email": EMAIL}
    fields |= {"code": code, "password1": PASSWORD, "password2": PASSWORD}
    fields |= {"csrfmiddlewaretoken": token, "address": "http://192.168.1.20:8000"}
    with browser.open(f"{container.address}/set-up/", urlencode(fields).encode()) as page:
        assert page.url == f"{container.address}/c/hill-top-tiles/"
        assert "Welcome to Hill Top Tiles." in page.read().decode()


def play(container: Container) -> list[str]:
    """Sign in, add members, and play an evening through the API; the lines of its result."""
    module = example()
    club = module.Tongbox(container.address, "hill-top-tiles")
    club.sign_in(EMAIL, PASSWORD)
    for name in NAMES:
        club.post("players/", name=name)
    lines = list(module.play_an_evening(club, "2026-12-01"))
    return lines[lines.index("") + 1 :]


def result(container: Container) -> list[str]:
    """The same lines, read again."""
    module = example()
    club = module.Tongbox(container.address, "hill-top-tiles")
    club.sign_in(EMAIL, PASSWORD)
    (evening,) = club.every("evenings/")
    rows = club.every(f"evenings/{evening['id']}/result/")
    return [f"{row['place']:>2}  {row['name']:<28}{row['points']:>7,}" for row in rows]


def test_an_evening_in_a_container_outlasts_it(container: Container, engine: Engine) -> None:
    set_up(container)
    lines = play(container)
    assert len(lines) == 8
    assert container.status("/readyz/") == 200
    engine.do("healthcheck", "run", container.name)
    backup = container.inside("python", "manage.py", "back_up")
    assert "It was restored as a test and gave the same digest" in backup
    status, seconds = container.stop()
    assert (status, seconds < 20) == (0, True)
    container.start()
    assert result(container) == lines
    assert "set-up code" not in container.log().rpartition("Tongbox is open")[2]
    engine.do("rm", "--force", container.name)
    volume = ("--volume", f"{container.name}:/data")
    new_container = Container(engine, "renewed", *HARDENED, *volume)
    assert result(new_container) == lines
    assert new_container.stop()[0] == 0
    (file,) = re.findall(r"/data/backups/\S+\.tar\.gz", backup)
    move = "mkdir /data/before && mv /data/tongbox.sqlite3* /data/before/"
    engine.run(*volume, IMAGE, "sh", "-c", move)
    assert "The digest is the same" in engine.run(*volume, IMAGE, "restore", file).stdout
    new_container.start()
    assert result(new_container) == lines


@pytest.mark.parametrize(
    ("host", "status"),
    [
        ("192.168.1.20:8000", 200),
        ("nas:8000", 200),
        ("nas.local", 200),
        ("[fd00::20]:8000", 200),
        ("club.example.org", 400),
    ],
)
def test_it_answers_in_its_own_network_without_any_settings(
    serving: Container, host: str, status: int
) -> None:
    assert serving.status("/set-up/", host) == status


@pytest.fixture(scope="module")
def serving(engine: Engine) -> Container:
    """One that many tests look at."""
    return Container(engine, "serving", *HARDENED, "--volume", "serving:/data")


def test_everyone_is_asked_for_the_code_for_all_come_from_the_gateway(serving: Container) -> None:
    with build_opener().open(f"{serving.address}/set-up/") as page:
        assert "Set-up code" in page.read().decode()


def test_it_does_not_run_as_root_and_writes_to_the_volume_alone(
    serving: Container, engine: Engine
) -> None:
    assert serving.inside("id", "-u").strip() == "1000"
    (status,) = re.findall(r"^Uid:\s+(\d+)", serving.inside("cat", "/proc/1/status"), re.MULTILINE)
    assert status == "1000"
    config = json.loads(engine.do("image", "inspect", IMAGE).stdout)[0]["Config"]
    assert (config["Volumes"], config["User"]) == ({"/data": {}}, "1000:1000")
    places = "for at in / /srv/tongbox /var/lib /data; do test -w $at && echo $at; done || true"
    assert serving.inside("sh", "-c", places).split() == ["/data"]


def test_static_files_are_of_the_image_and_not_of_the_volume(serving: Container) -> None:
    with build_opener().open(f"{serving.address}/set-up/") as page:
        styles = re.findall(r'href="(/static/\S+\.css)"', page.read().decode())
    assert [serving.status(path) for path in styles] == [200] * len(styles)
    assert len(styles) > 1
    assert "static" not in serving.inside("ls", "/data").split()


def test_nothing_of_the_way_to_packages_is_left_in_the_image(serving: Container) -> None:
    assert serving.inside("sh", "-c", "cat /etc/pip.conf /etc/lent.crt 2>/dev/null || true") == ""
    assert "missing" in serving.inside("sh", "-c", "command -v pip || echo missing")


def test_any_user_may_run_it_who_can_write(engine: Engine, tmp_path: Path) -> None:
    os.chown(tmp_path, 4321, 4321)
    user_options = ("--user", "4321:4321", "--volume", f"{tmp_path}:/data")
    assert Container(engine, "theirs", *HARDENED, *user_options).status("/readyz/") == 200
    assert (tmp_path / "tongbox.sqlite3").stat().st_uid == 4321


def test_a_folder_that_cannot_be_written_is_said(engine: Engine, tmp_path: Path) -> None:
    answer = engine.run("--volume", f"{tmp_path}:/data", IMAGE, is_good=False)
    assert answer.returncode == 1
    assert "Tongbox cannot write to /data, so it has not started." in answer.stdout
    assert "chown -R 1000:1000" in answer.stdout
    assert "Traceback" not in answer.stdout


def test_words_after_the_image_are_commands(engine: Engine) -> None:
    volume = ("--volume", "words:/data")
    process = engine.run(*HARDENED, *volume, IMAGE, "found_club", "Hill Top", "ann@example.org")
    assert "Hill Top" in process.stdout
    assert "the same digest" in engine.run(*HARDENED, *volume, IMAGE, "back_up").stdout
    assert re.search(r"^5\.\d", engine.run(IMAGE, "celery", "--version").stdout, re.MULTILINE)


def test_two_that_start_at_once_on_one_volume_both_serve(engine: Engine) -> None:
    started_containers: list[Container] = []

    def start(name: str) -> None:
        started_containers.append(Container(engine, name, "--volume", "shared:/data"))

    threads = [threading.Thread(target=start, args=(f"at-once-{n}",)) for n in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert [started_container.status("/readyz/") for started_container in started_containers] == [
        200,
        200,
    ]
    assert not [
        started_container.log()
        for started_container in started_containers
        if "Error" in started_container.log()
    ]


@pytest.mark.parametrize(
    "moment", ["test -e /data/starting.lock", "grep -q gunicorn /proc/1/cmdline"]
)
def test_one_that_is_stopped_while_it_starts_ends_soon(engine: Engine, moment: str) -> None:
    name = f"stopped-{moment.split(maxsplit=1)[0]}"
    container = Container.__new__(Container)
    container.engine, container.name = engine, name
    engine.do("run", "--detach", "--name", name, *LIMITS, IMAGE)
    look = ("exec", name, "sh", "-c", moment)
    assert wait_until(lambda: engine.do(*look, is_good=False).returncode == 0, seconds=60)
    assert container.stop()[1] < 20
