# snippet:doc https://www.gnu.org/software/make/manual/html_node/Pattern-Rules.html Pattern rules
# snippet:check
# snippet:prints pack hero
# snippet:prints pack tree
# snippet:prints h
# snippet:prints h
# snippet:prints nothing left to do
.DEFAULT_GOAL := check
.PHONY: check
check:
	@mkdir -p art && echo h > art/hero.svg && echo t > art/tree.svg
	@printf '#!/bin/sh\ncp "$$2" "$${1#--output=}"\n' > rsvg-convert && chmod +x rsvg-convert
	@PATH=$(CURDIR):$$PATH $(MAKE) -s -f $(firstword $(MAKEFILE_LIST)) assets && cat art/hero.svg build/assets/hero.png
	@$(MAKE) -s -f $(firstword $(MAKEFILE_LIST)) -q assets && echo "nothing left to do"
# snippet:end
SOURCES := $(wildcard art/*.svg)
ASSETS  := $(SOURCES:art/%.svg=build/assets/%.png)

.DELETE_ON_ERROR:
.PHONY: assets
assets: $(ASSETS)

# One rule for all pictures, named with letters, digits, - and _; only those that changed are converted again.
# The result of a picture that is gone stays.
build/assets/%.png: art/%.svg | build/assets
	@echo "pack $*"
	@rsvg-convert --output=$@ $<

build/assets:
	@mkdir -p $@
