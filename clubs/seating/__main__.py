"""Seating's command line: `python -m clubs.seating`, one object in, one object out."""

import argparse
import json
import os
import sys
from collections.abc import Sequence

from clubs.seating.planner import plan
from clubs.seating.request import BadRequest, plan_to_json, problems_to_json, request_from_json


def main(arguments: Sequence[str] | None = None) -> int:
    """Read a request from standard input; exit status 0 for a plan or problems, 2 for bad usage."""
    argparse.ArgumentParser(prog="python -m clubs.seating", description=__doc__).parse_args(
        arguments
    )
    try:
        print(json.dumps(answer_request(sys.stdin.buffer.read())), flush=True)
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    return 0


def answer_request(text: bytes) -> dict[str, object]:
    """The plan for a request in JSON, or all its problems."""
    try:
        return plan_to_json(plan(request_from_json(text)))
    except BadRequest as bad:
        return {"problems": problems_to_json(bad.problems)}


if __name__ == "__main__":
    sys.exit(main())
