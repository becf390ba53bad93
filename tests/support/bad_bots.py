"""The sources of bots that each do one thing wrong, by their fault."""

from __future__ import annotations

RANDOM = """
from sevens_sdk import Bot, BatchBot, run

class Author(Bot):
    def choose(self, decision):
        return self.random.choice(decision.legal)
"""
RUN = """
run(Author)
"""

NEVER_SAYS_HELLO = "import time\ntime.sleep(60)\n"

EXITS_AT_ONCE = "import sys\nsys.exit('model.bin is not there')\n"

SPEAKS_ANOTHER_VERSION = (
    RANDOM
    + """
import sevens_sdk.session
sevens_sdk.session.PROTOCOL = 2
"""
    + RUN
)

ANSWERS_ILLEGALLY = (
    RANDOM
    + """
    def choose(self, decision):
        return "fold"
"""
    + RUN
)

CRASHES_IN_A_SECOND_MATCH = (
    RANDOM
    + """
    seen = []

    def on_start(self):
        self.seen.append(self.match)
        if len({match.id for match in self.seen}) > 1:
            raise RuntimeError("two matches are too many")
"""
    + RUN
)

MIXES_UP_ITS_ANSWERS = """
from sevens_sdk import BatchBot, run

class Author(BatchBot):
    def choose_all(self, decisions):
        choices = [decision.random.choice(decision.legal) for decision in decisions]
        return choices[::-1]

run(Author)
"""

ANSWERS_TWICE = (
    RANDOM
    + """
from sevens_sdk.session import Session
say = Session._say

def say_twice(self, seat, answer):
    say(self, seat, answer)
    self._answers.append(answer)

Session._say = say_twice
"""
    + RUN
)

ANSWERS_FOR_ENDED_MATCHES = (
    RANDOM
    + """
from sevens.bot.v1.decision_pb2 import Answer
from sevens_sdk.session import Session
late = []
answer_now = Session._answer

def end(self, message):
    seat = self._seats.pop(message.match_id)
    late.append(Answer(match_id=message.match_id, number=seat.number, index=0))
    return []

def answer(self, seat, decision, choice):
    self._answers += [old for old in late if old.match_id != seat.match.id]
    answer_now(self, seat, decision, choice)

Session._end = end
Session._answer = answer
"""
    + RUN
)

ANSWERS_DIFFERENTLY_WHEN_ASKED_AGAIN = (
    RANDOM
    + """
    def choose(self, decision):
        from random import SystemRandom
        return SystemRandom().choice(decision.legal)
"""
    + RUN
)

ENDS_WHEN_ITS_STREAM_BREAKS = (
    RANDOM
    + """
import sys
from sevens_sdk.connection import Patience
Patience.after = lambda *_: sys.exit("the stream broke")
"""
    + RUN
)

WAITS_WHEN_ITS_STREAM_BREAKS = (
    RANDOM
    + """
from sevens_sdk.connection import Patience
Patience.after = lambda *_: 60
"""
    + RUN
)

IGNORES_GOODBYE = (
    RANDOM
    + """
from sevens_sdk.session import Session
Session.finished = False
"""
    + RUN
)

LEAVES_WITH_A_FAILURE = (
    RANDOM
    + RUN
    + """
raise SystemExit("cannot save what was learnt")
"""
)

LEAVES_WITHOUT_ITS_LAST_ANSWER = (
    RANDOM
    + """
import os
from sevens_sdk.session import Session
hear = Session._hear

def hear_and_leave(self, frame):
    hear(self, frame)
    if frame.HasField("goodbye"):
        os._exit(0)

Session._hear = hear_and_leave
"""
    + RUN
)

PRINTS_TOO_MUCH = (
    RANDOM
    + """
    def choose(self, decision):
        print("thinking " * 1000)
        return self.random.choice(decision.legal)
"""
    + RUN
)

PRINTS_BYTES = (
    RANDOM
    + """
    def choose(self, decision):
        import sys
        sys.stdout.buffer.write(bytes(range(256)))
        sys.stdout.flush()
        return self.random.choice(decision.legal)
"""
    + RUN
)

STARTS_TOO_SLOWLY = (
    RANDOM
    + """
    def on_start(self):
        import time
        time.sleep(60)
"""
    + RUN
)

FAILS_AT_LARGER_TABLES = (
    RANDOM
    + """
    def on_start(self):
        assert self.match.players < 8, "I count on fewer players"
"""
    + RUN
)

READS_SMALL_FRAMES_ONLY = (
    RANDOM
    + """
import sevens_sdk.aio
sevens_sdk.aio.OPTIONS = (("grpc.max_receive_message_length", 65536),)
"""
    + RUN
)

STUMBLES_OVER_UNKNOWN_FIELDS = (
    RANDOM
    + """
    def choose(self, decision):
        from google.protobuf.unknown_fields import UnknownFieldSet
        if len(UnknownFieldSet(decision.message.observation)):
            raise ValueError("field 1000 of the observation is new to me")
        return self.random.choice(decision.legal)
"""
    + RUN
)

CHOOSES_BY_THE_BYTES_OF_A_DECISION = (
    RANDOM
    + """
    def choose(self, decision):
        return decision.message.ByteSize() % len(decision.legal)
"""
    + RUN
)

IGNORES_PINGS = (
    RANDOM
    + """
import sevens_sdk.sync
sevens_sdk.sync.pong_to = lambda frame: None
"""
    + RUN
)

ANSWERS_PINGS_WITHOUT_THEIR_NUMBER = (
    RANDOM
    + """
import sevens_sdk.sync
from sevens.bot.v1.bot_service_pb2 import BotFrame, Pong
sevens_sdk.sync.pong_to = lambda frame: BotFrame(pong=Pong()) if frame.HasField("ping") else None
"""
    + RUN
)

DIALS_IN_AGAIN_WHEN_REFUSED = (
    RANDOM
    + """
import time
while True:
    try:
        run(Author)
        break
    except SystemExit:
        time.sleep(0.1)
"""
)

ENDS_WELL_WHEN_REFUSED = (
    RANDOM
    + """
try:
    run(Author)
except SystemExit as exit:
    raise SystemExit(0 if exit.code == 3 else exit.code)
"""
)
