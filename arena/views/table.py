"""Tables at which people play."""

from __future__ import annotations

from arena.views.view import View


class Seated(View):
    """A person has a seat at a new table.

    `table`: its name.
    `name`: the name under which the person is in the record: that of a remote bot.
    `key`: the secret of this seat: the token with which its program dials in and plays.
    """

    table: str
    name: str
    key: str
