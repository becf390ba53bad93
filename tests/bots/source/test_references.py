"""BOT references, bot.toml, and the files of a bot."""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from arena.bots.references import IMAGE_SUFFIX, UnknownBot, find_bot, find_version
from arena.bots.source import files
from arena.bots.source.files import digest, list_content
from arena.bots.source.image import IMAGE_METADATA, Image
from arena.bots.source.program import Builtin, Program
from arena.bots.source.tree import ContentError

GOOD = 'name = "good"\nrun = ["python", "bot.py"]\n'


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """The folder of a valid bot."""
    folder = tmp_path / "good"
    folder.mkdir()
    (folder / "bot.toml").write_text(GOOD)
    (folder / "bot.py").write_text("print('good')\n")
    return folder


def version(folder: Path) -> str:
    return digest(list_content(folder))


def refusal(reference: object) -> str:
    with pytest.raises(UnknownBot) as refused:
        find_bot(str(reference))
    return str(refused.value)


class TestReferences:
    def test_a_folder(self, folder: Path) -> None:
        bot = find_bot(str(folder))
        assert isinstance(bot, Program)
        assert (bot.name, bot.games, bot.version) == ("good", (), version(folder))
        assert bot.manifest.limits.memory_mb == 512

    def test_a_single_file(self, tmp_path: Path) -> None:
        path = tmp_path / "My_Bot.py"
        path.write_text("")
        bot = find_bot(str(path))
        assert isinstance(bot, Program)
        assert (bot.name, bot.folder, bot.file) == ("my-bot", tmp_path, "My_Bot.py")
        assert bot.manifest.run == ("python", "My_Bot.py")
        # As if it were a folder with that file only.
        assert bot.version == version(tmp_path)

    def test_a_builtin(self) -> None:
        assert find_bot("builtin:random") == Builtin("builtin:random")

    def test_an_unknown_builtin(self) -> None:
        assert "Did you mean builtin:random?" in refusal("builtin:rondom")

    def test_a_remote_bot_is_a_servers(self) -> None:
        sentence = refusal("remote:mine")
        assert "arena submit remote:mine --ladder NAME" in sentence

    def test_a_folder_without_a_manifest(self, tmp_path: Path) -> None:
        assert f"{tmp_path} is not a bot: it has no bot.toml" in refusal(tmp_path)

    def test_a_file_of_another_language(self, tmp_path: Path) -> None:
        path = tmp_path / "bot.go"
        path.write_text("")
        assert "must be a .py file" in refusal(path)

    def test_near_misses_are_named(self, folder: Path) -> None:
        (folder.parent / "goood.txt").write_text("")
        assert f"Did you mean {folder}?" in refusal(folder.parent / "goood")

    def test_nothing_like_it(self, tmp_path: Path) -> None:
        sentence = refusal(tmp_path / "nowhere" / "bot")
        assert "no such folder or .py file" in sentence
        assert "builtin:random" in sentence


