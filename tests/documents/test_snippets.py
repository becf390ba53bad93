"""The programs that the documents print, run or compiled where they apply."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest

from tests.support.command_line import ran
from tests.support.played_matches import played
from tests.support.sdk_examples import Examples

TOP = Path(__file__).parents[2]
SNIPPET = re.compile(r"^```(?!json\b)(\w+)\n(.*?)^```", re.MULTILINE | re.DOTALL)

# Where else the snippets of a page in a language are run.
ELSEWHERE = {
    ("README.md", "python"): "tests/documents/test_commands.py plays the bot",
    ("docs/adding-a-game.md", "python"): "tests/cli/test_games_new.py compares them with the game",
    ("docs/adding-a-game.md", "toml"): "tests/cli/test_games_new.py compares it with the game",
    ("docs/bots.md", "toml"): "tests/bots/source/test_manifest_page.py reads it",
    ("docs/bots.md", "python"): "tests/bots/test_documented_search.py runs it in the sandbox",
    ("docs/deals.md", "python"): "tests/games/test_deals.py deals by it",
    ("docs/deals.md", "vectors"): "tests/games/test_deals.py checks each line",
    ("docs/records.md", "sh"): "a reader's jq; tests/records/test_record_text.py digests the same",
    ("docs/style.md", "python"): "an example of a docstring",
    ("docs/submitting.md", "toml"): "tests/bots/sandbox/test_runtimes.py reads it",
    ("docs/tutorial.md", "python"): "tests/documents/test_tutorial.py follows the page",
    ("sdk/cpp/README.md", "cpp"): "tests/sdk/test_cpp.py builds and plays both",
}
HERE = {("docs/duplicate.md", "python"): 1, ("sdk/python/README.md", "python"): 5} | {
    (f"sdk/{folder}/README.md", language): count
    for folder, language, count in (
        ("go", "go", 2),
        ("java", "java", 2),
        ("rust", "rust", 4),
        ("typescript", "ts", 4),
    )
}


def snippets(page: str, language: str) -> list[str]:
    found = SNIPPET.findall((TOP / page).read_text())
    return [text for name, text in found if name == language]


def test_every_snippet_is_run_somewhere() -> None:
    pages = ["README.md", "CONTRIBUTING.md", "sample_bots/README.md"]
    pages += [str(one.relative_to(TOP)) for one in (TOP / "docs").rglob("*.md")]
    pages += [str(one.relative_to(TOP)) for one in (TOP / "sdk").glob("*/README.md")]
    found = {
        (page, name) for page in pages for name, _ in SNIPPET.findall((TOP / page).read_text())
    }
    assert found == {*ELSEWHERE, *HERE}
    assert {key: len(snippets(*key)) for key in HERE} == HERE


def test_the_luck_of_a_record_is_taken_from_a_groups_differences() -> None:
    [snippet] = snippets("docs/duplicate.md", "python")
    given: dict[str, Any] = {
        "record": played("xeri").record,
        "differences": [1.0, 0.0],
        "lucks": [0.5, -0.5],
    }
    exec(snippet, given)
    assert len(given["luck"]) == 2
    assert len(given["better"]) == 2


# What a contestant's file has beside the printed part, and how the part becomes a bot that plays.
PYTHON_FRAME = """
from sevens_sdk import BatchBot, Bot, Decision, run

async def ask_my_server(hand, legal):
    return legal[0]

class Network:
    def best(self, inputs):
        return [0 for _ in inputs]

def load(file):
    return Network()

def encode(match, observation):
    return [len(zone.cards) for zone in observation.zones]

"""


@pytest.mark.slow
@pytest.mark.needs("bubblewrap")
@pytest.mark.parametrize("number", range(5))
def test_a_bot_of_the_python_sdks_page_plays(number: int, tmp_path: Path) -> None:
    snippet = snippets("sdk/python/README.md", "python")[number]
    if snippet.startswith(" "):
        snippet = "class MyBot(Bot):\n" + snippet.replace(" ...", " return action")
    snippet = snippet.replace('"play 7S"', "decision.legal[0]")
    if "run(" not in snippet:
        [name] = re.findall(r"class (\w+)", snippet)
        snippet += f"\n\nrun({name})\n"
    (tmp_path / "bot.py").write_text(PYTHON_FRAME + snippet)
    (tmp_path / "bot.toml").write_text('name = "printed"\nrun = ["python", "bot.py"]\n')
    told = ran("play", "xeri", tmp_path, "builtin:random", "--json")
    assert told.code == 0, told.err
    assert [total["faults"] for total in told.json["totals"]] == [0, 0]


def bot_beside(examples: Path, folder: Path, file: str, source: str) -> Path:
    """Returns a copy of the starter that consists of this source."""
    bot = folder / "bot"
    shutil.copytree(examples / "starter", bot, ignore=shutil.ignore_patterns("bin", "target"))
    (bot / file).write_text(source)
    return bot


GO = """package main

