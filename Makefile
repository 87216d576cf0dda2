# Each command works on a fresh Debian 12 machine that has Swift: Scripts/bootstrap sees to the rest.

SHELL := bash
.SHELLFLAGS := -euo pipefail -c
.DEFAULT_GOAL := help

# Every step of a check takes the same flags, so that nothing is built twice. The folder of its own
# keeps the instrumented build apart from that of a plain `swift build`. Whole modules, each with
# its module file in one job, and line tables in place of all debug information make a build from
# nothing a fifth shorter. NB: One object a file, which SwiftPM links, takes a number of threads.
CHECKED := --scratch-path .build/check --enable-code-coverage -Xswiftc -warnings-as-errors \
  -Xswiftc -wmo -Xswiftc -no-emit-module-separately-wmo -Xswiftc -num-threads -Xswiftc 2 \
  -Xswiftc -gline-tables-only
# Tests that all run at once wait for each other for so long that their time limits run out on a slow
# machine. Swift before 6.3 has no such option.
# NB: Not through a pipe: a reader that ends early makes the help fail.
FEW := $(shell [[ "$$(swift test --help-hidden 2>/dev/null)" \
  == *experimental-maximum-parallelization-width* ]] \
  && echo --experimental-maximum-parallelization-width 6)
# These keep the processor busy for so long that others would run out of time beside them.
LONG := SimulatorTests|BulkChangeTests|ServerPropertyTests
FORMATTED := $(wildcard Sources Tests Benchmarks Apps Examples Package.swift)

.PHONY: help
help: ## List the commands
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "make %-12s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

.PHONY: test
test: ## Build, check and test everything (half an hour on two cores)
	Scripts/bootstrap build browser
	swift build --build-tests $(CHECKED)
	python3 -B -m unittest discover --start-directory Tests/Gates
	Scripts/check-imports
	Scripts/check-prose
	Scripts/sizes --bin "$$(swift build --show-bin-path $(CHECKED))"
	Scripts/check-texts
	Scripts/check-tutorial --bin "$$(swift build --show-bin-path $(CHECKED))"
	Scripts/check-benchmarks "$$(swift build --show-bin-path $(CHECKED))"
	Scripts/check-misuses "$$(swift build --show-bin-path $(CHECKED))"
	swift test --skip-build --disable-xctest $(CHECKED) $(FEW) --filter '^FaultTests'
	swift test --skip-build --disable-xctest $(CHECKED) $(FEW) --filter SyncFaultTests
	swift test --skip-build --disable-xctest $(CHECKED) $(FEW) --filter AttackTests
	swift test --skip-build --disable-xctest $(CHECKED) $(FEW) --filter '$(LONG)'
	swift test --skip-build --disable-xctest $(CHECKED) $(FEW) --skip 'FaultTests|AttackTests|$(LONG)'
	Scripts/coverage "$$(swift test --show-codecov-path $(CHECKED))"
	swift format lint --strict --parallel --recursive $(FORMATTED)
	OFFSHORE_BIN="$$(swift build --show-bin-path $(CHECKED))" Tests/Browser/run

.PHONY: run
run: ## Run a server and two phones, and print the address that shows them side by side
	Scripts/bootstrap
	swift run -c release offshore-apps dock $(ARGUMENTS)

.PHONY: soak
soak: ## Inject faults for longer than a test run has time for, and time the dock as people run it
	Scripts/bootstrap build browser
	swift build -c release --product offshore-apps
	for file in test_dock.py test_speed.py; do OFFSHORE_RELEASE=1 \
	  OFFSHORE_BIN="$$(swift build -c release --show-bin-path)" Tests/Browser/run $$file; done
	SWIFT_FLAGS="$(CHECKED)" Tests/Faults/run

# The seeds that `make simulate` runs: SEEDS of them from FIRST on, or SEED alone with its trace. With
# TIMED=yes it runs the schedules in virtual time, with TIMED=no the others; many seeds make both.
FIRST := 1
SEEDS := 10000
KINDS = $(or $(TIMED),$(if $(SEED),no,no yes))

.PHONY: simulate
simulate: ## Run devices and a server from SEEDS=n seeds, FIRST=n on, or one SEED=n
	Scripts/bootstrap
	for timed in $(KINDS); do swift run -c release simulate --timed $$timed \
	  $(if $(SEED),--seed $(SEED),--first $(FIRST) --seeds $(SEEDS)); done

# The revision whose programs `make interop` runs beside those of this one.
BEFORE := HEAD~1

.PHONY: interop
interop: ## Sync with devices, servers and files of an earlier commit, BEFORE=REVISION
	Scripts/bootstrap build browser
	rm -rf .build/before/checkout && mkdir -p .build/before/checkout
	git archive $(BEFORE) | tar -x -C .build/before/checkout
	for product in offshore offshore-apps packing-list; do \
	  swift build --product $$product; \
	  swift build --product $$product --package-path .build/before/checkout \
	    --scratch-path .build/before/build; done
	OFFSHORE_BIN="$$(swift build --show-bin-path)" \
	  OFFSHORE_BEFORE="$$(swift build --show-bin-path --package-path .build/before/checkout \
	    --scratch-path .build/before/build)" Tests/Browser/run test_interop.py

.PHONY: bench
bench: ## Measure its speed
	Scripts/bootstrap
	swift run -c release --package-path Benchmarks

.PHONY: docs
docs: ## Build the documentation of all modules as a site, below .build/docs
	Scripts/bootstrap
	Scripts/docs

.PHONY: screenshots
screenshots: ## Draw the pages into .build/screenshots, and those of README anew
	Scripts/bootstrap build browser
	swift build --product offshore-apps
	swift build --product offshore
	OFFSHORE_BIN="$$(swift build --show-bin-path)" .build/browser/bin/python -B \
	  Tests/Browser/screenshots.py

.PHONY: format
format: ## Format the Swift sources in place
	Scripts/bootstrap
	swift format --in-place --parallel --recursive $(FORMATTED)
