"""What waits for a reviewer, what rests on it, and what a decision would do."""
