"""Sealing the ledger: growing the tree over its events, reading it back, and the keys that sign."""
