"""The operations on comparisons, in one place for the server and the commands."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from sqlalchemy.orm import Session

from arena.league.comparison.certificate import CountedGroup
from arena.league.comparison.comparisons import change_state, create_comparison, plan_of
from arena.league.comparison.document import status_document, status_of
from arena.league.comparison.groups import counted_groups
from arena.league.comparison.plan import Mode
from arena.statistics import PointScale
from arena.store.schema import Comparison, CompetitionState, Version


class LeagueComparisons:
    """Creates, changes and describes comparisons. Raises what its functions raise."""

    def create(
        self,
        session: Session,
        owner: str,
        game: str,
        new: Version,
        old: Version,
        house: Sequence[Version],
        *,
        replacement: bool,
        by_score: bool,
        **terms: Any,
    ) -> Comparison:
        return create_comparison(
            session,
            owner,
            game,
            new,
            old,
            house,
            mode=Mode.REPLACEMENT if replacement else Mode.HEAD_TO_HEAD,
            scale=PointScale.SCORE if by_score else PointScale.RANKS,
            **terms,
        )

    def change(self, session: Session, comparison: Comparison, state: CompetitionState) -> None:
        change_state(session, comparison, state)

    def document(self, session: Session, comparison: Comparison) -> dict[str, Any]:
        return status_document(status_of(session, comparison))

    def groups(
        self, session: Session, comparison: Comparison, after: int, most: int
    ) -> Sequence[CountedGroup]:
        return counted_groups(session, comparison.name, plan_of(comparison), after, most)
