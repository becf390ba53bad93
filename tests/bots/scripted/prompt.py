"""Answers every decision at once with its first action: as fast as a bot in Python can be."""

import os
from collections.abc import Iterator
from queue import SimpleQueue

import grpc

from sevens.bot.v1.bot_service_pb2 import ArenaFrame, BotFrame, Hello
from sevens.bot.v1.decision_pb2 import Answer
from sevens.bot.v1.match_pb2 import MatchAccept

responses: SimpleQueue[Iterator[ArenaFrame]] = SimpleQueue()


def frames() -> Iterator[BotFrame]:
    yield BotFrame(hello=Hello(token=os.environ["ARENA_TOKEN"], protocol=1, matches_at_once=1000))
    for frame in responses.get():
        if frame.HasField("goodbye"):
            return
        if frame.starts or frame.decisions:
            yield BotFrame(
                accepts=[MatchAccept(match_id=start.match_id) for start in frame.starts],
                answers=[
                    Answer(match_id=decision.match_id, number=decision.number, index=0)
                    for decision in frame.decisions
                ],
            )


with grpc.insecure_channel(os.environ["ARENA_ADDRESS"]) as channel:
    play = channel.stream_stream(
        "/sevens.bot.v1.BotService/Play",
        request_serializer=BotFrame.SerializeToString,
        response_deserializer=ArenaFrame.FromString,
    )
    call = play(frames())
    responses.put(call)
    call.code()  # waits for the end of the stream
