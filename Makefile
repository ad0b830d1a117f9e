# Surestep: `make run` starts the bot, `make test` checks everything. Both set up what they need first.

SHELL := /bin/sh
.DEFAULT_GOAL := help
.DELETE_ON_ERROR:
.PHONY: help run test lint format docs setup lock clean

VENV := .venv
PY := $(VENV)/bin/python
STAMP := $(VENV)/.set-up

# What exists of the code.
CODE := $(wildcard bot channels core steps tests)
# The import linter reads all four packages or none.
HOUSE := $(filter 4,$(words $(wildcard bot/__init__.py channels/__init__.py core/__init__.py steps/__init__.py)))

# Two workers suit the smallest machine that runs the tests; ARGS adds to pytest's arguments.
WORKERS ?= 2
ARGS ?=

# The tool of `make lock`; nothing else uses it.
UV := uv==0.13.9

help: ## say what can be made
	@sed -n 's/^\([a-z]*\):.*## /  make \1|/p' $(MAKEFILE_LIST) | awk -F'|' '{ printf "%-16s%s\n", $$1, $$2 }'

run: $(STAMP) ## set up, then start the bot
	@$(PY) -m bot run

test: lint ## set up, then check format, lint, types, imports, and run the tests
	@$(PY) -m pytest -n $(WORKERS) $(ARGS)

lint: $(STAMP) ## check format, lint, types and imports, without the tests
	@$(PY) -m ruff format --check $(CODE)
	@$(PY) -m ruff check $(CODE)
	@$(PY) -m mypy $(CODE)
	@$(if $(HOUSE),$(PY) $(VENV)/bin/lint-imports --no-logo,echo "imports: not checked before bot, channels, core and steps are all there")

docs: $(STAMP) ## write the parts of the README that are made from the code
	@$(PY) -m bot.docs README.md .env.example

format: $(STAMP) ## put the code into its format, and repair what can be repaired
	@$(PY) -m ruff check --fix-only --quiet $(CODE)
	@$(PY) -m ruff format $(CODE)

setup: $(STAMP) ## build .venv from requirements.lock (done once; again when the lock changes)

# A stamp is worth nothing where its Python no longer runs (it was removed, or the folder was moved).
ifneq ($(shell $(PY) -c 'print(1)' 2>/dev/null),1)
.PHONY: $(STAMP)
endif

# The stamp is written last and removed first, so a set-up that was interrupted starts afresh.
# pip, because it uses the index and the certificates that this machine is configured with.
$(STAMP): requirements.lock
	@set -eu; \
	if [ -f $@ ] && $(PY) -c '' 2>/dev/null; then rm -f $@; else $(create_venv); fi; \
	echo "Installing what requirements.lock pins (the first time takes about a minute) ..."; \
	$(PY) -m pip install --disable-pip-version-check --quiet --quiet --no-compile --require-hashes -r requirements.lock; \
	$(PY) -m compileall -qq -j 0 $(VENV)/lib || true; \
	touch $@; \
	echo "Ready: $(VENV)"

# A python may be on the path and still not run (a version manager's shim), so each is tried.
define create_venv
for python in python3.13 python3.12 python3.11 python3 python3.14 python; do \
	if $$python -c 'import sys, ensurepip, venv; sys.exit(sys.version_info < (3, 11))' 2>/dev/null; then found=$$python; break; fi; \
done; \
if [ -z "$${found:-}" ]; then \
	echo "Surestep needs Python 3.11 or newer, with its venv module, and none was found on the PATH." >&2; \
	echo "Install it (on Debian or Ubuntu: apt-get install python3 python3-venv) and run make again." >&2; \
	exit 1; \
fi; \
$$found -m venv --clear $(VENV)
endef

lock: $(STAMP) ## resolve pyproject.toml anew into requirements.lock (ARGS=--upgrade takes newer releases)
	@set -eu; tools=$$(mktemp -d); trap 'rm -rf "$$tools"' EXIT; \
	$(PY) -m venv "$$tools"; \
	"$$tools/bin/python" -m pip install --disable-pip-version-check --quiet --quiet '$(UV)'; \
	"$$tools/bin/uv" pip compile pyproject.toml --group dev --universal --python-version 3.11 \
		--generate-hashes --no-header --no-emit-index-url --no-emit-find-links --system-certs \
		--quiet --output-file requirements.lock $(ARGS)

clean: ## remove .venv and what the tools left behind
	rm -rf $(VENV) .hypothesis .import_linter_cache .mypy_cache .pytest_cache .ruff_cache build dist
