"""The shapes of what the API tells of a tournament: one serializer for each frozen row."""
