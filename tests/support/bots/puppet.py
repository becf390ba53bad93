"""Does as instructed, including what no bot should do: first the words of its command line, then
the first legal action of each decision. It implements the protocol itself, so that it can break it.
"""

import ctypes
import errno
import fcntl
import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from queue import SimpleQueue
from typing import Any

import grpc

from sevens.bot.v1.bot_service_pb2 import ArenaFrame, BotFrame, Hello, Leave
from sevens.bot.v1.decision_pb2 import Answer, Decision
from sevens.bot.v1.match_pb2 import MatchAccept

MIB = 1 << 20


class Stream:
    """One stream; frames go out as they are given, bytes as they are."""

    def __init__(self) -> None:
        self.outbox: SimpleQueue[bytes | None] = SimpleQueue()
        self.channel = grpc.insecure_channel(
            os.environ["ARENA_ADDRESS"],
            options=[("grpc.max_send_message_length", -1), ("grpc.use_local_subchannel_pool", 1)],
        )
        play = self.channel.stream_stream("/sevens.bot.v1.BotService/Play")
        self.frames: Iterator[bytes] = play(iter(self.outbox.get, None))

    def say(self, frame: BotFrame) -> None:
        self.outbox.put(frame.SerializeToString())

    def say_hello(self, **fields: object) -> None:
        usual: dict[str, Any] = {
            "token": os.environ["ARENA_TOKEN"],
            "protocol": 1,
            "matches_at_once": 64,
        }
        self.say(BotFrame(hello=Hello(**(usual | fields))))


class HungUp(Exception):
    """The puppet wants another stream after a pause in seconds."""


hello: dict[str, object] = {}
hoard: list[object] = []
stream: Stream


def answer(decision: Decision, *words: str) -> None:
    said = Answer(match_id=decision.match_id, number=decision.number, index=0)
    if words:
        said.text = " ".join(words)
    stream.say(BotFrame(answers=[said]))


def answer_for(decision: Decision, match_id: str) -> None:
    stream.say(BotFrame(answers=[Answer(match_id=match_id, number=1)]))
    answer(decision)


def say(decision: Decision, *words: str) -> None:
    print(*words, file=sys.stderr, flush=True)
    answer(decision)


def flood(decision: Decision, mebibytes: str) -> None:
    for i in range(int(mebibytes) * 1024):
        sys.stderr.write(f"{i:7} ".ljust(1023, ".") + "\n")
    answer(decision)


def leave(_: Decision | None, code: str) -> None:
    os._exit(int(code))


def die(_: Decision | None, name: str) -> None:
    os.kill(os.getpid(), signal.Signals[name])


def sleep(_: Decision | None, seconds: str) -> None:
    time.sleep(float(seconds))


def garbage(_: Decision | None) -> None:
    stream.outbox.put(b"\xff" * 100)


def giant(_: Decision | None, mebibytes: str) -> None:
    stream.outbox.put(b"\xff" * (int(mebibytes) * MIB))


def hello_again(_: Decision | None) -> None:
    stream.say_hello()


def call_again(decision: Decision, times: str) -> None:
    """Makes calls that the arena does not know."""
    for _ in range(int(times)):
        with suppress(grpc.RpcError):
            list(stream.channel.stream_stream("/x")(iter([])))


def hang_up(_: Decision | None, seconds: str) -> None:
    raise HungUp(float(seconds))


def resign(decision: Decision) -> None:
    """Wants no further match."""
    stream.say(BotFrame(leave=Leave()))
    answer(decision)


def hog(decision: Decision, mebibytes: str) -> None:
    hoard.append(bytearray(b"x") * (int(mebibytes) * MIB))
    answer(decision)


def spin(decision: Decision) -> None:
    """Goes on working in a process of its own."""
    hoard.append(subprocess.Popen([sys.executable, "-c", "while True: pass", sys.argv[1]]))
    answer(decision)


def fork(decision: Decision, processes: str) -> None:
    """The children share all memory, and sleep. They end without the cleaning up of gRPC."""
    for _ in range(int(processes)):
        if os.fork() == 0:
            time.sleep(60)
            os._exit(0)
    answer(decision)


