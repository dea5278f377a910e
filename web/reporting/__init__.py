"""Telling the world of a wrong number, without an account: the form, the letter, the rubbish."""
