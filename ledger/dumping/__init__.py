"""Taking a whole ledger along: to a file and back, and from one database to another.

What is carried (:mod:`~ledger.dumping.carried`) are the stored bytes of every event with their
positions, the keys and checkpoints of the log, and the archive's files. Bundles and tiles follow
from these and are grown anew. :mod:`~ledger.dumping.shape` says what a dump looks like,
:mod:`~ledger.dumping.writing` and :mod:`~ledger.dumping.reading` write and read one. Nobody's
private words and no secret key are ever in one.
"""
