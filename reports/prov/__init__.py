"""A bundle as W3C PROV: who read and decided what, when, and what came of which."""

from reports.prov.forms import FORMS, prov_bytes
from reports.prov.telling import prov_document

__all__ = ["FORMS", "prov_bytes", "prov_document"]
