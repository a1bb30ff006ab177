"""Writes the possible totals of the published rule sets anew: `python -m scoring.totals`."""

import json
import sys
import time
from collections.abc import Iterable, Iterator
from hashlib import sha256
from itertools import product
from pathlib import Path

from scoring.hands.hand import Hand
from scoring.hands.tiles import Wind
from scoring.rules.declarations import Succession
from scoring.rules.rule_set import RuleSet
from scoring.rulesets import edition_keys, rule_set
from scoring.totals.possible import (
    STAMP_FILE,
    TOTALS_FILE,
    fold_totals,
    reckon_totals,
    representative_player,
    situation,
)

_TABLE_SIZES = (2, 3, 4)
_ENGINE_FOLDER = Path(__file__).parents[1]
_SKIPPED_FOLDERS = {"scorebook", "batch"}  # they ask the engine and reckon nothing of their own


def situations(rules: RuleSet) -> Iterator[Hand]:
    """Every player whose totals are asked for at a table under these rules, told without tiles."""
    goulashes = (False, True) if rules.passing.goulash_after_a_draw else (False,)
    anybody_deals = rules.passing.succession is Succession.WINNER_DEALS
    players_by_situation = {}
    ends = (True, False) if rules.losers_score else (True,)
    for won, goulash, seat, prevailing in product(ends, goulashes, Wind, Wind):
        dealers = (False, True) if anybody_deals else (seat is Wind.E,)
        for players, dealer in product(sorted({*_TABLE_SIZES} & {*rules.seats}), dealers):
            player = Hand(
                seat_wind=seat,
                prevailing_wind=prevailing if rules.passing.prevailing else None,
                dealer=dealer,
                mahjong=won,
                players=players,
                goulash=goulash,
            )
            alike = representative_player(player, rules)
            players_by_situation[situation(alike)] = alike
    yield from players_by_situation.values()


def main() -> None:
    """Reckon every situation of every edition: minutes of the processor."""
    known = {}
    for key in edition_keys():
        rules, start = rule_set(key), time.process_time()
        rows = {
            situation(player): fold_totals(reckon_totals(player, rules))
            for player in situations(rules)
        }
        known[rules.key] = rows
        sys.stderr.write(f"{rules.key}: {len(rows)} in {time.process_time() - start:.0f} s\n")
    # A line for each situation, so that a change can be read.
    written = _json_object(
        (key, _json_object((name, json.dumps(runs)) for name, runs in rows.items()))
        for key, rows in known.items()
    )
    TOTALS_FILE.write_text(written, encoding="utf-8")
    STAMP_FILE.write_text(f"{engine_digest()}\n", encoding="utf-8")


def engine_digest() -> str:
    """SHA-256 of the engine's own modules: another engine may have other totals."""
    modules = sorted(
        _ENGINE_FOLDER.rglob("*.py"), key=lambda path: path.relative_to(_ENGINE_FOLDER).parts
    )
    ours = [
        path for path in modules if not _SKIPPED_FOLDERS & {*path.relative_to(_ENGINE_FOLDER).parts}
    ]
    return sha256(b"\0".join(path.read_bytes() for path in ours)).hexdigest()


def _json_object(items: Iterable[tuple[str, str]]) -> str:
    return "{\n" + ",\n".join(f"{json.dumps(key)}: {value}" for key, value in items) + "\n}\n"


if __name__ == "__main__":
    main()
