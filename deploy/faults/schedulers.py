"""Two schedulers by mistake, and every job called many times over: each letter once."""

from collections import Counter
from collections.abc import Iterator

from clubs import tasks
from clubs.messages import services
from clubs.messages.selectors import batch_view
from clubs.models import Club, Job, JobState, Message, MessageState
from deploy.faults.asked import Asked, Line
from deploy.faults.hall import lay, letters
from deploy.stack import Stack
from deploy.stack.asking import Installation
from deploy.stack.program import until

READERS = 40
TIMES = 25
SECONDS = 120


def run(stack: Stack, asked: Asked) -> Iterator[Line]:
    """Two beats and two workers, and each letter goes out once."""
    lay(asked.tables)
    yield Line(len(stack.beats) == 2, f"{len(stack.beats)} beats, {len(stack.workers)} workers")
    for club in Club.objects.all():
        job = send(club)
        for _ in range(TIMES):
            tasks.run_job.delay(str(job.pk))
            tasks.wake_waiting_jobs.delay()
    yield all_done(f"each was called {TIMES} times, and swept {TIMES}")
    yield letters_went_once(stack)


def send(club: Club) -> Job:
    """A batch of letters to new members, with nobody who would hear of it."""
    batch = letters(club, readers=READERS)
    secretary = club.memberships.get().user
    services.send(batch=batch, seen=batch_view(batch).seen, asked_by=secretary)
    return Job.objects.filter(club=club).latest("made_at")


def all_done(how: str) -> Line:
    """Whether every batch is sent in time."""
    jobs = Job.objects.all()
    done = until(lambda: not jobs.exclude(state=JobState.DONE).exists(), seconds=SECONDS)
    return Line(done, f"{jobs.count()} batches are sent; {how}")


def letters_went_once(stack: Installation) -> Line:
    """What lies in the post, against what was to be sent."""
    texts = [mail.read_text() for mail in (stack.var / "mail").glob("*")]
    lines = (line for text in texts for line in text.splitlines())
    went = Counter(line for line in lines if line.startswith("To: "))
    twice = sum(count > 1 for count in went.values())
    not_sent = Message.objects.exclude(state=MessageState.SENT).count()
    words = f"{went.total():,} letters went out: {twice} twice, {not_sent} not at all"
    return Line(not twice and not not_sent and went.total() == Message.objects.count(), words)
