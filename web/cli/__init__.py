"""The ``corrigenda`` command."""

from web.cli.command import main

__all__ = ["main"]
