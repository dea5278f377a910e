"""The charts: one specification each, drawn to SVG for pages and for paper alike."""
