# snippet:why Only the logs that have changed are counted again.
# snippet:description Count the errors and warnings of each log file, and add them up. Make keeps the counts of each file, so a log
# snippet:description that has not changed is not counted again.
# snippet:title Count the errors and warnings of many logs
# snippet:doc https://www.gnu.org/software/make/manual/html_node/Pattern-Rules.html Pattern rules
# snippet:check
# snippet:prints 2 ERROR
# snippet:prints 1 WARN
.DEFAULT_GOAL := check
.PHONY: check
check:
	@mkdir -p logs && printf 'ERROR disk\nINFO ok\n' > logs/a.log && printf 'WARN slow\nERROR net\n' > logs/b.log
	@$(MAKE) -s -f $(firstword $(MAKEFILE_LIST)) summary
# snippet:end
# snippet:needs GNU make 4.0
LOGS   := $(sort $(wildcard logs/*.log))
COUNTS := $(LOGS:.log=.count)

.DELETE_ON_ERROR:
# A line begins with its level. A log that has not changed is not counted again. Names of logs hold no spaces.
%.count: %.log
	awk '$$1 == "ERROR" || $$1 == "WARN" { n[$$1]++ } END { for (level in n) print level, n[level] }' $< > $@

# The list stands in a file: thousands of names are too long for a command.
.PHONY: summary
summary: $(COUNTS)
	$(file > .counts,$^)
	xargs cat < .counts | awk '{ n[$$1] += $$2 } END { for (level in n) print n[level], level }' | sort -rn
