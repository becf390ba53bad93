"""Sources of chance: the seeded stream to the bit, deals given in advance, and their logs."""

import hashlib
from collections.abc import Iterator
from itertools import count
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sevens_games import Deals, SeededDeals, StackedDeals, WrongDeals
from sevens_games.cards.standard import DECK
from tests.support.deal_vectors import DOCUMENT, vectors


def first_deal(seed: str | bytes) -> SeededDeals:
    deals = SeededDeals(seed)
    deals.begin_deal()
    return deals


# A second implementation of the stream ------------------------------------------------------------


def words(seed: bytes, deal: int) -> Iterator[int]:
    """Yields the 32-bit words of a deal."""
    for i in count():
        block = hashlib.sha256(seed + deal.to_bytes(4, "big") + i.to_bytes(8, "big")).digest()
        for at in range(0, 32, 4):
            yield int.from_bytes(block[at : at + 4], "big")


def picked(stream: Iterator[int], n: int) -> int:
    return next(word for word in stream if word < 2**32 - 2**32 % n) % n


def shuffled(stream: Iterator[int], cards: list[str]) -> list[str]:
    order = list(cards)
    for i in reversed(range(1, len(cards))):
        j = picked(stream, i + 1)
        order[i], order[j] = order[j], order[i]
    return order


requests = st.one_of(
    st.none(),  # the next deal
    st.integers(1, 2**32),  # a pick
    st.integers(2**31, 2**31 + 9),  # a pick that rejects every other word
    st.lists(st.sampled_from(DECK), max_size=60),  # a shuffle
)


@given(seed=st.binary(max_size=40), asked=st.lists(requests, max_size=12))
def test_the_stream_is_as_defined(seed: bytes, asked: list[int | list[str] | None]) -> None:
    deals, deal = first_deal(seed), 1
    stream = words(seed, deal)
    for request in asked:
        if request is None:
            deals.begin_deal()
            deal += 1
            stream = words(seed, deal)
        elif isinstance(request, int):
            assert deals.pick(request) == picked(stream, request)
        else:
            assert list(deals.shuffle(request)) == shuffled(stream, request)


# Test vectors -------------------------------------------------------------------------------------


def test_the_document_has_vectors_of_every_kind() -> None:
    lines = [line for _, asked in vectors() for line, _ in asked]
    kinds = ("deal", "words", "pick", "shuffle A B", "shuffle standard")
    assert all(any(line.startswith(kind) for line in lines) for kind in kinds)
    assert len(lines) > 20


@pytest.mark.parametrize(("seed_line", "asked"), vectors(), ids=[seed for seed, _ in vectors()])
def test_the_documents_vectors_are_true(seed_line: str, asked: list[tuple[str, str]]) -> None:
    _, kind, *value = seed_line.split(" ", 2)
    seed = "".join(value).encode() if kind == "text" else bytes.fromhex("".join(value))
    deals = SeededDeals("".join(value)) if kind == "text" else SeededDeals(seed)
    deal = 0
    for line, answer in asked:
        request, *arguments = line.split()
        if request == "deal":
            deal += 1
            deals.begin_deal()
            assert arguments == [str(deal)]
            stream = words(seed, deal)
        elif request == "words":
            found = words(seed, deal)
            assert answer.split() == [f"{next(found):08x}" for _ in answer.split()]
        elif request == "pick":
            n = int(arguments[0])
            assert [deals.pick(n), picked(stream, n)] == [int(answer)] * 2
        else:
            cards = list(DECK) if arguments == ["standard"] else arguments
            assert list(deals.shuffle(cards)) == shuffled(stream, cards) == answer.split()


def test_the_documents_python_does_the_same() -> None:
    code = DOCUMENT.read_text(encoding="utf-8").partition("```python\n")[2].partition("```")[0]
    documents: dict[str, Any] = {}
    exec(code, documents)
    stream = documents["words"](b"7", 1)
    deals = first_deal("7")
    for _ in range(3):
        assert documents["shuffle"](stream, DECK) == list(deals.shuffle(DECK))
        assert documents["pick"](stream, 2**31 + 1) == deals.pick(2**31 + 1)


def test_some_numbers_as_they_must_always_be() -> None:
    deals = first_deal("any text")
    assert deals.shuffle("ABCDEFG") == tuple("GABDECF")
    assert [deals.pick(n) for n in (6, 6, 6, 1, 6)] == [5, 4, 0, 0, 2]
    deals.begin_deal()
    assert deals.shuffle("ABCDEFG") == tuple("CDAFBEG")


# Properties of the seeded stream ------------------------------------------------------------------


def test_a_text_stands_for_its_utf_8() -> None:
    text = "Ä 七"
    assert first_deal(text).shuffle(DECK) == first_deal(text.encode("utf-8")).shuffle(DECK)


@pytest.mark.parametrize("seed", [7, None, 1.5, bytearray(b"7"), ["7"]])
def test_a_seed_is_a_text_or_bytes(seed: Any) -> None:
    with pytest.raises(TypeError, match="text or bytes"):
        SeededDeals(seed)


def test_a_pick_of_one_takes_a_word_and_a_shuffle_of_one_takes_none() -> None:
    stream = words(b"7", 1)
    first, second, third = (next(stream) for _ in range(3))
    deals = first_deal("7")
    assert deals.pick(2**32) == first
    assert deals.pick(1) == 0
    assert deals.pick(2**32) == third
    deals = first_deal("7")
    assert deals.shuffle(["A"]) == ("A",)
    assert deals.shuffle([]) == ()
    assert deals.pick(2**32) == first
    assert deals.pick(2**32) == second


