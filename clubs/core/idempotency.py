"""What a program was answered, kept for a day in case it asks again with the same key."""

from datetime import datetime, timedelta
from typing import Final

from django.db import IntegrityError, transaction

from clubs.models import KeptAnswer

KEPT_FOR: Final = timedelta(hours=24)


def claim(*, owner: str, key: str, asked: str) -> KeptAnswer | None:
    """The row of a request that begins now; None where one with this key began before."""
    try:
        with transaction.atomic():
            return KeptAnswer.objects.create(owner=owner, key=key, asked=asked)
    except IntegrityError:
        return None


def keep(*, answer: KeptAnswer, status: int, body: str) -> None:
    """What the request was answered: the same key gets it again."""
    KeptAnswer.objects.filter(pk=answer.pk).update(status=status, body=body)


def release(*, answer: KeptAnswer) -> None:
    """Nothing was done, so the key is as new."""
    KeptAnswer.objects.filter(pk=answer.pk).delete()


def let_go_of_answers(*, now: datetime) -> int:
    """Delete what is older than a day; returns how many there were."""
    gone, _ = KeptAnswer.objects.filter(made_at__lt=now - KEPT_FOR).delete()
    return gone
