"""What it means: timelines, boards, history and changes, rebuilt from the ledger alone."""
