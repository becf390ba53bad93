"""Plays legal moves, and tries at each decision something else that no bot may do.

Its arguments: the name of a fatal attempt, if it is to try one at its third decision. It reports
the result of an attempt in the note of its answer.
"""

import json
import sys
from pathlib import Path

from attempts import HARMLESS, Escaped, Targets
from fatal_attempts import FATAL
from talking import DEVICES, WAYS, be_noticed, leave_signs, look

from sevens_sdk import Bot, Decision, run

FATAL_AT = 3
AT_A_TIME = 2


class EscapeBot(Bot):
    def on_start(self) -> None:
        self.targets: Targets = json.loads(Path(__file__).with_name("targets.json").read_text())
        self.left = list(self.targets["attempts"])
        self.decisions = 0
        DEVICES.extend(map(Path, self.targets["devices"]))
        leave_signs(self.match.seat)

    def choose(self, decision: Decision) -> int:
        self.decisions += 1
        be_noticed(self.match.seat)
        if sys.argv[1:] and self.decisions == FATAL_AT:
            FATAL[sys.argv[1]](self.targets)
        for what in self.left[:AT_A_TIME]:
            outcome = outcome_of(what, self.targets, self.match.seat)
            decision.note(json.dumps([what, outcome]))
        del self.left[:AT_A_TIME]
        return 0


def outcome_of(what: str, targets: Targets, seat: int) -> str:
    """Makes an attempt, and returns its result."""
    try:
        return look(seat, what) if what in WAYS else HARMLESS[what](targets)
    except Escaped as escape:
        return f"ESCAPED: {escape}"
    except Exception as error:
        return f"UNFORESEEN: {error!r}"


if __name__ == "__main__":
    run(EscapeBot)
