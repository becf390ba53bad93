"""Choices and settings in a session, without a connection."""

from collections.abc import Sequence
from pathlib import Path

import pytest
from scripted_arena import LEGAL, decision, end, start

from sevens.bot.v1 import bot_service_pb2
from sevens.bot.v1.bot_service_pb2 import ArenaFrame, BotFrame
from sevens.bot.v1.decision_pb2 import Answer
from sevens_sdk import BatchBot, Bot, Decision, run
from sevens_sdk.run import WrongSettings, settings_from
from sevens_sdk.session import Session


class NumpyLike:
    def __index__(self) -> int:
        return 2


class Choosing(Bot):
    choice: object

    def choose(self, decision: Decision) -> str:
        return self.choice  # type: ignore[return-value]


class ChoosingAll(BatchBot):
    choices: object

    def choose_all(self, decisions: Sequence[Decision]) -> list[str]:
        return self.choices  # type: ignore[return-value]


def session_with(bot_class: type[Bot] | type[BatchBot], *matches: str) -> Session:
    session = Session(bot_class, token="secret")
    hear(session, ArenaFrame(welcome=bot_service_pb2.Welcome(protocol=1)))
    hear(session, ArenaFrame(starts=map(start, matches)))
    return session


def hear(session: Session, *frames: ArenaFrame) -> list[BotFrame]:
    for call in session.receive(frames):
        try:
            call.finish(call.begin())
        except Exception as error:
            call.blame(error)
            raise
    return session.outgoing()


def answer_of(choice: object, number: int = 3) -> Answer:
    class AlwaysThat(Choosing):
        pass

    AlwaysThat.choice = choice
    asked = ArenaFrame(decisions=[decision("m1", number)])
    [frame] = hear(session_with(AlwaysThat, "m1"), asked)
    [answer] = frame.answers
    assert (answer.match_id, answer.number) == ("m1", number)
    return answer


def test_a_choice_is_sent_as_it_was_made(capsys: pytest.CaptureFixture[str]) -> None:
    assert answer_of("pass") == Answer(match_id="m1", number=3, text="pass")
    assert answer_of(0) == Answer(match_id="m1", number=3, index=0)
    assert answer_of(NumpyLike()) == Answer(match_id="m1", number=3, index=2)
    assert capsys.readouterr().err == ""


