"""What was decided: the public log, its notices, and which decision is in force."""
