"""What reviewers do: the queue, the page that shows all of a report, and the one way to decide."""