def multiply(decision: Decision, processes: str) -> None:
    # Under the mark's name, by which a test finds them.
    words = [sys.argv[1], "600"]
    hoard.extend(subprocess.Popen(words, executable="sleep") for _ in range(int(processes)))
    answer(decision)


def leave_behind(decision: Decision, seconds: str) -> None:
    """Starts a process that is out of reach, and holds this one's output open."""
    hoard.append(subprocess.Popen(["sleep", seconds], start_new_session=True))
    answer(decision)


def read(decision: Decision, path: str) -> None:
    try:
        place = Path(path)
        names = sorted(entry.name for entry in place.iterdir()) if place.is_dir() else None
        found = " ".join(names) if names is not None else place.read_text()
        answer(decision, found)
    except OSError as error:
        answer(decision, type(error).__name__)


def chmod(decision: Decision, path: str) -> None:
    """Sets permissions to what they are."""
    try:
        Path(path).chmod(Path(path).stat().st_mode)
        answer(decision, "done")
    except OSError as error:
        answer(decision, type(error).__name__)


def inode(decision: Decision, path: str) -> None:
    answer(decision, str(Path(path).stat().st_ino))


def lock(decision: Decision, path: str) -> None:
    """Keeps others from locking a file, as long as this process lives."""
    hoard.append(file := os.open(path, os.O_RDWR))
    try:
        fcntl.lockf(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        answer(decision, "locked")
    except OSError as error:
        answer(decision, type(error).__name__)


def write(decision: Decision, path: str, mebibytes: str) -> None:
    try:
        Path(path).write_bytes(b"x" * (int(mebibytes) * MIB))
        answer(decision, "written")
    except OSError as error:
        answer(decision, type(error).__name__)


def dial(decision: Decision, host: str, port: str) -> None:
    try:
        socket.create_connection((host, int(port)), timeout=2).close()
        answer(decision, "connected")
    except OSError as error:
        answer(decision, type(error).__name__)


def call(decision: Decision, number: str, *arguments: str) -> None:
    """Makes a system call."""
    libc = ctypes.CDLL(None, use_errno=True)
    done = libc.syscall(int(number), *[ctypes.c_long(int(word)) for word in arguments])
    answer(decision, "done" if done >= 0 else errno.errorcode[ctypes.get_errno()])


def environment(decision: Decision) -> None:
    answer(decision, *sorted(os.environ))


COMMANDS: dict[str, Callable[..., None]] = {
    "answer": answer,
    "answer-for": answer_for,
    "say": say,
    "flood": flood,
    "exit": leave,
    "die": die,
    "sleep": sleep,
    "garbage": garbage,
    "giant": giant,
    "hello-again": hello_again,
    "call-again": call_again,
    "hang-up": hang_up,
    "resign": resign,
    "hog": hog,
    "fork": fork,
    "multiply": multiply,
    "spin": spin,
    "leave-behind": leave_behind,
    "read": read,
    "chmod": chmod,
    "inode": inode,
    "lock": lock,
    "write": write,
    "dial": dial,
    "call": call,
    "environment": environment,
}


def obey(command: str, decision: Decision) -> None:
    name, *words = command.split()
    COMMANDS[name](decision, *words)


def play() -> None:
    """Plays on one stream until it ends."""
    for raw in stream.frames:
        frame = ArenaFrame.FromString(raw)
        for start in frame.starts:
            stream.say(BotFrame(accepts=[MatchAccept(match_id=start.match_id, nonce=b"puppet")]))
        for decision in frame.decisions:
            obey(decision.legal_actions[0], decision)
        if frame.HasField("goodbye"):
            stream.outbox.put(None)


def prepare(word: str) -> None:
    """Follows a word of the command line: `sleep=0.5`, `games=xeri`, `print=text`, `exit=3`."""
    name, _, value = word.partition("=")
    if name == "protocol":
        hello["protocol"] = int(value)
    elif name == "token":
        hello["token"] = value
    elif name == "games":
        hello["games"] = [value]
    elif name == "print":
        print(value, file=sys.stderr, flush=True)
    elif name in COMMANDS:
        COMMANDS[name](None, value)


for word in sys.argv[1:]:
    prepare(word)
while True:
    stream = Stream()
    stream.say_hello(**hello)
    try:
        play()
        break
    except HungUp as pause:
        stream.channel.close()
        time.sleep(pause.args[0])
