# Two commands matter: `make demo` and `make test`. Each sets up what it needs in .venv.
PYTHON ?= python3
BIN := .venv/bin
# setuptools warns at length about the mapped folders of an editable install, which are meant.
PIP := PYTHONWARNINGS=ignore $(BIN)/python -m pip install --quiet
PACKAGES := bench cli graph memory models nodes state web

.PHONY: demo test lint fix types docs models dev clean

demo: .venv/.local models
	$(BIN)/hippograph demo $(ARGS)

test: .venv/.dev models
	$(BIN)/python -m pytest -n 2 --dist loadfile

lint: .venv/.dev types
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports

fix: .venv/.dev
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

dev: .venv/.dev models
	$(BIN)/langgraph dev --no-browser

# The documentation as a site in build/site; a warning fails it. Its notebook is run.
docs: .venv/.docs types
	NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build --strict
	@echo "Open build/site/index.html"

# Fetches the embedded models once; a no-op when they are there.
models: .venv/.local
	$(BIN)/hippograph models pull

# Type checkers cannot follow an editable install's import hook, so they get the same layout as links.
types:
	@mkdir -p build/types/hippograph
	@for name in $(PACKAGES); do ln -sfn ../../../$$name build/types/hippograph/$$name; done

.venv/.python:
	@$(PYTHON) -c 'import sys, venv, ensurepip; sys.exit(sys.version_info < (3, 11))' || \
	  { echo "Hippograph needs Python 3.11 or newer with venv: make PYTHON=/path/to/python3.11" >&2; exit 1; }
	$(PYTHON) -m venv .venv
	$(PIP) --upgrade pip
	@touch $@

.venv/.local: .venv/.python pyproject.toml
	@echo "Installing the package and what it needs: a minute or a few, in silence."
	$(PIP) --editable '.[local]'
	@touch $@

.venv/.dev: .venv/.local
	$(PIP) --editable '.[local,dev]'
	@touch $@

.venv/.docs: .venv/.dev
	$(PIP) --editable '.[local,dev,docs]'
	@touch $@

clean:
	rm -rf .venv build .mypy_cache .pytest_cache .ruff_cache
