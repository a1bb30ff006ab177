"""The engine's command line: `python -m scoring score|explain|settle|play|rules --rules KEY`."""

import argparse
import io
import json
import os
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import Final, cast

from scoring import sheet
from scoring.explaining import explain, near_specials
from scoring.hands.problems import BadHand, BadInput, Code, Problem, shorten
from scoring.hands.tiles import Wind
from scoring.house import house_rules
from scoring.pricing.reckoning import reckoning_as_json, reckoning_as_text, score
from scoring.reading.notation import (
    JsonFields,
    hand_from_json,
    plain_hand,
    read_items,
    read_wind,
    read_won_by,
    whole_number,
)
from scoring.rules.rule_set import RuleSet
from scoring.rulesets import UnknownRuleSet, rule_set
from scoring.table.contradictions import ending_contradictions
from scoring.table.progression import deals, outcome_problems
from scoring.table.settlement import Ending, settlement_of, settlement_problems

JsonObject = dict[str, object]
LineCommand = Callable[[object, RuleSet], JsonObject]
_DEFAULT_ROUNDS: Final[int | None] = 4
_SEATS: Final = frozenset("12345")
_READ_SIZE: Final = 1 << 14
_WHITESPACE: Final = " \t\r"
_decode_json: Final = json.JSONDecoder().raw_decode
_quote_json: Final = json.encoder.encode_basestring_ascii


def read_lines(stream: io.BufferedReader) -> Iterator[list[bytes]]:
    """The lines of the stream as they arrive: those that are there, without waiting for more.

    The parts of an unfinished line are joined once, when its end is there: to join them at each
    read would take a line of 20 MB the square of its length.
    """
    parts: list[bytes] = []
    while chunk := stream.read1(_READ_SIZE):
        end, *other_parts = chunk.split(b"\n")
        parts.append(end)
        if other_parts:
            *lines, start = other_parts
            yield [b"".join(parts), *lines]
            parts = [start]
    if line := b"".join(parts):
        yield [line]


def answer_lines(lines: Iterable[bytes], command: LineCommand, rules: RuleSet) -> Iterator[str]:
    """The line of JSON that answers each line, in order."""
    quick = command is score_line
    for line in lines:
        text = quick_score(line, rules) if quick else None
        yield text or json.dumps(answer_line(line, command, rules))


def quick_score(line: bytes, rules: RuleSet) -> str | None:
    """The answer of `score` to a line where every field is plain; None for any other line."""
    try:
        text = line.decode().strip(_WHITESPACE)
        fields, end = _decode_json(text)
        hand = plain_hand(fields) if end == len(text) else None
        if hand is None:
            return None
        answer = reckoning_as_text(score(hand, rules))
    except (ValueError, RecursionError):
        return None
    name = fields.get("id")
    if name is None:
        return f'{{"id": null, "valid": true, {answer[1:]}'
    return (
        f'{{"id": {_quote_json(name)}, "valid": true, {answer[1:]}' if type(name) is str else None
    )


def answer_line(line: bytes, command: LineCommand, rules: RuleSet) -> JsonObject:
    """What the command says to one line; `valid` is False where it has problems."""
    name: object = None
    try:
        try:
            fields: object = json.loads(line)
        except (ValueError, RecursionError):
            params = {"expected": "a line of JSON"}
            raise BadInput([Problem(Code.NOT_AN_OBJECT, "", params)]) from None
        line_id = fields.get("id") if isinstance(fields, dict) else None
        # A string, or a number that someone counted with.
        if line_id is not None and not isinstance(line_id, str) and whole_number(line_id) is None:
            params = {"found": shorten(line_id), "expected": "a string"}
            raise BadInput([Problem(Code.BAD_VALUE, "id", params)])
        name = line_id
        return {"id": name, "valid": True} | command(fields, rules)
    except BadInput as bad:
        return {"id": name} | _invalid_answer(bad)


def _invalid_answer(bad: BadInput) -> JsonObject:
    return {"valid": False, "problems": [problem.as_json() for problem in bad.problems]}


def score_line(fields: object, rules: RuleSet) -> JsonObject:
    """`score`: one player's hand."""
    return reckoning_as_json(score(plain_hand(fields) or hand_from_json(fields, rules), rules))


def settle_line(fields: object, rules: RuleSet) -> JsonObject:
    """`settle`: who pays whom for one hand."""
    json_fields = JsonFields(fields, "the JSON object of a hand's scores")
    if not json_fields.is_object:
        raise BadInput(json_fields.problems)
    scores: dict[Wind, int] = json_fields.required("scores", _read_scores, default={})
    winner = json_fields.required("winner", _read_wind_or_none, default=None)
    dealer = json_fields.optional("dealer", read_wind, default=Wind.E)
    won_by = json_fields.optional("won_by", read_won_by, default=None, null=True)
    discarder = json_fields.optional("discarder", _read_wind_or_none, default=None)
    pays_for_all = json_fields.optional("pays_for_all", _read_wind_or_none, default=None)
    ending = Ending(winner, dealer, won_by, discarder, pays_for_all)
    problems = [
        *json_fields.problems,
        *settlement_problems(scores, ending, rules, _unread_fields(json_fields)),
    ]
    if problems:
        raise BadInput(problems)
    json_fields.notice_unknown("a settlement")
    json_fields.notices += ending_contradictions(ending, rules)
    return settlement_of(scores, ending, rules).as_json() | _notices_as_json(json_fields)


