"""Redis is gone for the whole of an evening, and comes back."""

import re
from collections.abc import Iterator

from clubs.models import Club, Job, JobState
from deploy.faults.asked import Asked, Line
from deploy.faults.checks import everything_holds
from deploy.faults.hall import lay, letters, signed_in
from deploy.faults.phones import tell
from deploy.stack import Stack
from deploy.stack.asking import Client
from deploy.stack.program import until

SECONDS_FOR_MAIL = 150


def run(stack: Stack, asked: Asked) -> Iterator[Line]:
    """Hands are recorded, pages open, people sign in; letters go out when Redis is back."""
    keys = lay(asked.tables)
    visitor = signed_in(stack)
    stack.redis.stop()
    heard = tell(stack, keys, submissions=asked.submissions, phones=asked.phones)
    late = sum(count for status, count in heard.answers.items() if status not in (200, 201))
    yield Line(late == 0, f"without Redis {late} hands had to be told again")
    yield _pages(visitor, keys[0], "signed in before")
    yield _pages(signed_in(stack), keys[0], "signed in without Redis")
    yield _asked_to_send(visitor)
    stack.redis.start()
    yield _sent()
    yield from everything_holds(stack, heard)


def _pages(visitor: Client, key: str, who: str) -> Line:
    """Every page that the club's front page leads to, and the phone's."""
    home = f"/c/{Club.objects.earliest('pk').slug}/"
    front = visitor.get(home)
    links = set(re.findall(r'href="(/[^"#?]*)"', front.body.decode()))
    pages = sorted({home, f"/t/{key}/", *(link for link in links if "static" not in link)})
    bad = [(page, status) for page in pages if (status := visitor.get(page).status) != 200]
    is_in = "/accounts/logout/" in front.body.decode()
    return Line(not bad and is_in, f"{len(pages)} pages open, {who}; not: {bad or 'none'}")


def _asked_to_send(visitor: Client) -> Line:
    """The secretary presses Send while nobody can wake a worker."""
    club = Club.objects.earliest("pk")
    batch = letters(club, readers=3)
    outbox = f"/c/{club.slug}/messages/{batch.pk}/"
    page = visitor.get(outbox)
    (seen, *_) = re.findall(r'name="seen" value="(\w+)"', page.body.decode()) or [f"{page.status}"]
    answer = visitor.submit(outbox, f"{outbox}send/", seen=seen)
    waits = Job.objects.filter(state=JobState.WAITING).count()
    words = f"Send was answered with {answer.status}; {waits} batch waits for a worker"
    return Line(answer.status == 200 and waits == 1, words)


def _sent() -> Line:
    sent = until(
        lambda: not Job.objects.exclude(state=JobState.DONE).exists(), seconds=SECONDS_FOR_MAIL
    )
    return Line(sent, "Redis is back, and the letters went out by themselves")
