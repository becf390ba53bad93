"""Bots as processes of this machine: starts, watches and ends them, and runs their builds."""

from arena.bots.process import build_inside, supervise
from arena.bots.process.build import BUILD_BOUNDS, BuildBounds, BuildFailed, run_build
from arena.bots.process.launch import Launch
from arena.bots.process.process import Process
from arena.bots.process.runner import ProcessRunner

__all__ = [
    "BUILD_BOUNDS",
    "BuildBounds",
    "BuildFailed",
    "Launch",
    "Process",
    "ProcessRunner",
    "build_inside",
    "run_build",
    "supervise",
]
