# Every target does its own set-up first, so a fresh clone needs no other step.
# A second set-up takes well under a second and needs no network.

SHELL := /bin/bash
.DEFAULT_GOAL := help
.PHONY: help set-up demo test check audit format lock bench bench-big faults fuzz clean

# The folders that hold Python, as far as they are there.
PYTHON_FOLDERS := $(wildcard ledger projections reports web tests benchmarks)
# uv writes the lock and nothing else here uses it; so it is not in the lock.
UV := uv==0.13.9

help: ## Show this list
	@sed -n 's/^\([a-z-]*\):[^#]*## \(.*\)/\1|\2/p' $(MAKEFILE_LIST) | while IFS='|' read -r name what; do printf '  make %-8s %s\n' "$$name" "$$what"; done

set-up: ## Install all that is missing (PYTHON=… picks the interpreter)
	@PYTHON='$(PYTHON)' scripts/set-up

demo: set-up ## Fill a ledger from the sample data and serve it (ARGS=--no-serve stops before)
	.venv/bin/corrigenda demo $(ARGS)

test: set-up ## Run every test, a file on each processor (ARGS='-k board' picks some)
	.venv/bin/python -m pytest -n auto --dist loadfile $(ARGS)

check: set-up audit ## Lint, formatting, types, layers, lock and licences, as CI does
	.venv/bin/ruff check .
	.venv/bin/ruff format --check .
	.venv/bin/mypy $(PYTHON_FOLDERS)
	.venv/bin/lint-imports --no-logo

audit: set-up ## Look whether the lock is hashed, all else absent, and every licence open
	.venv/bin/python scripts/audit

format: set-up ## Put the code into its usual form and fix what can be fixed safely
	.venv/bin/ruff check --fix-only .
	.venv/bin/ruff format .

lock: ## Pin the newest allowed versions, with hashes (needs the network)
	@PYTHON='$(PYTHON)' scripts/lock '$(UV)'

bench: set-up ## Measure speed beside what people would use instead, in minutes
	.venv/bin/python -m benchmarks $(ARGS)

bench-big: set-up ## The same with a million facts beside the small size, in half an hour
	.venv/bin/python -m benchmarks --sizes 40000 1000000 $(ARGS)

faults: set-up ## Kill a process at every commit point, on both engines, and see what is lost
	.venv/bin/python -m benchmarks.faults $(ARGS)

fuzz: set-up ## Try every reader of outside bytes with strange ones (FUZZ=3000 of each kind)
	FUZZ=$(or $(FUZZ),1000) .venv/bin/python -m pytest tests/test_fuzz.py tests/test_fuzz_http.py $(ARGS)

clean: ## Remove all that was made here, but not your ledger in var/
	rm -rf .venv .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache build dist *.egg-info
	find . -name __pycache__ -type d -prune -exec rm -rf {} +
