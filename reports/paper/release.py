"""Which release prints a paper: another one may print other bytes."""

from importlib.metadata import version

RELEASE = version("corrigenda")
PRESS = version("weasyprint")
