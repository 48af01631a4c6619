# A thin front of meson: each target installs what it needs (tools/deps.sh says what), builds, runs.
# Nothing is installed that is there already, nothing is built twice.

PORT         ?= 48091
PREFIX       ?= /usr/local
DESTDIR      ?=
FUZZ_SECONDS ?= 60

SANITIZE := -Db_sanitize=address,undefined -Db_lundef=false -Doptimization=1
NINJA    := ninja --quiet -C

.PHONY: all run test conformance clients bench fuzz lint install clean help
.PHONY: build build-test build-clang build-asan
.NOTPARALLEL:

all: build ## build into build/ (the default)

run: build ## build and start the server on http://127.0.0.1:48091/mcp (PORT=48091)
	@exec build/tests/mcp-everything --port $(PORT)

test: build-test build-clang build-asan ## all tests, with gcc and again with clang's sanitizers
	@tools/test.sh build build-asan

conformance: build-test ## the official MCP conformance suite against the server
	@tools/node.sh tests/conformance/run.mjs build/tests/mcp-everything

clients: build-test ## Claude Code, Codex and Gemini CLI connect to the server (fetches 0.4 GB)
	@tools/deps.sh clients
	@meson test -C build --no-rebuild --print-errorlogs --suite clients

bench: ## benchmarks beside jansson and the TypeScript SDK
	@tools/deps.sh bench
	@tools/configure.sh build -Dbench=enabled
	@$(NINJA) build
	@meson test -C build --benchmark --no-rebuild --verbose --num-processes 1

fuzz: ## libFuzzer on every decoder, FUZZ_SECONDS=60 each
	@tools/deps.sh fuzz
	@CC=clang tools/configure.sh build-fuzz -Dfuzz=true -Dtests=disabled $(SANITIZE)
	@$(NINJA) build-fuzz
	@tools/fuzz.sh build-fuzz $(FUZZ_SECONDS)

lint: ## layers, headers, lengths, text, clang-format, clang-tidy
	@tools/deps.sh lint
	@tools/lint.sh

install: build ## install into PREFIX=/usr/local, below DESTDIR
	@meson setup --reconfigure build --prefix '$(PREFIX)' >/dev/null
	@$(NINJA) build
	@DESTDIR='$(DESTDIR)' meson install -C build --no-rebuild --quiet

clean: ## remove what was built; installed packages stay
	rm -rf build build-clang build-asan build-fuzz

help: ## this list
	@sed -n 's/^\([a-z]*\):.*## /\1 /p' Makefile | while read -r name what; do \
	    printf 'make %-12s %s\n' "$$name" "$$what"; done

build:
	@tools/deps.sh build
	@tools/configure.sh build
	@$(NINJA) build

build-test:
	@tools/deps.sh test
	@tools/configure.sh build -Dtests=enabled
	@$(NINJA) build

build-clang:
	@CC=clang tools/configure.sh build-clang -Dtests=enabled
	@$(NINJA) build-clang

build-asan:
	@CC=clang tools/configure.sh build-asan -Dtests=enabled $(SANITIZE)
	@$(NINJA) build-asan
