"""A slow, obvious second implementation of the turn-up games, used as a test oracle."""
