"""What people told us, as it lies in the private store: to see what a crash lost of it.

Keys and digests differ from run to run, so a thing is named by whose it is (the contact that each
sender of :mod:`benchmarks.dying` gives) and by what it says. Words are counted once: some that no
event names, which a crash may leave, say nothing to anybody.
"""

from collections import Counter

from sqlalchemy import select

from web.private import PrivateStore, words
from web.private.reporters import letters
from web.private.suspected import suspected
from web.private.uploads import of_letter, uploads

Thing = tuple[object, ...]


def kept_in(store: PrivateStore) -> Counter[Thing]:
    """Letters, what came along with each, what waits apart, and all words."""
    found = Counter[Thing]()
    with store.read() as connection:
        people = {row.secret: row for row in connection.execute(select(letters))}
        whose = {of_letter(key): row.contact for key, row in people.items()}
        for row in people.values():
            found["letter", row.contact, row.number, row.joined, row.suspected, row.typed] += 1
        for row in connection.execute(select(uploads)):
            found["evidence", whose.get(row.owner, b"nobody's"), row.kind, row.bytes] += 1
        for row in connection.execute(select(suspected)):
            letter = people.get(row.key)
            found["apart", letter and letter.contact, row.state, row.why, row.typed] += 1
        found += Counter({("words", text): 1 for text in connection.scalars(select(words.c.bytes))})
    return found
