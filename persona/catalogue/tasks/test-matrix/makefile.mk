# snippet:doc https://www.gnu.org/software/make/manual/html_node/Static-Usage.html Static pattern rules
# snippet:description Run the same tests on each version of Python in a container. `make -k -j3 test-all` runs them side by side, all of
# snippet:description them even if one fails, and `make test-3.12` runs one.
# snippet:check
# snippet:prints docker run --rm -u "$(id -u):$(id -g)" -v "$PWD:/src" -w /src python:3.12-slim python -m unittest
# snippet:prints docker run --rm -u "$(id -u):$(id -g)" -v "$PWD:/src" -w /src python:3.13-slim python -m unittest
# snippet:prints docker run --rm -u "$(id -u):$(id -g)" -v "$PWD:/src" -w /src python:3.14-slim python -m unittest
.DEFAULT_GOAL := dry-run
.PHONY: dry-run
dry-run:
	@$(MAKE) -n -s -f $(firstword $(MAKEFILE_LIST)) test-all
# snippet:end
PYTHONS := 3.12 3.13 3.14
TESTS   := $(addprefix test-,$(PYTHONS))

.PHONY: test-all $(TESTS)
test-all: $(TESTS)

# "make test-3.12" runs one, "make -k -j3 test-all" all of them side by side, even if one fails.
$(TESTS): test-%:
	docker run --rm -u "$$(id -u):$$(id -g)" -v "$$PWD:/src" -w /src python:$*-slim python -m unittest
