"""What wakes an operator: each alert asks for figures that are told, and says what to do."""

import re
from pathlib import Path
from typing import Any, Final

import pytest
import yaml
from django.conf import settings
from django.test import Client
from django.urls import get_resolver

from config.metrics import exposition
from tests.test_doors import patterns

FOLDER: Final = Path(settings.BASE_DIR) / "deploy" / "prometheus"
NAME: Final = re.compile(r"\btongbox_\w+")
VIEWS: Final = re.compile(r'view=~"([^"]+)"')
AT_A_TABLE: Final = {
    f"{asked_by}{event}table{sent}"
    for asked_by in ("", "api-")
    for event in ("", "round-")
    for sent in ("", "-send")
}


@pytest.fixture(scope="module")
def rules() -> list[dict[str, Any]]:
    (group,) = yaml.safe_load((FOLDER / "alerts.yml").read_text())["groups"]
    return list(group["rules"])


@pytest.fixture
def told(db: None, client: Client) -> set[str]:
    """What was counted has its samples' names; what is looked up is there or may be."""
    text = client.get("/metrics").content.decode()
    kinds = re.findall(r"^# TYPE (\w+) (\w+)$", text, re.MULTILINE)
    names = {name for name, kind in kinds if kind != "histogram"}
    names |= {f"{name}_bucket" for name, kind in kinds if kind == "histogram"}
    return names | {f"tongbox_{name}" for name, _, _ in exposition.looked_up()}


@pytest.mark.sampled(law="long plays")
def test_every_figure_that_an_alert_asks_for_is_told(
    told: set[str], rules: list[dict[str, Any]]
) -> None:
    asked = {name for rule in rules for name in NAME.findall(rule["expr"])}
    assert len(asked) > 10
    assert asked - told == set()


def test_every_figure_in_the_trials_of_the_alerts_is_told(told: set[str]) -> None:
    trials = yaml.safe_load((FOLDER / "alerts_test.yml").read_text())["tests"]
    series = [one["series"] for trial in trials for one in trial["input_series"]]
    assert {name for one in series for name in NAME.findall(one)} - told == set()


def test_the_views_that_an_alert_names_are_those_where_hands_are_sent(
    rules: list[dict[str, Any]],
) -> None:
    names = {str(pattern.name) for pattern in patterns(get_resolver())}
    (asked,) = {found for rule in rules for found in VIEWS.findall(rule["expr"])}
    assert {name for name in names if re.fullmatch(asked, name)} == AT_A_TABLE


def test_every_alert_says_in_sentences_what_is_wrong_and_what_to_do(
    rules: list[dict[str, Any]],
) -> None:
    for rule in rules:
        said = rule["annotations"]
        assert said["summary"].endswith("."), rule["alert"]
        assert len(said["what_to_do"].split()) > 5, rule["alert"]
        assert rule["labels"]["severity"] in {"page", "look"}, rule["alert"]


def test_a_disputed_hand_wakes_nobody(rules: list[dict[str, Any]]) -> None:
    assert not any("judged" in rule["expr"] for rule in rules)
