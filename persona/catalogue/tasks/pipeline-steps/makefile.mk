# snippet:doc https://www.gnu.org/software/make/manual/html_node/Prerequisite-Types.html Types of prerequisites
# snippet:title Run the steps of a pipeline
# snippet:description Run the steps of a pipeline in order: each leaves a mark, and is run again when the step before it was.
# snippet:description After a failure, the next call goes on with the step that failed.
# snippet:why A pipeline that stopped goes on where it was.
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