class TestManifests:
    @pytest.mark.parametrize(
        ("text", "mistake"),
        [
            ('run = ["x"]', "`name` is missing; write lower-case letters"),
            ('name = "x"', "`run` is missing; write a list of words, such as run = "),
            ('name = "My Bot"\nrun = ["x"]', "`name` is 'My Bot'; write lower-case letters"),
            (
                'name = "x"\nrun = "python bot.py"',
                "`run` is 'python bot.py'; write a list of words",
            ),
            ('name = "x"\nrun = []', "`run` is []; write a list of words"),
            ('name = "x"\nrun = ["x", 3]', "`run.1` is 3; write a list of words"),
            (GOOD + 'gamse = ["xeri"]', "`gamse` is not a field; did you mean `games`?"),
            (GOOD + "colour = 3", "`colour` is not a field; the fields are name, run, games"),
            (GOOD + 'games = "xeri"', "`games` is 'xeri'; write a list of slugs"),
            (GOOD + "limits = 3", "`limits` is 3; write a table"),
            (
                GOOD + "[limits]\nmemory_mb = 3",
                "`limits.memory_mb` is 3; it should be greater than or equal to 16.",
            ),
            (
                GOOD + "[limits]\nmemory_mb = true",
                "`limits.memory_mb` is True; it should be a valid integer.",
            ),
            (
                GOOD + "[limits]\nmemory = 300",
                "`limits.memory` is not a field; did you mean `memory_mb`?",
            ),
            ("name = ", "is not valid TOML: Invalid value (at end of document)."),
        ],
    )
    def test_a_mistake_is_explained(self, folder: Path, text: str, mistake: str) -> None:
        (folder / "bot.toml").write_text(text)
        sentence = refusal(folder)
        assert sentence.startswith(str(folder / "bot.toml"))
        assert mistake in sentence

    def test_every_mistake_has_a_sentence(self, folder: Path) -> None:
        (folder / "bot.toml").write_text('name = 3\nspeed = "high"')
        assert len(refusal(folder).splitlines()) == 3

    def test_a_text_that_is_no_utf_8(self, folder: Path) -> None:
        (folder / "bot.toml").write_bytes(b'name = "\xff"')
        assert "bot.toml is not UTF-8 (byte 0xff in line 1)" in refusal(folder)

    def test_a_byte_order_mark_and_windows_line_ends(self, folder: Path) -> None:
        manifest = folder / "bot.toml"
        text = manifest.read_text()
        manifest.write_bytes(b"\xef\xbb\xbf" + text.replace("\n", "\r\n").encode())
        assert find_bot(str(folder)).name
        manifest.write_bytes(text.encode("utf-16"))
        assert refusal(folder) == f"{manifest} is saved as UTF-16; save it as UTF-8."

    @pytest.mark.parametrize("field", ["run", "build"])
    @pytest.mark.parametrize(
        ("head", "said"),
        [
            (b"#!/bin/sh\r\n", "ends with a carriage return (Windows line ends)"),
            (b"\xef\xbb\xbf#!/bin/sh\n", "begins with a byte order mark"),
        ],
    )
    def test_a_script_that_the_kernel_cannot_start(
        self, folder: Path, field: str, head: bytes, said: str
    ) -> None:
        words = {"run": ["true"]} | {field: ["./start.sh"]}
        lines = "".join(f"{name} = {value}\n" for name, value in words.items())
        (folder / "bot.toml").write_text(f'name = "good"\n{lines}')
        (folder / "start.sh").write_bytes(head + b"exit\n")
        assert said in refusal(folder)
        (folder / "start.sh").write_bytes(b"#!/bin/sh\nexit\r\n")
        assert find_bot(str(folder)).name == "good"

    @pytest.mark.parametrize(
        "encode",
        [
            lambda text: b"\xef\xbb\xbf" + text.encode(),
            lambda text: text.replace("\n", "\r\n").encode(),
        ],
        ids=["a byte order mark", "line ends of Windows"],
    )
    def test_as_editors_on_windows_write_it(
        self, folder: Path, encode: Callable[[str], bytes]
    ) -> None:
        (folder / "bot.toml").write_bytes(encode('name = "renamed"\nrun = ["python", "bot.py"]\n'))
        assert find_bot(str(folder)).name == "renamed"

    @pytest.mark.parametrize("encoding", ["utf-16", "utf-16-be"])
    def test_a_text_in_utf_16(self, folder: Path, encoding: str) -> None:
        (folder / "bot.toml").write_bytes("\ufeffname = 1".encode(encoding))
        assert refusal(folder) == f"{folder / 'bot.toml'} is saved as UTF-16; save it as UTF-8."

    @pytest.mark.parametrize(
        ("text", "mistake"),
        [
            ("a = " + "[" * 16_000, "nests arrays or tables too deeply."),
            ("a = " + "{a=" * 5_000, "nests arrays or tables too deeply."),
            (".".join(["a"] * 8_000) + " = 1", "has more than 100 dots in line 1."),
            ("\n".join(f"{'a.' * 99}b{n} = 1" for n in range(75)), "`run` is missing"),
            ('name = "x"\nrun = ["bot\\u0000"]', r"`run.0` is 'bot\x00'; write a list of words"),
            (GOOD + f"language = '{'c' * 41}'", "`language` is 'cccc"),
            (GOOD + f"limits = 0x{'f' * 15_000}", "`limits` is or holds a number"),
            (f"run = [0x{'f' * 15_000}]", "`run` is or holds a number"),
            (GOOD + "\n".join(f"k{n} = 1" for n in range(1500)), "`k9` is not a field"),
            (GOOD + f"{'k' * 15_000} = 1", "kkk…` is not a field"),
        ],
        ids=["arrays", "tables", "key", "keys", "NUL", "language", "hex", "in a list", "many", "k"],
    )
    def test_what_a_stranger_may_write_is_refused_in_milliseconds(
        self, folder: Path, text: str, mistake: str
    ) -> None:
        (folder / "bot.toml").write_text(text)
        before = time.process_time()
        sentence = refusal(folder)
        assert mistake in sentence
        assert len(sentence) < 5_000
        assert time.process_time() - before < 0.5  # 10 s before there were bounds

    def test_a_pipe_is_no_manifest(self, folder: Path) -> None:
        (folder / "bot.toml").unlink()
        os.mkfifo(folder / "bot.toml")
        assert "it has no bot.toml" in refusal(folder)

    def test_its_size_is_bounded(self, folder: Path) -> None:
        (folder / "bot.toml").write_text("#" * 70_000)
        assert "is larger than 16 KiB" in refusal(folder)