def test_a_pick_takes_words_until_one_is_below_the_limit() -> None:
    n = 2**31 + 1  # words from n on are rejected
    stream = words(b"sevens 1", 1)
    taken = [next(stream) for _ in range(4)]
    assert [word < n for word in taken] == [False, False, True, False]
    deals = first_deal("sevens 1")
    assert deals.pick(n) == taken[2]
    assert deals.pick(2**32) == taken[3]


def test_a_shuffle_takes_words_until_one_is_below_the_limit() -> None:
    seed = "12723954"  # found by search: the eighth word is rejected, as 52 cards are shuffled
    stream = words(seed.encode(), 1)
    assert [next(stream) for _ in range(8)][-1] >= 2**32 - 2**32 % 45
    deals = first_deal(seed)
    stream = words(seed.encode(), 1)
    assert list(deals.shuffle(DECK)) == shuffled(stream, list(DECK))
    assert deals.pick(2**32) == next(stream)


@given(drawn=st.integers(0, 40))
def test_a_deal_does_not_depend_on_what_was_drawn_before(drawn: int) -> None:
    deals = first_deal("7")
    for _ in range(drawn):
        deals.pick(6)
    deals.begin_deal()
    assert list(deals.shuffle(DECK)) == shuffled(words(b"7", 2), list(DECK))


def test_nothing_can_be_asked_for_before_the_first_deal() -> None:
    with pytest.raises(WrongDeals, match="begin_deal"):
        SeededDeals("7").pick(6)
    with pytest.raises(WrongDeals, match="begin_deal"):
        SeededDeals("7").shuffle(DECK)


@pytest.mark.parametrize("deals", [first_deal("7"), StackedDeals(picks=[0, 0])])
@pytest.mark.parametrize("n", [0, -1, 2**32 + 1])
def test_a_pick_is_of_1_to_2_to_the_32_numbers(deals: Deals, n: int) -> None:
    with pytest.raises(ValueError, match="pick"):
        deals.pick(n)
    assert deals.picks == []


def test_two_of_the_same_card_are_shuffled_like_others() -> None:
    assert sorted(first_deal("7").shuffle(["A", "A", "B", "B"])) == ["A", "A", "B", "B"]


# Logs and copies ----------------------------------------------------------------------------------


def all_deals() -> list[Deals]:
    return [first_deal("7"), StackedDeals([DECK[::-1], ["B", "A"]], [3, 0, 5])]


@pytest.mark.parametrize("deals", all_deals())
def test_all_that_was_given_is_logged(deals: Deals) -> None:
    orders = [deals.shuffle(DECK), deals.shuffle(["A", "B"])]
    numbers = [deals.pick(6), deals.pick(1), deals.pick(6)]
    assert deals.shuffles == [list(order) for order in orders]
    assert deals.picks == numbers
    deals.shuffles.clear()
    deals.shuffles[0].clear()
    deals.picks.clear()
    assert deals.shuffles == [list(order) for order in orders]
    assert deals.picks == numbers


@pytest.mark.parametrize("deals", all_deals())
def test_a_copy_has_the_same_past_and_future_and_is_independent(deals: Deals) -> None:
    deals.shuffle(DECK)
    deals.pick(6)
    copy = deals.copy()
    assert type(copy) is type(deals)
    future = [deals.shuffle(["A", "B"]), deals.pick(1), deals.pick(6)]
    assert [len(copy.shuffles), len(copy.picks)] == [1, 1]
    assert [copy.shuffle(["A", "B"]), copy.pick(1), copy.pick(6)] == future
    assert (copy.shuffles, copy.picks) == (deals.shuffles, deals.picks)


# Deals given in advance ---------------------------------------------------------------------------


def test_stacked_deals_hand_out_what_they_were_given() -> None:
    deals = StackedDeals(shuffles=[["B", "A"], ["C"]], picks=[5, 0])
    deals.begin_deal()
    assert deals.shuffle(["A", "B"]) == ("B", "A")
    assert deals.pick(6) == 5
    deals.begin_deal()
    assert deals.shuffle(["C"]) == ("C",)
    assert deals.pick(1) == 0


@pytest.mark.parametrize("given", [["A"], ["A", "B", "B"], ["A", "C"], [], ["A", "A"]])
def test_a_shuffle_of_other_cards_is_wrong(given: list[str]) -> None:
    deals = StackedDeals([given])
    with pytest.raises(WrongDeals, match="Shuffle 1 must order the 2 cards A B"):
        deals.shuffle(["A", "B"])
    assert deals.shuffles == []


@pytest.mark.parametrize("number", [-1, 6, True, 2.0, "2", None])
def test_a_pick_out_of_range_is_wrong(number: Any) -> None:
    deals = StackedDeals(picks=[number])
    with pytest.raises(WrongDeals, match=f"integer from 0 to 5, not {number!r}"):
        deals.pick(6)
    assert deals.picks == []


def test_stacked_deals_can_be_used_up() -> None:
    deals = StackedDeals([["A"]], [0])
    deals.shuffle(["A"])
    deals.pick(1)
    with pytest.raises(WrongDeals, match=r"^Shuffle 2 was requested, but only 1 were given\.$"):
        deals.shuffle(["A"])
    with pytest.raises(WrongDeals, match=r"^Pick 2 was requested, but only 1 were given\.$"):
        deals.pick(1)
    assert issubclass(WrongDeals, ValueError)


def test_stacked_deals_do_not_change_with_the_lists_they_were_given() -> None:
    shuffles, picks = [["A", "B"]], [1]
    deals = StackedDeals(shuffles, picks)
    shuffles[0].clear()
    picks.clear()
    assert deals.shuffle(["B", "A"]) == ("A", "B")
    assert deals.pick(2) == 1
