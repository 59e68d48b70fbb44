# Two commands to know: `make demo` and `make test`.
PYTHON ?= python3
VENV   := .venv
BIN    := $(VENV)/$(if $(filter Windows_NT,$(OS)),Scripts,bin)
EXE    := $(if $(filter Windows_NT,$(OS)),.exe,)
DIST   := build/dist
JOBS   ?= 2

.PHONY: demo test lint unit core wheel dist release-check kernels nightly goldens bench browser docs publish-docs clean

$(BIN)/python$(EXE):
	$(PYTHON) -m venv $(VENV)

$(VENV)/.user: $(BIN)/python$(EXE) pyproject.toml hatch_build.py
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -e .
	touch $@

$(VENV)/.test: $(BIN)/python$(EXE) pyproject.toml hatch_build.py
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

core: $(VENV)/.core  # the part of the suite that other systems try: languages, models, options, messages
	$(BIN)/python -m pytest -n $(JOBS) tests/unit/logic tests/unit/model tests/unit/options tests/unit/cli/test_newcomers.py

$(VENV)/.core: $(BIN)/python$(EXE) pyproject.toml hatch_build.py
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -e '.[test-core]'
	touch $@

wheel: $(VENV)/.test  # builds one, installs it into an environment of its own, and tries it
	$(BIN)/python -m pytest -m installed tests/literate/test_installed.py

dist: $(VENV)/.release  # the source and a wheel made from it, in build/dist; on Linux with the tag that PyPI demands
	rm -rf $(DIST)
	$(BIN)/python -m build --no-isolation --outdir $(DIST)
	for wheel in $(DIST)/*-linux_*.whl; do test ! -e "$$wheel" || \
	  { PATH="$(BIN):$$PATH" $(BIN)/auditwheel repair --wheel-dir $(DIST) "$$wheel" && rm "$$wheel"; } || exit 1; done
	$(BIN)/python -m twine check --strict $(DIST)/*

release-check: dist  # whatever can be tried before a release without publishing it
	COARSEST_WHEEL="$$(ls $(DIST)/*.whl)" $(BIN)/python -m pytest -m installed tests/literate/test_installed.py

$(VENV)/.release: $(BIN)/python$(EXE) pyproject.toml hatch_build.py
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -e '.[release]'
	touch $@

docs: $(VENV)/.docs  # the documentation as a site, in build/site
	NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build --strict --quiet

publish-docs: $(VENV)/.docs  # as one version among others in the branch gh-pages: for the workflow, which names the version
	$(BIN)/mike deploy --push --update-aliases $(DOCS_VERSION) $(if $(filter v%,$(DOCS_VERSION)),latest,)
	$(BIN)/mike set-default --push --allow-undefined latest

$(VENV)/.docs: $(BIN)/python$(EXE) pyproject.toml
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
