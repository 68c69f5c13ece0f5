# snippet:doc https://sqlite.org/cli.html Command line shell for SQLite
# snippet:title Apply each migration once
# snippet:description Apply the SQL files of a folder to a database in the order of their numbers, each once and each whole or
# snippet:description not at all. A file is left for each that was applied.
# snippet:why Every database of the team has had the same changes in the same order.
# snippet:check
# snippet:prints apply 001-orders
# snippet:prints apply 002-index
# snippet:prints version 2
.DEFAULT_GOAL := check
.PHONY: check
check:
	@mkdir -p migrations
	@echo 'CREATE TABLE orders (id INTEGER PRIMARY KEY, paid TEXT);' > migrations/001-orders.sql
	@echo 'CREATE INDEX orders_paid ON orders (paid);' > migrations/002-index.sql
	@$(MAKE) -s -f $(firstword $(MAKEFILE_LIST)) migrate
	@$(MAKE) -s -f $(firstword $(MAKEFILE_LIST)) migrate
	@echo "version $$(ls state/*.applied | wc -l | tr -d ' ')"
# snippet:end
DATABASE   := app.db
MIGRATIONS := $(sort $(wildcard migrations/*.sql))
APPLIED    := $(MIGRATIONS:migrations/%.sql=state/%.applied)

.NOTPARALLEL:
.PHONY: migrate
migrate: $(APPLIED)

# In the order of their numbers, each once, each whole or not at all.
state/%.applied: migrations/%.sql
	@echo "apply $*"
	@mkdir -p $(@D)
	@{ echo 'BEGIN;'; cat $<; echo 'COMMIT;'; } | sqlite3 -bail $(DATABASE)
	@touch $@
