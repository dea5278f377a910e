"""Where people touch it: pages, JSON, the command line."""
