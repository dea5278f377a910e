"""Proof that nothing was altered: hashing, proofs, signed checkpoints, receipts; no IO.

Everything here stands on the standard library and ``cryptography`` alone, so that who checks us
need not trust, or install, the rest of us.
"""
