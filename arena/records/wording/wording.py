"""Actions, events and facts as sentences, with the names of bots and cards as they look."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

from arena.foreign_text import visible
from arena.records.wording.patterns import Actor, Words, is_card
from arena.records.wording.said_facts import SaidFact, said_fact
from sevens.record.v1 import match_record_pb2 as pb
from sevens_games import Layout
from sevens_games.engine import FactValue

TEN = "T"
YOU = "You"


class Wording:
    """The words for one match.

    `names`: by seat, the bot's name, with the seat if another has the same.
    `own`: the seat of the reader, who is called "you"; None if they only watch.
    """

    def __init__(self, layout: Layout, seats: Sequence[pb.Seat], own: int | None = None) -> None:
        self.layout = layout
        self.own = own
        self.names = _names([YOU if i == own else visible(s.bot) for i, s in enumerate(seats)])
        if own is not None:
            self.names[own] = YOU
        self._teams = [seat.team for seat in seats]

    def action(self, seat: int, action: str) -> str:
        """Returns the sentence for a choice."""
        verb, *arguments = action.split(" ")
        return self.event(verb, seat, arguments)

    def choice(self, action: str) -> str:
        """Returns what a seat may do, as on a button: "Play 7♣"."""
        verb, *arguments = action.split(" ")
        words = self._said(verb, Actor("", is_reader=True), arguments).lstrip(": ")
        words = words or self._plain(verb, arguments)
        return words[:1].upper() + words[1:]

    def event(self, verb: str, actor: int | None, arguments: Sequence[str]) -> str:
        """Returns the sentence for something that happened, without a full stop."""
        name = self.layout.nobody if actor is None else self.seat(str(actor))
        who = Actor(name, is_reader=actor is not None and actor == self.own)
        words = self._plain(verb, arguments)
        plain = words.capitalize() if actor is None else f"{name}: {words}"
        return self._said(verb, who, arguments) or plain

    def facts(self, facts: Mapping[str, FactValue], viewer: int | None) -> list[SaidFact]:
        """Returns the facts that people are shown, in the order in which the game declares them.

        `viewer`: the seat whose observation they are from; None: the spectator's.
        """
        order = {name: place for place, name in enumerate(self.layout.facts)}
        names = sorted(facts, key=lambda name: (order.get(name, len(order)), name))
        said = (said_fact(self, name, facts, viewer) for name in names)
        return [fact for fact in said if fact is not None]

    def sentence_of(self, fact: SaidFact) -> str:
        """Returns the value of a fact in one sentence; that of seats and teams by their names."""
        if isinstance(fact.value, str):
            return fact.value
        named = self.team if fact.place == "team" else lambda seat: self.seat(str(seat))
        said = (
            f"{named(place)} {text}".rstrip()
            for place, text in enumerate(fact.value)
            if text is not None
        )
        return ", ".join(said)

    def title(self, zone: str) -> str:
        """Returns the name of a zone in words."""
        return self.layout.titles.get(zone) or zone.replace("-", " ").replace("_", " ")

    def cards(self, words: Iterable[str]) -> str:
        """Returns words in a row, those that are cards as they look."""
        between = " " if all(suit.symbol for suit in self.layout.suits.values()) else ", "
        shown = before = ""
        for word in words:
            two_cards = shown and is_card(word, self.layout) and is_card(before, self.layout)
            shown += (between if two_cards else " " * bool(shown)) + self.card(word)
            before = word
        return shown

    def held(self, cards: Sequence[str], hidden: int) -> str:
        """Returns what is in a zone, of which `hidden` further cards are not seen."""
        face_down = [f"{hidden} face down"] if hidden else []
        return ", ".join([self.cards(cards)] * bool(cards) + face_down) or "empty"

    def card(self, word: str) -> str:
        """Returns a card's rank and suit, as in 10♦; other words as they are."""
        if not is_card(word, self.layout):
            return word
        suit = self.layout.suits[word[1]]
        return f"{self.rank(word[0])}{suit.symbol or ' ' + suit.name}"

    def rank(self, letter: str) -> str:
        """Returns a rank as people write it."""
        return "10" if letter == TEN else letter

    def suit(self, letter: str) -> str:
        """Returns the name of a suit."""
        suit = self.layout.suits.get(letter)
        return suit.name if suit else letter

    def named(self, words: Sequence[str]) -> str:
        """Returns cards, and after them in parentheses the suits among the words: J♥ (clubs)."""
        suits = [suit.name for word in words if (suit := self.layout.suits.get(word))]
        cards = self.cards(word for word in words if word not in self.layout.suits)
        return f"{cards} ({', '.join(suits)})" if suits else cards

    def seat(self, word: str) -> str:
        """Returns the name of a seat, or of who sits beyond the seats; other words as they are."""
        if not word.isdecimal():
            return self.layout.words.get("seat", {}).get(word, word)
        return self.names[int(word)] if int(word) < len(self.names) else self.layout.nobody

    def team(self, team: int) -> str:
        """Returns the names of a team's members."""
        *others, last = (
            name for name, own in zip(self.names, self._teams, strict=True) if own == team
        )
        return f"{', '.join(others)} and {last}" if others else last

    def by_seat(self, values: Iterable[object]) -> str:
        """Returns each seat with its value."""
        pairs = zip(self.names, values, strict=False)
        return ", ".join(f"{name} {value}" for name, value in pairs)

    def by_team(self, values: Iterable[object]) -> str:
        """Returns each team with its value."""
        return ", ".join(f"{self.team(team)} {value}" for team, value in enumerate(values))

    def filled(self, pattern: str, words: Sequence[str], others: Mapping[str, object]) -> str:
        """Returns a pattern with these words, and others by their names. Raises IndexError."""
        single = [Words(self, [word]) for word in words]
        several = {"all": Words(self, words), "rest": Words(self, words[1:])}
        return pattern.format(*single, **{**others, **several}).rstrip()

    def _said(self, verb: str, actor: Actor, arguments: Sequence[str]) -> str:
        """Returns the sentence that the game declares; empty if it has none for these words."""
        for pattern in self.layout.sentences(verb):
            try:
                return self.filled(pattern, arguments, {"actor": actor})
            except IndexError:  # a viewer who may not know all particulars
                continue
        return ""

    def _plain(self, verb: str, arguments: Sequence[str]) -> str:
        return f"{verb.replace('-', ' ')} {self.cards(arguments)}".rstrip()


def _names(bots: Sequence[str]) -> list[str]:
    """Returns the bots' names, with their seats where several have the same."""
    count = Counter(bots)
    return [f"{bot} (seat {i})" if count[bot] > 1 else bot for i, bot in enumerate(bots, 1)]
