"""Asking a server of ours as a program: :class:`web.client.client.Client`, and what it answers."""
