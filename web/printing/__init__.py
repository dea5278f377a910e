"""Paper on demand: small PDFs at once, large ones as jobs, finished ones from disk."""