def _unread_fields(json_fields: JsonFields) -> frozenset[str]:
    """The fields that could not be read; of a score that is no number the seat was read."""
    problems = (problem for problem in json_fields.problems if problem.code is not Code.BAD_SCORE)
    return frozenset(problem.path.partition(".")[0] for problem in problems)


def play_line(fields: object, rules: RuleSet) -> JsonObject:
    """`play`: whose deal each hand was, and the next."""
    json_fields = JsonFields(fields, "the JSON object of a game's outcomes")
    outcomes: list[int | None] = json_fields.required("outcomes", _read_outcomes, default=[])
    rounds: int | None = json_fields.optional("rounds", _read_rounds, default=_DEFAULT_ROUNDS)
    seats = json_fields.optional("seats", _read_seats, default=4)
    dealer = json_fields.optional("dealer", _read_dealer, default=1)
    if json_fields.problems:
        has_seats = "seats" not in _unread_fields(json_fields)
        more_problems = outcome_problems(outcomes, seats=seats, rules=rules) if has_seats else ()
        raise BadInput([*json_fields.problems, *more_problems])
    progress = deals(outcomes, rules=rules, seats=seats, wind_rounds=rounds, dealer=dealer)
    hands = [deal.as_json() for deal in progress.deals]
    json_fields.notice_unknown("a game")
    return {"hands": hands, "finished": progress.is_finished} | _notices_as_json(json_fields)


def _notices_as_json(json_fields: JsonFields) -> JsonObject:
    """What is worth saying beside the answer; nothing where there is nothing to say."""
    notices = [notice.as_json() for notice in json_fields.notices]
    return {"notices": notices} if notices else {}


def explain_line(fields: object, rules: RuleSet) -> JsonObject:
    """`explain`: why one player's hand scores what it does, and what it is near to.

    A Mah-Jong that is none has its problems, and what it is near to all the same.
    """
    hand = hand_from_json(fields, rules)
    try:
        return explain(hand, rules).as_json()
    except BadHand as bad:
        near_hands = [special.as_json() for special in near_specials(hand, rules)]
        return _invalid_answer(bad) | {"considered": near_hands}


COMMANDS: Final[dict[str, LineCommand]] = {
    "score": score_line,
    "explain": explain_line,
    "settle": settle_line,
    "play": play_line,
}


def _read_wind_or_none(json_fields: JsonFields, path: str, value: object) -> Wind | None:
    wind = None if value is None else read_wind(json_fields, path, value)
    return wind if wind == value else None


def _read_scores(json_fields: JsonFields, path: str, value: object) -> dict[Wind, int]:
    if not isinstance(value, dict):
        json_fields.bad_value(path, value, "an object of scores by wind")
        return {}
    scores: dict[Wind, int] = {}
    for name, points in value.items():
        place, number = f"{path}.{shorten(name)}", whole_number(points)
        if number is None and not (points is None and json_fields.raw_fields.get("winner") is None):
            reason = "is not a whole number of points"
            json_fields.say(Code.BAD_SCORE, place, found=shorten(points), reason=reason)
        seat = read_wind(json_fields, place, name)
        if seat == name:
            scores[seat] = number or 0
    return scores


def _read_outcomes(json_fields: JsonFields, path: str, value: object) -> list[int | None]:
    outcomes: list[int | None] = []
    for place, outcome in read_items(json_fields, path, value, "a list of outcomes"):
        seat = int(outcome) if isinstance(outcome, str) and outcome in _SEATS else None
        if seat is None and outcome != "draw":
            json_fields.say(Code.BAD_OUTCOME, place, found=shorten(outcome))
        outcomes.append(seat)
    return outcomes


def _read_dealer(json_fields: JsonFields, path: str, value: object) -> int:
    if isinstance(value, str) and value in _SEATS:
        return int(value)
    json_fields.bad_value(path, value, "the number of a seat, such as “2”")
    return 1


def _read_rounds(json_fields: JsonFields, path: str, value: object) -> int | None:
    number = whole_number(value)
    if value is not None and (number is None or number < 1):
        json_fields.bad_value(path, value, "a number of wind rounds from 1 on, or null")
    return number


def _read_seats(json_fields: JsonFields, path: str, value: object) -> int:
    number = whole_number(value)
    if number is None:
        json_fields.bad_value(path, value, "a number of seats")
        return 4
    return number


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
    options = parser.parse_args(arguments)
    try:
        rules = (
            house_rules(json.loads(Path(options.rules).read_text(encoding="utf-8")))
            if options.rules.endswith(".json")
            else rule_set(options.rules)
        )
    except (UnknownRuleSet, OSError, ValueError) as wrong:
        parser.error(str(wrong))
    if options.command == "rules":
        text = sheet.page(rules)
        if options.format == "json":
            text = json.dumps(sheet.as_json(rules), ensure_ascii=False, indent=1) + "\n"
        sys.stdout.buffer.write(text.encode())
        return 0
    try:
        for lines in read_lines(cast(io.BufferedReader, sys.stdin.buffer)):
            answers = answer_lines(lines, COMMANDS[options.command], rules)
            sys.stdout.buffer.write("".join([f"{line}\n" for line in answers]).encode())
            sys.stdout.buffer.flush()
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    return 0


if __name__ == "__main__":
    sys.exit(main())
