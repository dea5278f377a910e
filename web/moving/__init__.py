"""Moving a ledger: into a file, out of one, and from one database into another.

All three end the same way: what was put into an empty ledger is verified before it is committed, so
either all of it is there or nothing is.
"""
