"""Bots as processes of this machine: starts, watches and ends them, and runs their builds."""

from arena.bots.process import build_script, supervise
from arena.bots.process.build_process import BUILD_BOUNDS, BuildBounds, BuildFailed, run_build
from arena.bots.process.launch import Launch
from arena.bots.process.process import Process
from arena.bots.process.process_runner import ProcessRunner

__all__ = [
    "BUILD_BOUNDS",
    "BuildBounds",
    "BuildFailed",
    "Launch",
    "Process",
    "ProcessRunner",
    "build_script",
    "run_build",
    "supervise",
]
