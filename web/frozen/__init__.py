"""Frozen bytes made fit to be looked at: inert text, marked passages, pictures of pages."""
