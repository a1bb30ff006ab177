"""What the tests of the API share: clients with tokens, and hands as a client tells them."""

from typing import Any, Final
from uuid import uuid4

from django.test import Client
from django.utils import timezone

from clubs.accounts.services import key_digest
from clubs.models import ApiToken, Scope, User

SOUTH_WINS: dict[str, Any] = {"winner": 2, "scores": {"1": 20, "2": 60, "3": 8, "4": 4}}
SOUTH_GAINS = {"1": -64, "2": 240, "3": -80, "4": -96}


METHODS: Final = ("get", "post", "put", "patch", "delete")


def handlers_of(view: Any) -> dict[str, Any]:
    """What answers each method at an address of the API; a page has none.

    ``view`` is what the address leads to: a viewset's actions, or a view's ``get``, ``post`` …
    """
    view_class = getattr(view, "cls", None)
    names: dict[str, str] = getattr(view, "actions", None) or dict(
        zip(METHODS, METHODS, strict=True)
    )
    return {
        method: getattr(view_class, name)
        for method, name in names.items()
        if method in METHODS and hasattr(view_class, name)
    }


def api_client(user: User | None) -> Client:
    """A client that sends a key of the person's; none for someone not signed in."""
    if user is None:
        return Client()
    key = f"tbx_{uuid4().hex}"
    ApiToken.objects.create(
        user=user,
        name="A test",
        digest=key_digest(key),
        scopes=Scope.values,
        used_at=timezone.now(),
    )
    return Client(headers={"authorization": f"Bearer {key}"})


def hand_payload(number: int = 1, **fields: Any) -> dict[str, Any]:
    """A hand with a submission id of its own: South wins unless the test says otherwise."""
    return {"submission_id": str(uuid4()), "number": number, **(fields or SOUTH_WINS)}


def send(client: Client, address: str, hand: Any, *, tag: str = "") -> Any:
    """Post a hand, or what else it is, as JSON; ``tag`` is the ETag of what was read before."""
    headers = {"If-Match": tag} if tag else {}
    return client.post(address, hand, content_type="application/json", headers=headers)


def look(client: Client, address: str, data: Any = None) -> Any:
    """What a step would do, which is not done."""
    payload = {} if data is None else data
    return client.post(f"{address}?dry_run=1", payload, content_type="application/json")


def patch(client: Client, address: str, **changes: Any) -> Any:
    """Change some of what is there."""
    return client.patch(address, changes, content_type="application/json")


def refusal(answer: Any) -> tuple[int, list[tuple[str, str]]]:
    """The status, and code and place of everything that the answer finds wrong."""
    return answer.status_code, faults(answer)


def faults(answer: Any) -> list[tuple[str, str]]:
    """Code and place of everything that the answer finds wrong."""
    return [(problem["code"], problem["where"]) for problem in answer.json()["problems"]]


def link_client(key: str) -> Client:
    """A client that sends the key of a printed link as its credential."""
    return Client(headers={"authorization": f"Link {key}"})


def game_at(table: Any) -> str:
    """The address of the game that a table plays, of an evening or of a round."""
    return f"/api/v1/games/{table.game_id}/"
