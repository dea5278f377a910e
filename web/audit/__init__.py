"""What auditors see: the log by position, its proofs, what came in, and how to check all of it."""
