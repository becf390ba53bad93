"""The contract of every game: starting a match, asking for decisions, taking choices, ending."""

import re
from collections.abc import Iterator
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sevens_games import IllegalAction, Match, Option, SeededDeals, load, text_of
from tests.support.game_checks import check_decision
from tests.support.game_formats import (
    MOST_DECISIONS,
    Format,
    chosen_play,
    each_format,
    each_slug,
    everything,
    formats,
    however_played,
    play_on,
    played,
    simultaneous_decisions,
    texts,
)

# Declarations -------------------------------------------------------------------------------------


@each_slug
def test_a_game_is_declared_in_full(slug: str) -> None:
    game = load(slug)
    assert game.slug == slug
    assert game.title
    assert game.summary.endswith(".")
    assert type(game.rules_version) is int
    assert game.rules_version >= 1
    assert list(game.players) == sorted(set(game.players))
    assert min(game.players) >= 1
    assert game.ladder_players in game.players
    explained = [*game.zones.values(), *game.facts.values(), *game.reasons.values()]
    for sentence in [*explained, *[option.sentence for option in game.options.values()]]:
        assert sentence.endswith("."), sentence
    assert "chosen" not in game.facts, "the match adds this fact"


@each_slug
def test_the_defaults_of_options_are_allowed_and_have_texts(slug: str) -> None:
    for name, option in load(slug).options.items():
        assert option.name == name
        option.check(option.default)
        assert option.parse(text_of(option.default)) == option.default


@each_slug
def test_teams_are_numbered_from_0_in_the_order_of_their_first_seats(slug: str) -> None:
    game = load(slug)
    for players in game.players:
        teams = game.teams(players)
        assert len(teams) == players
        assert list(dict.fromkeys(teams)) == list(range(max(teams) + 1))


# The start ----------------------------------------------------------------------------------------


@each_slug
def test_a_start_without_arguments_is_the_ladder_format_with_fresh_randomness(slug: str) -> None:
    game = load(slug)
    matches = [game.start() for _ in range(3)]
    for match in matches:
        assert match.players == game.ladder_players
        assert match.options == {name: option.default for name, option in game.options.items()}
    for match in matches:
        play_on(match, Random(0))
    shuffles = [match.deals.shuffles for match in matches]
    assert shuffles[0]
    assert not shuffles[0] == shuffles[1] == shuffles[2]


@each_slug
def test_a_start_takes_keywords_only(slug: str) -> None:
    start: Any = load(slug).start
    with pytest.raises(TypeError):
        start(load(slug).ladder_players)


@each_format
def test_a_match_has_the_players_and_options_of_its_start(form: Format) -> None:
    match = form.start()
    assert match.game is form.game
    assert match.players == form.players
    defaults = {name: option.default for name, option in form.game.options.items()}
    assert match.options == defaults | form.options
    assert (match.result is None) == bool(match.to_act)


def wrong_values(option: Option) -> Iterator[object]:
    yield from ("no such word", "true", "1", 1.0, None, [])
    if option.type is not int:
        yield from (0, 1)
    if option.type is not bool:
        yield from (True, False)
    if option.minimum is not None:
        yield option.minimum - 1
    if option.maximum is not None:
        yield option.maximum + 1


@each_slug
def test_a_wrong_option_is_refused_by_name_and_value_and_what_is_allowed(slug: str) -> None:
    game = load(slug)
    for name, option in game.options.items():
        for value in wrong_values(option):
            options: Any = {name: value}
            with pytest.raises(ValueError, match=re.escape(name)) as refused:
                game.start(options=options)
            assert repr(value) in str(refused.value)
            assert option.allowed in str(refused.value)


@each_slug
def test_an_unknown_option_is_refused_with_those_that_exist(slug: str) -> None:
    game = load(slug)
    with pytest.raises(ValueError, match="no option 'no_such_option'") as refused:
        game.start(options={"no_such_option": True})
    for name in game.options:
        assert name in str(refused.value)


@each_slug
def test_a_wrong_number_of_players_is_refused_with_those_allowed(slug: str) -> None:
    game = load(slug)
    wrong: list[Any] = [-1, 0, max(game.players) + 1, True, float(game.players[0]), "2", (2,)]
    wrong += [1] if min(game.players) > 1 else []
    for players in wrong:
        with pytest.raises(ValueError, match="players") as refused:
            game.start(players=players)
        assert repr(players) in str(refused.value)
        for allowed in game.players:
            assert str(allowed) in str(refused.value)


@each_format
def test_one_object_of_deals_starts_equal_matches(form: Format, seed: int) -> None:
    deals = SeededDeals(f"equal {seed}")
    one, other = form.start(deals), form.start(deals)
    assert everything(one) == everything(other)
    choices = play_on(one, Random(seed), most=30)
    for seat, text in choices:
        other.apply(seat, text)
    assert everything(one) == everything(other)
    assert (deals.shuffles, deals.picks) == ([], [])


# The decisions ------------------------------------------------------------------------------------


@each_format
def test_who_owes_a_decision_has_something_to_choose(form: Format, seed: int) -> None:
    for match in played(form, seed).positions(Random(seed)):
        check_decision(match)
    check_decision(played(form, seed).end)


@each_slug
@given(data=st.data())
@however_played
def test_who_owes_a_decision_has_something_to_choose_however_it_came_about(
    slug: str, data: st.DataObject
) -> None:
    check_decision(data.draw(chosen_play(slug)))


