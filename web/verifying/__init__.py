"""Feeding the verifier: a home, a bundle, a PDF, another Corrigenda over HTTP.

What is right and wrong is decided in :mod:`ledger.verifying` and :mod:`ledger.proof`; here files,
databases and answers are read, bounded and in pieces.
"""
