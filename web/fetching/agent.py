"""Who we say we are when we ask another server."""

from importlib.metadata import version

from web.settings import Settings

NAME = "corrigenda"
"""What a robots.txt calls us by."""


def agent_of(settings: Settings) -> str:
    """The User-Agent: our name and version, and where to find us, if we have an address."""
    address = settings.address or ""
    whom = f" (+{address})" if address.isascii() and address.isprintable() and address else ""
    return f"Corrigenda/{version(NAME)}{whom}"
