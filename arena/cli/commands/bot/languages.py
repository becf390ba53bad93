"""The languages that `arena bot new` knows: a row each, and nothing about them anywhere else.

The build of the arena's wheel runs this file by itself, to ship what `shipped` tells; so it needs
nothing but the standard library.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

PROTOCOL = "proto/sevens/bot/v1/*.proto"


@dataclass(frozen=True)
class Language:
    """How a new bot in some language comes about.

    `title`: the language's name. `needs`: what has to be installed to build the bot; `tools`: the
    programs by which one sees whether it is.
    `example`: the folder below `sdk/` that the bot begins as. `files`: those of it that are taken,
    first the one with the `method` to change.
    `sdk`: patterns of the SDK's files that go into the bot's folder, below `sevens/`: nobody who
    builds the bot has them otherwise. They lie there as in the arena's repository, so that they
    find each other. The first is the README.
    `changes`: (file, old text, new text) of what in the example has to be said otherwise; {name} is
    that of the bot.
    `offline`: how all that a build needs comes into the folder, in a sentence. `vendor`: the
    commands that do it, with a network. `vendored`: the file that says that it was done.
    `built`: what a build leaves behind, as .gitignore has it.
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
        needs="nothing: the arena has the Python that bots run on, with the SDK in it",
        tools=(),
        example="python/examples/random_bot",
        files=("bot.py", "bot.toml"),
        method="choose",
        sdk=("python/README.md",),
        offline="Packages of your own go beside `bot.py`: `python -m pip install --target . NAME`.",
        built=("__pycache__/",),
    ),
    "go": Language(
        title="Go",
        needs="Go 1.25 or newer",
        tools=("go",),
        example="go/examples/random",
        files=("main.go", "bot.toml", "go.mod", "go.sum"),
        method="Choose",
        sdk=("go/README.md", "go/*.go", "go/go.*", "go/gen/**/*.go"),
        changes=(
            ("go.mod", "sevens-arena.dev/examples/random", "{name}"),
            ("go.mod", "=> ../..", "=> ./sevens/sdk/go"),
        ),
        offline="So `vendor/` holds all that it is built from; after a change of `go.mod`,"
        " `make vendor` renews it.",
        vendor=("go mod vendor",),
        vendored="vendor/modules.txt",
        built=("/bot",),
    ),
    "typescript": Language(
        title="TypeScript",
        needs="Node.js 20 or newer, with npm",
        tools=("node", "npm"),
        example="typescript/examples/random",
        files=("bot.ts", "bot.toml", "package.json"),
        method="choose",
        sdk=(
            *("typescript/README.md", "typescript/Makefile", "typescript/.npmrc"),
            *("typescript/package*.json", "typescript/tsconfig*.json"),
            *("typescript/buf.gen.yaml", "typescript/src/*.ts"),
            "typescript/examples/*/package.json",  # npm wants all that its lock file names
        ),
        changes=(
            ("package.json", '"random"', '"{name}"'),
            ("package.json", "file:../..", "file:sevens/sdk/typescript"),
        ),
        offline="So `node_modules/` holds all that it is built with; after a change of"
        " `package.json`, `make vendor` renews it.",
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
        example="java/examples/random",
        files=("src/main/java/randombot/RandomBot.java", "bot.toml", "pom.xml"),
        method="choose",
        sdk=(
            *("java/README.md", "java/library/pom.xml"),
            "java/library/src/main/**/*.java",
        ),
        offline="So `vendor/` holds all that it is built from and with; after a change of"
        " `pom.xml`, `make vendor` renews it.",
        built=("/target/",),
        changes=(("pom.xml", "random-bot", "{name}"),),
        vendor=(
            "mvn --batch-mode --quiet -Dmaven.test.skip=true -Dmaven.repo.local=vendor"
            " --file sevens/sdk/java/library install",
            "rm -rf sevens/sdk/java/library/target",
            "mvn --batch-mode --quiet -Dmaven.repo.local=vendor package",
            # With these marks Maven would insist on the repository from which a file was loaded.
            "find vendor -name _remote.repositories -delete",
            "touch vendor/complete",
        ),
        vendored="vendor/complete",
    ),
    "rust": Language(
        title="Rust",
        needs="Rust 1.85 or newer, with Cargo",
        tools=("cargo",),
        example="rust/examples/random",
        files=("src/main.rs", "bot.toml", "Cargo.toml"),
        method="choose",
        sdk=("rust/README.md", "rust/Cargo.toml", "rust/build.rs", "rust/src/**/*.rs"),
        offline="So `vendor/` holds the crates that it is built from; after a change of"
        " `Cargo.toml`, `make vendor` renews it.",
        built=("/bin/", "/target/"),
        changes=(
            ("Cargo.toml", '"random"', '"{name}"'),
            ("Cargo.toml", '"../.."', '"sevens/sdk/rust"'),
            ("bot.toml", "bin/random", "bin/{name}"),
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
        needs="CMake, a C++20 compiler, and the packages that the SDK's README names",
        tools=("cmake", "c++", "grpc_cpp_plugin"),
        example="cpp/examples/random",
        files=("bot.cpp", "bot.toml", "CMakeLists.txt", "build.sh"),
        method="choose",
        sdk=("cpp/README.md", "cpp/CMakeLists.txt", "cpp/include/**/*.hpp", "cpp/src/*.[ch]pp"),
        offline="gRPC and protobuf are those of the machine that builds.",
        built=("/bot",),
        changes=(
            ("CMakeLists.txt", "add_subdirectory(../.. ", "add_subdirectory(sevens/sdk/cpp "),
        ),
    ),
}


def example_files(language: Language) -> tuple[str, ...]:
    """The paths, below the root, of the files that a bot begins as."""
    return tuple(f"sdk/{language.example}/{name}" for name in language.files)


def sdk_files(language: Language, root: Path) -> Iterator[str]:
    """The paths, below the root, of the files that the SDK consists of, and the protocol's. Tests
    stay at home."""
    for pattern in (*(f"sdk/{pattern}" for pattern in language.sdk), PROTOCOL):
        for path in sorted(root.glob(pattern)):
            if "test" not in path.name:
                yield path.relative_to(root).as_posix()


def shipped(root: Path) -> list[str]:
    """The paths, below the root of the arena's repository, of all that starting a bot takes."""
    paths: dict[str, None] = {}
    for language in LANGUAGES.values():
        paths.update(dict.fromkeys(example_files(language)))
        paths.update(dict.fromkeys(sdk_files(language, root)))
    return list(paths)
