# snippet:doc https://sqlite.org/cli.html Command line shell for SQLite
# snippet:title Apply new migrations in order
# snippet:description Apply the SQL files of a folder to a database in the order of their names, each whole or not at all.
# snippet:description The name of each is written to the database in the same transaction, and is not applied again.
# snippet:why New files are applied in their order, and one that fails changes nothing.
# snippet:check
# snippet:prints apply 001-orders.sql
# snippet:prints apply 002-index.sql
# snippet:prints version 2
# snippet:prints apply 001-orders.sql
# snippet:prints apply 002-index.sql
# snippet:prints apply 003-wrong.sql
# snippet:prints apply 003-wrong.sql
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
	@echo "version $$(sqlite3 app.db 'SELECT count(*) FROM migration')"
	@$(MAKE) -s -f $(firstword $(MAKEFILE_LIST)) migrate DATABASE=test.db
	@echo 'CREATE TABLE half (id INTEGER); INSERT INTO nowhere VALUES (1);' > migrations/003-wrong.sql
	@! $(MAKE) -s -f $(firstword $(MAKEFILE_LIST)) migrate 2> /dev/null
	@! $(MAKE) -s -f $(firstword $(MAKEFILE_LIST)) migrate 2> /dev/null
	@echo "version $$(sqlite3 app.db "SELECT count(*) FROM sqlite_schema WHERE name LIKE 'orders%' OR name = 'half'")"
# snippet:end
DATABASE   := app.db
MIGRATIONS := $(sort $(wildcard migrations/*.sql))

.NOTPARALLEL:
.PHONY: migrate $(MIGRATIONS)
migrate: $(MIGRATIONS)

# Each whole or not at all, with its name in the same transaction: what is there is not applied again. The files
# hold no BEGIN or COMMIT of their own.
$(MIGRATIONS):
	@sqlite3 $(DATABASE) 'CREATE TABLE IF NOT EXISTS migration (name TEXT PRIMARY KEY)'
	@if [ -z "$$(sqlite3 $(DATABASE) "SELECT name FROM migration WHERE name = '$(@F)'")" ]; then \
	  echo "apply $(@F)"; \
	  sqlite3 -bail $(DATABASE) BEGIN "INSERT INTO migration VALUES ('$(@F)')" '.read $@' COMMIT; \
	fi
