"""Tries, while its bot is built, what no bot may do in a match either.

Its argument: the number by which its signs are told apart. It writes the results of all attempts to
a file.
"""

import json
import sys
from pathlib import Path

from attempts import Targets
from escape_bot import outcome_of
from talking import DEVICES, be_noticed, leave_signs


def main(seat: int) -> None:
    targets: Targets = json.loads(Path("targets.json").read_text())
    DEVICES.extend(map(Path, targets["devices"]))
    leave_signs(seat)
    be_noticed(seat)
    outcomes = {what: outcome_of(what, targets, seat) for what in targets["attempts"]}
    Path("outcomes.json").write_text(json.dumps(outcomes))


if __name__ == "__main__":
    main(int(sys.argv[1]))
