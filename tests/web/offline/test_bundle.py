"""Modules as one script: it does the same, and what the rules do not cover is refused."""

import subprocess
from pathlib import Path

import pytest

from arena.web.http.static_files import FOLDER
from arena.web.offline import Unbundlable, bundle


def written(folder: Path, **modules: str) -> Path:
    for name, source in modules.items():
        path = folder / f"{name.replace('__', '/')}.js"
        path.parent.mkdir(exist_ok=True)
        path.write_text(source)
    return folder


@pytest.mark.needs("node")
def test_the_script_does_what_the_modules_do(tmp_path: Path) -> None:
    written(
        tmp_path,
        page='import { a, renamed as b, C } from "./inner/a.js";\n'
        'import { once } from "./once.js";\nconsole.log(a(), b, new C().d, once.length);\n',
        inner__a='import { once } from "../once.js";\nonce.push(7);\n'
        "export async function later() {}\nexport function a() {\n  return 1;\n}\n"
        "const renamed = 2;\nexport class C {\n  d = 3;\n}\nexport { renamed };\n",
        once="export const once = [];\n",
    )
    script = bundle(tmp_path, "page.js")
    told = subprocess.run(["node", "-"], input=script, capture_output=True, text=True, check=True)
    assert told.stdout == "1 2 3 1\n"


@pytest.mark.parametrize(
    ("source", "words"),
    [
        ('import * as all from "./b.js";', "page.js, line 2: a form of import"),
        ('import all from "./b.js";', "a form of import"),
        ('import "./b.js";', "a form of import"),
        ('import { a } from "elsewhere";', "a form of import"),
        ("export default 7;", "a form of import or export"),
        ("export let changing = 7;", "a form of import or export"),
        ("export const { a } = {};", "a form of import or export"),
        ("  import('./b.js');", r"a dynamic import"),
        ("  import.meta.url;", "import.meta"),
        ('const harm = "</script>";', "the end of a script"),
        ('const harm = "<!--";', "the end of a script"),
        ('import { page } from "./page.js";', "page.js imports page.js: a circle."),
        ('import { a } from "../a.js";', "outside the static files"),
    ],
)
def test_what_the_rules_do_not_cover_is_refused(tmp_path: Path, source: str, words: str) -> None:
    written(tmp_path, page=f"// A page.\n{source}\n", b="export const b = 7;\n")
    with pytest.raises(Unbundlable, match=words):
        bundle(tmp_path, "page.js")


def test_a_missing_module_is_not_passed_over(tmp_path: Path) -> None:
    written(tmp_path, page='import { a } from "./a.js";\n')
    with pytest.raises(FileNotFoundError):
        bundle(tmp_path, "page.js")


def test_each_module_stands_in_it_once() -> None:
    script = bundle(FOLDER, "verify/button.js")
    assert script.count("function sha256(") == 1
    assert script.index("function sha256(") < script.index("function verify(")
