"""An operator's files: each names what is there, and an alert says what to do."""

import ast
import fnmatch
import os
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml
from django.conf import settings
from django.core.management import get_commands
from django.test import Client
from django.urls import get_resolver

from config.metrics import exposition
from deploy.servers import ENV_EXAMPLE, fill_environment, read_environment, site_config
from tests.test_doors import patterns

ROOT = Path(settings.BASE_DIR)
DEPLOY = ROOT / "deploy"
UNITS = sorted((DEPLOY / "systemd").glob("*"))
READERS = {"text", "flag", "word_list", "number", "named_addresses"}
PROMETHEUS = DEPLOY / "prometheus"
FIGURE = re.compile(r"\btongbox_\w+")
VIEWS = re.compile(r'view=~"([^"]+)"')
AT_A_TABLE = {
    *(f"{event}table{suffix}" for event in ("", "round-") for suffix in ("", "-send")),
    *("api-game-hands", "api-game-batch"),
}
ALONE = {"database_settings": "DATABASE_URL", "email_settings": "EMAIL_URL"}


def variables_read() -> Iterator[str]:
    """Every name that ``config`` asks the environment for."""
    for path in (ROOT / "config").glob("*.py"):
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.Call):
                yield from _variables_in(node)


def _variables_in(call: ast.Call) -> Iterator[str]:
    name = getattr(call.func, "attr", getattr(call.func, "id", ""))
    if name in ALONE:
        yield ALONE[name]
    elif name in READERS and call.args and isinstance(call.args[0], ast.Constant):
        yield str(call.args[0].value)


def test_the_example_names_exactly_what_is_read() -> None:
    refused_variables = {"TONGBOX_CLUB_DATABASES"}
    assert (
        set(read_environment(ENV_EXAMPLE.read_text())) == set(variables_read()) - refused_variables
    )


def test_a_value_for_a_variable_that_nobody_reads_is_refused() -> None:
    with pytest.raises(KeyError, match="TONGBOX_NOTHING"):
        fill_environment({"TONGBOX_NOTHING": "1"})


def test_the_page_tells_every_variable() -> None:
    page = (DEPLOY / "README.md").read_text()
    assert [
        name for name in read_environment(ENV_EXAMPLE.read_text()) if f"`{name}`" not in page
    ] == []


@pytest.mark.parametrize("name", ["install.md", "roll-back.md"])
def test_a_page_that_asks_for_health_first_says_by_which_name(name: str) -> None:
    """``deploy.healthy`` asks as TONGBOX_HOSTS says; without it a sound service answers 400."""
    text_before, asks, _ = (DEPLOY / name).read_text().partition("-m deploy.healthy")
    assert asks
    shell_line = text_before.rpartition("cd ")[2].splitlines()[0]
    assert shell_line.endswith("&& set -a && . /etc/tongbox/tongbox.env && set +a")


def test_every_word_of_the_proxys_template_is_filled_in_by_the_page() -> None:
    variables = set(re.findall(r"\$\{(\w+)\}", (DEPLOY / "nginx.conf.template").read_text()))
    page = (DEPLOY / "install.md").read_text()
    assert variables == set(re.findall(r"^export (TONGBOX_\w+)=", page, re.MULTILINE))
    assert "${" not in site_config(dict.fromkeys(variables, "x"))


def test_pages_that_stop_the_web_services_stop_their_sockets() -> None:
    """systemd starts a stopped service again for the first visitor of a socket that listens."""
    pages = "".join(page.read_text(encoding="utf-8") for page in DEPLOY.glob("*.md"))
    assert set(re.findall(r"systemctl stop ([^\n`]*tongbox[^\n`]*)", pages)) == {"'tongbox*'"}


def test_commands_for_the_user_of_the_services_exist() -> None:
    pages = "".join(page.read_text(encoding="utf-8") for page in DEPLOY.glob("*.md"))
    assert os.access(DEPLOY / "manage", os.X_OK)
    assert set(re.findall(r"deploy/manage ([a-z_]+)", pages)) <= set(get_commands())


@pytest.fixture(scope="module")
def compose() -> Any:
    """What ``deploy/compose.yaml`` says, its anchors resolved."""
    return yaml.safe_load((DEPLOY / "compose.yaml").read_text())


def test_the_containers_name_only_what_there_is(compose: Any) -> None:
    services, volumes = compose["services"], set(compose["volumes"])
    for name, service in services.items():
        assert set(service.get("depends_on", {})) <= set(services), name
        for mount in service.get("volumes", []):
            source = mount.partition(":")[0]
            is_there = source in volumes or (DEPLOY / source).exists() or source.startswith("$")
            assert is_there, (name, mount)


def test_every_container_of_ours_is_hardened_and_told_where_the_servers_are(compose: Any) -> None:
    own_services = {
        name: definition
        for name, definition in compose["services"].items()
        if "build" in definition
    }
    assert set(own_services) == {"migrate", "web-1", "web-2", "worker", "beat"}
    for service in own_services.values():
        assert service["read_only"]
        assert service["cap_drop"] == ["ALL"]
        assert {"DATABASE_URL", "REDIS_URL", "TONGBOX_VAR"} <= set(service["environment"])


def test_the_proxys_container_fills_in_every_word(compose: Any) -> None:
    variables = set(re.findall(r"\$\{(\w+)\}", (DEPLOY / "nginx.conf.template").read_text()))
    assert variables == set(compose["services"]["nginx"]["environment"])


