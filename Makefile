# Everything from a clean clone: `make lab` to use it, `make test` to prove it.
# Recipes run in bash with the environment's programs first, so none needs activating.

SHELL := bash
.SHELLFLAGS := -euo pipefail -c
.DEFAULT_GOAL := help
MAKEFLAGS += --no-builtin-rules --no-print-directory
.NOTPARALLEL:
.DELETE_ON_ERROR:

VENV := .venv
DONE := $(VENV)/.done
export PATH := $(CURDIR)/$(VENV)/bin:$(PATH)
export PIP_DISABLE_PIP_VERSION_CHECK := 1
export PLAYWRIGHT_SKIP_BROWSER_DOWNLOAD := 1
export EXEDS_CHROMIUM
# An environment of somebody else's must not leak into ours.
unexport PYTHONPATH PYTHONHOME VIRTUAL_ENV

BUILT := exeds_lab/labextension/static/style.js
FRONT_END := $(shell find src style schema -type f ! -path '*/__tests__/*' 2>/dev/null) tsconfig.json

.PHONY: help
help: ## Print this help
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-12s %s\n", $$1, $$2 }' Makefile

# ---------------------------------------------------------------- use it

.PHONY: setup
setup: $(DONE)/package ## Everything installed into .venv, the front end built

.PHONY: model
model: setup ## Fetch the local model, so that generating needs no key and no network
	@exeds-lab model get || echo 'No local model (see above); the built-in search still works.'

.PHONY: demo
demo: model ## Generate and check code for a bundled notebook, without a browser
	exeds-lab demo

.PHONY: lab
lab: model ## The demo, then JupyterLab on a copy of the bundled notebook, in work/
	@exeds-lab demo || echo 'The demo did not pass (see above); JupyterLab opens all the same.'
	@scripts/lab work

# ---------------------------------------------------------------- prove it

.PHONY: test
test: lint api jest pytest ui-tests packaging ## Every test: lint, types, contracts, Jest, pytest, UI, packaging

.PHONY: lint
lint: setup ## Style, types and the contracts between folders, Python and TypeScript
	@scripts/step -q 'ruff' ruff check .
	@scripts/step -q 'ruff format' ruff format --check .
	@scripts/step -q 'mypy' mypy
	@scripts/step -q 'kernel code runs on Python 3.9' vermin -q --no-tips --violations -t=3.9- exeds_lab/kernel
	@scripts/step -q 'import-linter' lint-imports
	@scripts/step -q 'stylelint' jlpm stylelint:check
	@scripts/step -q 'prettier' jlpm prettier:check
	@scripts/step -q 'eslint' jlpm eslint:check
	@scripts/step -q 'tsc' jlpm types:check
	@scripts/step -q 'dependency-cruiser' jlpm cruise

.PHONY: format
format: setup ## Rewrite every file in the house's format
	ruff check --fix-only .
	ruff format .
	jlpm lint

.PHONY: api
api: setup ## The committed wire description and its TypeScript are what the code says
	@scripts/step -q 'wire' scripts/generate_api --check

.PHONY: generate-api
generate-api: setup ## Write the wire description and its TypeScript anew
	@scripts/generate_api

.PHONY: jest
jest: setup ## Unit tests of the front end, and its size
	@scripts/step 'jest' jlpm test --silent
	@scripts/step 'bundle size' node scripts/bundle_size.mjs

.PHONY: pytest
pytest: setup ## Tests of the Python package (without packaging)
	python -m pytest -m 'not packaging'

.PHONY: packaging
packaging: setup ## Build the distributions and install them where there is no Node
	python -m pytest -m packaging

.PHONY: ui-tests
ui-tests: setup $(DONE)/ui-tests ## The extension in a real Chromium
	@scripts/ui_tests

.PHONY: bench
bench: setup ## Measure a check against its physical limit, and what loading adds to the server's start
	python benchmarks/check_latency.py
	python benchmarks/server_start.py

# ---------------------------------------------------------------- make it

.PHONY: clean
clean: ## Remove everything that a build made
	rm -rf $(VENV) node_modules ui-tests/node_modules lib dist coverage tsconfig.tsbuildinfo \
	  exeds_lab/labextension exeds_lab/_version.py ui-tests/test-results ui-tests/playwright-report \
	  .eslintcache .stylelintcache .mypy_cache .ruff_cache .pytest_cache .import_linter_cache .hypothesis

$(DONE)/python:
	@scripts/make_venv $(VENV)
	@mkdir -p $(DONE) && touch $@

$(DONE)/node_modules: $(DONE)/python package.json yarn.lock .yarnrc.yml
	@scripts/step -q 'node packages' jlpm install --immutable
	@touch $@

$(BUILT): $(DONE)/node_modules $(FRONT_END)
	@scripts/step -q 'build of the front end' jlpm build:prod
	@touch $@

# Editable, with the built front end linked in: an edit needs no reinstall.
$(DONE)/package: $(BUILT) pyproject.toml install.json jupyter-config/server-config/exeds_lab.json
	@scripts/install_package
	@touch $@

$(DONE)/ui-tests: $(DONE)/python ui-tests/package.json ui-tests/yarn.lock
	@cd ui-tests && ../scripts/step -q 'node packages of the UI tests' jlpm install --immutable
	@touch $@
