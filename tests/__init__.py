"""Tests. The folders mirror the four packages; what they share lies here."""
