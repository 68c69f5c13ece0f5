# snippet:doc https://www.gnu.org/software/make/manual/html_node/Phony-Targets.html Phony targets
# snippet:description Start PostgreSQL in a container that only this machine can reach, wait until it answers, and run the
# snippet:description migrations. `db-stop` removes it with all its data.
# snippet:check
# snippet:prints docker run --detach --name shop-db --publish 127.0.0.1:5432:5432 --env POSTGRES_HOST_AUTH_METHOD=trust postgres:17
# snippet:prints until docker exec shop-db pg_isready --host=localhost --quiet; do docker top shop-db > /dev/null || exit; sleep 1; done
# snippet:prints for file in migrations/*.sql; do psql --host=127.0.0.1 --port=5432 --username=postgres --dbname=postgres --quiet --set=ON_ERROR_STOP=1 --file="$file" || exit; done
.DEFAULT_GOAL := dry-run
.PHONY: dry-run
dry-run:
	@$(MAKE) -n -s -f $(firstword $(MAKEFILE_LIST)) db
# snippet:end
IMAGE := postgres:17
PSQL  := psql --host=127.0.0.1 --port=5432 --username=postgres --dbname=postgres --quiet --set=ON_ERROR_STOP=1

# Only this machine can reach it, and it holds nothing that matters.
.PHONY: db db-stop
db:
	docker run --detach --name shop-db --publish 127.0.0.1:5432:5432 --env POSTGRES_HOST_AUTH_METHOD=trust $(IMAGE)
	until docker exec shop-db pg_isready --host=localhost --quiet; do docker top shop-db > /dev/null || exit; sleep 1; done
	for file in migrations/*.sql; do $(PSQL) --file="$$file" || exit; done

db-stop:
	docker rm --force --volumes shop-db
