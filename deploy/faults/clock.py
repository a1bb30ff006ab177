"""The clock of the web services goes back by three hours in the middle of the evening."""

from collections.abc import Iterator
from importlib.util import find_spec

from deploy.faults.asked import Asked, Line
from deploy.faults.checks import everything_holds
from deploy.faults.hall import lay, signed_in
from deploy.faults.phones import tell
from deploy.stack import Stack
from deploy.stack.servers import Missing
from scoring.scorebook.models import Game, Hand

# Python runs this before gunicorn; only what asks for the time of day is told wrong.
SET_BACK = """\
import datetime, time_machine
then = datetime.datetime.now(datetime.timezone.utc) - datetime.timedelta(hours=3)
time_machine.travel(then, tick=True).start()
"""


def run(stack: Stack, asked: Asked) -> Iterator[Line]:
    """Hands keep their order, chains hold, and who has signed in stays signed in."""
    keys, half = lay(asked.tables), asked.submissions // 2
    visitor = signed_in(stack)
    before = tell(stack, keys, submissions=half, phones=asked.phones)
    _set_back(stack)
    after = -(-half // len(keys))
    heard = tell(stack, keys, submissions=half, phones=asked.phones, after=after)
    is_in = "/accounts/logout/" in visitor.get("/").body.decode()
    yield Line(is_in, "who signed in before the clock went back is still signed in")
    is_in = "/accounts/logout/" in signed_in(stack).get("/").body.decode()
    yield Line(is_in, "who signs in afterwards is signed in")
    yield _order(after)
    heard.add(before)
    yield from everything_holds(stack, heard)


def _set_back(stack: Stack) -> None:
    """The web services begin again, at a time of day that was three hours ago."""
    if find_spec("time_machine") is None:
        raise Missing("time-machine is not here: it comes with requirements-dev.txt")
    folder = stack.folder / "set-back"
    folder.mkdir()
    (folder / "sitecustomize.py").write_text(SET_BACK)
    for web in stack.webs:
        web.environment = {**web.environment, "PYTHONPATH": str(folder)}
    stack.restart_webs()


def _order(after: int) -> Line:
    """Hands of a game count on from one although the later ones bear an earlier time."""
    late = strange = 0
    for game in Game.objects.all():
        told = list(Hand.objects.filter(game=game, is_current=True).order_by("pk"))
        strange += [hand.number for hand in told] != list(range(1, len(told) + 1))
        late += told[after].sent_at < told[after - 1].sent_at
    games = Game.objects.count()
    words = (
        f"{games} games: in {late} a later hand bears an earlier time, in {strange} out of order"
    )
    return Line(late == games and not strange, words)
