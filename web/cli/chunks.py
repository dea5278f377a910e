"""Where a body in chunks ends, before anybody has read it (RFC 9112, section 7.1).

The server waits for whole requests, so it has to know when a body that tells its end by itself is
over; and rubbish, of which no end will ever come, is not waited for at all.
"""

import re

import attrs

LONGEST_LINE = 8190
"""Bytes of a line with a size, and of the lines after the last chunk."""

MOST = 20_000
"""Chunks of a body; whoever sends more of them sends them to make work."""

EOL = b"\r\n"
_SIZE = re.compile(rb"([0-9A-Fa-f]{1,16})[ \t]*(?:;.*)?", re.DOTALL)
_BEGUN = re.compile(rb"[0-9A-Fa-f]{0,16}(?:\r|[ \t]*|[ \t]*;.*)", re.DOTALL)


@attrs.define
class Chunks:
    """What is known of a body in chunks. ``at`` is where the next line with a size begins,
    ``needs`` how many bytes there are at least, and ``is_broken`` that more would not mend it."""

    at: int
    needs: int = 0
    count: int = 0
    is_over: bool = False
    is_broken: bool = False

    def look(self, sent: bytearray) -> bool:
        """Whether there is nothing to wait for, in what was sent until now; no chunk is looked at
        twice."""
        while not (self.is_over or self.is_broken or len(sent) < self.needs):
            if not self._step(sent):
                break
        return self.is_over or self.is_broken

    def _step(self, sent: bytearray) -> bool:
        """Pass one chunk, or the end; ``False`` when that takes more bytes."""
        if self.needs and sent[self.needs - 2 : self.needs] != EOL:
            self.is_broken = True
            return True
        self.at, self.needs = self.needs or self.at, 0
        end = sent.find(EOL, self.at, self.at + LONGEST_LINE)
        line = bytes(sent[self.at : end if end >= 0 else self.at + LONGEST_LINE])
        if end < 0:
            self.is_broken = len(line) == LONGEST_LINE or not _BEGUN.fullmatch(line)
            return False
        said = _SIZE.fullmatch(line)
        if said is None:
            self.is_broken = True
            return True
        size = int(said[1], 16)
        if size == 0:
            return self._end(sent, end)
        self.needs = end + len(EOL) + size + len(EOL)
        self.count += 1
        self.is_broken = self.count > MOST
        return len(sent) >= self.needs

    def _end(self, sent: bytearray, end: int) -> bool:
        """After the last chunk stands an empty line, with others before it at most."""
        self.is_over = sent.find(EOL * 2, end, end + LONGEST_LINE) >= 0
        self.is_broken = not self.is_over and len(sent) - end >= LONGEST_LINE
        return self.is_over
