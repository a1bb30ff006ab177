"""Ranking rules as data and in sentences, the league table and its explanation; no Django."""
