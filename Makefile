# A thin front end of meson: each target installs what it needs (listed in tools/deps.sh), builds
# and runs. Installed packages are not installed again, and nothing is built twice.

PORT          ?= 48091
PROJECT       ?= examples/sample-project
PREFIX        ?= /usr/local
DESTDIR       ?=
CONSOLE       ?= enabled
FUZZ_SECONDS  ?= 60
CHAOS_CALLS   ?= 10000
CHAOS_JOBS    ?= 500
CHAOS_RELOADS ?= 50
CHAOS_KILLS   ?= 5
CHAOS_TASKS   ?= 500
CHAOS_SECONDS ?= 120

SANITIZE := -Db_sanitize=address,undefined -Db_lundef=false -Doptimization=1

.PHONY: all run check test shots sanitize clang conformance clients timing chaos bench fuzz lint fresh install clean help
.PHONY: build build-check build-test build-clang build-asan
.NOTPARALLEL:

all: build ## build into build/ (default target); CONSOLE=disabled leaves out the console page

run: build ## build, then serve PROJECT=examples/sample-project on PORT=48091; console: http://127.0.0.1:48091/
	@exec build/multiverse serve --port $(PORT) --project '$(PROJECT)'

check: build-check ## build, run unit tests and lint; needs no network, browser or database
	@tools/test.sh check

test: build-test build-asan ## run everything that CI runs
	@tools/test.sh all

sanitize: build-test build-asan ## run all tests except those of the page under ASan and UBSan
	@tools/test.sh sanitize

clang: build-test build-clang ## run the unit tests compiled by clang with optimization
	@tools/test.sh clang

shots: build-test ## run the page tests with screenshots in build/shots: dark and light, wide and narrow
	@CONSOLE_SHOTS='$(CURDIR)/build/shots' meson test -C build --no-rebuild --suite page

conformance: build-test ## run the official MCP conformance suite
	@tools/node.sh tests/conformance/run.mjs build/tests/mcp-everything

clients: build-test ## test with the real Claude Code, Codex and Gemini CLI (downloads 0.4 GB)
	@tools/deps.sh clients || echo "clients: agents that could not be installed are skipped"
	@meson test -C build --no-rebuild --verbose --suite clients

timing: build-test ## check the promised time limits; needs an otherwise idle machine
	@MULTIVERSE_TIMING=1 meson test -C build --no-rebuild --print-errorlogs --num-processes 1 --suite timing

chaos: export LIMIT_S = 3600
chaos: build-test ## run random failures of clients, editors, workers and servers: CHAOS_CALLS=10000 CHAOS_TASKS=500 CHAOS_SEED=N
	@CHAOS_SEED='$(CHAOS_SEED)' CHAOS_CALLS='$(CHAOS_CALLS)' CHAOS_JOBS='$(CHAOS_JOBS)' \
	    tools/node.sh tests/chaos/chaos.mjs
	@CHAOS_SEED='$(CHAOS_SEED)' CHAOS_RELOADS='$(CHAOS_RELOADS)' CHAOS_KILLS='$(CHAOS_KILLS)' \
	    tools/node.sh tests/editors/reloads.mjs
	@CHAOS_SEED='$(CHAOS_SEED)' CHAOS_TASKS='$(CHAOS_TASKS)' CHAOS_SECONDS='$(CHAOS_SECONDS)' \
	    tools/node.sh tests/orchestrator/chaos.mjs
	@tools/node.sh tests/orchestrator/spread.mjs

bench: ## run benchmarks in comparison with jansson, the TypeScript SDK, graphile-worker and others
	@tools/deps.sh bench
	@tools/build.sh build -Dtests=auto -Dmono=auto -Dbench=enabled
	@meson test -C build --benchmark --no-rebuild --verbose --num-processes 1

fuzz: ## run libFuzzer on every decoder, FUZZ_SECONDS=60 each
	@tools/deps.sh fuzz
	@CC=clang tools/build.sh build-fuzz -Dfuzz=true -Dtests=disabled -Dbench=disabled -Dconsole=disabled \
	    $(SANITIZE)
	@tools/fuzz.sh build-fuzz $(FUZZ_SECONDS)

lint: ## check layers, headers, lengths, text, clang-format and clang-tidy
	@tools/deps.sh lint
	@tools/lint.sh

fresh: ## build and try everything on a bare Debian (FRESH_SUITE=bookworm), as root; FRESH=test also runs make test
	@tools/fresh.sh

install: build ## install into PREFIX=/usr/local, below DESTDIR
	@tools/build.sh build -Dprefix='$(PREFIX)'
	@DESTDIR='$(DESTDIR)' meson install -C build --no-rebuild --quiet

clean: ## remove build output; keeps installed packages, and a page that could not be rebuilt
	rm -rf build build-clang build-asan build-fuzz
	@tools/web.sh --clean

help: ## print this list
	@sed -n 's/^\([a-z]*\):.*## /\1 /p' Makefile | while read -r name what; do \
	    printf 'make %-12s %s\n' "$$name" "$$what"; done

build:
	@CONSOLE='$(CONSOLE)' tools/deps.sh build
	@tools/build.sh build -Dtests=auto -Dmono=auto -Dbench=auto -Dconsole='$(CONSOLE)'

build-check:
	@tools/deps.sh check
	@tools/build.sh build -Dtests=enabled -Dmono=auto -Dbench=auto -Dconsole=enabled

build-test:
	@tools/deps.sh test
	@tools/build.sh build -Dtests=enabled -Dmono=enabled -Dbench=auto -Dconsole=enabled

build-clang:
	@CC=clang tools/build.sh build-clang -Dtests=enabled -Dmono=disabled -Dbench=auto

build-asan:
	@CC=clang CC_LD=lld tools/build.sh build-asan -Dtests=enabled -Dmono=disabled -Dbench=auto $(SANITIZE)
