# snippet:doc https://www.gnu.org/software/coreutils/manual/html_node/sha2-utilities.html sha2 utilities
# snippet:check
# snippet:prints photos/a.jpg: OK
# snippet:prints photos/b.jpg: OK
.DEFAULT_GOAL := check
.PHONY: check
check:
	@mkdir -p photos && echo a > photos/a.jpg && echo b > photos/b.jpg
	@$(MAKE) -s -f $(firstword $(MAKEFILE_LIST)) SHA256SUMS verify
# snippet:end
FILES := $(sort $(wildcard photos/*))

# Written when a file is new or changed; kept beside the files in the archive.
SHA256SUMS: $(FILES)
	@sha256sum $(FILES) > $@.tmp && mv $@.tmp $@

.PHONY: verify
verify: SHA256SUMS
	@sha256sum --check --strict $<
