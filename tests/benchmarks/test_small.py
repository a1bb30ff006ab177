"""Each benchmark runs at its smallest and prints figures, so that its README can be repeated."""

from pathlib import Path

import pytest
from django.conf import settings

from tests.benchmarks.runs import ALONE, ELSEWHERE, ON_POSTGRESQL, figures_of
from tests.sampling import sample_of


@pytest.mark.parametrize("name", sample_of(ALONE, law="benchmarks"))
def test_a_benchmark_prints_its_figures(name: str, tmp_path: Path) -> None:
    command, smaller = ALONE[name]
    figures_of(command, smaller, TONGBOX_VAR=str(tmp_path))


def test_every_benchmark_is_tried() -> None:
    runs = [
        *ALONE.values(),
        *(benchmark_run for chain in ON_POSTGRESQL.values() for benchmark_run in chain),
    ]
    files = (settings.BASE_DIR / "benchmarks").glob("*.py")
    commands = {file.stem for file in files if "__main__" in file.read_text(encoding="utf-8")}
    assert {command.split()[0] for command, _ in runs} | ELSEWHERE == commands
