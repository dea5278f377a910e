"""On paper: what a board, a claim or a decision looks like when it is printed."""
