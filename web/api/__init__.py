"""The interface for programs: what it answers, written down beside the views that answer it."""
