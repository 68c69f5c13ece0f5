# snippet:doc https://www.gnu.org/software/make/manual/html_node/Errors.html Errors in recipes
# snippet:title Stop a deployment that is over budget
# snippet:why While the month is over its budget, nothing more is deployed.
# snippet:description Add up the costs of a month by tag from a CSV file, the largest first. `make deploy` stops when the sum is over
# snippet:description the budget, or the file is empty or has a line that cannot be read.
# "make deploy" stops when the month's costs are over the budget; costs.csv begins with "tag,amount".
BUDGET ?= 400
COSTS  ?= costs.csv
# Numbers have a point, also for mawk.
export LC_ALL := C

budget: $(COSTS)
	@awk -F, 'NR > 1 { cost[$$1] += $$2 } \
	  END { for (tag in cost) printf "%8.2f  %s\n", cost[tag], tag }' $< | sort -rn
	@awk -F, -v limit=$(BUDGET) 'NR > 1 { cents += 100 * $$2 } \
	  (NR > 1 ? !/^[^,]+,-?[0-9]+(\.[0-9]+)?\r?$$/ : !/^tag,amount\r?$$/) { print "cannot read line " NR; bad = 1 } \
	  END { printf "%8.2f  of %.2f\n", cents / 100, limit; exit !NR || bad || cents > 100 * limit + 0.001 }' $< \
	  || { echo "over budget, or not known: ask before you spend more" >&2; exit 1; }

deploy: budget
	./deploy.sh

.PHONY: budget deploy
# snippet:check
.DEFAULT_GOAL := run-check
run-check:
	@printf 'tag,amount\nsearch,120.5\nlab,80\nsearch,30\n' > costs.csv
	@$(MAKE) --no-print-directory -f $(firstword $(MAKEFILE_LIST)) budget
	@$(MAKE) --no-print-directory -f $(firstword $(MAKEFILE_LIST)) BUDGET=100 budget 2> /dev/null || echo "refused"
	@printf 'tag,amount\nlab,1200 EUR\n' > costs.csv
	@$(MAKE) --no-print-directory -f $(firstword $(MAKEFILE_LIST)) BUDGET=2000 budget 2> /dev/null || echo "refused"
	@: > costs.csv
	@$(MAKE) --no-print-directory -f $(firstword $(MAKEFILE_LIST)) budget 2> /dev/null || echo "refused"
	@printf 'lab,1200\n' > costs.csv
	@$(MAKE) --no-print-directory -f $(firstword $(MAKEFILE_LIST)) budget 2> /dev/null || echo "refused"
	@rm costs.csv
# snippet:prints   150.50  search
# snippet:prints    80.00  lab
# snippet:prints   230.50  of 400.00
# snippet:prints   150.50  search
# snippet:prints    80.00  lab
# snippet:prints   230.50  of 100.00
# snippet:prints refused
# snippet:prints  1200.00  lab
# snippet:prints cannot read line 2
# snippet:prints  1200.00  of 2000.00
# snippet:prints refused
# snippet:prints     0.00  of 400.00
# snippet:prints refused
# snippet:prints cannot read line 1
# snippet:prints     0.00  of 400.00
# snippet:prints refused
