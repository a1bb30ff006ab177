"""How a season ranks: rules as data, said in sentences, reckoned and explained; no Django."""

from clubs.league.declaring import BadLeagueRules, Fault, declared, quota_words, read_rules
from clubs.league.evenings import Evening, Record, Sat
from clubs.league.explaining import said, why
from clubs.league.needs import Need, WhatIf, what_if
from clubs.league.ready import READY_MADE, ReadyMade, ready_made
from clubs.league.reckoning import Fate, Line, Standing, reckon
from clubs.league.rules import AddsUp, Brings, CreditRule, LeagueRules, Quota, Tie, scales
from clubs.league.words import TIES, heading, quota_said, sentences, summary

__all__ = [
    "READY_MADE",
    "TIES",
    "AddsUp",
    "BadLeagueRules",
    "Brings",
    "CreditRule",
    "Evening",
    "Fate",
    "Fault",
    "LeagueRules",
    "Line",
    "Need",
    "Quota",
    "ReadyMade",
    "Record",
    "Sat",
    "Standing",
    "Tie",
    "WhatIf",
    "declared",
    "heading",
    "quota_said",
    "quota_words",
    "read_rules",
    "ready_made",
    "reckon",
    "said",
    "scales",
    "sentences",
    "summary",
    "what_if",
    "why",
]
