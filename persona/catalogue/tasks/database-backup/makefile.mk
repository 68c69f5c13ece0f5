# snippet:doc https://www.postgresql.org/docs/current/app-pgdump.html pg_dump
# snippet:title Dump a database, and restore it to check
# snippet:description Dump a PostgreSQL database into a file with the date in its name; a dump that was cut off never gets that
# snippet:description name. `verify` restores it into a database of its own and runs a query.
# snippet:check
# snippet:prints pg_dump --format=custom --file=backups/shop-2024-05-01.dump.part shop
# snippet:prints mv backups/shop-2024-05-01.dump.part backups/shop-2024-05-01.dump
# snippet:prints dropdb --if-exists shop_restore_check
# snippet:prints createdb shop_restore_check
# snippet:prints pg_restore --exit-on-error --dbname=shop_restore_check backups/shop-2024-05-01.dump
# snippet:prints psql --dbname=shop_restore_check --command='SELECT count(*) FROM orders'
# snippet:prints dropdb shop_restore_check
.DEFAULT_GOAL := dry-run
.PHONY: dry-run
dry-run:
	@mkdir -p backups
	@$(MAKE) -n -s -f $(firstword $(MAKEFILE_LIST)) verify TODAY=2024-05-01
# snippet:end
DATABASE := shop
TODAY    := $(shell date +%F)
DUMP     := backups/$(DATABASE)-$(TODAY).dump
CHECK    := $(DATABASE)_restore_check

# One dump a day. If it was cut off, it never gets the final name.
$(DUMP): | backups
	pg_dump --format=custom --file=$@.part $(DATABASE)
	mv $@.part $@

.PHONY: verify
verify: $(DUMP)
	dropdb --if-exists $(CHECK)
	createdb $(CHECK)
	pg_restore --exit-on-error --dbname=$(CHECK) $<
	psql --dbname=$(CHECK) --command='SELECT count(*) FROM orders'
	dropdb $(CHECK)

backups:
	mkdir -p $@
