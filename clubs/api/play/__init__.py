"""What happens on an evening and in the league, over the API: doors, tables, hands, seasons."""
