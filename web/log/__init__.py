"""The public log of corrections: pages, notices, feed."""
