"""Ladders: their terms and tables, how ratings changed, and why."""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import Field

from arena.errors import ArenaError, Kind
from arena.league import explained_rating, is_run_now, ladder_views, rated_ladder
from arena.operations.caller import READERS
from arena.operations.operation import Number, Reading, Text, reads
from arena.operations.readable import readable_faults
from arena.store.queries import bot_named, ladder_named, ladders
from arena.views.ladders.ladder import Ladders, RatedLadder, ladder_stamp
from arena.views.ladders.rating_curve import Curve, Curves, rating_curves
from arena.views.ladders.rating_explanation import RatingExplanation
from arena.views.ladders.rating_history import BotHistory, ladders_of, rating_history
from arena.views.ladders.standing import standings
from arena.views.results import Crosstable, Pair, crosstable

BEST = 12
Few = Annotated[int, Field(ge=1, le=200, description="At most so many.")]
"""The length of a list whose items take long to find: jobs, each of perhaps two dozen matches, or
versions with their curves."""


def _stamp(asked: Reading, ladder: str, **_: Any) -> str:
    """Returns a text that changes with every answer about a ladder. Raises ArenaError."""
    stamp = ladder_stamp(asked.session, ladder)
    is_run = is_run_now(asked.folder.holder(), ladder_named(asked.session, ladder))
    return f"{stamp}.{is_run}"


@reads("/ladders")
def list_ladders(asked: Reading) -> Ladders:
    """All ladders, by name."""
    found = ladder_views(asked.session, asked.folder.holder(), ladders(asked.session))
    return Ladders(ladders=found)


@reads("/ladders/{ladder}", stamp=_stamp)
def read_ladder(asked: Reading, ladder: Text) -> RatedLadder:
    """A ladder: its terms, what is going on, its table, and the faults for which versions are
    suspended. Their words are there for the owner of the bot."""
    row = ladder_named(asked.session, ladder)
    found = rated_ladder(asked.session, asked.folder.holder(), row)
    told = readable_faults(found.suspended, asked.caller)
    return found.model_copy(update={"suspended": told})


@reads("/ladders/{ladder}/curves", stamp=_stamp)
def read_curves(asked: Reading, ladder: Text, limit: Few = BEST) -> Curves:
    """The rating curves of the best versions on a ladder, each of at most 300 points."""
    best = standings(asked.session, ladder, limit=limit)
    points = rating_curves(asked.session, ladder, [one.version for one in best])
    return Curves(
        curves=tuple(
            Curve(
                bot=one.bot,
                number=one.number,
                version=one.version,
                points=points.get(one.version, ()),
            )
            for one in best
        )
    )


@reads("/ladders/{ladder}/crosstable", stamp=_stamp)
def read_crosstable(asked: Reading, ladder: Text, limit: Few = BEST) -> Crosstable:
    """The results of the best versions on a ladder against each other."""
    best = [one.version for one in standings(asked.session, ladder, limit=limit)]
    found = crosstable(asked.session, ladder, best)
    return Crosstable(
        pairs=tuple(
            Pair(version=version, opponent=opponent, results=results)
            for (version, opponent), results in found.items()
        )
    )


@reads("/ladders/{ladder}/explanation", READERS)
def explain_rating(
    asked: Reading,
    ladder: Text,
    bot: Text,
    number: Number = 0,
    limit: Few = 50,
    moved_most: bool = False,
) -> RatingExplanation:
    """The reasons for the rating of a bot's version, the latest on the ladder if no number is
    given. The jobs are the latest, or those that moved mu most."""
    row = ladder_named(asked.session, ladder)
    return explained_rating(asked.session, row, bot, number, limit=limit, moved_most=moved_most)


@reads("/bots/{bot}/history", READERS)
def read_history(
    asked: Reading, bot: Text, ladder: Text = "", after: Number = 0, limit: Few = 50
) -> BotHistory:
    """The history of a bot's ratings, job by job, on a ladder or on all, the latest first.
    `after`, the `next` of the page before, continues the history on one ladder."""
    bot_named(asked.session, bot)
    if after and not ladder:
        raise ArenaError(
            Kind.WRONG_INPUT,
            "`after` continues the history on one ladder: give `ladder` as well.",
            "ladder",
        )
    names = [ladder] if ladder else ladders_of(asked.session, bot)
    return BotHistory(
        bot=bot,
        ladders=tuple(
            rating_history(asked.session, name, bot, after=after or None, limit=limit)
            for name in names
        ),
    )
