"""Paper as PDF: a pure function of a bundle's bytes, our release and the installed fonts."""

from reports.pdf.printing import Failed, pdf_of, press_environment, press_order

__all__ = ["Failed", "pdf_of", "press_environment", "press_order"]
