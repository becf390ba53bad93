"""The inbox of faults: each with the decision, the clock, what the bot wrote, and the command that
re-lives it."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from urllib.parse import urlencode

from sqlalchemy.orm import Session
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from arena.foreign_text import ending
from arena.records import BadRecord, FaultMoment, fault_moment, read
from arena.store.match_names import short_name
from arena.store.queries import bot_named
from arena.store.session import Store
from arena.store.texts import LostText, record_text
from arena.store.tokens import owner_named
from arena.views.matches.fault import Fault, find_faults
from arena.views.matches.played import seat_logs
from arena.web.pages.own.fault_groups import FaultGroup, folded
from arena.web.pages.rewind_command import rewind_command
from arena.web.pages.stderr_ends import STDERR_BYTES
from arena.web.rendering import private_page
from arena.web.site import site_of
from arena.web.viewer import check_private, contestant_of

READ = 200  # faults, to be folded
GROUPS = 10
EARLIER = 30  # links to the others of a group
REMEMBERED = 4096


@dataclass(frozen=True)
class ShownGroup:
    """A group with what is private of its latest fault.

    `moment`: None if the fault was at no decision, or the record is gone.
    `words`: the bot's own, unless its stderr ends with them.
    `stderr`: its end; empty if there was none. `problem`: why the private log cannot be shown.
    `command`: shows the decision in a terminal.
    `rewind`: asks the bot again; empty if the record is gone.
    """

    group: FaultGroup
    moment: FaultMoment | None
    words: str
    stderr: str
    problem: str
    command: str
    rewind: str

    @property
    def address(self) -> str:
        """The decision on the page of its match."""
        latest = self.group.latest
        at = {"at": self.moment.place} if self.moment is not None else {}
        return f"/matches/{latest.match}?{urlencode({'seat': latest.seat, **at})}"


def show(request: Request) -> Response:
    """Returns a page of the inbox. Raises ArenaError."""
    login = contestant_of(request)
    bot, after = request.query_params.get("bot", ""), request.query_params.get("after", "")
    store = site_of(request).store
    with store.reading() as session:
        owner = request.query_params.get("owner") or login.caller.owner
        if bot:
            owner = bot_named(session, bot).owner
        check_private(login, owner)
        if not bot and owner != login.caller.owner:
            owner = owner_named(session, owner)
        page = find_faults(session, owner=owner, bot=bot, after=after, limit=READ)
        groups, count = folded(page.faults, GROUPS)
        shown = [_shown(store, session, group) for group in groups]
        last = page.faults[count - 1] if count else None
        more = last is not None and (bool(page.next) or count < len(page.faults))
        return private_page(
            request,
            "own/faults.html",
            owner=owner,
            bot=bot,
            groups=shown,
            count=count,
            first=not after,
            earlier=EARLIER,
            older=_older(request, last) if more and last is not None else "",
        )


def _older(request: Request, last: Fault) -> str:
    """Returns the address of the page after this fault."""
    return str(request.url.include_query_params(after=f"{last.match}.{last.seat}").query)


def _shown(store: Store, session: Session, group: FaultGroup) -> ShownGroup:
    latest = group.latest
    moment = _moment(store, latest.match, latest.seat) if latest.decision else None
    stderr = problem = ""
    try:
        stderr = seat_logs(session, latest.match)[latest.seat].stderr
    except LostText as lost:
        problem = lost.sentence
    stderr = ending(stderr, STDERR_BYTES).strip("\n")
    return ShownGroup(
        group,
        moment,
        words="" if _ends_alike(latest.words, stderr) else latest.words,
        stderr=stderr,
        problem=problem,
        command=_command(latest, moment),
        rewind=_rewind(latest, moment),
    )


def _ends_alike(words: str, stderr: str) -> bool:
    """Returns whether the stderr has the last line of a bot's words, which usually quote it."""
    last = words.rstrip().rpartition("\n")[2]
    return last in stderr


def _command(fault: Fault, moment: FaultMoment | None) -> str:
    match = short_name(fault.match)
    if moment is None:
        return f"arena log {match} --mine"
    return f"arena replay {match} --seat {fault.seat} --at {moment.place}"


def _rewind(fault: Fault, moment: FaultMoment | None) -> str:
    if moment is None and fault.decision:
        return ""
    return rewind_command(fault.match, fault.seat, moment.place if moment is not None else None)


@lru_cache(REMEMBERED)
def _moment(store: Store, match: str, seat: int) -> FaultMoment | None:
    """Returns the moment of a fault, which never changes and takes a replay of its match to find.
    None if the record has been pruned, is damaged or does not follow the rules of today."""
    try:
        with store.reading() as session:
            return fault_moment(read(record_text(session, match)), seat)
    except (LostText, BadRecord):
        return None


ROUTES = [Route("/own/faults", show)]
