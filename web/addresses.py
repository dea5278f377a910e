"""Addresses of our own pages."""

from collections.abc import Mapping
from typing import Any

from flask import request, url_for

from web.site import site


def address_of(endpoint: str, values: Mapping[str, Any], parameters: Mapping[str, Any]) -> str:
    """The address of a page of ours under some parameters."""
    return url_for(endpoint, **values, **parameters)


def absolute(path: str) -> str:
    """An address of ours with the host: the one that the settings give, else the one asked."""
    return (site().workspace.settings.address or request.host_url.rstrip("/")) + path
