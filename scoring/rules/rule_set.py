"""A rule set: the page of one edition, and the book that looks it up quickly."""

from dataclasses import dataclass, replace
from functools import cached_property

from scoring.rules.book import Book
from scoring.rules.page import Page


@dataclass(frozen=True, kw_only=True)
class RuleSet(Page):
    """One edition of a club's rules, whole, to score hands by."""

    def __hash__(self) -> int:
        """Of its key alone: rules are looked up for every seat of every hand."""
        return hash(self.key)

    @cached_property
    def book(self) -> Book:
        """The same rules, looked up quickly."""
        return Book(self)

    def choosing(self, **values: bool | int) -> "RuleSet":
        """A house rule: the same rules with these open points played otherwise.

        Raises KeyError for a name that is no open point of these rules.
        """
        unknown = values.keys() - self.choice.keys()
        if unknown:
            raise KeyError(", ".join(sorted(unknown)))
        choices = tuple(
            line._replace(value=values.get(line.name, line.value)) for line in self.choices
        )
        return replace(self, choices=choices)
