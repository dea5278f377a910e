"""The verifier: takes bytes and values, does no IO, and says exactly what is wrong and where.

Whoever feeds it reads the files, databases and networks (:mod:`web.verifying`); what it needs on
the way it is given as iterables and as functions. Each check lists its rules at its top:

- :mod:`~ledger.verifying.events`: the stored bytes of every event
- :mod:`~ledger.verifying.tree`: tiles and checkpoints over them, with
  :mod:`~ledger.verifying.edge` (the tree as it grows) and :mod:`~ledger.verifying.matching` (what
  differs: changed, swapped, slipped in, taken out, cut off)
- :mod:`~ledger.verifying.signatures`: keys, ties and signatures
- :mod:`~ledger.verifying.archive`: the frozen bytes
- :mod:`~ledger.verifying.rows`: the read model, row by row
- :mod:`~ledger.verifying.afar`: another log, of which only the network tells

Every check yields :class:`~ledger.verifying.finding.Finding`; none stops at the first.
"""
