"""The JSON Schema of the bundle, as it is published."""

from importlib.resources import files

NAME = "corrigenda-bundle-1.json"


def schema_bytes() -> bytes:
    """The schema as it is shipped."""
    return (files("reports") / "schema" / NAME).read_bytes()
