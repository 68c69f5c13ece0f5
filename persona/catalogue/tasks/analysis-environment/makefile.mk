# snippet:doc https://docs.python.org/3/library/venv.html venv
# snippet:check
# snippet:prints python3 -m venv --clear .venv
# snippet:prints .venv/bin/pip install --quiet --require-hashes -r requirements.txt
# snippet:prints touch .venv/.installed
# snippet:prints mkdir -p results
# snippet:prints .venv/bin/python analysis.py --seed 20240501 data/raw.csv results/figures.pdf
.DEFAULT_GOAL := dry-run
.PHONY: dry-run
dry-run:
	@mkdir -p data && touch data/raw.csv requirements.txt analysis.py
	@$(MAKE) -n -s -f $(firstword $(MAKEFILE_LIST)) results/figures.pdf
# snippet:end
SEED := 20240501
.DELETE_ON_ERROR: # half a result is no result

# The figures are made again when the data, the code or the packages change.
results/figures.pdf: analysis.py data/raw.csv .venv/.installed
	mkdir -p $(@D)
	.venv/bin/python analysis.py --seed $(SEED) data/raw.csv $@

# Hashes pin the packages: another file of the same version is refused.
.venv/.installed: requirements.txt
	python3 -m venv --clear .venv
	.venv/bin/pip install --quiet --require-hashes -r requirements.txt
	touch $@