class TestVersions:
    def test_names_contents_and_modes_count(self, folder: Path) -> None:
        versions = {version(folder)}
        (folder / "bot.py").write_text("print('better')\n")
        versions.add(version(folder))
        (folder / "bot.py").chmod(0o755)
        versions.add(version(folder))
        (folder / "bot.py").rename(folder / "bot2.py")
        versions.add(version(folder))
        (folder / "link").symlink_to("bot2.py")
        versions.add(version(folder))
        assert len(versions) == 5

    def test_what_is_no_part_of_the_bot_does_not_count(self, folder: Path) -> None:
        before = version(folder)
        for ignored in ("__pycache__", ".git", "arena-data", "empty"):
            (folder / ignored).mkdir()
        (folder / "__pycache__" / "bot.cpython-311.pyc").write_text("")
        (folder / ".git" / "HEAD").write_text("")
        (folder / "bot.py").chmod(0o600)
        assert version(folder) == before

    def test_it_is_the_same_wherever_the_folder_lies(self, folder: Path, tmp_path: Path) -> None:
        before = version(folder)
        assert version(folder.rename(tmp_path / "moved")) == before

    @pytest.mark.parametrize("target", ["/etc/passwd", "../secret", "sub/../../secret"])
    def test_a_link_may_not_lead_out(self, folder: Path, target: str) -> None:
        (folder / "link").symlink_to(target)
        assert f"{folder / 'link'} is a link to {target}, which leads out" in refusal(folder)

    def test_a_linked_folder_is_not_entered(self, folder: Path) -> None:
        (folder / "self").symlink_to(".")
        assert [entry.name for entry in list_content(folder)] == ["bot.py", "bot.toml", "self"]

    def test_a_pipe_is_no_part_of_a_bot(self, folder: Path) -> None:
        os.mkfifo(folder / "pipe")
        assert "neither a file nor a folder nor a link" in refusal(folder)

    def test_number_and_size_of_files_are_bounded(
        self, folder: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(files, "FILES_LIMIT", 2)
        list_content(folder)
        (folder / "third").write_text("")
        with pytest.raises(ContentError, match="more than 2 files or 500 MiB"):
            list_content(folder)
        monkeypatch.setattr(files, "FILES_LIMIT", 10)
        monkeypatch.setattr(files, "BYTES_LIMIT", 1 << 20)
        with (folder / "large").open("wb") as file:
            file.truncate(1 << 21)
        with pytest.raises(ContentError, match="more than 10 files or 1 MiB"):
            list_content(folder)


class TestKeptVersions:
    def kept(self, tmp_path: Path, about: str, version: str = "7" * 64) -> Path:
        place = tmp_path / f"{version}{IMAGE_SUFFIX}"
        place.mkdir()
        (place / IMAGE_METADATA).write_text(about)
        return tmp_path

    def test_an_image(self, tmp_path: Path) -> None:
        image = Image("mine", "7" * 64, "mine:3")
        (tmp_path / f"{image.version}{IMAGE_SUFFIX}").mkdir()
        image.keep_in(tmp_path / f"{image.version}{IMAGE_SUFFIX}")
        assert find_version(tmp_path, image.version) == image

    def test_a_program_with_such_files_is_no_image(self, folder: Path, tmp_path: Path) -> None:
        """Otherwise a stranger's bot could pose as any image that the engine has."""
        (folder / IMAGE_METADATA).write_text(
            Image("mine", "7" * 64, "mine").about.model_dump_json()
        )
        named = version(folder)
        folder.rename(tmp_path / named)
        assert isinstance(find_version(tmp_path, named), Program)

    @pytest.mark.parametrize(
        ("about", "words"),
        [
            ("7", "does not describe an image"),
            ('{"name": "mine"}', "does not describe an image"),
            (" " * 70_000, "is larger than 64 KiB"),
            (Image("mine", "8" * 64, "mine").about.model_dump_json(), "describes the image 8888"),
        ],
        ids=["no table", "half", "giant", "another"],
    )
    def test_what_tells_of_no_image_or_another(
        self, tmp_path: Path, about: str, words: str
    ) -> None:
        with pytest.raises(UnknownBot, match=words):
            find_version(self.kept(tmp_path, about), "7" * 64)
