# Needs Python 3.11 or later, make and git; everything else is fetched into .venv on the first run.
.PHONY: help play terminal test test-versions check browser pages long years proofs coverage bench load season docs site manuals interface tour extras release clean

VENV := .venv
BIN := $(VENV)/$(if $(filter Windows_NT,$(OS)),Scripts,bin)
PIP := PIP_CONSTRAINT=constraints.txt PIP_BUILD_CONSTRAINT=constraints.txt \
	$(BIN)/python -m pip install --disable-pip-version-check --no-input -qq -c constraints.txt

# Tests start many programs: what Python compiles of them is kept in the environment, whatever the user's habit.
PYTEST := PYTHONDONTWRITEBYTECODE= PYTHONPYCACHEPREFIX='$(CURDIR)/$(VENV)/pycache' $(BIN)/python -m pytest

# The environment that builds what is published.
PUBLISH := .venvs/publish

# Style and types. A recipe that calls make again would run even when make is only asked what it would do.
CHECK := { $(BIN)/ruff check && $(BIN)/ruff format --check && $(BIN)/mypy; }

# What `make test` makes a share of.
PROOFS = $(sort $(shell grep -rl --include='test_*.py' '^from proofs import' tests))

# The first of these that is new enough; `make play PYTHON=/path/to/python` chooses another.
PYTHON ?= $(shell for name in python3.11 python3 python3.12 python3.13 python3.14 python; do \
	$$name -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null && { echo $$name; break; }; done)

help:
	@echo 'make play      play any variant in the browser'
	@echo 'make terminal  play Diplomacy in this terminal'
	@echo 'make test      run every check: style, types, tests'
	@echo 'make check     style and types only'
	@echo 'make test-versions  test the core on every Python from 3.11 on that is here'
	@echo 'make years     play a year of every variant in the browser with each hand'
	@echo 'make pages     run every test of the pages, of which the tests make a part'
	@echo 'make long      run every test that takes long beside those; the tests make some of them'
	@echo 'make proofs    make the long proofs in full, of which the tests make a part'
	@echo 'make browser   install the browser that the tests of the pages need'
	@echo 'make coverage  measure which branches of the engine its tests reach'
	@echo 'make bench     measure the speed of adjudication'
	@echo 'make load      measure the server under many readers and players'
	@echo 'make season    let computers play 1,000 games by a fast clock while servers are killed'
	@echo 'make docs      write the generated tables of docs/ anew'
	@echo 'make site      build the documentation site into build/site/html and check it'
	@echo 'make manuals   write the man pages into build/man'
	@echo 'make interface compare the public interface with that of the last release'
	@echo 'make tour      run the commands of the documents from the wheel in a clean environment'
	@echo 'make extras    try every command with each extra alone in clean environments'
	@echo 'make release   walk the checklist of a release and fill dist/; publishes nothing'
	@echo 'make clean     remove everything that was made'

play: $(VENV)/.play
	@$(BIN)/plenipo serve

terminal: $(VENV)/.play
	@$(BIN)/plenipo play

# What the tests have to compile is compiled while style and types are checked. A worker gets a file at a time, in the
# order of tests/conftest.py, and makes what its tests share once.
test: $(VENV)/.dev browser
	$(BIN)/python scripts/compile_ahead.py & compiling=$$!; \
		$(CHECK) || { kill $$compiling; exit 1; }; wait $$compiling
	$(PYTEST) -n 2 --dist loadfile --no-loadscope-reorder

check: $(VENV)/.dev
	$(CHECK)

# Debian's Chromium, its headless build first; where it cannot be installed the tests of the pages say so.
browser:
	@scripts/chromium.sh

# A year of every variant by mouse, by keys and by touch; `make test` plays a sixth of it.
years: $(VENV)/.dev browser
	PLENIPO_YEARS=all $(PYTEST) tests/browser/test_years.py

# Every test of the pages; `make test` makes as many as its time allows, the shortest of each file first.
pages: $(VENV)/.dev browser
	$(PYTEST) -n 2 --dist loadfile tests/browser

# Every other test that takes long, chosen in the same way, with what stands beside it in a file.
long: $(VENV)/.dev
	$(PYTEST) -n 2 --dist loadfile $$(sed '/ browser/d; s|.* |tests/|; s|::.*||' tests/long_tests.txt | sort -u)

