"""Files in: one reader a format, one comparison for whole boards, one receipt."""
