# snippet:doc https://www.gnu.org/software/make/manual/html_node/Pattern-Rules.html Pattern rules
# snippet:check
# snippet:prints pack hero
# snippet:prints pack tree
# snippet:prints nothing left to do
.DEFAULT_GOAL := check
convert := cp
.PHONY: check
check:
	@mkdir -p art && echo h > art/hero.svg && echo t > art/tree.svg
	@$(MAKE) -s -f $(firstword $(MAKEFILE_LIST)) assets convert=cp
	@$(MAKE) -s -f $(firstword $(MAKEFILE_LIST)) -q assets && echo "nothing left to do"
# snippet:end
SOURCES := $(wildcard art/*.svg)
ASSETS  := $(SOURCES:art/%.svg=build/assets/%.png)
convert ?= rsvg-convert -o

.PHONY: assets
assets: $(ASSETS)

# One rule for all pictures; only those that changed are converted again.
build/assets/%.png: art/%.svg | build/assets
	@echo "pack $*"
	@$(convert) $< $@

build/assets:
	@mkdir -p $@
