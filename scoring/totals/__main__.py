"""Writes the possible totals of the published rule sets anew: `python -m scoring.totals`."""

import ast
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
_DOCUMENTED_NODES = (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)


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
            representative = representative_player(player, rules)
            players_by_situation[situation(representative)] = representative
    yield from players_by_situation.values()


def main() -> None:
    """Reckon every situation of every edition: minutes of the processor."""
    totals_by_edition = {}
    for key in edition_keys():
        rules, start = rule_set(key), time.process_time()
        rows = {
            situation(player): fold_totals(reckon_totals(player, rules))
            for player in situations(rules)
        }
        totals_by_edition[rules.key] = rows
        sys.stderr.write(f"{rules.key}: {len(rows)} in {time.process_time() - start:.0f} s\n")
    # A line for each situation, so that a change can be read.
    text = _json_object(
        (key, _json_object((name, json.dumps(runs)) for name, runs in rows.items()))
        for key, rows in totals_by_edition.items()
    )
    TOTALS_FILE.write_text(text, encoding="utf-8")
    STAMP_FILE.write_text(f"{engine_digest()}\n", encoding="utf-8")


def engine_digest() -> str:
    """SHA-256 of what the engine's own modules do: another engine may have other totals.

    Docstrings, comments and layout are left out, since no total depends on them.
    """
    modules = sorted(
        _ENGINE_FOLDER.rglob("*.py"), key=lambda path: path.relative_to(_ENGINE_FOLDER).parts
    )
    engine_modules = [
        path for path in modules if not _SKIPPED_FOLDERS & {*path.relative_to(_ENGINE_FOLDER).parts}
    ]
    programs = (program_of(path.read_text(encoding="utf-8")) for path in engine_modules)
    return sha256("\n".join(programs).encode()).hexdigest()


def program_of(source: str) -> str:
    """What a module does, as one line of JSON."""
    return json.dumps(_syntax_lists(ast.parse(source)))


def _syntax_lists(node: object) -> object:
    """A syntax tree as lists, without positions or docstrings, the same under every Python."""
    if isinstance(node, list):
        return [_syntax_lists(part) for part in node]
    if not isinstance(node, ast.AST):
        return repr(node)
    fields = {name: value for name, value in ast.iter_fields(node) if value not in (None, [])}
    if isinstance(node, _DOCUMENTED_NODES) and ast.get_docstring(node) is not None:
        fields["body"] = node.body[1:]
    # A field without a value is left out: later Pythons have more of them.
    return [type(node).__name__, *((name, _syntax_lists(value)) for name, value in fields.items())]


def _json_object(items: Iterable[tuple[str, str]]) -> str:
    return "{\n" + ",\n".join(f"{json.dumps(key)}: {value}" for key, value in items) + "\n}\n"


if __name__ == "__main__":
    main()
