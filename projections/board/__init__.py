"""A board at a moment: its rows, ranked, with what was said of the benchmark by then."""
