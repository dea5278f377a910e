"""The read model itself: tables, what fills them as events arrive, and how they are kept true."""
