"""Views in the forms of other people, and in lines: what is exported can be brought in again."""