@pytest.mark.parametrize(
    ("choice", "sent"),
    [
        ("play 9S", "play 9S"),
        (3, "3"),
        (-1, "-1"),
        (10**300, "1" + "0" * 255),
        ("\ud800 half a character", "? half a character"),
    ],
)
def test_an_illegal_choice_is_sent_with_a_warning(
    choice: str | int, sent: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert answer_of(choice).text == sent
    assert capsys.readouterr().err == (
        f"The bot chose {choice!r}, which is not legal, in decision 3 of match m1 (xeri), seat 1."
        " Legal: 'play 7S', 'play 8S', 'pass'.\n"
    )


def test_a_warning_names_only_so_many_actions(capsys: pytest.CaptureFixture[str]) -> None:
    class Lost(Choosing):
        choice = "home"

    legal = [f"move {n}" for n in range(1000)]
    hear(session_with(Lost, "m1"), ArenaFrame(decisions=[decision("m1", legal=legal)]))
    assert capsys.readouterr().err.endswith("'move 18', 'move 19' and 980 more.\n")


@pytest.mark.parametrize(
    ("choice", "described"),
    [
        (None, "None"),
        (2.0, "2.0 (float)"),
        (True, "True (bool)"),
        (["pass"], "['pass'] (list)"),
    ],
)
def test_only_texts_and_integers_are_choices(choice: object, described: str) -> None:
    with pytest.raises(TypeError) as raised:
        answer_of(choice)
    assert str(raised.value) == (
        f"the bot chose {described}; expected a legal action's text or its index"
    )
    assert raised.value.__notes__ == [
        "This was the bot's choice in match m1 (xeri), seat 1, decision 3."
    ]


@pytest.mark.parametrize(
    ("choices", "kind", "sentence"),
    [
        ([0], ValueError, "choose_all returned 1 choices for 2 decisions"),
        ("pass", TypeError, "choose_all returned 'pass' (str); expected a list of choices"),
        (None, TypeError, "choose_all returned None; expected a list of choices"),
        ([0, None], TypeError, "the bot chose None"),
    ],
)
def test_a_batch_needs_one_choice_for_each(
    choices: object, kind: type[Exception], sentence: str
) -> None:
    class AlwaysThat(ChoosingAll):
        pass

    AlwaysThat.choices = choices
    session = session_with(AlwaysThat, "m1", "m2")
    with pytest.raises(kind) as raised:
        hear(session, ArenaFrame(decisions=[decision("m1", 2), decision("m2")]))
    assert sentence in str(raised.value)
    assert raised.value.__notes__ == [
        "This was the bot's choice in match m1 (xeri), seat 1, decision 2;"
        " match m2 (xeri), seat 1, decision 1."
    ]


def test_a_batch_keeps_the_order_of_decisions_and_ends() -> None:
    class Batches(ChoosingAll):
        def choose_all(self, decisions: Sequence[Decision]) -> list[str]:
            heard.append([str(decision.match.id) for decision in decisions])
            return ["pass"] * len(decisions)

        def on_end(self, match: object, end: object) -> None:
            heard.append("end")

    heard: list[object] = []
    session = session_with(Batches, "m1", "m2", "m3")
    [frame] = hear(
        session,
        ArenaFrame(decisions=[decision("m1")]),
        ArenaFrame(decisions=[decision("m2")], ends=[end("m2")]),
        ArenaFrame(decisions=[decision("m3")]),
    )
    assert heard == [["m1", "m2"], "end", ["m3"]]
    # The end of m2 arrived before its answer was ready: nobody is waiting for that any more.
    assert [answer.match_id for answer in frame.answers] == ["m1", "m3"]


def test_a_match_that_a_whole_stream_did_not_name_is_forgotten() -> None:
    class Passing(Choosing):
        choice = "pass"

    session = session_with(Passing, "m1", "m2")
    welcome = ArenaFrame(welcome=bot_service_pb2.Welcome(protocol=1))
    for _ in range(2):
        session.open()
        hear(session, welcome)
        [frame] = hear(session, ArenaFrame(starts=[start("m1", resumed=True)]))
        assert [accept.match_id for accept in frame.accepts] == ["m1"]
    assert list(session._seats) == ["m1"]


def test_settings_come_from_the_environment() -> None:
    environment = {"ARENA_ADDRESS": "unix:/run/arena.sock", "ARENA_TOKEN": "secret"}
    assert settings_from(environment, 2) == (("unix:/run/arena.sock", False, None), "secret", 2)
    many = {**environment, "ARENA_MATCHES_AT_ONCE": "64"}
    assert settings_from(many, 2).matches_at_once == 64


def test_tls_is_on_or_off_never_by_accident(tmp_path: Path) -> None:
    environment = {"ARENA_ADDRESS": "a:1", "ARENA_TOKEN": "s"}
    authority = tmp_path / "ca.pem"
    authority.write_bytes(b"roots")
    trusting = environment | {"ARENA_TLS_CA": str(authority)}
    assert settings_from(trusting | {"ARENA_TLS": "0"}, 1).place == ("a:1", False, None)
    assert settings_from(environment | {"ARENA_TLS": "1"}, 1).place == ("a:1", True, None)
    assert settings_from(trusting | {"ARENA_TLS": "1"}, 1).place == ("a:1", True, b"roots")
    with pytest.raises(WrongSettings, match=r"has to be 1 .with TLS. or 0 .without., not 'yes'"):
        settings_from(environment | {"ARENA_TLS": "yes"}, 1)
    with pytest.raises(WrongSettings, match="ARENA_TLS_CA names a file that cannot be read"):
        settings_from(environment | {"ARENA_TLS": "1", "ARENA_TLS_CA": "/no/such.pem"}, 1)


@pytest.mark.parametrize("number", ["0", "-1", "many", "²"])
def test_a_wrong_number_of_matches_is_explained(number: str) -> None:
    environment = {"ARENA_ADDRESS": "a:1", "ARENA_TOKEN": "s", "ARENA_MATCHES_AT_ONCE": number}
    with pytest.raises(WrongSettings, match=f"has to be 1 or more, not '{number}'"):
        settings_from(environment, 1)


def test_a_wrong_call_is_explained() -> None:
    class Unfinished(Bot):
        pass

    with pytest.raises(TypeError, match="the class Unfinished lacks the method choose"):
        run(Unfinished)
    with pytest.raises(TypeError, match="a class derived from Bot or BatchBot, not <class 'int'>"):
        run(int)  # type: ignore[arg-type]
    with pytest.raises(TypeError, match=r'a list of games: games=\["xeri"\]'):
        run(Choosing, games="xeri")


async def test_in_a_notebook_the_way_to_start_a_bot_is_told() -> None:
    """Its cells run in an event loop."""
    with pytest.raises(
        RuntimeError, match=r"Thread\(target=run, args=\(Choosing,\), daemon=True\)"
    ):
        run(Choosing)


def test_legal_actions_are_those_of_the_message() -> None:
    class Passing(Choosing):
        def choose(self, decision: Decision) -> str:
            assert decision.legal == LEGAL == list(decision.message.legal_actions)
            assert repr(decision) == ("<decision 1 of match m1 (xeri), seat 1: 3 legal actions>")
            return "pass"

    hear(session_with(Passing, "m1"), ArenaFrame(decisions=[decision("m1")]))
