"""Who made a special hand, as the database finds it in what the engine wrote of a hand."""

from typing import Any

from django.db.models import F, Func, TextField


class WinnersSpecial(Func):
    """The key of the special hand that a hand's winner made, NULL where there is none.

    Who only fishes for one makes none. Nothing but this is read of what was written of the hand.
    """

    output_field = TextField()

    def __init__(self) -> None:
        super().__init__(F("lines"), F("winner"))

    def as_postgresql(self, compiler: Any, connection: Any, **told: Any) -> Any:
        """``lines -> '2' ->> 'special'``."""
        template = "(%(expressions)s::text ->> 'special')"
        return self.as_sql(compiler, connection, template=template, arg_joiner=" -> ", **told)

    def as_sqlite(self, compiler: Any, connection: Any, **told: Any) -> Any:
        """``JSON_EXTRACT(lines, '$."2".special')``: a number in quotes is no place in a list."""
        template = "JSON_EXTRACT(%(expressions)s || '\".special')"
        joined = ", '$.\"' || "
        return self.as_sql(compiler, connection, template=template, arg_joiner=joined, **told)
