"""Random evenings and tournaments: whatever people do, in any order, the laws of the game hold."""
