"""Papers, samples and probe windows as JSON and in words."""
