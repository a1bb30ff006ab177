"""The files and the guide for PostgreSQL on three machines say the same."""

import re
from pathlib import Path
from string import Template
from typing import Any

import pytest
import yaml
from django.conf import settings

from deploy.failover import fill_template

DEPLOY = Path(settings.BASE_DIR) / "deploy"
GUIDE = (DEPLOY / "several-machines.md").read_text(encoding="utf-8")
TEMPLATES = ["etcd.template", "haproxy.cfg.template", "patroni.yml.template"]


def words_of(template: str) -> set[str]:
    text = (DEPLOY / "cluster" / template).read_text(encoding="utf-8")
    return {word for word in Template(text).get_identifiers() if word.isupper()}


def patroni() -> Any:
    values = dict.fromkeys(words_of("patroni.yml.template"), "1")
    return yaml.safe_load(fill_template("patroni.yml.template", values))


def test_the_guide_gives_every_word_that_the_files_need_and_no_other() -> None:
    exported_words = {
        word
        for line in re.findall(r"^export (.+)", GUIDE, re.MULTILINE)
        for word in re.findall(r"\b([A-Z_]+)=", line.partition("#")[0])
    }
    assert exported_words == set().union(*map(words_of, TEMPLATES))


@pytest.mark.parametrize("template", TEMPLATES)
def test_a_word_that_is_not_filled_in_is_refused(template: str) -> None:
    values = dict.fromkeys(words_of(template), "1")
    assert "${" not in fill_template(template, values).replace("${words}", "")
    values.pop(sorted(values)[0])
    with pytest.raises(KeyError):
        fill_template(template, values)


def test_a_hand_is_on_two_disks_before_it_is_acknowledged() -> None:
    patroni_config = patroni()
    cluster_config = patroni_config["bootstrap"]["dcs"]
    assert cluster_config["synchronous_mode"] is True
    assert cluster_config["synchronous_mode_strict"] is False
    assert patroni_config["postgresql"]["parameters"]["synchronous_commit"] == "on"
    # What Patroni asks of these three, so that a leader gives way before another takes over.
    assert (
        cluster_config["loop_wait"] + 2 * cluster_config["retry_timeout"] <= cluster_config["ttl"]
    )


def test_each_server_is_set_as_the_one_of_a_single_machine() -> None:
    """But for where it listens, and what Patroni decides for all three."""
    lines = (DEPLOY / "postgresql.conf").read_text(encoding="utf-8").splitlines()
    single = dict(line.split(" = ") for line in lines if line and line[0] != "#")
    single = {name: value.strip("'") for name, value in single.items()}
    patroni_config = patroni()
    cluster_parameters = patroni_config["bootstrap"]["dcs"]["postgresql"]["parameters"]
    parameters = cluster_parameters | patroni_config["postgresql"]["parameters"]
    single.pop("listen_addresses")
    assert {name: str(parameters.get(name)) for name in single} == single
