# snippet:description Import the file of the day once, however often the job is started. The mark that it is done is written last,
# snippet:description so a run that failed is done again as a whole.
# snippet:why The job may be started again, and a day is imported once.
# snippet:doc https://man7.org/linux/man-pages/man1/flock.1.html flock
# snippet:check
# snippet:prints import 3 rows
# snippet:prints skipped: already imported
.DEFAULT_GOAL := twice
.PHONY: twice
twice:
	@mkdir -p inbox && printf '1\n2\n3' > inbox/2024-05-01.csv
	@for i in 1 2; do $(MAKE) -s -f $(firstword $(MAKEFILE_LIST)) nightly DAY=2024-05-01; done
# snippet:end
DAY  := $(shell date +%F)
DONE := state/$(DAY).done

# From cron: flock --nonblock /run/lock/import make -C /srv/import nightly
.PHONY: nightly
nightly:
	@if [ -e $(DONE) ]; then echo "skipped: already imported"; \
	else $(MAKE) -s -f $(firstword $(MAKEFILE_LIST)) DAY=$(DAY) $(DONE); fi

# The mark is written last: a run that failed is done again, whole.
$(DONE): inbox/$(DAY).csv
	@echo "import $$(grep -c '' $<) rows"
	@mkdir -p $(@D) && touch $@
