"""A hand that someone made: its tiles as they were counted, and its name where it has one."""

from collections.abc import Iterator, Mapping
from typing import Any

from scoring.scorebook.editions import rule_set

Told = Mapping[str, Any]
Tiles = tuple[tuple[str, ...], ...]


def tiles_of(report: Told, lines: Told, seat: int) -> Tiles:
    """The sets of a seat as they were counted, then its flowers and seasons, as codes of tiles.

    Empty where only the total was told.
    """
    return tuple(_groups(report.get("tiles", {}).get(str(seat), {}), lines.get(str(seat), {})))


def _groups(told: Told, counted: Told) -> Iterator[tuple[str, ...]]:
    in_hand = counted.get("arrangement") or [{"tiles": told.get("concealed", [])}]
    for group in (*told.get("sets", []), *in_hand, {"tiles": told.get("bonus", [])}):
        if group["tiles"]:
            yield tuple(group["tiles"])


def special_name(lines: Told, seat: int, rules: str) -> str:
    """What the special hand of a seat is called under these rules; empty where it is none."""
    key = lines.get(str(seat), {}).get("special")
    return special_names(rules).get(key, str(key).replace("_", " ").capitalize()) if key else ""


def special_names(rules: str) -> Mapping[str, str]:
    """The special hands of the rules with that key, by their own keys, in the book's order."""
    book = rule_set(rules)
    doubled = {hand.key: hand.name for hand in book.doubled_hands}
    return doubled | {hand.key: hand.name for hand in book.specials}
