# snippet:doc https://www.gnu.org/software/make/manual/html_node/Parallel.html Parallel execution
# snippet:check
# snippet:prints ruff format --check .
# snippet:prints ruff check .
# snippet:prints mypy src
# snippet:prints pytest --quiet
.DEFAULT_GOAL := dry-run
.PHONY: dry-run
dry-run:
	@$(MAKE) -n -s -f $(firstword $(MAKEFILE_LIST)) check
# snippet:end
# "make check" before a push; "make -k -j check" to hear all complaints at once.
.PHONY: check format lint types test
check: format lint types test

format:
	ruff format --check .

lint:
	ruff check .

types:
	mypy src

test:
	pytest --quiet

# The fixes that a machine can make.
.PHONY: fix
fix:
	ruff check --fix-only .
	ruff format .
