"""An evening's tables planned: its wishes heeded, its season remembered."""

from clubs.models import Session
from clubs.seating import BadRequest, Plan, Request, plan
from clubs.seating.advice import Split, liked, splits_of, usual_split
from clubs.seating.season import company, turns_due
from clubs.seating.wishes import heeded
from clubs.selectors.remembered import remembered
from clubs.selectors.wishes import noted
from scoring.scorebook.editions import rule_set
from scoring.scorebook.refusals import Refusal, Refused, refuse

SECONDS = 2


def planned(session: Session, players: tuple[str, ...], split: Split) -> Plan:
    """Who sits where, by the players' keys: away from company of the season, turns in turn.

    Wishes that these tables cannot keep are left out. Raises ``Refused`` where nobody can sit.
    """
    seats = rule_set(session.plays).seats
    if split and split not in splits_of(len(players), seats):
        raise refuse(
            "bad_split",
            "Those tables no longer fit the number of people checked in. Choose the tables again.",
        )
    try:
        return plan(_request(session, players, split, liked(seats)))
    except BadRequest as bad:
        raise Refused([Refusal(found.code, found.sentence) for found in bad.problems]) from bad


def _request(
    session: Session, players: tuple[str, ...], split: Split, sizes: tuple[int, ...]
) -> Request:
    past = remembered(session)
    met = company(past.weighed, players)
    kept = heeded(noted(session).wishes, players, split or usual_split(len(players), sizes), met)
    return Request(
        players=players,
        rounds=1,
        seed=session.pk,
        seconds=SECONDS,
        table_sizes=sizes,
        split=split,
        apart=kept.apart,
        together=kept.together,
        fixed_table=kept.fixed_table,
        met=met,
        turns=turns_due(past.season, players),
    )
