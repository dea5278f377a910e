"""What every command is given: the settings, the open ledger, and who is at the keyboard."""

import getpass

import attrs
import click

from ledger.errors import BadValue, Refused
from ledger.values import parse_slug
from web.settings import Settings
from web.wiring import Workspace, open_workspace


class NoHandle(Refused):
    """What is recorded bears a handle, and {login} will not do as one; say --by HANDLE or set
    CORRIGENDA_BY."""


@attrs.define
class Session:
    """One run of the command; the ledger is opened when first needed, and closed at the end."""

    settings: Settings
    _open: Workspace | None = attrs.field(default=None, init=False)

    @property
    def workspace(self) -> Workspace:
        """The open ledger; refused where ``init`` was not run."""
        if self._open is None:
            self._open = open_workspace(self.settings)
        return self._open

    def caught_up(self) -> Workspace:
        """The open ledger, with a read model that holds all that is recorded."""
        self.workspace.catch_up()
        return self.workspace

    @property
    def by(self) -> str:
        """The handle that is recorded: ``--by``, ``CORRIGENDA_BY``, or else the login name."""
        if self.settings.by is not None:
            return parse_slug(self.settings.by, "handle")
        login = _login()
        try:
            return parse_slug(login, "handle")
        except BadValue:
            raise NoHandle(login=repr(login)) from None

    def close(self) -> None:
        """Give the ledger back."""
        if self._open is not None:
            self._open.close()
            self._open = None


def _login() -> str:
    """The login name, empty where nobody is logged in."""
    try:
        return getpass.getuser()
    except (KeyError, OSError):
        return ""


pass_session = click.make_pass_decorator(Session)
