"""`make lint` enforces the layout: packages are entered by their faces, and folders stay small."""

from pathlib import Path

import pytest

from tools.layout import MOST_FILES, all_problems, crowded_folders, past_the_face

FACES = {
    "arena.bots": {"Host"},
    "arena.bots.source": {"Program"},
    "arena.match": {"play"},
    "arena.store": set(),
}


@pytest.mark.slow
def test_this_repository_keeps_its_rules() -> None:
    assert all_problems() == []


@pytest.mark.parametrize(
    ("importer", "module", "name"),
    [
        ("arena.match.play", "arena.bots", "Host"),
        ("arena.match.play", "arena.bots.source", "Program"),
        ("arena.match.play", "arena.match.seat", "Seat"),
        ("arena.bots.source.image", "arena.bots.interface", "BotLost"),
        ("arena.match.play", "arena.bots", "source"),
        ("arena.league.recorder", "arena.store.schema", "Match"),
        ("arena.league.recorder", "arena.store", "schema"),
    ],
)
def test_what_is_allowed(importer: str, module: str, name: str) -> None:
    assert past_the_face(importer, module, name, FACES) == ""


@pytest.mark.parametrize(
    ("importer", "module", "name", "problem"),
    [
        ("arena.match.play", "arena.bots.host", "Host", "import Host from arena.bots, not"),
        ("arena.bots.host", "arena.bots.source.program", "Program", "from arena.bots.source, not"),
        ("bench.host", "arena.bots", "Loss", "Loss is not in the __all__ of arena.bots"),
    ],
)
def test_an_import_past_a_face_is_named(
    importer: str, module: str, name: str, problem: str
) -> None:
    assert problem in past_the_face(importer, module, name, FACES)


def test_a_crowded_folder_is_named(tmp_path: Path) -> None:
    folder = tmp_path / "arena" / "bots"
    folder.mkdir(parents=True)
    for number in range(MOST_FILES + 1):
        (folder / f"file{number}.py").touch()
    assert list(crowded_folders(tmp_path / "arena")) == [
        f"arena/bots: {MOST_FILES + 1} modules; {MOST_FILES} are allowed."
    ]


def test_a_folder_with_a_module_for_each_game_may_be_crowded(tmp_path: Path) -> None:
    folder = tmp_path / "sevens_games"
    folder.mkdir()
    for number in range(MOST_FILES + 1):
        (folder / f"game{number}.py").touch()
    assert list(crowded_folders(folder)) == []
