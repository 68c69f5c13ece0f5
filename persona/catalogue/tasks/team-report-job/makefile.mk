# snippet:doc https://www.gnu.org/software/make/manual/html_node/Shell-Function.html The shell function
# snippet:why One small file for each week, with numbers that can be compared.
# snippet:description Count the closed and the open tickets of an export, and write both into a Markdown file named after the
# snippet:description week. A report that is there is kept as it is; from an empty export none is written.
# snippet:check
# snippet:prints # Week 2024-W18
# snippet:prints
# snippet:prints - 2 tickets closed
# snippet:prints - 1 still open
.DEFAULT_GOAL := check
.PHONY: check
check:
	@: > tickets.csv; ! $(MAKE) -s -f $(firstword $(MAKEFILE_LIST)) report WEEK=2024-W18 2> /dev/null
	@printf 'A-1,closed\nA-2,open\n"A-3","closed"\r\n' > tickets.csv
	@$(MAKE) -s -f $(firstword $(MAKEFILE_LIST)) report WEEK=2024-W18 && cat reports/2024-W18.md
# snippet:end
WEEK   := $(shell date +%G-W%V)
REPORT := reports/$(WEEK).md

.PHONY: report
report: $(REPORT)

# What failed is not kept: it would stay for the week.
.DELETE_ON_ERROR:
# The last column is the state. A week's report is written once from that day's export, and then kept.
$(REPORT): | tickets.csv
	@mkdir -p $(@D)
	awk -F, '{ gsub(/[\r"]/, "") } $$NF == "closed" { closed++ } $$NF == "open" { open++ } \
	  END { if (!NR) exit 1; \
	    printf "# Week %s\n\n- %d tickets closed\n- %d still open\n", "$(WEEK)", closed, open }' $| > $@
