"""Time on pages: the bar that says of when a page is, and how to cite it."""
