# snippet:doc https://sqlite.org/cli.html Command line shell for SQLite
# snippet:title Apply new migrations in order
# snippet:description Apply the SQL files of a folder to a database in the order of their names, each whole or not at all.
# snippet:description Afterwards a mark is left for each, and keeps it from being applied again.
# snippet:why New files are applied in their order, and one that fails changes nothing.
# snippet:check
# snippet:prints apply 001-orders
# snippet:prints apply 002-index
# snippet:prints version 2
.DEFAULT_GOAL := check
.PHONY: check
check:
	@mkdir -p migrations
	@echo 'CREATE TABLE orders (id INTEGER PRIMARY KEY, paid TEXT);' > migrations/001-orders.sql
	@printf 'CREATE INDEX orders_paid ON orders (paid); -- without a line end' > migrations/002-index.sql
	@$(MAKE) -s -f $(firstword $(MAKEFILE_LIST)) migrate
	@touch -d '+1 minute' migrations/001-orders.sql
	@$(MAKE) -s -f $(firstword $(MAKEFILE_LIST)) migrate
	@echo "version $$(sqlite3 app.db 'SELECT count(*) FROM sqlite_schema')"
# snippet:end
DATABASE   := app.db
MIGRATIONS := $(sort $(wildcard migrations/*.sql))
APPLIED    := $(MIGRATIONS:migrations/%.sql=state/%.applied)

.NOTPARALLEL:
.PHONY: migrate
migrate: $(APPLIED)

# Each whole or not at all; after the "|", a newer time alone does not apply a file again.
state/%.applied: | migrations/%.sql
	@echo "apply $*"
	@mkdir -p $(@D)
	@sqlite3 -bail $(DATABASE) BEGIN '.read $|' COMMIT
	@touch $@
