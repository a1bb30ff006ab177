"""The engine's command line: `python -m scoring score|explain|settle|play|rules --rules KEY`."""

import argparse
import json
import os
import sys
from collections.abc import Sequence
from pathlib import Path

from scoring import sheet
from scoring.commands import COMMANDS, answers
from scoring.house import house_rules
from scoring.rulesets import UnknownRuleSet, rule_set


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command over standard input; 0 when every line was read, 2 for a wrong call."""
    parser = argparse.ArgumentParser(prog="python -m scoring", description=__doc__)
    commands = parser.add_subparsers(dest="command", required=True)
    for name in (*COMMANDS, "rules"):
        command = commands.add_parser(name)
        command.add_argument(
            "--rules", required=True, metavar="KEY", help="bmja, bmja/2008, or house-rules.json"
        )
        if name == "rules":
            command.add_argument("--format", choices=("text", "json"), default="text")
    called = parser.parse_args(arguments)
    try:
        rules = (
            house_rules(json.loads(Path(called.rules).read_text(encoding="utf-8")))
            if called.rules.endswith(".json")
            else rule_set(called.rules)
        )
    except (UnknownRuleSet, OSError, ValueError) as wrong:
        parser.error(str(wrong))
    if called.command == "rules":
        text = sheet.page(rules)
        if called.format == "json":
            text = json.dumps(sheet.as_json(rules), ensure_ascii=False, indent=1) + "\n"
        sys.stdout.buffer.write(text.encode())
        return 0
    try:
        for answer in answers(sys.stdin.buffer, COMMANDS[called.command], rules):
            print(answer, flush=True)
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    return 0


if __name__ == "__main__":
    sys.exit(main())
