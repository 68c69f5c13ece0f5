# snippet:doc https://www.gnu.org/software/make/manual/html_node/Text-Functions.html Functions for text
# snippet:check
# snippet:prints public/about.html
# snippet:prints public/index.html
# snippet:prints public/notes/make.html
.DEFAULT_GOAL := check
.PHONY: check
check:
	@mkdir -p pages/notes && for p in index about notes/make; do echo "# $$p" > pages/$$p.md; done
	@$(MAKE) -s -f $(firstword $(MAKEFILE_LIST)) site markdown='sed s/^..//'
	@mkdir -p pages/old && echo "# b" > pages/old/b.md && $(MAKE) -s -f $(firstword $(MAKEFILE_LIST)) site markdown='sed s/^..//'
	@test -e public/old/b.html && rm pages/old/b.md && $(MAKE) -s -f $(firstword $(MAKEFILE_LIST)) site markdown='sed s/^..//'
	@! $(MAKE) -f $(firstword $(MAKEFILE_LIST)) site markdown='sed s/^..//' | grep gone
	@find public -name '*.html' | sort
# snippet:end
# The names have no spaces, and in public/ every page comes from one in pages/.
PAGES    := $(shell find -H pages -name '*.md' 2>/dev/null)
HTML     := $(PAGES:pages/%.md=public/%.html)
STALE    := $(filter-out $(HTML),$(shell find -H public -name '*.html' 2>/dev/null))
markdown ?= pandoc --standalone --to=html5

.PHONY: site publish
.DELETE_ON_ERROR: # half a page must not look finished
site: $(HTML)
	$(if $(PAGES),,$(error there are no pages))
	$(if $(STALE),rm $(STALE) # their sources are gone)

public/%.html: pages/%.md
	@mkdir -p $(@D)
	$(markdown) < $< > $@

# --delete removes pages that are gone; --checksum leaves the unchanged alone.
publish: site
	rsync --recursive --checksum --delete public/ "$(or $(SERVER),$(error make publish SERVER=…)):/srv/www/"
