"""What happens at a table, told to the person who sits at it."""

from __future__ import annotations

import re

from arena.web.replay import Wording
from arena.web.tables.sitting import Sitting
from sevens.bot.v1.observation_pb2 import Event
from sevens.record.v1.match_record_pb2 import Seat

YOU = "You"
IRREGULAR = {"has": "have", "is": "are", "was": "were", "does": "do", "goes": "go"}
HISSING = re.compile(r"(ss|x|ch|sh)es$")


class Telling:
    """The words for a table, in which the person is "you"."""

    def __init__(self, sitting: Sitting) -> None:
        self._own = sitting.seat
        self.wording = Wording(
            sitting.game.layout,
            [
                Seat(bot=YOU if seat == sitting.seat else bot, team=team)
                for seat, (bot, team) in enumerate(zip(sitting.bots, sitting.teams, strict=True))
            ],
        )

    def event(self, event: Event) -> str:
        """Returns the sentence for something that happened."""
        actor = event.actor if event.HasField("actor") else None
        return addressed(self.wording.event(event.verb, actor, list(event.arguments)))

    def chosen(self, action: str) -> str:
        """Returns the sentence for the person's choice: "You play 7♣"."""
        return addressed(self.wording.action(self._own, action))

    def choice(self, action: str) -> str:
        """Returns what the person may do, as on a button: "Play 7♣"."""
        words = self.chosen(action).removeprefix(f"{YOU}: ").removeprefix(f"{YOU} ")
        return words[:1].upper() + words[1:]


def addressed(sentence: str) -> str:
    """Returns a sentence about somebody called "You" as one says it: "You plays" is wrong."""
    first, _, rest = sentence.partition(" ")
    if first != YOU:
        return sentence
    verb, space, more = rest.partition(" ")
    return f"{YOU} {_of_you(verb)}{space}{more}"


def _of_you(verb: str) -> str:
    if verb in IRREGULAR:
        return IRREGULAR[verb]
    if HISSING.search(verb):
        return verb[:-2]
    if verb.endswith("ies"):
        return f"{verb[:-3]}y"
    return verb[:-1] if verb.endswith("s") and not verb.endswith("ss") else verb
