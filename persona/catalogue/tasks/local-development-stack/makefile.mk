# snippet:doc https://docs.docker.com/reference/cli/docker/compose/up/ docker compose up
# snippet:why The first day should end with a change, not with an installation.
# snippet:description Start the services in containers with one word, wait until those with a health check are healthy, and run
# snippet:description the program on this machine. Settings are copied from an example once.
# snippet:check
# snippet:prints cp .env.example .env
# snippet:prints docker compose up --detach --wait
# snippet:prints npm run dev
.DEFAULT_GOAL := dry-run
.PHONY: dry-run
dry-run:
	@touch .env.example
	@$(MAKE) -n -s -f $(firstword $(MAKEFILE_LIST)) dev
# snippet:end
.PHONY: dev stop reset logs
dev: .env
	docker compose up --detach --wait
	npm run dev

# Made once from the example; what you change in it stays yours.
.env: | .env.example
	cp .env.example $@

stop:
	docker compose stop

reset:
	docker compose down --volumes

logs:
	docker compose logs --follow --tail=50
