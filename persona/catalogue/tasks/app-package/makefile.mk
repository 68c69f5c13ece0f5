# snippet:doc https://reproducible-builds.org/docs/archives/ Reproducible archives
# snippet:check
# snippet:prints dist/notes-1.4.2.tar.gz: OK
.DEFAULT_GOAL := check
.PHONY: check
check:
	@mkdir -p build && echo program > build/notes
	@$(MAKE) -s -f $(firstword $(MAKEFILE_LIST)) package VERSION=1.4.2 SOURCE_DATE_EPOCH=0
	@sha256sum --check dist/SHA256SUMS
# snippet:end
VERSION           ?= $(shell git describe --tags --always)
SOURCE_DATE_EPOCH ?= $(shell git log -1 --format=%ct)
ARCHIVE           := dist/notes-$(VERSION).tar.gz

# The same sources give the same bytes, so anybody can check a download.
$(ARCHIVE): build/notes
	mkdir -p $(@D)
	tar --create --sort=name --owner=0 --group=0 --numeric-owner \
		--mtime="@$(SOURCE_DATE_EPOCH)" --directory=build notes | gzip --no-name > $@

.PHONY: package
package: $(ARCHIVE)
	sha256sum $(ARCHIVE) > dist/SHA256SUMS
