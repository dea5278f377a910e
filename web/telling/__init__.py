"""Telling people what became of a report: once each, by webhook and mail."""
