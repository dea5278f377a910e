"""Which Hugging Face repository a file lies in, as far as its folders say it.

Names of models are not unique: many cards are called alike. So the owner counts where it is known:
in the folders of a local cache, and in those of a tree of repositories, OWNER/MODEL. Only folders
below what was asked for are looked at for an owner; those above are whoever imports's own.
"""

import re
from collections.abc import Sequence

_CACHED = re.compile(r"models--(?P<owner>.+?)--(?P<name>.+)")


def cached_in(folders: Sequence[str]) -> str | None:
    """The repository by the folder that a local cache keeps it in, such as OWNER/MODEL."""
    found = (_CACHED.fullmatch(folder) for folder in reversed(folders))
    return next((f"{one['owner']}/{one['name']}" for one in found if one), None)


def owned(model: str, folders: Sequence[str]) -> str:
    """A model with its owner, where it lies in a folder of its own name below one of its owner."""
    if cached := cached_in(folders):
        return cached
    is_own = len(folders) > 1 and folders[-1].casefold() == model.rpartition("/")[2].casefold()
    return f"{folders[-2]}/{model.rpartition('/')[2]}" if is_own else model
