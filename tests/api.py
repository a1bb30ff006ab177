"""What the tests of the API share: clients with tokens, and hands as a client tells them."""

from typing import Any
from uuid import uuid4

from django.test import Client
from rest_framework.authtoken.models import Token

from clubs.models import User

SOUTH_WINS: dict[str, Any] = {"winner": 2, "scores": {"1": 20, "2": 60, "3": 8, "4": 4}}
SOUTH_GAINS = {"1": -64, "2": 240, "3": -80, "4": -96}


def api_client(user: User | None) -> Client:
    """A client that sends the person's token; none for somebody not signed in."""
    if user is None:
        return Client()
    token, _ = Token.objects.get_or_create(user=user)
    return Client(headers={"authorization": f"Token {token.key}"})


def told(number: int = 1, **fields: Any) -> dict[str, Any]:
    """A hand with a submission id of its own: South wins unless the test says otherwise."""
    return {"submission_id": str(uuid4()), "number": number, **(fields or SOUTH_WINS)}


def send(client: Client, address: str, hand: Any) -> Any:
    """Post a hand as JSON."""
    return client.post(address, hand, content_type="application/json")


def faults(answer: Any) -> list[tuple[str, str]]:
    """Code and place of everything that the answer finds wrong."""
    return [(problem["code"], problem["where"]) for problem in answer.json()["problems"]]
