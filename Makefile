# Two commands to know: `make demo` and `make test`.
PYTHON ?= python3
VENV   := .venv
BIN    := $(VENV)/bin
JOBS   ?= 2

.PHONY: demo test lint unit wheel kernels nightly goldens bench browser docs clean

$(BIN)/python:
	$(PYTHON) -m venv $(VENV)

$(VENV)/.user: $(BIN)/python pyproject.toml hatch_build.py
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -e .
	touch $@

$(VENV)/.test: $(BIN)/python pyproject.toml hatch_build.py
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -e '.[test]'
	touch $@ $(VENV)/.user

demo: $(VENV)/.user
	$(BIN)/coarsest check examples/mutex.smv || test $$? -eq 1  # two of its properties fail, as they should

test: lint unit

lint: $(VENV)/.test
	$(BIN)/ruff check src tests benchmarks
	$(BIN)/mypy
	$(BIN)/lint-imports

unit: $(VENV)/.test kernels
	$(BIN)/python -m pytest -n $(JOBS) --dist worksteal -m "not nightly and not installed"

wheel: $(VENV)/.test  # builds one, installs it into an environment of its own, and tries it
	$(BIN)/python -m pytest -m installed tests/literate/test_installed.py

docs: $(VENV)/.docs  # the documentation as a site, in build/site
	NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build --strict --quiet

$(VENV)/.docs: $(BIN)/python pyproject.toml
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -e '.[docs]'
	touch $@

browser:  # Chromium, for the tests of pages, which are skipped without it; on Debian, by its administrator
	command -v chromium || (apt-get -qq update && apt-get -qq install --yes --no-install-recommends chromium)

nightly: $(VENV)/.test
	$(BIN)/python -m pytest -n $(JOBS) --dist worksteal -m nightly

kernels: $(VENV)/.test  # after a change of kernels: the library again (where there is nothing to make it with, twins do the work)
	-@$(BIN)/python -m coarsest._kernels.build_library

goldens: $(VENV)/.test  # what commands print of the examples, which tests/literate compares
	$(BIN)/python tests/golden_outputs.py

bench: $(VENV)/.test
	$(BIN)/python -m benchmarks $(ARGS)
	$(BIN)/python -m benchmarks.minimisers

clean:
	rm -rf $(VENV) .pytest_cache .mypy_cache .ruff_cache .hypothesis
