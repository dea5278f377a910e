"""Papers, the code that goes with them, and the windows in which links were probed."""
