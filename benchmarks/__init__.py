"""Speed, as ratios measured in one run on the same work; absolute figures are only reported."""
