"""The formats of other people: each with a sample of its own, whole and broken in every way."""
