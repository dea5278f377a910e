"""Why a ledger cannot be sealed, or a proof not be given."""

from ledger.errors import NotFound, Refused


class Forked(Refused):
    """The ledger no longer gives what checkpoint {size} was signed over ({why}), so nothing more is
    signed; find out with corrigenda verify what was altered, and bring it back from a copy."""


class NoKey(Refused):
    """There is no key here to sign checkpoints with; corrigenda init makes one for a log that has
    none yet, or CORRIGENDA_SIGNING_KEY gives one."""


class KeyLost(Refused):
    """The log {name} is signed by the key {id}, which is not here ({where}); bring it back from a
    copy, as no other key can go on with this log."""


class KeyExposed(Refused):
    """Others than its owner may read {file} (mode {mode}), so it signs nothing; chmod 600 it, then
    change it with corrigenda key rotate if somebody may have copied it."""


class BadKey(Refused):
    """The signing key in {where} cannot be read: {why}."""


class NotSealed(NotFound):
    """The checkpoint of the log does not cover position {name}; if it was just recorded, ask again
    in a moment."""


class NoCheckpoint(NotFound):
    """The log has no checkpoint of {name} leaves, so nothing is proved about that size."""


class NoTile(NotFound):
    """The log has no {name}; no checkpoint covers it."""
