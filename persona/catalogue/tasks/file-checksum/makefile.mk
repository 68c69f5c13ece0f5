# snippet:doc https://www.gnu.org/software/coreutils/manual/html_node/sha2-utilities.html sha2 utilities
# snippet:title Record and verify checksums
# snippet:needs GNU make 3.82
# snippet:description Write the SHA-256 of every photo into `SHA256SUMS` once, and verify the files against that list whenever you
# snippet:description like. A file that was changed or is missing makes the target fail.
# snippet:why A photo that was damaged on the disk is noticed while a copy of it may still be whole.
# snippet:check
# snippet:prints photos/a.jpg: OK
# snippet:prints photos/b 2.jpg: OK
# snippet:prints photos/a.jpg: OK
# snippet:prints photos/b 2.jpg: FAILED
# snippet:prints changed
.DEFAULT_GOAL := check
.PHONY: check
check:
	@mkdir -p photos && echo a > photos/a.jpg && echo b > 'photos/b 2.jpg'
	@$(MAKE) -s -f $(firstword $(MAKEFILE_LIST)) sums
	@$(MAKE) -s -f $(firstword $(MAKEFILE_LIST)) verify
	@echo x > 'photos/b 2.jpg'
	@$(MAKE) -s -f $(firstword $(MAKEFILE_LIST)) verify 2> /dev/null || echo changed
# snippet:end
SHELL       := bash
.SHELLFLAGS := -eo pipefail -c
.PHONY: verify sums

# First, so that a bare make verifies. Not "verify: SHA256SUMS" with a rule for it: a changed
# file would first get a new sum.
verify:
	@sha256sum --check --strict SHA256SUMS

# Once, when the files go into the archive; the sums are kept beside them.
sums:
	@find -H photos -type f -print0 | sort --zero-terminated | xargs --null --no-run-if-empty sha256sum > SHA256SUMS.tmp
	@mv SHA256SUMS.tmp SHA256SUMS
