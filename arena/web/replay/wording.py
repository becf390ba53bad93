"""Actions and events as sentences, with the names of bots and cards as they look."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence

from arena.foreign_text import visible
from arena.games import Layout
from sevens.record.v1 import match_record_pb2 as pb

RANKS = "0123456789ATJQK"
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
        """Returns what the reader may do, as on a button: "Play 7♣"."""
        assert self.own is not None
        words = self.action(self.own, action).removeprefix(YOU).lstrip(": ")
        return words[:1].upper() + words[1:]

    def event(self, verb: str, actor: int | None, arguments: Sequence[str]) -> str:
        """Returns the sentence for something that happened, without a full stop."""
        return self._said(verb, actor, arguments) or self._plain(verb, actor, arguments)

    def cards(self, words: Iterable[str]) -> str:
        """Returns words in a row, those that are cards as they look."""
        between = " " if all(suit.symbol for suit in self.layout.suits.values()) else ", "
        shown = before = ""
        for word in words:
            two_cards = self._is_card(word) and shown and self._is_card(before)
            shown += (between if two_cards else " " * bool(shown)) + self.card(word)
            before = word
        return shown

    def card(self, word: str) -> str:
        """Returns a card's rank and suit, as in 10♦; other words as they are."""
        if not self._is_card(word):
            return word
        suit = self.layout.suits[word[1]]
        rank = "10" if word[0] == TEN else word[0]
        return f"{rank}{suit.symbol or ' ' + suit.name}"

    def _is_card(self, word: str) -> bool:
        return len(word) == 2 and word[0] in RANKS and word[1] in self.layout.suits

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
            return word
        return self.names[int(word)] if int(word) < len(self.names) else self.layout.nobody

    def team(self, team: int) -> str:
        """Returns the names of a team's members."""
        return " and ".join(
            name for name, own in zip(self.names, self._teams, strict=True) if own == team
        )

    def by_seat(self, values: Iterable[object]) -> str:
        """Returns each seat with its value."""
        pairs = zip(self.names, values, strict=False)
        return ", ".join(f"{name} {value}" for name, value in pairs)

    def by_team(self, values: Iterable[object]) -> str:
        """Returns each team with its value."""
        return ", ".join(f"{self.team(team)} {value}" for team, value in enumerate(values))

    def _said(self, verb: str, actor: int | None, arguments: Sequence[str]) -> str:
        """Returns the sentence that the game declares; empty if it has none for these words."""
        name = self.layout.nobody if actor is None else self.seat(str(actor))
        who = _Actor(name, is_reader=actor is not None and actor == self.own)
        words = [_Word(self, [argument]) for argument in arguments]
        pattern = self.layout.says.get(verb, "")
        try:
            return pattern.format(*words, actor=who, all=_Word(self, arguments)).rstrip()
        except IndexError:  # a viewer who may not know all particulars
            return ""

    def _plain(self, verb: str, actor: int | None, arguments: Sequence[str]) -> str:
        words = f"{verb.replace('-', ' ')} {self.cards(arguments)}".rstrip()
        return words.capitalize() if actor is None else f"{self.seat(str(actor))}: {words}"


class _Actor:
    """The seat that acts, which a pattern formats alone or with its verb."""

    def __init__(self, name: str, *, is_reader: bool) -> None:
        self._name = name
        self._is_reader = is_reader

    def __format__(self, verbs: str) -> str:
        third_person, _, of_you = verbs.partition("|")
        return f"{self._name} {of_you if self._is_reader else third_person}".rstrip()


class _Word:
    """Arguments of an event, which a pattern formats as cards, or by the kind that it names."""

    def __init__(self, wording: Wording, words: Sequence[str]) -> None:
        self._wording = wording
        self._words = words

    def __format__(self, kind: str) -> str:
        match kind:
            case "seat":
                name = self._wording.seat(self._words[0])
                return YOU.lower() if self._words[0] == str(self._wording.own) else name
            case "suit":
                return self._wording.suit(self._words[0])
            case "named":
                return self._wording.named(self._words)
            case "held":
                return self._wording.cards(self._words) or "no card"
            case "seats":
                return self._wording.by_seat(self._words)
            case "teams":
                return self._wording.by_team(self._words)
        return self._wording.cards(self._words)


def _names(bots: Sequence[str]) -> list[str]:
    """Returns the bots' names, with their seats where several have the same."""
    count = Counter(bots)
    return [f"{bot} (seat {i})" if count[bot] > 1 else bot for i, bot in enumerate(bots)]
