"""Asking other servers: the one way out, for freezing and for probing.

Bounded in bytes (as received and unpacked), in time in all, and in redirects; GET alone; never to
an address that is not public, unless that is allowed. :mod:`web.fetching.get` is the way in.
"""
