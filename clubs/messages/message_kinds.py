"""What a club writes to its people about, and which fields each kind of message has."""

from dataclasses import dataclass

NAME = ("name", "the recipient’s name")


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
    ("result", "everyone’s place and points"),
)
FREE = Matter("message", "Message", "Anything you like, to everyone or just some people")
INVITATION = Matter(
    "invitation",
    "Invitation",
    "Everyone gets a link to answer yes or no",
    (NAME, ("answer link", "the link to answer yes or no")),
)
RENEWAL = Matter(
    "renewal",
    "Subscriptions due",
    "To members whose subscription has ended or ends soon",
    (NAME, ("paid until", "the date their subscription runs to")),
)
NO_EVENING = Matter("no-evening", "Evening cancelled", "Tell members that an evening is cancelled")
RESULT = Matter("result", "Result", "", RESULTS)
CORRECTED = Matter("corrected", "Corrected result", "", RESULTS)
WRITTEN = (FREE, INVITATION, NO_EVENING, RENEWAL)
OF_RESULTS = (RESULT.key, CORRECTED.key)
MATTERS = {one.key: one for one in (*WRITTEN, RESULT, CORRECTED)}
