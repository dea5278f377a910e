"""One file a format: bytes → a :class:`~ledger.importing.board.BoardFile`, nothing guessed."""
