# snippet:doc https://www.gnu.org/software/make/manual/html_node/Foreach-Function.html The foreach function
# snippet:check
# snippet:prints size,beta,value
# snippet:prints 16,0.1,1.6
# snippet:prints 16,0.2,3.2
# snippet:prints 32,0.1,3.2
# snippet:prints 32,0.2,6.4
.DEFAULT_GOAL := check
.PHONY: check
check:
	@printf '#!/bin/sh\necho "$$1,$$2,$$(awk "BEGIN { print $$1 * $$2 }")"\n' > simulate && chmod +x simulate
	@$(MAKE) -s -f $(firstword $(MAKEFILE_LIST)) sweep.csv && cat sweep.csv
# snippet:end
# snippet:needs GNU make 4.0
SIZES := 16 32
BETAS := 0.1 0.2
RUNS  := $(foreach size,$(SIZES),$(foreach beta,$(BETAS),runs/$(size)_$(beta).csv))

# ./simulate is yours: it prints a row for its two arguments.
# "make -j8" runs eight at a time; a sweep that was interrupted goes on with the runs that are missing.
# The list stands in a file: thousands of names are too long for a command.
sweep.csv: $(RUNS) $(firstword $(MAKEFILE_LIST))
	$(file > $@.runs,$(RUNS))
	{ echo "size,beta,value" && xargs cat < $@.runs; } > $@.tmp && mv $@.tmp $@

runs/%.csv: simulate
	@mkdir -p runs
	./simulate $(subst _, ,$*) > $@.tmp && mv $@.tmp $@