import (
	"math/rand/v2"

	"sevens-arena.dev/sdk"
)

"""


@pytest.mark.slow
@pytest.mark.needs("go")
@pytest.mark.timeout(600)
def test_go_compiles_what_its_sdks_page_prints(examples_of: Examples, tmp_path: Path) -> None:
    whole, part = snippets("sdk/go/README.md", "go")
    examples = examples_of("go")
    assert whole == (examples / "starter" / "main.go").read_text()
    bot = bot_beside(examples, tmp_path, "main.go", GO + part)
    replaced = f"sevens-arena.dev/sdk={TOP / 'sdk' / 'go'}"
    subprocess.run(["go", "mod", "edit", "-replace", replaced], cwd=bot, check=True)
    subprocess.run(["go", "vet", "."], cwd=bot, check=True)


@pytest.mark.slow
@pytest.mark.needs("java")
@pytest.mark.timeout(600)
def test_java_compiles_what_its_sdks_page_prints(examples_of: Examples, tmp_path: Path) -> None:
    classes = examples_of("java") / "starter" / "target" / "bot.jar"
    for number, snippet in enumerate(snippets("sdk/java/README.md", "java")):
        folder = tmp_path / str(number)
        folder.mkdir()
        source = folder / "MyBot.java"
        source.write_text(f"import java.util.List;\nimport sevens.sdk.*;\n\n{snippet}")
        compiler: list[str | Path] = ["javac", "-Werror", "-cp", classes, "-d", folder, source]
        subprocess.run(compiler, check=True)


RUST = """
use std::collections::HashSet;
use std::process::ExitCode;
use std::rc::Rc;
use std::sync::Arc;

use sevens_sdk::{Bot, Choice, Decision, Match, MatchEnd, Options, Random, run};

"""
RUST_METHOD = """
#[derive(Default)]
struct MyBot;

impl Bot for MyBot {
METHOD}

fn main() -> ExitCode {
    RUN
}
"""
RUST_NETWORK = """
struct Network;

impl Network {
    fn load(_file: &str) -> Network {
        Network
    }
}

impl MyBot {
    fn new(_network: &Rc<Network>) -> MyBot {
        MyBot { played: HashSet::new() }
    }
}
"""


@pytest.mark.slow
@pytest.mark.needs("rust")
@pytest.mark.timeout(900)
def test_rust_compiles_what_its_sdks_page_prints(examples_of: Examples, tmp_path: Path) -> None:
    whole, method, methods, call = snippets("sdk/rust/README.md", "rust")
    examples = examples_of("rust")
    assert whole == (examples / "starter" / "src" / "main.rs").read_text()
    method += "        }\n        0.into()\n    }\n"
    method = method.replace("...", "if pile.is_empty() { return action.into(); }")
    inside = RUST_METHOD.replace("METHOD", method).replace("RUN", call.strip())
    bot = bot_beside(examples, tmp_path, "src/main.rs", RUST + inside)
    (bot / "src" / "bin").mkdir()
    (bot / "src" / "bin" / "second.rs").write_text(RUST + methods + RUST_NETWORK)
    manifest = bot / "Cargo.toml"
    manifest.write_text(manifest.read_text().replace("../..", str(TOP / "sdk" / "rust")))
    environment = {**os.environ, "CARGO_TARGET_DIR": str(TOP / "sdk" / "rust" / "target")}
    build = ["cargo", "build", "--release"]  # with the dependencies that the examples have
    subprocess.run(build, cwd=bot, env=environment, check=True)


TYPESCRIPT = """
import { Bot, type Decision, type MatchEnd, run } from "sevens-sdk";

declare function askMyServer(hand: readonly string[], legal: readonly string[]): Promise<string>;

"""


@pytest.mark.slow
@pytest.mark.needs("node")
def test_typescript_compiles_what_its_sdks_page_prints(
    examples_of: Examples, tmp_path: Path
) -> None:
    examples_of("typescript")
    whole, method, methods, asking = snippets("sdk/typescript/README.md", "ts")
    inside = method.replace("...", "if (pile.length === 0) return action;")
    inside = (
        f"class MyBot extends Bot {{\n{inside}    }}\n    return decision.legal[0]!;\n  }}\n}}\n"
    )
    modules = tmp_path / "node_modules"
    modules.mkdir()
    (modules / "sevens-sdk").symlink_to(TOP / "sdk" / "typescript")
    (tmp_path / "whole.ts").write_text(whole)
    for name, part in (("method", inside), ("methods", methods), ("asking", asking)):
        (tmp_path / f"{name}.ts").write_text(TYPESCRIPT + part)
    compiler = TOP / "sdk" / "typescript" / "node_modules" / ".bin" / "tsc"
    options = ["--noEmit", "--strict", "--target", "es2022", "--module", "nodenext"]
    subprocess.run([compiler, *options, *tmp_path.glob("*.ts")], cwd=tmp_path, check=True)
