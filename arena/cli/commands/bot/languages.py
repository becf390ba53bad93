"""The languages of `arena bot new`: one row each, the only place that describes them.

The build of the arena's wheel runs this file on its own, to ship the files that `shipped` returns;
so it needs nothing but the standard library.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

PROTOCOL = "proto/sevens/bot/v1/*.proto"


@dataclass(frozen=True)
class Language:
    """The recipe for a new bot in one language.

    `title`: the language's name.
    `needs`: what must be installed to build the bot.
    `tools`: programs whose presence shows that it is installed.
    `example`: the folder below `sdk/` with which the bot begins.
    `files`: the files to copy from it; the first has the `method` to change.
    `method`: the method that chooses an action.
    `sdk`: patterns of the SDK's files, copied below `sevens/` because a builder has no other
    source for them. They keep their paths in the arena's repository, so that they find each other.
    The first is the README.
    `offline`: a sentence about the dependencies that a build needs in the folder.
    `built`: the files that a build leaves behind, as patterns for .gitignore.
    `changes`: (file, old text, new text) to adapt the example; {name} is the bot's name.
    `vendor`: commands that download everything a build needs.
    `vendored`: the file whose presence shows that this was done.
    """

    title: str
    needs: str
    tools: tuple[str, ...]
    example: str
    files: tuple[str, ...]
    method: str
    sdk: tuple[str, ...]
    offline: str
    built: tuple[str, ...]
    changes: tuple[tuple[str, str, str], ...] = ()
    vendor: tuple[str, ...] = ()
    vendored: str = ""


LANGUAGES = {
    "python": Language(
        title="Python",
        needs="nothing: the arena provides the Python that runs bots, with the SDK",
        tools=(),
        example="python/examples/starter",
        files=("bot.py", "bot.toml"),
        method="choose",
        sdk=("python/README.md",),
        offline="Packages that it needs go next to `bot.py`:"
        " `python -m pip install --target . NAME`.",
        built=("__pycache__/",),
    ),
    "go": Language(
        title="Go",
        needs="Go 1.25 or newer",
        tools=("go",),
        example="go/examples/starter",
        files=("main.go", "bot.toml", "go.mod", "go.sum"),
        method="Choose",
        sdk=("go/README.md", "go/*.go", "go/go.*", "go/gen/**/*.go"),
        changes=(
            ("go.mod", "sevens-arena.dev/examples/starter", "{name}"),
            ("go.mod", "=> ../..", "=> ./sevens/sdk/go"),
        ),
        offline="So `vendor/` has all its dependencies; run `make vendor` after a change of "
        "`go.mod`.",
        vendor=("go mod vendor",),
        vendored="vendor/modules.txt",
        built=("/bot",),
    ),
    "typescript": Language(
        title="TypeScript",
        needs="Node.js 20 or newer, with npm",
        tools=("node", "npm"),
        example="typescript/examples/starter",
        files=("bot.ts", "bot.toml", "package.json"),
        method="choose",
        sdk=(
            *("typescript/README.md", "typescript/Makefile", "typescript/.npmrc"),
            *("typescript/package*.json", "typescript/tsconfig*.json"),
            *("typescript/buf.gen.yaml", "typescript/src/*.ts"),
            "typescript/examples/*/package.json",  # npm needs those in its lock file
        ),
        changes=(
            ("package.json", '"starter"', '"{name}"'),
            ("package.json", "file:../..", "file:sevens/sdk/typescript"),
        ),
        offline="So `node_modules/` has all its dependencies and build tools; run `make "
        "vendor` after a change of `package.json`.",
        vendor=(
            "$(MAKE) -C sevens/sdk/typescript dist/index.js",
            "rm -rf sevens/sdk/typescript/node_modules",
            "npm install --install-links --no-audit --no-fund --loglevel=error",
        ),
        vendored="node_modules/.package-lock.json",
        built=("/dist/",),
    ),
    "java": Language(
        title="Java",
        needs="a JDK, 17 or newer, and Maven",
        tools=("javac", "mvn"),
        example="java/examples/starter",
        files=("src/main/java/mybot/MyBot.java", "bot.toml", "pom.xml"),
        method="choose",
        sdk=(
            *("java/README.md", "java/library/pom.xml"),
            "java/library/src/main/**/*.java",
        ),
        offline="So `vendor/` has all its dependencies and build tools; run `make vendor` "
        "after a change of `pom.xml`.",
        built=("/target/",),
        changes=(("pom.xml", "starter", "{name}"),),
        vendor=(
            "mvn --batch-mode --quiet -Dmaven.test.skip=true -Dmaven.repo.local=vendor"
            " --file sevens/sdk/java/library install",
            "rm -rf sevens/sdk/java/library/target",
            "mvn --batch-mode --quiet -Dmaven.repo.local=vendor package",
            # With these markers Maven would insist on the repository from which a file was
            # downloaded.
            "find vendor -name _remote.repositories -delete",
            "touch vendor/complete",
        ),
        vendored="vendor/complete",
    ),
    "rust": Language(
        title="Rust",
        needs="Rust 1.85 or newer, with Cargo",
        tools=("cargo",),
        example="rust/examples/starter",
        files=("src/main.rs", "bot.toml", "Cargo.toml"),
        method="choose",
        sdk=("rust/README.md", "rust/Cargo.toml", "rust/build.rs", "rust/src/**/*.rs"),
        offline="So `vendor/` has all its crates; run `make vendor` after a change of "
        "`Cargo.toml`.",
        built=("/bin/", "/target/"),
        changes=(
            ("Cargo.toml", '"starter"', '"{name}"'),
            ("Cargo.toml", '"../.."', '"sevens/sdk/rust"'),
            ("bot.toml", "bin/starter", "bin/{name}"),
        ),
        vendor=(
            "cp -R sevens/proto sevens/sdk/rust",
            "mkdir -p .cargo",
            "cargo vendor > vendoring.toml",
            "mv vendoring.toml .cargo/config.toml",
        ),
        vendored=".cargo/config.toml",
    ),
    "cpp": Language(
        title="C++",
        needs="CMake, a C++20 compiler, and the packages named in the SDK's README",
        tools=("cmake", "c++", "grpc_cpp_plugin"),
        example="cpp/examples/starter",
        files=("bot.cpp", "bot.toml", "CMakeLists.txt", "build.sh"),
        method="choose",
        sdk=("cpp/README.md", "cpp/CMakeLists.txt", "cpp/include/**/*.hpp", "cpp/src/*.[ch]pp"),
        offline="It uses the gRPC and protobuf of the machine that builds it.",
        built=("/bot",),
        changes=(
            ("CMakeLists.txt", "add_subdirectory(../.. ", "add_subdirectory(sevens/sdk/cpp "),
        ),
    ),
}


def example_files(language: Language) -> tuple[str, ...]:
    """Returns the paths, below the root, of the files with which a bot begins."""
    return tuple(f"sdk/{language.example}/{name}" for name in language.files)


def sdk_files(language: Language, root: Path) -> Iterator[str]:
    """Yields the paths, below the root, of the SDK's and the protocol's files, without tests."""
    for pattern in (*(f"sdk/{pattern}" for pattern in language.sdk), PROTOCOL):
        for path in sorted(root.glob(pattern)):
            if "test" not in path.name:
                yield path.relative_to(root).as_posix()


def shipped(root: Path) -> list[str]:
    """Returns the paths, below the root of the arena's repository, of all files `bot new` needs."""
    paths: dict[str, None] = {}
    for language in LANGUAGES.values():
        paths.update(dict.fromkeys(example_files(language)))
        paths.update(dict.fromkeys(sdk_files(language, root)))
    return list(paths)
