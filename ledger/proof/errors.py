"""What a check says when something does not hold."""


class Unproven(Exception):
    """A proof, signature or document does not hold; the message says which and why."""


class Malformed(Unproven):
    """Text or bytes are not in the form that they claim to be in; the message says where."""
