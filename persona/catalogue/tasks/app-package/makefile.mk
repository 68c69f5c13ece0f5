# snippet:doc https://reproducible-builds.org/docs/archives/ Reproducible archives
# snippet:check
# snippet:prints notes-1.4.2.tar.gz: OK
.DEFAULT_GOAL := check
.PHONY: check
check:
	@mkdir -p build && echo program > build/notes
	@$(MAKE) -s -f $(firstword $(MAKEFILE_LIST)) package VERSION=1.4.2 SOURCE_DATE_EPOCH=0
	@cd dist && sha256sum --check SHA256SUMS
	@! $(MAKE) -s -f $(firstword $(MAKEFILE_LIST)) package VERSION=2 SOURCE_DATE_EPOCH= 2> /dev/null
	@! $(MAKE) -s -f $(firstword $(MAKEFILE_LIST)) package VERSION= SOURCE_DATE_EPOCH=0 2> /dev/null
# snippet:end
# snippet:needs GNU make 3.82, GNU coreutils, GNU tar 1.28, gzip, Bash
VERSION           ?= $(subst /,-,$(shell git describe --tags --always --dirty))
SOURCE_DATE_EPOCH ?= $(shell git log -1 --format=%ct)
ARCHIVE           := dist/notes-$(VERSION).tar.gz

SHELL       := /bin/bash
.SHELLFLAGS := -eo pipefail -c
.DELETE_ON_ERROR:

.PHONY: package
package: $(ARCHIVE)
	cd dist && sha256sum $(notdir $(ARCHIVE)) > SHA256SUMS

# From an empty dist, the same program and commit give the same bytes. A rule of your own makes the program.
$(ARCHIVE): build/notes
	$(if $(and $(VERSION),$(SOURCE_DATE_EPOCH)),,$(error no commit: say VERSION=... and SOURCE_DATE_EPOCH=...))
	mkdir -p $(@D)
	tar --create --sort=name --owner=0 --group=0 --numeric-owner --mode=755 \
		--mtime="@$(SOURCE_DATE_EPOCH)" --directory=build notes | gzip --no-name > $@
