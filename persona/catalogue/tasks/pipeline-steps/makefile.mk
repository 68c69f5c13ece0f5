# snippet:doc https://www.gnu.org/software/make/manual/html_node/Prerequisite-Types.html Types of prerequisites
# snippet:check
# snippet:prints extract
# snippet:prints clean
# snippet:prints load
# snippet:prints clean
# snippet:prints load
.DEFAULT_GOAL := check
.PHONY: check
check:
	@$(MAKE) -s -f $(firstword $(MAKEFILE_LIST)) pipeline
	@sleep 0.02 && touch state/extract && $(MAKE) -s -f $(firstword $(MAKEFILE_LIST)) pipeline
# snippet:end
.PHONY: pipeline
pipeline: state/load

# Each step leaves a mark; a step is run again when the one before it was.
state/load: state/clean
	@echo load
	@touch $@

state/clean: state/extract
	@echo clean
	@touch $@

state/extract: | state
	@echo extract
	@touch $@

state:
	@mkdir -p $@
