"""The environment file that an operator fills in, filled in."""

from collections.abc import Iterator, Mapping
from pathlib import Path

EXAMPLE = Path(__file__).parents[1] / "env.example"


def named(text: str) -> dict[str, str]:
    """The variables of an environment file, in its order."""
    lines = (line.partition("=") for line in text.splitlines() if line and line[0] != "#")
    return {name: value.strip('"') for name, _, value in lines}


def filled(said: Mapping[str, str]) -> str:
    """``deploy/env.example`` with these values in their places; raises ``KeyError`` for others."""
    text = EXAMPLE.read_text()
    if strange := sorted(set(said) - set(named(text))):
        raise KeyError(f"deploy/env.example does not name {', '.join(strange)}")
    return "\n".join(_lines(text, said)) + "\n"


def _lines(text: str, said: Mapping[str, str]) -> Iterator[str]:
    for line in text.splitlines():
        name = line.partition("=")[0]
        yield f"{name}={said[name]}" if name in said else line
