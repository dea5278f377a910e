"""What stands on paper, worked out from a bundle alone, before anybody decides how it looks."""