def test_a_container_waits_for_the_migrations_before_it_serves(compose: Any) -> None:
    for name in ("web-1", "web-2", "worker", "beat"):
        waits = compose["services"][name]["depends_on"]
        assert waits["migrate"] == {"condition": "service_completed_successfully"}


def test_backups_are_made_by_the_release_of_the_server_that_they_are_put_back_into(
    compose: Any,
) -> None:
    image = (DEPLOY / "Containerfile").read_text(encoding="utf-8")
    (client,) = re.findall(r"^ARG POSTGRESQL=(\d+)$", image, re.MULTILINE)
    (python_on,) = re.findall(r"^ARG BASE=python:\S+-slim-(\w+)$", image, re.MULTILINE)
    assert compose["services"]["postgres"]["image"] == f"postgres:{client}-{python_on}"


def test_whatever_a_container_writes_lies_in_a_volume(compose: Any) -> None:
    folders = {
        name: value
        for name, value in read_environment(ENV_EXAMPLE.read_text()).items()
        if value.startswith("/")
    }
    for name, service in compose["services"].items():
        if "build" in service:
            environment = {**folders, **service["environment"]}
            mounts = tuple(mount.split(":")[1] for mount in service["volumes"])
            outside = [key for key in folders if not environment[key].startswith(mounts)]
            assert outside == [], name


def test_every_name_of_a_test_on_the_servers_finds_one() -> None:
    block = re.search(r"^ON_SERVICES := .*?\n\n", (ROOT / "Makefile").read_text(), re.M | re.S)
    assert block
    names = [word.split(",")[-1].split("/")[-1] for word in re.findall(r"\S+\.py", block[0])]
    files = [path.name.removeprefix("test_") for path in (ROOT / "tests").rglob("test_*.py")]
    missing_names = [
        name for name in names if not fnmatch.filter(files, name.removeprefix("test_"))
    ]
    assert missing_names == []


def test_the_image_is_built_of_what_there_is() -> None:
    lines = (DEPLOY / "Containerfile").read_text(encoding="utf-8").splitlines()
    assert "COPY requirements.txt ." in lines
    assert (ROOT / "requirements.txt").exists()


@pytest.mark.parametrize("unit", UNITS, ids=lambda unit: unit.name)
def test_a_unit_starts_what_there_is_and_can_do_little_else(unit: Path) -> None:
    lines = unit.read_text().splitlines()
    if unit.suffix != ".service":
        return
    assert {"NoNewPrivileges=yes", "ProtectSystem=strict", "User=tongbox"} <= set(lines)
    for line in lines:
        if line.startswith("ExecStart="):
            folder, _, program = line.split()[0].rpartition("/")
            assert folder == "ExecStart=/srv/tongbox/current/.venv/bin"
            assert program in {"gunicorn", "celery", "python"}


@pytest.fixture(scope="module")
def rules() -> list[dict[str, Any]]:
    (group,) = yaml.safe_load((PROMETHEUS / "alerts.yml").read_text())["groups"]
    return list(group["rules"])


@pytest.fixture
def figure_names(db: None, client: Client) -> set[str]:
    """What was counted has its samples' names; what is looked up is there or may be."""
    text = client.get("/metrics").content.decode()
    kinds = re.findall(r"^# TYPE (\w+) (\w+)$", text, re.MULTILINE)
    names = {name for name, kind in kinds if kind != "histogram"}
    names |= {f"{name}_bucket" for name, kind in kinds if kind == "histogram"}
    return names | {f"tongbox_{name}" for name, _, _ in exposition.current_figures()}


@pytest.mark.sampled(law="long plays")
def test_every_figure_that_an_alert_asks_for_is_told(
    figure_names: set[str], rules: list[dict[str, Any]]
) -> None:
    alert_figures = {name for rule in rules for name in FIGURE.findall(rule["expr"])}
    assert len(alert_figures) > 10
    assert alert_figures - figure_names == set()


def test_every_figure_in_the_trials_of_the_alerts_is_told(figure_names: set[str]) -> None:
    trials = yaml.safe_load((PROMETHEUS / "alerts_test.yml").read_text())["tests"]
    series = [entry["series"] for trial in trials for entry in trial["input_series"]]
    assert {name for entry in series for name in FIGURE.findall(entry)} - figure_names == set()


def test_the_views_that_an_alert_names_are_those_where_hands_are_sent(
    rules: list[dict[str, Any]],
) -> None:
    names = {str(pattern.name) for pattern in patterns(get_resolver())}
    (view_pattern,) = {expression for rule in rules for expression in VIEWS.findall(rule["expr"])}
    assert {name for name in names if re.fullmatch(view_pattern, name)} == AT_A_TABLE


def test_every_alert_says_in_sentences_what_is_wrong_and_what_to_do(
    rules: list[dict[str, Any]],
) -> None:
    for rule in rules:
        annotations = rule["annotations"]
        assert annotations["summary"].endswith("."), rule["alert"]
        assert len(annotations["what_to_do"].split()) > 5, rule["alert"]
        assert rule["labels"]["severity"] in {"page", "look"}, rule["alert"]


def test_a_disputed_hand_wakes_nobody(rules: list[dict[str, Any]]) -> None:
    assert not any("judged" in rule["expr"] for rule in rules)
