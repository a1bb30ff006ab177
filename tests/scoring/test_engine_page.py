"""What docs/engine.md shows is run here, and prints what the page says it prints."""

import contextlib
import io
import re
import shlex
import subprocess
import sys
from pathlib import Path
from typing import Any

from scoring import rule_set_keys

PAGE = (Path(__file__).parents[2] / "docs" / "engine.md").read_text()
BLOCKS = re.findall(r"```(\w+)\n(.*?)```", PAGE, flags=re.DOTALL)


def printed_by_the_page() -> list[str]:
    """What the blocks of Python print one after another, each knowing what went before."""
    known: dict[str, Any] = {}
    printed = []
    for language, block in BLOCKS:
        if language == "python":
            with contextlib.redirect_stdout(io.StringIO()) as said:
                exec(compile(block, "docs/engine.md", "exec"), known)  # noqa: S102 - our own page
            printed.append(said.getvalue())
    return printed


def test_the_page_prints_what_it_says() -> None:
    shown = [block for language, block in BLOCKS if language == "output"]
    assert len(shown) >= 5
    assert printed_by_the_page() == shown


def test_the_first_example_has_ten_lines() -> None:
    _language, first = BLOCKS[0]
    code = [line for line in first.splitlines() if line.strip() and "import" not in line]
    assert len(code) <= 10


def test_the_command_line_answers_as_on_the_page() -> None:
    consoles = [block.splitlines() for language, block in BLOCKS if language == "console"]
    assert consoles
    for command, *answer in consoles:
        said, _bar, called = command.removeprefix("$ ").partition(" | ")
        _echo, line = shlex.split(said)
        ran = subprocess.run(  # noqa: S603 - our own command
            [sys.executable, *shlex.split(called)[1:]],
            input=line,
            capture_output=True,
            text=True,
            check=True,
        )
        assert ran.stdout.splitlines() == answer


def test_the_page_names_every_rule_set() -> None:
    last = PAGE.rpartition("The rule sets are")[2]
    assert [key for key in rule_set_keys() if f"`{key}`" not in last] == []
