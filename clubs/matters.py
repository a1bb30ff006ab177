"""What a club writes to its people about, and which fields each kind of message has."""

from dataclasses import dataclass

NAME = ("name", "the reader’s name")


@dataclass(frozen=True, slots=True)
class Matter:
    """A kind of message; ``fields`` may stand in its text in braces, each with its meaning."""

    key: str
    title: str
    note: str
    fields: tuple[tuple[str, str], ...] = (NAME,)

    @property
    def names(self) -> tuple[str, ...]:
        """The fields without their meaning."""
        return tuple(name for name, _ in self.fields)


RESULTS = (
    NAME,
    ("your place", "the sentence with the reader’s place"),
    ("result", "everybody’s place and points"),
)
FREE = Matter("message", "A message", "Anything you like to say, to all or to a few")
INVITATION = Matter(
    "invitation",
    "Can you come?",
    "Everybody gets a link to press yes or no",
    (NAME, ("answer link", "where the reader presses yes or no")),
)
RENEWAL = Matter(
    "renewal",
    "Subscriptions due",
    "To everybody whose subscription has run out or soon will",
    (NAME, ("paid until", "the last day that the reader has paid for")),
)
NO_EVENING = Matter("no-evening", "No evening", "The club does not meet on a day")
RESULT = Matter("result", "Result", "", RESULTS)
CORRECTED = Matter("corrected", "Corrected result", "", RESULTS)
WRITTEN = (FREE, INVITATION, NO_EVENING, RENEWAL)
OF_RESULTS = (RESULT.key, CORRECTED.key)
MATTERS = {one.key: one for one in (*WRITTEN, RESULT, CORRECTED)}
