"""What happens at the table after a hand: payments, winds, sticks, penalties."""
