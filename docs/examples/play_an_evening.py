"""Plays an evening through Tongbox's API: open, check in, seat, play, agree and finish.

    python play_an_evening.py http://localhost:8000 riverside secretary@example.org 2026-12-01

It asks for the password. It needs only Python. Copy the parts that you need.
"""

import getpass
import json
import sys
from collections.abc import Iterator
from typing import Any
from urllib.error import HTTPError
from urllib.request import Request, urlopen
from uuid import uuid4

SCORES = [[60, 20, 8, 4], [2, 38, 16, 10], [12, 6, 82, 20], [24, 8, 2, 44]]


class Refused(Exception):
    """The problems that Tongbox reports, in its own sentences."""


class Tongbox:
    """One club, opened with an API key."""

    def __init__(self, server: str, club: str) -> None:
        self.server, self.club = server.rstrip("/"), club
        self.key, self.tag = "", ""

    def sign_in(self, email: str, password: str) -> None:
        """Get an API key for a day, with only the scopes that this program needs."""
        wanted = {"name": "Playing an evening", "scopes": ["read", "people", "evenings", "hands"]}
        told = {"email": email, "password": password, "days": 1, "club": self.club, **wanted}
        self.key = self.ask("POST", "token/", told)["token"]

    def ask(self, method: str, path: str, told: Any = None, *, tag: str = "") -> Any:
        """One request. A change carries its own key, so that sending it twice is safe.

        ``tag`` is the ETag of what was read: the change is refused if that has changed since.
        """
        headers = {"Content-Type": "application/json"}
        if self.key:
            headers["Authorization"] = f"Bearer {self.key}"
            headers |= {} if method == "GET" else {"Idempotency-Key": str(uuid4())}
        headers |= {"If-Match": tag} if tag else {}
        body = None if told is None else json.dumps(told).encode()
        address = path if path.startswith("http") else f"{self.server}/api/v1/{path}"
        try:
            with urlopen(Request(address, body, headers, method=method)) as answer:  # noqa: S310
                self.tag = answer.headers["ETag"]
                return json.loads(answer.read() or "null")
        except HTTPError as refused:
            with refused:
                problems = json.load(refused)["problems"]
            raise Refused("; ".join(problem["message"] for problem in problems)) from refused

    def get(self, path: str) -> Any:
        """Read part of the club's data."""
        return self.ask("GET", f"clubs/{self.club}/{path}")

    def post(self, path: str, **told: Any) -> Any:
        """Change something in the club."""
        return self.ask("POST", f"clubs/{self.club}/{path}", told)

    def every(self, path: str) -> Iterator[Any]:
        """All rows of a list, page after page."""
        page = self.get(path)
        while True:
            yield from page["results"]
            if page["next"] is None:
                return
            page = self.ask("GET", page["next"])


def play_an_evening(club: Tongbox, day: str) -> Iterator[str]:
    """The whole evening; yields a line for each step."""
    evening = f"evenings/{club.post('evenings/', held_on=day)['id']}/"
    members = (one for one in club.every("players/") if one["is_active"])
    for member in [next(members) for _ in range(8)]:
        club.post(f"{evening}check-in/", player=member["player_id"], is_here=True)
        yield f"{member['name']} is checked in."
    club.post(f"{evening}seat/")
    for table in club.get(evening)["tables"]:
        yield f"Table {table['number']}: {', '.join(seat['name'] for seat in table['places'])}"
        yield from play(club, f"games/{table['game_id']}/")
    club.post(f"{evening}close/")
    yield ""
    for row in club.every(f"{evening}result/"):
        yield f"{row['place']:>2}  {row['name']:<28}{row['points']:>7,}"


def play(club: Tongbox, game: str) -> Iterator[str]:
    """A few hands of a game, each entered and agreed by everyone."""
    for scores in SCORES:
        deal = club.ask("GET", game)["next_hand"]
        if deal is None:
            return
        told = {
            "submission_id": str(uuid4()),
            "number": deal["number"],
            "winner": scores.index(max(scores)) + 1,
            "scores": {str(seat): score for seat, score in enumerate(scores, start=1)},
        }
        hand = club.ask("POST", f"{game}hands/", told)
        club.ask("GET", f"{game}hands/{hand['id']}/")
        club.ask("POST", f"{game}hands/{hand['id']}/agree/", {}, tag=club.tag)
        yield f"  {hand['number']}. {hand['outcome']}"


def main() -> None:
    """Play the evening that the command names."""
    server, slug, email, day = sys.argv[1:]
    club = Tongbox(server, slug)
    try:
        club.sign_in(email, getpass.getpass())
        for line in play_an_evening(club, day):
            sys.stdout.write(f"{line}\n")
    except Refused as refused:
        sys.exit(str(refused))


if __name__ == "__main__":
    main()
