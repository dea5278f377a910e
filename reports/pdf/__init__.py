"""Paper as PDF: a pure function of a bundle's bytes, our release and the installed fonts."""

from reports.pdf.printing import REFUSED, Failed, pdf_of, press_environment, press_order

__all__ = ["REFUSED", "Failed", "pdf_of", "press_environment", "press_order"]