# Every position, mistake, game, case, question and size that is meant; `make test` takes a tenth to a third of them.
proofs: $(VENV)/.dev browser
	PLENIPO_PROOFS=all $(PYTEST) -n 2 --dist worksteal $(PROOFS)

# Each version in an environment of its own, with the core and what its tests need.
test-versions:
	@$(or $(PYTHON),python3) scripts/versions.py

# The tests of the rules alone; tracing costs too much for every run.
coverage: $(VENV)/.dev
	$(BIN)/coverage run -m pytest -q tests/engine tests/rulekit tests/cases_tests tests/languages
	$(BIN)/coverage report

load: $(VENV)/.dev
	@$(BIN)/python scripts/load.py

season: $(VENV)/.dev
	@$(BIN)/python scripts/season.py --games 1000
	@$(BIN)/python scripts/season.py --games 1000 --database postgresql
	@$(BIN)/python scripts/season.py --live --games 40
	@$(BIN)/python scripts/season.py --live --games 40 --database postgresql

bench: $(VENV)/.dev
	@$(BIN)/python scripts/bench.py

docs: $(VENV)/.dev
	@$(BIN)/python scripts/generated_docs.py

# In an environment of its own, with what runs notebooks, builds pages and reads interfaces.
site: $(PUBLISH)/.ready
	@PYTHONPATH=src $(PUBLISH)/bin/python scripts/build_site.py

manuals: $(PUBLISH)/.ready
	@PYTHONPATH=src $(PUBLISH)/bin/python scripts/man_pages.py build/man

interface: $(PUBLISH)/.ready
	@$(PUBLISH)/bin/python scripts/interface.py

tour:
	@$(or $(PYTHON),python3) scripts/tour.py

extras:
	@$(or $(PYTHON),python3) scripts/tour.py --extras

release: $(PUBLISH)/.ready
	@PYTHONPATH=src $(PUBLISH)/bin/python scripts/release.py

clean:
	rm -rf $(VENV) .venvs build dist .mypy_cache .pytest_cache .ruff_cache .hypothesis
	find src tests scripts -name __pycache__ -type d -prune -exec rm -rf {} + 2>/dev/null || true

# A stamp says that what these two files ask for is installed, so that the second run starts at once.
$(VENV)/.play: pyproject.toml constraints.txt | $(BIN)/python
	@echo 'Installing Plenipo into $(VENV) (once).'
	@if $(PIP) -e '.[fast]' 2>/dev/null; then \
		echo 'Preparing the computer players in the background (most of a minute of processor time, once).'; \
		PYTHONPATH=src nohup $(BIN)/plenipo warm >/dev/null 2>&1 & \
	else echo 'Numba cannot be had here, so the computer players play by rules of thumb.'; fi
	@$(PIP) -e '.[server,png]'
	@touch $@

$(VENV)/.dev: pyproject.toml constraints.txt | $(BIN)/python
	@echo 'Installing Plenipo and its checks into $(VENV) (once).'
	@$(PIP) pip
	@$(PIP) -e '.[import,match,poster,postgres,ray,selfplay]' --group dev
	@touch $@ $(VENV)/.play

$(PUBLISH)/.ready: pyproject.toml constraints.txt
	@echo 'Installing what builds the documentation and releases into $(PUBLISH) (once).'
	@$(or $(PYTHON),python3) -m venv $(PUBLISH)
	@$(subst $(BIN),$(PUBLISH)/bin,$(PIP)) pip
	@$(subst $(BIN),$(PUBLISH)/bin,$(PIP)) -e '.[fast,png,selfplay,server]' --group publish
	@touch $@

$(BIN)/python:
	@test -n '$(PYTHON)' || { echo 'Plenipo needs Python 3.11 or later, and none was found; install one or say make PYTHON=/path/to/python.' >&2; exit 1; }
	@$(PYTHON) -c 'import ensurepip, venv' 2>/dev/null || { echo '$(PYTHON) cannot make environments; install its venv module (Debian: apt install python3-venv).' >&2; exit 1; }
	@$(PYTHON) -m venv $(VENV)
