"""What a bot wrote itself at its fault, apart from what everybody may read."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0004"
branch_labels = None
depends_on = None

WORDS_CHARACTERS = 1024
EARLIER = "An earlier version of the arena recorded this; the bot's owner can read what happened."


def upgrade() -> None:
    """Earlier sentences mixed both kinds of text, so that all of them become words."""
    op.add_column("match_seats", sa.Column("fault_words", sa.Text, nullable=True))
    seats = sa.table(
        "match_seats",
        sa.column("fault_kind", sa.String),
        sa.column("fault_sentence", sa.Text),
        sa.column("fault_words", sa.Text),
    )
    op.execute(
        sa.update(seats)
        .where(seats.c.fault_kind.is_not(None))
        .values(
            fault_words=sa.func.substr(seats.c.fault_sentence, 1, WORDS_CHARACTERS),
            fault_sentence=EARLIER,
        )
    )