@each_format
def test_the_list_of_legal_actions_belongs_to_the_caller(form: Format, seed: int) -> None:
    for match in played(form, seed).positions(Random(seed)):
        seat = match.to_act[0]
        legal = texts(match, seat)
        match.legal_actions(seat).clear()
        assert texts(match, seat) == legal
        match.apply(seat, legal[-1])


@each_format
def test_an_action_and_its_text_are_the_same_choice(form: Format, seed: int) -> None:
    rng = Random(seed)
    for match in played(form, seed).positions(rng):
        other = match.clone()
        seat = rng.choice(match.to_act)
        action = rng.choice(match.legal_actions(seat))
        apply: Any = match.apply
        assert apply(seat, action) is None
        other.apply(seat, str(action))
        assert everything(match) == everything(other)


def illegal(match: Match, rng: Random) -> Iterator[tuple[Any, Any]]:
    """Yields illegal choices: another seat's, and texts that are not actions."""
    seat = rng.choice(match.to_act) if match.to_act else 0
    legal = texts(match, seat) or ["pass"]
    text = rng.choice(legal)
    for other in (-1, match.players, *range(match.players)):
        if other not in match.to_act:
            yield other, text
    for wrong in ("", "no such action", f"{text} ", f" {text}", text.upper(), text + "\n", None, 0):
        yield seat, wrong
    yield bool(seat), text
    yield float(seat), text
    yield None, text
    yield str(seat), text


@each_format
def test_an_illegal_action_changes_nothing_and_says_who_what_and_why(
    form: Format, seed: int
) -> None:
    rng = Random(seed)
    for match in [*played(form, seed).positions(rng, 3), played(form, seed).end.clone()]:
        before = everything(match)
        for seat, action in illegal(match, rng):
            with pytest.raises(IllegalAction, match="may not choose") as refused:
                match.apply(seat, action)
            assert isinstance(refused.value, ValueError)
            why = str(refused.value)
            assert why.startswith(f"Seat {seat} may not choose ")
            assert repr(action) in why or repr(str(action)) in why
            assert len(why) > len(f"Seat {seat} may not choose {action!r}.") + 10
        assert everything(match) == before


@each_format
def test_a_match_ends_with_scores_ranks_and_a_declared_reason(form: Format, seed: int) -> None:
    match = played(form, seed).end
    result = match.result
    assert result is not None, f"no end within {MOST_DECISIONS} decisions"
    assert result.reason in form.game.reasons
    assert [type(score) for score in result.scores] == [int] * form.players
    assert [type(rank) for rank in result.ranks] == [int] * form.players
    for rank in result.ranks:
        assert rank == 1 + sum(other < rank for other in result.ranks), "ranks tie and skip"
    teams = form.game.teams(form.players)
    for seat, team in enumerate(teams):
        first = teams.index(team)
        assert result.scores[seat] == result.scores[first]
        assert result.ranks[seat] == result.ranks[first]


@each_slug
def test_a_match_ends_when_everybody_always_chooses_the_same_place(slug: str) -> None:
    for form in formats(slug):
        for place in (0, -1):
            match = form.start(SeededDeals(b""))
            for _ in range(MOST_DECISIONS):
                if not match.to_act:
                    break
                seat = match.to_act[place]
                match.apply(seat, match.legal_actions(seat)[place])
            assert match.result is not None, form


@each_format
def test_after_the_end_nothing_changes(form: Format, seed: int) -> None:
    match = played(form, seed).end
    assert match.to_act == ()
    before = everything(match)
    for seat in range(match.players):
        assert match.legal_actions(seat) == []
        with pytest.raises(IllegalAction, match="over"):
            match.apply(seat, "pass")
    assert everything(match) == before


# Simultaneous decisions ---------------------------------------------------------------------------


@each_slug
def test_simultaneous_choices_are_kept_until_the_last_whatever_their_order(
    slug: str, seed: int
) -> None:
    rng = Random(seed)
    for match in simultaneous_decisions(slug, seed):
        seats = match.to_act
        choices = {seat: rng.choice(match.legal_actions(seat)) for seat in seats}
        outcomes = []
        for order in (seats, seats[::-1], rng.sample(seats, len(seats))):
            arriving = match.clone()
            for seat in order[:-1]:
                check_that_nobody_else_notices(arriving, seat, choices[seat])
            arriving.apply(order[-1], choices[order[-1]])
            outcomes.append(everything(arriving))
            assert "chosen" not in arriving.observe(None).facts
            for seat in range(arriving.players):
                assert "chosen" not in arriving.observe(seat).facts
        assert outcomes[0] == outcomes[1] == outcomes[2]


def check_that_nobody_else_notices(match: Match, seat: int, action: str) -> None:
    """Makes a choice that is not the last one."""
    before = match.clone()
    match.apply(seat, action)
    assert match.to_act == tuple(other for other in before.to_act if other != seat)
    assert match.legal_actions(seat) == []
    with pytest.raises(IllegalAction, match="already chosen"):
        match.apply(seat, action)
    own, spectators = match.observe(seat), match.observe(None)
    assert own.zones == before.observe(seat).zones
    assert own.facts == {**before.observe(seat).facts, "chosen": str(action)}
    assert spectators.zones == before.observe(None).zones
    kept: Any = before.observe(None).facts.get("chosen", ("",) * match.players)
    chosen = tuple(str(action) if by == seat else text for by, text in enumerate(kept))
    assert spectators.facts == {**before.observe(None).facts, "chosen": chosen}
    assert match.events(seat) == before.events(seat)
    assert match.events(None) == before.events(None)
    noticed = {"to_act", f"seat {seat}", "seat None"}
    now, then = everything(match), everything(before)
    assert [what for what in now if now[what] != then[what] and what not in noticed] == []
