"""The arena of a season: nginx in front of it ends TLS, also for workers of other machines."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from arena.store.data_folder import DataFolder
from bench.chaos.stage import Stage, stopped
from bench.renamed_bots import renamed_bots
from bench.season.first_release import make_first_release
from tests.support.command_line import ran
from tests.support.free_port import free_port
from tests.support.whole_arena.arena import Part
from tests.support.whole_arena.nginx import nginx_command

ANY_GAME = ("random_bot", "first_bot", "last_bot")
KINDS = {
    "xeri": (*ANY_GAME, "xeri_fisher"),
    "crash": (*ANY_GAME, "brag_arranger"),
    "kontsina": (*ANY_GAME, "kontsina_angler"),
}
"""Sample bots by their game, which has a ladder of its name."""
BOTS = 16  # of each ladder


class BehindNginx(Stage):
    """An arena with 48 bots on three ladders, reached through nginx alone."""

    def __init__(self, folder: Path) -> None:
        super().__init__(folder, private=True)
        self.front_port = free_port()
        self.origin = f"https://{self.host}:{self.front_port}"

    def upgrade(self) -> None:
        """Stops `serve` while matches are played, turns its data into those of the first release,
        upgrades them in place and starts it again."""
        serve, matches = self.kept["serve"], self.recorded()
        assert not [*stopped("serve", serve.part)], serve.part.said()
        make_first_release(DataFolder(self.data))
        upgraded = ran("upgrade", "--data", self.data, "--json")
        assert upgraded.json["upgraded"], upgraded.err
        assert self.recorded() >= matches
        serve.part, serve.starts = serve.start(), serve.starts + 1
        serve.part.until_says("Pages at ")

    def leave(self) -> None:
        """Stops the worker on the other machine, as its operator would."""
        far = self.kept.pop("far").part
        assert not [*stopped("far", far)], far.said()

    def jobs_from_afar(self) -> int:
        """Returns how many jobs the workers on the other machine say that they have played."""
        logs = (part.said() for part in self.parts if part.log.name.endswith("-far.log"))
        return sum(log.count(": done ") for log in logs)

    def _bots(self) -> Mapping[str, Sequence[Path]]:
        place = self.folder / "bots"
        return {
            game: list(renamed_bots(place, kinds, [f"{game}-{one}" for one in range(BOTS)]))
            for game, kinds in KINDS.items()
        }

    def _begin(self) -> None:
        self._keep("nginx", self._nginx)
        super()._begin()

    def _nginx(self) -> Part:
        ports = {443: self.front_port, 7777: self.port, 7778: self.pages_port}
        return self._program("nginx", *nginx_command(self.folder, ports))

    def _doors(self) -> tuple[str, ...]:
        return (
            *("--listen", f"127.0.0.1:{self.port}", "--web", f"127.0.0.1:{self.pages_port}"),
            *("--web-origin", self.origin, "--grpc-origin", self.origin),
        )
