"""An nginx with the configuration of deploy/, at other ports, on loopback only."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path

CONFIGURATION = Path(__file__).parents[3] / "deploy" / "nginx.conf"


def nginx_command(folder: Path, ports: Mapping[int, int], path: str = "") -> list[str]:
    """Writes the configuration into a folder that has `key.pem` and `chain.pem`; returns the
    command. `ports`: where those of deploy/ are here. `path`: below which the pages are."""
    home = folder / "nginx"
    home.mkdir(exist_ok=True)
    text = CONFIGURATION.read_text().replace("/etc/arena", str(folder))
    if path:
        text = text.replace("location / {", f"location {path}/ {{")  # as its comment says
    text = text.replace("listen [::]", "listen [::1]")
    text = re.sub(r"listen (?=\d)", "listen 127.0.0.1:", text)
    for printed, here in ports.items():
        text = text.replace(f":{printed}", f":{here}").replace(f" {printed} ", f" {here} ")
    (home / "arena.conf").write_text(text)
    kinds = ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
    places = "\n".join(f"{kind}_temp_path {home}/{kind};" for kind in kinds)
    (home / "nginx.conf").write_text(
        f"daemon off; pid {home}/pid; error_log stderr;\nevents {{}}\n"
        f"http {{ access_log off;\n{places}\ninclude {home}/arena.conf; }}\n"
    )
    return ["nginx", "-p", str(home), "-c", str(home / "nginx.conf")]
