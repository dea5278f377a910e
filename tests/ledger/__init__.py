"""Tests of what happened: events, their stored form, the store, the archive."""
