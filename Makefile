# Chronoscope. `make help` lists the targets.
#
# ARGS       flags of the program, for run:       make run ARGS="-npcs 5000"
# PKG        packages, for bench:                 make bench PKG=./coordinator
# BENCH      pattern of benchmarks, for bench
# SCALE      device scale, for tour:              make tour SCALE=2
# MAP        a map file, for pictures
# FUZZTIME   time for each fuzz test, for fuzz

SHELL       := /bin/bash
MAKEFLAGS   += --no-print-directory
ARGS        ?=
PKG         ?= ./...
BENCH       ?= .
FUZZTIME    ?= 10s
SCALE       ?= 1
MAP         ?=
TESTTIMEOUT ?= 15m

.DEFAULT_GOAL := help
.NOTPARALLEL:
.PHONY: run test race fuzz bench tour pictures golden-update lint help deps test-plain test-race cross

run: ## open the window (without a display: run it for some seconds and leave a picture); ARGS="..."
	@scripts/run.sh $(ARGS)

test: deps lint test-plain test-race cross ## lint, all tests, -race on what isn't drawn, builds for Windows and WebAssembly

race: deps test-race ## the tests of what isn't drawn under the race detector

fuzz: deps ## every fuzz test for FUZZTIME (10s)
	@set -e -o pipefail; scripts/packages.sh fuzz | while read -r dir target; do \
		echo "$$dir $$target"; \
		go test -run '^$$' -fuzz "^$$target\$$" -fuzztime $(FUZZTIME) "$$dir" </dev/null || exit 1; \
	done

bench: deps ## the benchmarks; PKG=./coordinator BENCH=Tick
	@scripts/with-display.sh go test -run '^$$' -bench '$(BENCH)' -benchmem -timeout 60m $(PKG)

tour: deps ## go through every view with a real pointer and keyboard, pictures in out/tour; SCALE=2
	@scripts/with-display.sh go test ./game -count=1 -run TestTour -v -tour $(CURDIR)/out/tour -tour-scale $(SCALE)

pictures: deps ## take the README's pictures anew; MAP=FILE: that of a map file as well
	@scripts/with-display.sh go test ./game -count=1 -run 'TestPicture|TestPanelPictures|TestBrakeSeries|TestTimePictures' -pictures $(CURDIR)/assets/pictures $(if $(MAP),-picture-map $(abspath $(MAP)))

golden-update: deps ## draw the golden pictures anew
	@scripts/with-display.sh go test ./game -count=1 -update

lint: deps ## gofmt, go vet, staticcheck
	@files=$$(gofmt -l $$(git ls-files -co --exclude-standard '*.go')); \
		[ -z "$$files" ] || { echo "gofmt -l:" $$files >&2; exit 1; }
	@go vet ./...
	@go tool staticcheck ./...

help: ## this list
	@sed -nE 's/^([a-z-]+):[^#]*## (.*)$$/  \1	\2/p' $(firstword $(MAKEFILE_LIST)) | expand -t 18

# Internal targets.

deps:
	@scripts/deps.sh build display

# go vet has been over everything in lint.
test-plain:
	@scripts/with-display.sh go test -vet=off -timeout $(TESTTIMEOUT) ./...

test-race:
	@pkgs=$$(scripts/packages.sh undrawn) && go test -race -vet=off -timeout $(TESTTIMEOUT) $$pkgs

# The programs are left in out/windows and out/js.
cross:
	@pkgs=$$(scripts/packages.sh commands) && mkdir -p out/windows out/js && \
		echo "building for Windows" && CGO_ENABLED=0 GOOS=windows GOARCH=amd64 go build -o out/windows/ $$pkgs && \
		echo "building for WebAssembly" && CGO_ENABLED=0 GOOS=js GOARCH=wasm go build -o out/js/ $$pkgs
