# A thin front of meson: each target installs what it needs (tools/deps.sh says what), builds, runs.
# Nothing is installed that is there already, nothing is built twice.

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

all: build ## build into build/ (the default); CONSOLE=disabled: without the console page

run: build ## build, then serve PROJECT=examples/sample-project: http://127.0.0.1:48091/ is the page (PORT=48091)
	@exec build/multiverse serve --port $(PORT) --project '$(PROJECT)'

check: build-check ## build, unit tests, checks of the text: no network, no browser, no database
	@tools/test.sh check

test: build-test build-asan ## everything that CI runs
	@tools/test.sh all

sanitize: build-test build-asan ## every end-to-end test but those of the page, once more under ASan and UBSan
	@tools/test.sh sanitize

clang: build-test build-clang ## the unit tests once more, compiled by clang and optimized
	@tools/test.sh clang

shots: build-test ## the tests of the page with screenshots: each view dark and light, wide and narrow, in build/shots
	@CONSOLE_SHOTS='$(CURDIR)/build/shots' meson test -C build --no-rebuild --suite page

conformance: build-test ## the official MCP conformance suite against the server
	@tools/node.sh tests/conformance/run.mjs build/tests/mcp-everything

clients: build-test ## Claude Code, Codex and Gemini CLI call tools of the server (fetches 0.4 GB)
	@tools/deps.sh clients || echo "clients: those that could not be installed are skipped"
	@meson test -C build --no-rebuild --verbose --suite clients

timing: build-test ## the limits in time that the program promises, on a machine that does nothing else
	@MULTIVERSE_TIMING=1 meson test -C build --no-rebuild --print-errorlogs --num-processes 1 --suite timing

chaos: export LIMIT_S = 3600
chaos: build-test ## clients, editors, workers, servers that misbehave: CHAOS_CALLS=10000 CHAOS_TASKS=500 CHAOS_SEED=N
	@CHAOS_SEED='$(CHAOS_SEED)' CHAOS_CALLS='$(CHAOS_CALLS)' CHAOS_JOBS='$(CHAOS_JOBS)' \
	    tools/node.sh tests/chaos/chaos.mjs
	@CHAOS_SEED='$(CHAOS_SEED)' CHAOS_RELOADS='$(CHAOS_RELOADS)' CHAOS_KILLS='$(CHAOS_KILLS)' \
	    tools/node.sh tests/editors/reloads.mjs
	@CHAOS_SEED='$(CHAOS_SEED)' CHAOS_TASKS='$(CHAOS_TASKS)' CHAOS_SECONDS='$(CHAOS_SECONDS)' \
	    tools/node.sh tests/orchestrator/chaos.mjs
	@tools/node.sh tests/orchestrator/spread.mjs

bench: ## benchmarks beside jansson, the TypeScript SDK, graphile-worker and others
	@tools/deps.sh bench
	@tools/build.sh build -Dtests=auto -Dmono=auto -Dbench=enabled
	@meson test -C build --benchmark --no-rebuild --verbose --num-processes 1

fuzz: ## libFuzzer on every decoder, FUZZ_SECONDS=60 each
	@tools/deps.sh fuzz
	@CC=clang tools/build.sh build-fuzz -Dfuzz=true -Dtests=disabled -Dbench=disabled -Dconsole=disabled \
	    $(SANITIZE)
	@tools/fuzz.sh build-fuzz $(FUZZ_SECONDS)

lint: ## layers, headers, lengths, text, clang-format, clang-tidy
	@tools/deps.sh lint
	@tools/lint.sh

fresh: ## all of it on a bare Debian, as root: FRESH_SUITE=bookworm; FRESH=test: make test there, too
	@tools/fresh.sh

install: build ## install into PREFIX=/usr/local, below DESTDIR
	@tools/build.sh build -Dprefix='$(PREFIX)'
	@DESTDIR='$(DESTDIR)' meson install -C build --no-rebuild --quiet

clean: ## remove what was built; installed packages stay, and a page that could not be built again
	rm -rf build build-clang build-asan build-fuzz
	@tools/web.sh --clean

help: ## this list
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
